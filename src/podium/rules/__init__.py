"""The five games: options with their clauses, bets with their paytables, ways of dealing, settlement, and the rules of play in
words.

Touches nothing. The same options give the same rules, everywhere.
"""
