"""The page of the standards: each id with the lines that name it, the tests that prove it, and the faults that they find."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from tests.mutants.listed import ROOT, listed
from tests.standards.finding import lines, proofs, standards

PAGE: Final = ROOT / "docs" / "standards.md"
MOST_LINES: Final = 6
STATES: Final = {
    "proven": "a listed fault in the line that implements it fails a test (`make mutants`)",
    "tested": "tests carry the id; no fault is listed for it yet",
    "open": "no test carries the id",
}


def page() -> str:
    return "\n".join(_page()) + "\n"


def _page() -> Iterator[str]:
    tested, named = proofs(), lines()
    faults: dict[str, list[str]] = defaultdict(list)
    for mutant in listed():
        faults[mutant.id].append(f"{mutant.says} (`{mutant.file}`)")

    def state(each: str) -> str:
        return "proven" if faults[each] else "tested" if tested[each] else "open"

    yield "# The standards, and what proves them"
    yield ""
    yield "The checklist that Podium is built against, in our own words, from GLI-19 v3 (section numbers with §), Pennsylvania 58 Pa. Code"
    yield "605a, New Jersey 13:69D and 13:69E, New York 9 NYCRR 5317 and 5319, Oklahoma 325:85, 25 CFR 547 and Ontario's AGCO standards. Podium"
    yield "is not certified. Written by `make docs` from `tests/standards/standards.toml`, the code and the tests."
    yield ""
    every = [each for standard in standards() for each in standard.ids]
    for name, meaning in STATES.items():
        ids = [each for each in every if state(each) == name]
        yield f"- **{name}**, {len(ids)} of {len(every)}: {meaning}. {', '.join(ids) or 'None.'}"
    section = ""
    for standard in standards():
        if standard.section != section:
            section = standard.section
            yield ""
            yield f"## {section}"
        yield ""
        yield f"**{', '.join(standard.ids)}** ({', '.join(dict.fromkeys(map(state, standard.ids)))}): {standard.text}"
        yield ""
        for each in standard.ids:
            before = f"{each}: " if len(standard.ids) > 1 else ""
            places = [f"`{place}`" for place in named[each]]
            if places:
                more = f" and {len(places) - MOST_LINES} more" if len(places) > MOST_LINES else ""
                yield f"- {before}Named in {', '.join(places[:MOST_LINES])}{more}."
            yield from (f"- {before}Test: `{test}`" for test in tested[each])
            yield from (f"- {before}Fault that the tests find: {fault}." for fault in faults[each])
