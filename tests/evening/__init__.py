"""An evening at live tables: real dealers' work over the protocol, with the mistakes that people make.

Dealers deal real cards and enter them, sometimes wrongly, and correct that later; players bet and decide; a supervisor looks at
what waits for approval; the house is killed now and then. Afterwards every round is recalled, compared with the cards that really
lay on the table, and settled by the second reading of the rules (`tests/oracle`).
"""
