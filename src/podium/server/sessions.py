"""The open sessions: who is signed in, within the limits."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final

from podium.basics.refusal import Refused
from podium.basics.words import english
from podium.house import House
from podium.house.pending import Pending
from podium.house.people import IDLE_MS, Invitation, Session, end_session, is_over
from podium.server import limits

STORED_PER_IDLE_TIME: Final = 5
"""A session's last touch is stored when a fifth of its idle time has passed since it was stored before."""


class Sessions:
    """The open sessions of one house."""

    def __init__(self, house: House) -> None:
        self._house: Final = house
        self._going_on: dict[str, Session] = {}
        """Sessions with recent activity, by the hash of their token; stored a little later."""
        self._of: dict[str, dict[str, None]] = {}
        """The keys of each person's open sessions, the oldest first."""
        self._nameless: dict[str, None] = {}
        """The open sessions of guests and holders of tickets, the oldest first."""
        self._guests: dict[str, None] = {}
        """Those of guests who have done something, the least recently active first."""
        self._new_guests: dict[str, None] = {}
        """Those of guests who have done nothing since they came in, in the order in which they came."""
        self._sweeping: Iterator[Session | str] = iter(())
        for session in sorted(house.shelf.every(Session), key=lambda session: session.began):
            if not session.ended:
                self._add(session)

    def _add(self, session: Session) -> None:
        self._of.setdefault(session.person, {})[session.key] = None
        if session.nameless:
            self._nameless[session.key] = None
            if self._house.is_guest(session.person):
                (self._new_guests if session.seen == session.began else self._guests)[session.key] = None

    def _remove(self, session: Session) -> None:
        self._going_on.pop(session.key, None)
        self._nameless.pop(session.key, None)
        self._guests.pop(session.key, None)
        self._new_guests.pop(session.key, None)
        mine = self._of.get(session.person, {})
        mine.pop(session.key, None)
        if not mine:
            self._of.pop(session.person, None)

    def __len__(self) -> int:
        return sum(map(len, self._of.values()))

    def has(self, person: str) -> bool:
        """Whether a person is signed in somewhere."""
        return person in self._of

    def find(self, key: str) -> Session | None:
        return self._going_on.get(key) or self._house.shelf.find(Session, key)

    # --- beginning, going on, ending --------------------------------------------------------------------------------

    def begin(self, session: Session, now: int) -> list[Session]:
        """Opens a session. Returns the sessions of the same person that had to end for it."""
        excess = len(self._of.get(session.person, ())) + 1 - limits.MAX_SESSIONS_PER_PERSON
        ended = self.end(islice(self._of[session.person], excess), now) if excess > 0 else []
        self._house.shelf.put(session, now)
        self._add(session)
        return ended

    def make_room(self, now: int) -> list[Session]:
        """Makes room for somebody without an account: guests and holders of tickets are limited."""
        return self._make_room(now, len(self._nameless), limits.MAX_NAMELESS_SESSIONS)

    def make_room_for_guest(self, now: int, most: int) -> list[Session]:
        """Makes room for a guest: the house holds a limited number."""
        return self._make_room(now, len(self._guests) + len(self._new_guests), most)

    def _make_room(self, now: int, here: int, most: int) -> list[Session]:
        """At the limit, guests who have been idle for an hour give way, and new ones who have done nothing for a minute.
        Their sessions are returned; their play money is nobody's cash."""
        if here < most:
            return []
        idle = self._idle(self._new_guests, limits.MIN_IDLE_MS_OF_A_NEW_GUEST, now)
        idle += self._idle(self._guests, limits.MIN_IDLE_MS_OF_A_GUEST_WHO_GIVES_WAY, now)
        if not idle:
            raise Refused("guests-full", guests=most)
        return self.end(idle, now)

    def _idle(self, guests: dict[str, None], idle_ms: int, now: int) -> list[str]:
        """Those who give way, the longest idle first. Only as many are looked at as may give way, so a newcomer costs
        the same however full the house is."""
        found = []
        for key in list(islice(guests, limits.MAX_FORGOTTEN_GUESTS_AT_ONCE)):
            session = self.find(key)
            if session is None or now - session.seen < idle_ms:
                break  # those behind it did something later
            if self._house.in_play(session.person):
                guests[key] = guests.pop(key)  # checked again after the others
            else:
                found.append(key)
        return found

    def touch(self, session: Session, now: int) -> None:
        """Notes activity. It is stored with the next write, not each time."""
        self._going_on[session.key] = session
        if session.key in self._new_guests or session.key in self._guests:
            self._new_guests.pop(session.key, None)
            self._guests.pop(session.key, None)
            self._guests[session.key] = None
        stored = self._house.shelf.find(Session, session.key)
        if (
            stored is not None
            and not session.nameless
            and now - stored.seen > IDLE_MS[session.role] // STORED_PER_IDLE_TIME
        ):
            self._house.shelf.put(session, now)

    def end(self, keys: Iterable[str], now: int) -> list[Session]:
        """Ends sessions; returns those that were open."""
        ended = []
        for key in list(keys):
            session = self._house.shelf.find(Session, key)
            if session is not None and not session.ended:
                self._remove(session)
                self._house.shelf.put(end_session(session), now)
                ended.append(session)
        return ended

    def matching(self, which: Callable[[Session], bool]) -> list[str]:
        """The keys of the sessions that match."""
        return [session.key for session in self._house.shelf.every(Session) if not session.ended and which(session)]

    # --- forgetting -------------------------------------------------------------------------------------------------

    def over(self, now: int) -> tuple[list[str], list[Session | Invitation | Pending]]:
        """Finds players without a session, and sessions and invitations that are over, among those that one check goes
        through.

        Each check goes on where the last one stopped, so that no check takes long.
        """
        swept = list(islice(self._sweeping, limits.MAX_SWEPT_AT_ONCE))
        players = [each for each in swept if isinstance(each, str) and self._is_gone(each)]
        documents: list[Session | Invitation | Pending] = [
            each for each in swept if isinstance(each, Session) and is_over(self._going_on.get(each.key, each), now)
        ]
        if len(swept) < limits.MAX_SWEPT_AT_ONCE:
            self._sweeping = iter([*self._house.shelf.every(Session), *list(self._house.players)])
            documents += [each for each in self._house.shelf.every(Invitation) if each.used or now >= each.expires]
        return players, documents

    def _is_gone(self, player: str) -> bool:
        """Whether nobody can come back as this player, or would have a reason to."""
        if player in self._of:
            return False
        seated = self._house.table_of(player) is not None
        return not seated if self._house.is_guest(player) else self._house.has_left(player)

    def let_go(self, players: Iterable[str], documents: Iterable[Session | Invitation | Pending], now: int) -> None:
        """Forgets what `over` has found, and takes back the play money of guests who are gone. People with money stay."""
        documents = list(documents)
        for session in documents:
            if isinstance(session, Session):
                self._remove(session)
        gone = [player for player in players if self._is_gone(player)]
        for player in gone:
            self._house.take_back_play_money(player, now)
        self._house.forget(gone, documents, now)


english(
    "refused",
    {
        "guests-full": "The house is full: {guests:count} guests and ticket holders are here. Come back later.",
    },
)
