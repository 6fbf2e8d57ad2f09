"""Podium: an open system for stadium table games."""

__version__ = "0.1.0"
