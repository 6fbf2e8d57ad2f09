"""What axe-core finds on a page (WCAG 2.2 AA and its own best practice)."""

from pathlib import Path
from typing import Final

from playwright.sync_api import Page

AXE: Final = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
RULES: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def violations(page: Page) -> list[str]:
    """One sentence for each violation, with the first element that shows it."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("(rules) => axe.run(document, {runOnly: rules, resultTypes: ['violations']})", RULES)
    return [f"{each['id']}: {each['help']}: {each['nodes'][0]['html'][:200]}" for each in found["violations"]]


def has_no_violation(page: Page) -> None:
    found = violations(page)
    assert not found, "\n".join(found)
