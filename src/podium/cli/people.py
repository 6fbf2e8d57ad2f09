"""`podium people`: the accounts of a house, from the console of its machine."""

from pathlib import Path
from typing import get_args

from podium.basics.refusal import Refused, shortened
from podium.cli.console import ask
from podium.cli.output import print_json
from podium.house.people import Role
from podium.server.console import ClosePerson, InvitePerson, ListPeople, ResetPerson


def list_people(data: Path, database: str, keys: str, *, as_json: bool) -> int:
    people = ask(data, ListPeople(), database=database, keys=keys).people
    if as_json:
        print_json(people)
        return 0
    width = max((len(person.name) for person in people), default=0)
    for person in people:
        state = "closed" if not person.active else "open" if person.password else "has not chosen a password"
        print(f"{person.name:{width}}  {person.role:10}  {state}")
    return 0


def invite(data: Path, name: str, role: str, database: str, keys: str) -> int:
    roles: tuple[Role, ...] = get_args(Role)
    known = next((each for each in roles if each == role), None)
    if known is None:
        raise Refused("not-a-role", role=shortened(role), roles=roles)
    _say(ask(data, InvitePerson(name, known), database=database, keys=keys).link, name)
    return 0


def close(data: Path, name: str, database: str, keys: str) -> int:
    ask(data, ClosePerson(name), database=database, keys=keys)
    print(f"The account of {name} is closed.")
    return 0


def reset(data: Path, name: str, database: str, keys: str) -> int:
    _say(ask(data, ResetPerson(name), database=database, keys=keys).link, name)
    return 0


def _say(link: str, name: str) -> None:
    print(f"{name} chooses a password here, once, within a day; put the address of the house before it:\n  {link}")
