"""Options that commands of several modules take."""

from pathlib import Path
from typing import Annotated

import typer

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english
from podium.cli.options import read_count

Csv = Annotated[bool, typer.Option("--csv", help="Write CSV: a row for each line, amounts in minor units.")]


def count(written: str | int) -> int:
    """How many: a whole number, also written like 1_000_000, 1,000,000 or 1e6."""
    number = written if isinstance(written, int) else read_count(written)
    if number is None:
        raise Refused("not-a-count", text=shortened(str(written)))
    return number


KeysAt = Annotated[
    str,
    typer.Option(
        "--keys",
        metavar="WHERE",
        envvar="PODIUM_KEYS",
        show_envvar=False,
        help="Where the keys of the house are: a folder, `systemd` for its credentials, or `command:PROGRAM ARGUMENTS`. "
        "By default the folder DIR.keys beside the data, or what PODIUM_KEYS says.",
    ),
]
Bus = Annotated[
    str,
    typer.Option(
        "--bus", metavar="URL", help="The NATS servers of the house's gateways: nats://host:4222 or tls://..."
    ),
]
BusFile = Annotated[
    Path | None,
    typer.Option("--bus-file", metavar="FILE", help="The same from a file of mode 600; it may have user:password@."),
]
BusAuthority = Annotated[
    Path | None,
    typer.Option("--bus-ca", metavar="FILE", help="The certificates (PEM) that vouch for the NATS servers."),
]
BUS_NAME = "podium"
BusName = Annotated[
    str, typer.Option("--bus-name", metavar="NAME", help="The name of the house on the bus, where several share one.")
]
House = Annotated[
    str, typer.Argument(metavar="DIR", help="The directory with the house's data, or a postgresql:// address.")
]
InstalledAt = Annotated[
    Path | None,
    typer.Option("--at", metavar="DIR", help="Another installation: the folder of its virtual environment."),
]


english(
    "refused",
    {"not-a-count": "{text:quoted} is not a count: write it like 1000000, 1_000_000 or 1e6."},
)
