"""Writes docs/library.md: what `import podium` offers, from its own docstrings."""

import inspect
import sys
from itertools import chain
from types import ModuleType
from typing import Any

import podium
from podium.play import events
from podium.play.round import Round

INTRODUCTION = """# The library

Written by `make docs` from the docstrings.

```python
{example}
```

Everything on this page is imported from `podium`. It is loaded when it is first used.
"""


def example() -> str:
    """The example of the package as a user would type it, with the output in comments."""
    lines: list[str] = []
    for line in inspect.getdoc(podium).split(">>> ", 1)[1].splitlines():  # type: ignore[union-attr]
        if not line.strip():
            break
        lines.append(line.removeprefix(">>> ") if line.startswith(">>> ") or not lines else f"# {line}")
    return "\n".join(lines).replace("import podium\n", "import podium\n\n")


def signature(name: str, thing: Any) -> str:
    try:
        return f"{name}{inspect.signature(thing)}"
    except (TypeError, ValueError):
        return name


def described(thing: Any) -> str:
    """A docstring, its examples as code."""
    out, in_code = [], False
    for line in (inspect.getdoc(thing) or "").splitlines():
        is_code = line.startswith(">>> ") or (in_code and bool(line.strip()))
        if is_code != in_code:
            out.append("```pycon" if is_code else "```")
            in_code = is_code
        out.append(line)
    return "\n".join([*out, "```"] if in_code else out)


def methods(kind: type) -> list[str]:
    """The public methods and properties of a class and of those that it is built on, with the first line of each."""
    rows = []
    for name, member in chain.from_iterable(vars(part).items() for part in reversed(kind.__mro__[:-1])):
        if name.startswith("_") or not (callable(member) or isinstance(member, property)):
            continue
        first = (inspect.getdoc(member) or "").partition("\n\n")[0].replace("\n", " ")
        called = (
            name
            if isinstance(member, property)
            else signature(name, member).replace("(self, ", "(").replace("(self)", "()")
        )
        rows.append(f"| `{called}` | {first} |".replace("|", "\\|").replace("\\| ", "| ", 1).replace(" \\|", " |"))
    return ["| | |", "| --- | --- |", *rows]


def page() -> str:
    parts = [INTRODUCTION.format(example=example())]
    for name in podium.__all__:
        thing = getattr(podium, name)
        if isinstance(thing, ModuleType):
            parts += [f"## podium.{name}", described(thing)]
        elif isinstance(thing, dict):
            parts += [f"## podium.{name}", f"By name: {', '.join(f'`{each}`' for each in thing)}."]
        else:
            parts += [f"## podium.{signature(name, thing) if inspect.isfunction(thing) else name}", described(thing)]
        if thing is Round:
            parts.append("\n".join(methods(Round)))
        if thing is events:
            kinds = [kind for kind in vars(events).values() if inspect.isclass(kind) and issubclass(kind, events.Event)]
            listed = [
                f"| `{kind.__name__}` | {(inspect.getdoc(kind) or '').partition(chr(10) * 2)[0]} |"
                for kind in kinds[1:]
            ]
            parts.append("\n".join(["| event | what happened |", "| --- | --- |", *listed]))
    return "\n\n".join(part.strip() for part in parts) + "\n"


if __name__ == "__main__":
    sys.stdout.write(page())
