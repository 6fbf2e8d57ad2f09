"""The meters of some transfers."""

from collections.abc import Iterable

from podium.record.ledger import Transfer
from podium.record.meters import MeterReader, Meters


def read_meters(transfers: Iterable[Transfer]) -> Meters:
    """The meters of these transfers, which must be in the order of posting."""
    reader = MeterReader()
    for transfer in transfers:
        reader.count(transfer)
    return reader.read()
