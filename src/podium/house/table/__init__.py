"""A table: it runs rounds one after another, with a shoe, deadlines, seats and a dealer."""

from podium.house.table.config import TableConfig
from podium.house.table.recording import Recorded
from podium.house.table.table import Table

__all__ = ["Recorded", "Table", "TableConfig"]
