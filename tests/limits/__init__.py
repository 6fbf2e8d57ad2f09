"""Every limit of docs/limits.md, reached."""
