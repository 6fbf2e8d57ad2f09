"""What a configuration returns, from the same rules and outcome functions that the table runs on: exact analysis, best play,
simulation, exposure, the PAR sheet.

Touches every core of the machine, and a cache of what was worked out.
"""
