"""People (SEC-1, SEC-2, CSH-1, CARD-6)."""

from itertools import combinations

import msgspec
import pytest
from argon2 import PasswordHasher

from podium.basics.refusal import Refused
from podium.house import House
from podium.house.people import (
    DUTIES,
    IDLE_MS,
    INVITATION_MS,
    LOCKED_MS,
    MAX_FAILED_SIGN_INS,
    ROLES,
    SESSION_MS,
    Duty,
    Invitation,
    Passwords,
    Person,
    Role,
    Session,
    Strikes,
    accept,
    begin_session,
    check_password,
    check_session,
    draw_token,
    end_session,
    invite,
    new_person,
    require,
    struck,
    token_hash,
    with_role,
)
from podium.house.shelf import Shelf
from podium.house.shuffling import SealedShuffler
from podium.record.seal import Seal
from podium.server.tokens import Tokens
from tests.entropy import repeatable
from tests.ticket_numbers import KEYS

QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
PASSWORDS = Passwords(repeatable("salt"), QUICK)
DORA = PASSWORDS.set(new_person("dora", "Dora", "dealer"), "nine cards face down")


# --- duties --------------------------------------------------------------------------------------------------------------


APART: list[set[Duty]] = [{"bet"}, {"deal"}, {"void", "adjust"}, {"cash"}, {"configure", "enrol"}, {"audit"}]


@pytest.mark.parametrize("apart", list(combinations(APART, 2)))
def test_sec_2_no_role_has_two_duties_that_must_be_apart(apart: tuple[set[Duty], set[Duty]]) -> None:
    one, other = apart
    assert [role for role in ROLES if DUTIES[role] & one and DUTIES[role] & other] == []


def test_sec_2_what_is_not_one_s_duty_is_refused_with_whose_it_is() -> None:
    require("supervisor", "void")
    with pytest.raises(Refused, match=r"The role dealer may not do this. Roles that may: supervisor \(SEC-2\)"):
        require("dealer", "void")
    with pytest.raises(Refused, match=r"The role operator may not do this. Roles that may: supervisor \(SEC-2\)"):
        require("operator", "adjust")


def test_every_duty_is_somebody_s() -> None:
    everything: set[Duty] = set().union(*DUTIES.values())
    known = {"bet", "deal", "void", "cash", "transfer", "adjust", "exclude", "configure", "enrol", "report", "audit"}
    assert everything == known
    assert set(DUTIES) == set(ROLES)


# --- passwords -----------------------------------------------------------------------------------------------------------


def test_sec_1_passwords_are_hashed_with_argon2_and_a_salt_of_their_own() -> None:
    again = PASSWORDS.set(DORA, "nine cards face down")
    assert DORA.password.startswith("$argon2id$")
    assert again.password != DORA.password
    assert "nine" not in str(DORA)


def test_sec_1_the_house_uses_the_full_strength_of_the_library() -> None:
    strong = Passwords(repeatable("salt")).set(DORA, "nine cards face down").password
    assert "$m=65536,t=3,p=4$" in strong


def test_sec_1_the_right_password_matches_and_no_other() -> None:
    assert PASSWORDS.matches(DORA, "nine cards face down")
    for wrong in ("", "nine cards face up", "NINE CARDS FACE DOWN", DORA.password):
        assert not PASSWORDS.matches(DORA, wrong)


def test_sec_1_repeated_failures_lock_and_time_opens() -> None:
    strikes = Strikes()
    for _ in range(MAX_FAILED_SIGN_INS):
        strikes.check(now=1_000)
        strikes = strikes.after_one_more(now=1_000)
    with pytest.raises(Refused, match=r"Too many wrong passwords: try again in one minute \(SEC-1\)"):
        strikes.check(now=1_000 + LOCKED_MS - 1)
    strikes.check(now=1_000 + LOCKED_MS)
    assert strikes.after_one_more(now=1_000 + LOCKED_MS).locked_until == 1_000 + 2 * LOCKED_MS


@pytest.mark.parametrize("failed", range(MAX_FAILED_SIGN_INS + 2))
def test_sec_1_a_try_in_flight_counts_like_a_wrong_one(failed: int) -> None:
    left = max(1, MAX_FAILED_SIGN_INS - failed)
    Strikes(failed).check(now=1, in_flight=left - 1)
    with pytest.raises(Refused, match=r"at once: try again in a moment \(SEC-1\)"):
        Strikes(failed).check(now=1, in_flight=left)


def test_sec_1_a_password_is_checked_also_where_nobody_has_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as any other, so that the time does not tell either."""
    checked: list[str] = []
    monkeypatch.setattr(PASSWORDS, "_verify", lambda hashed, password: checked.append(password))
    for person in (None, new_person("olga", "Olga", "operator"), DORA):
        assert not PASSWORDS.matches(person, "wrong")
    assert checked == ["wrong"] * 3


def test_no_default_passwords_a_new_account_opens_to_nobody() -> None:
    fresh = new_person("olga", "Olga", "operator")
    for password in ("", "olga", "operator", "password", "nobody"):
        assert not PASSWORDS.matches(fresh, password)


def test_a_person_keeps_the_roles_held_before() -> None:
    moved = with_role(with_role(with_role(DORA, "cashier"), "cashier"), "supervisor")
    assert (moved.role, moved.held) == ("supervisor", ("dealer", "cashier"))


def test_an_account_of_an_earlier_version_is_read() -> None:
    stored = b'{"key":"dora","name":"Dora","role":"dealer","password":"x","failures":1,"locked_until":0,"active":true}'
    assert msgspec.json.decode(stored, type=Person) == Person("dora", "Dora", "dealer", "x", 1)


def test_sec_1_an_account_changes_only_by_its_last_version() -> None:
    shelf = Shelf()
    shelf.put(DORA, 1)
    shelf.put(struck(DORA, Strikes(1)), 2, before=DORA)
    for stale in (None, DORA, new_person("dora", "Dora", "dealer")):
        with pytest.raises(Refused, match="changed in the meantime"):
            shelf.put(struck(DORA, Strikes()), 3, before=stale)
    assert shelf.find(Person, "dora") == struck(DORA, Strikes(1))


@pytest.mark.parametrize(
    ("role", "password", "said"),
    [
        ("operator", "short", "ten characters"),
        ("operator", "x" * 201, "ten characters"),
        ("operator", "xyxyxyxyxyxyxy", "repeats itself"),
        ("operator", "my name is OLGA ok", "holds the name"),
        ("player", "12a4", "four to eight digits"),
        ("player", "123", "four to eight digits"),
        ("player", "7777", "too easy to guess"),
        ("player", "3456", "too easy to guess"),
        ("player", "4321", "too easy to guess"),
    ],
)
def test_sec_1_weak_passwords_and_pins_are_refused(role: Role, password: str, said: str) -> None:
    with pytest.raises(Refused, match=said):
        check_password(new_person("olga", "Olga", role), password)


def test_a_good_pin_and_a_good_password_are_accepted() -> None:
    check_password(new_person("1000123", "Ann", "player"), "8305")
    check_password(new_person("olga", "Olga", "operator"), "a long sentence is best")


@pytest.mark.parametrize(
    ("key", "name", "said"), [("Olga", "Olga", "small letters"), ("", "x", "small"), ("olga", " ", "a name")]
)
def test_an_account_has_a_key_and_a_name(key: str, name: str, said: str) -> None:
    with pytest.raises(Refused, match=said):
        new_person(key, name, "operator")


# --- sessions and invitations --------------------------------------------------------------------------------------------

TOKEN = draw_token(repeatable("token"))
KEY = "what the token is filed under"


def test_a_session_goes_on_while_something_happens_and_ends_after_twelve_hours() -> None:
    session = begin_session(DORA, KEY, "dealer-1", 0)
    assert TOKEN not in str(session)
    step = IDLE_MS["dealer"] - 1
    now = 0
    while now + step < SESSION_MS:
        now += step
        session = check_session(session, now)
    with pytest.raises(Refused, match="twelve hours"):
        check_session(session, SESSION_MS)


def test_card_6_a_dealer_s_terminal_locks_after_five_idle_minutes() -> None:
    session = begin_session(DORA, KEY, "dealer-1", 0)
    assert check_session(session, 5 * 60_000 - 1).seen == 5 * 60_000 - 1
    with pytest.raises(Refused, match="Nothing happened here for 5 minutes"):
        check_session(session, 5 * 60_000)


def test_a_session_is_known_by_its_token_alone_and_can_be_ended() -> None:
    tokens = Tokens(KEYS, repeatable("tokens"))
    house = House(SealedShuffler(Seal(bytes(32), repeatable("seal")), repeatable("shoe")))
    token = tokens.draw()
    session = begin_session(DORA, tokens.key(Session, token), "dealer-1", 0)
    house.shelf.put(session, 0)
    assert tokens.find(house, Session, token) is session
    for wrong in ("", session.key, token_hash(token), draw_token(repeatable("other"))):
        assert tokens.find(house, Session, wrong) is None
    assert tokens.find(house, Invitation, token) is None
    with pytest.raises(Refused, match="Nobody is signed in"):
        check_session(None, 1)
    with pytest.raises(Refused, match="was ended"):
        check_session(end_session(session), 1)


def test_the_first_operator_s_link_works_once_and_for_a_day() -> None:
    olga = new_person("olga", "Olga", "operator")
    invitation = invite(olga, KEY, now=0)
    assert TOKEN not in str(invitation)
    used = accept(invitation, now=INVITATION_MS - 1)
    with pytest.raises(Refused, match="works once"):
        accept(used, now=2)
    with pytest.raises(Refused, match="has expired"):
        accept(invitation, now=INVITATION_MS)
    with pytest.raises(Refused, match="not known"):
        accept(None, now=1)


def test_tokens_have_256_bits() -> None:
    assert len(bytes.fromhex(TOKEN)) == 32
