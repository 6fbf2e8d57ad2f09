"""Blackjack as all four of its games play it: the rules that can be chosen, a box with its hands, and settlement."""
