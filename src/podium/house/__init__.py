"""The house: tables, cashier, configuration, and the journal of all that happens."""

from podium.house.config import DEMONSTRATION, HouseConfig, read_config, write_config
from podium.house.house import House

__all__ = ["DEMONSTRATION", "House", "HouseConfig", "read_config", "write_config"]
