"""What a player is asked, and how an answer is read."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.oracle.illegal import Illegal


@dataclass
class Question:
    """The answers that the rules allow, with what each costs; credit decides separately whether one can be paid for."""

    player: str
    costs: dict[str, int]
    # `double:AMOUNT` and `insure:AMOUNT`: the amounts allowed, if any.
    amounts: dict[str, range]
    credit: int


# Gives the answer to a question, or None when the time runs out.
Chooser = Callable[[Question], str | None]


def ask(choose: Chooser, question: Question) -> tuple[str, int] | None:
    """The word of a legal answer and what it costs, or None for a time-out."""
    answer = choose(question)
    if answer is None:
        return None
    word, colon, amount = answer.partition(":")
    if not colon:
        if answer not in question.costs:
            raise Illegal(f"{question.player} cannot {answer}; allowed: {', '.join(question.costs)}")
        cost = question.costs[answer]
    else:
        if not (amount.isascii() and amount.isdigit()) or int(amount) not in question.amounts.get(word, range(0)):
            raise Illegal(f"{question.player} cannot {answer}")
        cost = int(amount)
    if cost > question.credit:
        raise Illegal(f"{question.player} has {question.credit} and cannot {answer} for {cost}")
    return word, cost
