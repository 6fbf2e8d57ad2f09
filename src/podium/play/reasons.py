"""Why something was stopped, corrected or voided: chosen from a list that every language has, or typed, or both."""

from typing import Final, Literal, NamedTuple, get_args

from podium.basics.refusal import Refused, shortened
from podium.basics.words import ENGLISH, Phrase, english, phrase

ReasonKey = Literal[
    "",
    "wrong-card",
    "out-of-order",
    "missed-card",
    "entered-twice",
    "wrong-peek",
    "exposed",
    "on-floor",
    "early",
    "misdeal",
    "malfunction",
    "dispute",
    "count",
    "routine",
    "damaged",
    "shoe-empty",
    "break",
    "end-of-day",
    "no-wagers",
    "not-configured",
    "generator-repeats",
    "generator-favours",
]
"""The reasons that people choose and the house gives; empty where one is only written."""

KEYS: Final[tuple[str, ...]] = get_args(ReasonKey)


class Reason(NamedTuple):
    """A reason: a key of the list, words of a person, or both."""

    key: str = ""
    text: str = ""

    @classmethod
    def read(cls, key: str, text: str) -> "Reason":
        """A reason as somebody gave it; a key that is not in the list is refused."""
        if key not in KEYS:
            raise Refused("reason-unknown", reason=shortened(key), reasons=KEYS[1:])
        return cls(key, " ".join(text.split()))

    def __bool__(self) -> bool:
        return bool(self.key or self.text.strip())

    @property
    def said(self) -> Phrase:
        """The reason for any language; what a person wrote stays as it was written."""
        if not self.key:
            return phrase("reason.text", text=self.text)
        chosen = Phrase(f"reason.{self.key}")
        return phrase("reason.both", reason=chosen, text=self.text) if self.text else chosen

    @property
    def fact(self) -> str | Phrase:
        """The reason as a fact in another sentence."""
        return self.said if self.key else self.text

    def __str__(self) -> str:
        """The reason in English, for the record's own lists."""
        return ENGLISH.say(self.said) if self.key else self.text


english(
    "reason",
    {
        "text": "{text}",
        "both": "{reason}: {text}",
        "wrong-card": "wrong card entered",
        "out-of-order": "card out of order",
        "missed-card": "a card was not entered",
        "entered-twice": "a card was entered twice",
        "wrong-peek": "the dealer's look at the hole card was answered wrongly",
        "exposed": "card exposed early",
        "on-floor": "card on the floor",
        "early": "dealt too early",
        "misdeal": "misdeal",
        "malfunction": "malfunction",
        "dispute": "a dispute is being looked into",
        "count": "the cards are being counted",
        "routine": "routine change",
        "damaged": "damaged card",
        "shoe-empty": "the shoe has no card left",
        "break": "the table takes a break",
        "end-of-day": "the table closes for today",
        "no-wagers": "nobody bets",
        "not-configured": "the table is no longer in the configuration",
        "generator-repeats": "the random generator repeats itself: no shoe is shuffled until the house starts again",
        "generator-favours": "the random generator favours a value: no shoe is shuffled until the house starts again",
    },
)
english("refused", {"reason-unknown": "{reason:quoted} is not a reason of the list. Reasons: {reasons}."})
