"""Collect the English that the modules declare, and that of the terminals, into src/podium/languages/en.json.

python scripts/words.py            write the file
python scripts/words.py --check    say whether it is current, and fail if it is not
python scripts/words.py --print    print what it would hold, and write nothing
"""

import argparse
import importlib
import json
import pkgutil
import sys
from pathlib import Path

import msgspec

import podium
from podium.basics.words import Words, declared

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "src" / "podium" / "languages" / "en.json"
TERMINALS = ROOT / "web" / "src" / "words" / "en.json"
"""The terminals' own words: buttons, titles, labels."""


def collected() -> dict[str, Words]:
    """Every English word by its key, in the order of the keys."""
    for module in pkgutil.walk_packages(podium.__path__, "podium."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    terminals = msgspec.json.decode(TERMINALS.read_bytes(), type=dict[str, Words])
    return dict(sorted({**declared(), **{f"ui.{key}": said for key, said in terminals.items()}}.items()))


def text() -> str:
    return json.dumps(msgspec.to_builtins(collected()), ensure_ascii=False, indent=2) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--print", action="store_true")
    asked = parser.parse_args()
    if asked.print:
        sys.stdout.buffer.write(text().encode())
        return 0
    if not asked.check:
        FILE.write_text(text(), encoding="utf-8")
        return 0
    if FILE.read_text(encoding="utf-8") == text():
        return 0
    sys.stderr.write(f"{FILE.relative_to(ROOT)} is not current. Run: make words\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
