"""Money: accounts, transfers between them, and balances.

All amounts are whole minor units. A balance is what was credited to an account less what was debited from it, so the
sum over all accounts is zero at every moment (LED-1). What the house owes people is positive; the cash in the cage
is negative, by as much as the cage holds.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, Literal, NewType, cast, get_args

import msgspec

from podium.basics.refusal import Refused, shortened
from podium.basics.words import Plural, english
from podium.record.limits import MAX_REMEMBERED_ACCOUNT_NAMES

Account = NewType("Account", str)
"""The name of an account: its kind, then its owner, like `credit/ann` or `in-play/baccarat-1/ann`."""

AccountKind = Literal[
    "cage", "credit", "in-play", "bank", "tips", "tickets", "attendant", "electronic", "adjustments", "debt"
]

_NAMES_AFTER: Final[dict[str, int]] = {
    "cage": 1,  # the cash of one cashier's desk or of one terminal's bill acceptor
    "credit": 1,  # what a player may stake or take away
    "in-play": 2,  # the stakes of a player at a table, until they are settled
    "bank": 1,  # what a table has won or lost
    "tips": 1,  # what a dealer was given
    "tickets": 0,  # tickets not yet redeemed
    "attendant": 1,  # a win that an attendant has to pay by hand (HP-1)
    "electronic": 0,  # money of other systems
    "adjustments": 0,  # the other side of a correction by hand (CSH-1)
    "debt": 1,  # below zero: what somebody owes the house, because money that was taken back had been spent
}

NEVER_NEGATIVE: Final = frozenset({"credit", "in-play", "tips", "tickets", "attendant"})
"""The kinds of account that cannot be overdrawn, because they hold other people's money (GAME-1)."""

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")


@lru_cache(maxsize=MAX_REMEMBERED_ACCOUNT_NAMES)
def account(kind: AccountKind, *names: str) -> Account:
    """Builds the name of an account from its kind and the names that the kind needs.

    >>> account("in-play", "dynasty-1", "ann")
    'in-play/dynasty-1/ann'
    """
    return read_account("/".join((kind, *names)))


@lru_cache(maxsize=MAX_REMEMBERED_ACCOUNT_NAMES)
def read_account(text: str) -> Account:
    """Reads the name of an account; refused unless it is one."""
    kind, *names = text.split("/")
    wanted = _NAMES_AFTER.get(kind)
    if wanted is None:
        raise Refused("account-kind", account=shortened(text), kinds=_NAMES_AFTER)
    if len(names) != wanted or not all(map(_NAME.fullmatch, names)):
        raise Refused("account-names", account=shortened(text), kind=kind, names=wanted)
    return Account(text)


def kind_of(account: Account) -> AccountKind:
    """The kind of an account."""
    return cast(AccountKind, account.partition("/")[0])


def names_of(account: Account) -> tuple[str, ...]:
    """The names in an account's name after its kind: its owners."""
    return tuple(account.split("/")[1:])


def never_negative(account: Account) -> bool:
    """Whether the account must not be overdrawn."""
    return account.partition("/")[0] in NEVER_NEGATIVE


TransferKind = Literal[
    "cash-in",  # the cage took cash and gave credit for it
    "cash-out",  # the cage paid the player's credit
    "ticket-out",  # credit became a ticket
    "ticket-in",  # a ticket became credit
    "ticket-sold",  # the cage took cash for a ticket
    "ticket-cashed",  # the cage paid a ticket
    "electronic-in",  # credit came from another system
    "electronic-out",  # credit went to another system
    "stake",  # credit went into play
    "stake-back",  # a stake came back: it won, tied or was surrendered in part
    "stake-lost",  # a stake went to the table's bank
    "win",  # the bank paid winnings
    "win-held",  # the bank paid a win that an attendant must hand out
    "win-handed",  # the attendant handed it out
    "tip",  # a dealer was tipped
    "tip-paid",  # a dealer took tips away
    "tip-shared",  # tips went from one dealer to another, who had worked for them too
    "void",  # the round was voided and the stake came back
    "correction",  # a corrected card took back what a wrong one had paid (CARD-2)
    "adjustment",  # a supervisor corrected a balance
    "debt",  # the house lent what a correction or a void took back and the account no longer held
    "debt-paid",  # the debt was paid, from the credit or in cash
    "debt-forgiven",  # a supervisor forgave the debt
]
TRANSFER_KINDS: Final = get_args(TransferKind)

RoundFlow = Literal["stake", "stake_back", "win", "tip_of_stake", "tip_of_win", "stake_lost", "win_held"]
"""The ways in which a seat's money flows in a round, each from one account to another (`house/table/money.py`)."""
ROUND_FLOWS: Final = get_args(RoundFlow)


class Transfer(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """An amount that left one account and reached another; it happens at most once, and is never changed (LED-2)."""

    id: str
    debit: Account
    """The account that it leaves."""
    credit: Account
    """The account that it reaches."""
    amount: int
    kind: TransferKind
    table: str = ""
    round: str = ""
    terminal: str = ""
    who: str = ""
    """Who did it, if not the player: a cashier, an attendant, a supervisor."""
    flow: RoundFlow | Literal[""] = ""
    """In a round: the flow that it belongs to. When a flow shrinks, a transfer of the same flow goes back, with the kind of the
    event that undid it."""


def with_flow(transfer: Transfer) -> Transfer:
    """A stored transfer with its flow. Before the flow had a field of its own it was part of the id, after
    the last dot (`dynasty-1.17.4.stake`); only older houses have such ids."""
    if transfer.flow or not transfer.round:
        return transfer
    flow = transfer.id.rpartition(".")[2]
    return msgspec.structs.replace(transfer, flow=flow) if flow in ROUND_FLOWS else transfer


class LedgerFault(Exception):
    """A bug in the program, not a player's mistake: it stops the table."""


def check_transfer(transfer: Transfer) -> None:
    """Checks that a transfer names two different accounts and moves a whole amount above zero."""
    if type(transfer.amount) is not int or not 0 < transfer.amount < 2**63:
        raise LedgerFault(f"{transfer.id}: {transfer.amount!r} is not a whole amount above zero.")
    if transfer.kind not in TRANSFER_KINDS:
        raise LedgerFault(f"{transfer.id}: {transfer.kind!r} is not a kind of transfer.")
    if not transfer.id or transfer.debit == transfer.credit:
        raise LedgerFault(
            f"{transfer.id!r} moves money from {transfer.debit} to {transfer.credit}, which means nothing."
        )
    for name in (transfer.debit, transfer.credit):
        try:
            read_account(name)
        except Refused as refusal:
            raise LedgerFault(f"{transfer.id}: {refusal}") from None


def changes(transfers: Iterable[Transfer]) -> dict[Account, int]:
    """The change of each account; the changes add up to zero."""
    moved: dict[Account, int] = {}
    for transfer in transfers:
        moved[transfer.debit] = moved.get(transfer.debit, 0) - transfer.amount
        moved[transfer.credit] = moved.get(transfer.credit, 0) + transfer.amount
    return moved


class Ledger:
    """The balance of every account, and the one function that changes them."""

    def __init__(self, balances: Iterable[tuple[Account, int]] = ()) -> None:
        self._balances: dict[Account, int] = {account: amount for account, amount in balances if amount}
        self._posted: dict[str, Transfer] = {}

    def __getitem__(self, account: Account) -> int:
        return self._balances.get(account, 0)

    def balance(self, kind: AccountKind, *names: str) -> int:
        """The balance of an account by its kind and names, which need no check: an account that nothing moved is at zero."""
        return self._balances.get(Account("/".join((kind, *names))), 0)

    def __iter__(self) -> Iterator[tuple[Account, int]]:
        """Every account that is not at zero, with its balance."""
        return iter(self._balances.items())

    def post(self, *transfers: Transfer) -> tuple[Transfer, ...]:
        """Records transfers, all of them or none, and returns those that are new.

        Sending the same one again is harmless; sending a different one under its id is a fault. A transfer that
        would overdraw an account that cannot be overdrawn is refused.
        """
        new = self._new(transfers)
        balances = self._balances
        after = {account: balances.get(account, 0) + change for account, change in changes(new.values()).items()}
        for account, amount in after.items():
            holds = balances.get(account, 0)
            if amount < 0 and amount < holds and never_negative(account):
                raise Refused("overdrawn", account=account, holds=holds, asked=holds - amount, clause="GAME-1")
        for account, amount in after.items():
            if amount:
                balances[account] = amount
            else:  # empty accounts take no memory
                balances.pop(account, None)
        self._posted |= new
        return tuple(new.values())

    def _new(self, transfers: Iterable[Transfer]) -> dict[str, Transfer]:
        new: dict[str, Transfer] = {}
        for transfer in transfers:
            known = self._posted.get(transfer.id) or new.get(transfer.id)
            if known is None:
                check_transfer(transfer)
                new[transfer.id] = transfer
            elif known != transfer:
                raise LedgerFault(f"{transfer.id} was {known}, now {transfer} (LED-2).")
        return new

    def forget(self, transfers: Iterable[Transfer]) -> None:
        """Forgets transfers that will not be sent again; the store keeps all of them."""
        for transfer in transfers:
            self._posted.pop(transfer.id, None)


_A_NAME: Final = (
    "A name has up to 64 letters, digits, dots, dashes, underscores and @ signs, and begins with a letter or digit."
)
english(
    "refused",
    {
        "account-kind": "{account:quoted} is not an account: it begins with one of {kinds}.",
        "account-names": Plural(
            "names",
            one=f"{{account:quoted}} is not an account: {{kind}} takes one name after a slash. {_A_NAME}",
            other=f"{{account:quoted}} is not an account: {{kind}} takes {{names}} names, each after a slash. {_A_NAME}",
        ),
        "overdrawn": "{account} holds {holds:money}, less than the {asked:money} asked of it.",
    },
)
