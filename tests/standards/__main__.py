"""`python -m tests.standards` writes docs/standards.md."""

from tests.standards.page import PAGE, page

PAGE.write_text(page(), encoding="utf-8")
