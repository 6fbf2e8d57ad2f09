"""The commands of `podium keys`, with their arguments and their help."""

from typing import Annotated

import typer

from podium.cli.arguments import House, KeysAt

keys_app = typer.Typer(
    help="The keys of a house: which there are, and new ones.", no_args_is_help=True, rich_markup_mode=None
)


@keys_app.command("list", epilog="Example:\n\n\b\n  podium keys list /var/lib/podium")
def keys_list(where: House, keys: KeysAt = "") -> None:
    """List the keys of a house by their ids, which reveal nothing about the keys."""
    from podium.cli import rotation

    rotation.list_keys(where, keys)


@keys_app.command("rotate", epilog="Example:\n\n\b\n  podium keys rotate tickets /var/lib/podium")
def keys_rotate(
    purpose: Annotated[str, typer.Argument(metavar="PURPOSE", help="seal, tickets, sessions or signature.")],
    where: House,
    keys: KeysAt = "",
) -> None:
    """Draw a new key for a purpose. The earlier keys stay, so that what they closed still opens.

    The house uses the new key from its next start on.
    """
    from podium.cli import rotation

    rotation.rotate_key(purpose, where, keys)
