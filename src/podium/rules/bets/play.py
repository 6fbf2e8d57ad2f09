"""Play: as much again as the ante, for a hand that is not folded."""

from podium.basics.money import EVEN
from podium.rules.bets.ante import ANTE, showdown
from podium.rules.bets.bet import Bet, Sees

PLAY = Bet(
    name="play",
    title="Play",
    clause="TCP 7",
    sees=Sees.BOTH_HANDS,
    outcomes=ANTE.outcomes,
    paytables={"A": {"win": EVEN}},
    says="Play equals the Ante and is paid 1 to 1 when your hand beats a dealer who qualifies; it is pushed when the dealer does not qualify.",
)

PLAY.outcome(showdown)
