"""Which test proves which standard, and which line implements it. `make docs` writes docs/standards.md from here."""
