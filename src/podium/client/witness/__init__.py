"""A witness of a house's record: it fetches signed checkpoints, checks that each log only grew, and cosigns them (EVT-5).

It runs elsewhere: on another machine, or at the regulator. What it cosigned it keeps in a folder of plain files.
"""

from podium.client.witness.fetching import Unreachable, fetch_from_house, read_text
from podium.client.witness.folder import Inconsistent, WitnessFolder, is_witness
from podium.client.witness.seeing import WitnessSource

__all__ = [
    "Inconsistent",
    "Unreachable",
    "WitnessFolder",
    "WitnessSource",
    "fetch_from_house",
    "is_witness",
    "read_text",
]
