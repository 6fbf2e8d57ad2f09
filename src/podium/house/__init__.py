"""The house: tables, people, tickets, configuration, the journal of everything that happens, its proof and its reports.

Touches nothing: time, randomness and the store come in as values.
"""

from podium.house.config import DEMONSTRATION, HouseConfig, read_config, write_config
from podium.house.house import House

__all__ = ["DEMONSTRATION", "House", "HouseConfig", "read_config", "write_config"]
