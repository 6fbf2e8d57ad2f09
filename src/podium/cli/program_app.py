"""The commands of `podium program`, with their arguments and their help."""

from pathlib import Path
from typing import Annotated

import typer

from podium.cli.arguments import InstalledAt

program_app = typer.Typer(
    help="The manifest of everything that runs, and its signature.", no_args_is_help=True, rich_markup_mode=None
)


@program_app.command("manifest", epilog="Example:\n\n\b\n  podium program manifest > podium.manifest")
def program_manifest(at: InstalledAt = None) -> None:
    """Print the manifest: every file of Podium, the dependencies by their records, the version of Python."""
    from podium.cli import programs

    programs.print_manifest(at)


@program_app.command("key", epilog="Example:\n\n\b\n  podium program key signer.key --name casino.example")
def program_key(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The private key, a new file.")],
    name: Annotated[str, typer.Option(metavar="NAME", help="Whose key it is.")] = "operator",
) -> None:
    """Draw a key to sign manifests with, and print its public part for everybody who checks."""
    from podium.cli import programs

    programs.make_key(file, name)


@program_app.command(
    "sign", epilog="Example:\n\n\b\n  podium program sign podium.manifest --key signer.key > podium.manifest.signed"
)
def program_sign(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The manifest.")],
    key: Annotated[Path, typer.Option(metavar="FILE", help="The private key that `podium program key` made.")],
) -> None:
    """Print a manifest with a signature below it."""
    from podium.cli import programs

    programs.sign(file, key)
