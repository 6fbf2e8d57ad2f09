"""Options that commands of several modules take."""

from typing import Annotated

import typer

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
