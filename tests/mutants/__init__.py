"""Deliberate faults in the lines that implement a standard, each with the tests that must find it. `make mutants` tries them."""
