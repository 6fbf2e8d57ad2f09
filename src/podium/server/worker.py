"""The mathematics in a process of its own: a question for each line of standard input, an answer for each line of standard output.

The house starts it (`podium.server.mathematics`). It ends when its input does.
"""

import os
import sys
from typing import Any, Final

import msgspec

from podium.basics.refusal import Refused
from podium.maths.advice import begin, worths
from podium.maths.largest import largest
from podium.maths.par_sheet import par
from podium.maths.patrons import Party, Patrons
from podium.server.mathematics import FindLargest, FindReturns, FindWorths, MathsAnswer, MathsQuestion, Prepare

_decode: Final = msgspec.json.Decoder(MathsQuestion).decode
_encode: Final = msgspec.json.Encoder().encode


def main() -> None:
    # Only answers go to standard output; anything else that prints goes to standard error.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as answers:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        for line in sys.stdin.buffer:
            answers.write(_encode(answered(line)) + b"\n")
            answers.flush()


def answered(line: bytes) -> MathsAnswer:
    try:
        return MathsAnswer(found=msgspec.Raw(_encode(_found(_decode(line)))))
    except Refused as refusal:
        return MathsAnswer(refused=refusal.phrase)
    except Exception as error:
        return MathsAnswer(failed=repr(error))


def _found(question: MathsQuestion) -> Any:
    of = question.of.game()
    match question:
        case FindReturns():
            return par(of).to_dict()
        case FindLargest():
            return largest(Patrons(of, (Party(1),), {of.rules.main.name: question.wager})).amount
        case FindWorths():
            return worths(of, question.position)
        case Prepare():
            return begin(of)


if __name__ == "__main__":
    main()
