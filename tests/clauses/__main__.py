"""`python -m tests.clauses` writes docs/rules/clauses.md."""

from tests.clauses.page import PAGE, page

PAGE.write_text(page(), encoding="utf-8")
