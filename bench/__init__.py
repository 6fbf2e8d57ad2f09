"""Benchmarks: every module here has a `main` that measures one thing and prints it as ratios."""
