"""Collects the English that the modules declare, and that of the terminals, into src/podium/languages/en.json.

The keys of the terminals' own words, with the facts that each of them says, are written as TypeScript types as well, so
that a key without words does not compile.

python scripts/words.py            write the files
python scripts/words.py --check    say which are not current, and fail
python scripts/words.py --print    print the English, and write nothing
"""

import argparse
import importlib
import json
import pkgutil
import sys
from pathlib import Path

import msgspec

import podium
from podium.basics.words import Words, declared, facts_in

ROOT = Path(__file__).resolve().parent.parent
ENGLISH = ROOT / "src" / "podium" / "languages" / "en.json"
TERMINALS = ROOT / "web" / "src" / "words" / "en.json"
"""The terminals' own words: buttons, titles, labels."""
TYPES = ROOT / "web" / "src" / "generated" / "words.ts"


def collected() -> dict[str, Words]:
    """Every English word by its key, in the order of the keys."""
    for module in pkgutil.walk_packages(podium.__path__, "podium."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    return dict(sorted({**declared(), **{f"ui.{key}": said for key, said in terminals().items()}}.items()))


def terminals() -> dict[str, Words]:
    return msgspec.json.decode(TERMINALS.read_bytes(), type=dict[str, Words])


def text() -> str:
    return json.dumps(msgspec.to_builtins(collected()), ensure_ascii=False, indent=2) + "\n"


def types() -> str:
    """The terminals' own keys in TypeScript, each with the facts that it says."""
    lines = [
        "// Written by scripts/words.py from web/src/words/en.json; change that, not this.\n",
        'import type { Fact } from "../lib/words/language";\n',
        "/** The terminals' own words by key, with the facts that each of them says. */",
        "export interface UiFacts {",
    ]
    for key, said in sorted(terminals().items()):
        facts = "; ".join(f"{name}: {_type(kind)}" for name, kind in sorted(facts_in(said)))
        lines.append(f"  {json.dumps(key)}: {f'{{ {facts} }}' if facts else 'null'};")
    return "\n".join([*lines, "}\n"])


def _type(kind: str) -> str:
    """Amounts and counts are numbers: words that say them also write them."""
    return "number" if kind in ("money", "count") else "Fact"


def files() -> dict[Path, str]:
    return {ENGLISH: text(), TYPES: types()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--print", action="store_true")
    asked = parser.parse_args()
    if asked.print:
        sys.stdout.buffer.write(text().encode())
        return 0
    stale = {path: text for path, text in files().items() if path.read_text(encoding="utf-8") != text}
    for path, new in stale.items():
        if asked.check:
            sys.stderr.write(f"{path.relative_to(ROOT)} is not current. Run: make words\n")
        else:
            path.write_text(new, encoding="utf-8")
    return int(asked.check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
