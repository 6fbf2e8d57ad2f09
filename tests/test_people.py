"""People (SEC-1, SEC-2, CSH-1, CARD-6)."""

from itertools import combinations

import msgspec
import pytest
from argon2 import PasswordHasher

from podium.basics.refusal import Refused
from podium.house.people import (
    DUTIES,
    IDLE_ENDS,
    INVITATION_LASTS,
    LOCKED_FOR,
    MAX_FAILED_SIGN_INS,
    ROLES,
    SESSION_LASTS,
    Duty,
    Passwords,
    Person,
    Role,
    accept,
    begin_session,
    check_password,
    check_session,
    draw_token,
    end_session,
    invite,
    new_person,
    require,
)
from tests.entropy import repeatable

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
    with pytest.raises(Refused, match=r"not a duty of the role dealer, but of supervisor \(SEC-2\)"):
        require("dealer", "void")
    with pytest.raises(Refused, match=r"not a duty of the role operator, but of supervisor \(SEC-2\)"):
        require("operator", "adjust")


def test_every_duty_is_somebody_s() -> None:
    everything: set[Duty] = set().union(*DUTIES.values())
    assert everything == {"bet", "deal", "void", "cash", "adjust", "configure", "enrol", "report", "audit"}
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


def test_sec_1_the_right_password_signs_in() -> None:
    tried = PASSWORDS.sign_in(msgspec.structs.replace(DORA, failures=3), "nine cards face down", now=0)
    assert tried.refused is None
    assert tried.person == DORA


def test_sec_1_repeated_failures_lock_and_time_opens() -> None:
    person: Person = DORA
    for _ in range(MAX_FAILED_SIGN_INS):
        tried = PASSWORDS.sign_in(person, "wrong", now=1_000)
        assert str(tried.refused) == "The name or the password is wrong."
        assert tried.person is not None
        person = tried.person
    locked = PASSWORDS.sign_in(person, "nine cards face down", now=1_000 + LOCKED_FOR - 1)
    assert str(locked.refused) == "Too many wrong passwords: try again in one minute (SEC-1)."
    assert locked.person == person
    assert PASSWORDS.sign_in(person, "nine cards face down", now=1_000 + LOCKED_FOR).refused is None
    once_more = PASSWORDS.sign_in(person, "wrong", now=1_000 + LOCKED_FOR)
    assert once_more.person is not None
    assert once_more.person.locked_until == 1_000 + 2 * LOCKED_FOR


def test_sec_1_the_answer_does_not_tell_whether_a_name_exists() -> None:
    wrong, unknown = PASSWORDS.sign_in(DORA, "wrong", now=0), PASSWORDS.sign_in(None, "wrong", now=0)
    assert wrong.refused is not None
    assert unknown.refused is not None
    assert wrong.refused.phrase == unknown.refused.phrase


def test_no_default_passwords_a_new_account_opens_to_nobody() -> None:
    fresh = new_person("olga", "Olga", "operator")
    for password in ("", "olga", "operator", "password", "nobody"):
        assert PASSWORDS.sign_in(fresh, password, now=0).refused is not None


def test_a_closed_account_stays_closed() -> None:
    closed = msgspec.structs.replace(DORA, active=False)
    assert (
        str(PASSWORDS.sign_in(closed, "nine cards face down", now=0).refused)
        == "This account is closed; ask the operator."
    )


@pytest.mark.parametrize(
    ("role", "password", "said"),
    [
        ("operator", "short", "ten characters"),
        ("operator", "x" * 201, "ten characters"),
        ("operator", "xyxyxyxyxyxyxy", "repeats itself"),
        ("operator", "my name is OLGA ok", "holds the name"),
        ("player", "12a4", "four to eight digits"),
        ("player", "123", "four to eight digits"),
        ("player", "7777", "first that anybody"),
        ("player", "3456", "first that anybody"),
        ("player", "4321", "first that anybody"),
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


def test_a_session_goes_on_while_something_happens_and_ends_after_twelve_hours() -> None:
    session = begin_session(DORA, TOKEN, "dealer-1", 0)
    assert TOKEN not in str(session)
    step = IDLE_ENDS["dealer"] - 1
    now = 0
    while now + step < SESSION_LASTS:
        now += step
        session = check_session(session, TOKEN, now)
    with pytest.raises(Refused, match="twelve hours"):
        check_session(session, TOKEN, SESSION_LASTS)


def test_card_6_a_dealer_s_terminal_locks_after_five_idle_minutes() -> None:
    session = begin_session(DORA, TOKEN, "dealer-1", 0)
    assert check_session(session, TOKEN, 5 * 60_000 - 1).seen == 5 * 60_000 - 1
    with pytest.raises(Refused, match="Nothing happened here for 5 minutes"):
        check_session(session, TOKEN, 5 * 60_000)


def test_a_session_is_known_by_its_token_alone_and_can_be_ended() -> None:
    session = begin_session(DORA, TOKEN, "dealer-1", 0)
    for wrong in ("", session.key, draw_token(repeatable("other"))):
        with pytest.raises(Refused, match="Nobody is signed in"):
            check_session(session, wrong, 1)
    with pytest.raises(Refused, match="Nobody is signed in"):
        check_session(None, TOKEN, 1)
    with pytest.raises(Refused, match="was ended"):
        check_session(end_session(session), TOKEN, 1)


def test_the_first_operator_s_link_works_once_and_for_a_day() -> None:
    olga = new_person("olga", "Olga", "operator")
    invitation = invite(olga, TOKEN, now=0)
    assert TOKEN not in str(invitation)
    used = accept(invitation, TOKEN, now=INVITATION_LASTS - 1)
    assert (
        PASSWORDS.sign_in(PASSWORDS.set(olga, "a long sentence is best"), "a long sentence is best", now=5).refused
        is None
    )
    with pytest.raises(Refused, match="works once"):
        accept(used, TOKEN, now=2)
    with pytest.raises(Refused, match="has expired"):
        accept(invitation, TOKEN, now=INVITATION_LASTS)
    with pytest.raises(Refused, match="not known"):
        accept(invitation, draw_token(repeatable("other")), now=1)


def test_tokens_have_256_bits() -> None:
    assert len(bytes.fromhex(TOKEN)) == 32
