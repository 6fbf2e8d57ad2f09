"""The page of the protocol: what a client in any language needs to know, with the figures of the program itself."""

import ast
import inspect
import json
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Any, get_args

import msgspec
from structs import Said, Schema, said_of_fields, section

from podium.client import terminal as client
from podium.house.table.phase import Phase
from podium.rules.asking import CHOICES, QUESTIONS, WITH_MORE
from podium.rules.games import GAMES
from podium.server import limits
from podium.wire import codes, commands, messages
from podium.wire.codes import CloseCode

COMMANDS = get_args(commands.AnyCommand)
MESSAGES = get_args(messages.AnyMessage)

HEAD = """# The protocol

Everything that a terminal needs, in any language: the way in, the messages, and what happens when a connection is lost. They are defined
once, in `src/podium/wire/commands.py` and `messages.py`; `make docs` writes this page from there. The same for programs: [asyncapi.json](asyncapi.json)
(AsyncAPI 3), [protocol.schema.json](protocol.schema.json) (JSON Schema) and, for HTTP, [openapi.json](openapi.json) (OpenAPI 3.1). Two whole
clients: a Python bot in [bots.md](bots.md), and [examples/terminal.mjs](examples/terminal.mjs) for Node without any package.

## The way in

The examples are for a house on this machine, `http://localhost:8000`, as `make run` opens it. Over TLS it is `https://` and `wss://`.

1. **Ask to come in**, over HTTP: `POST /api/guest` where the house admits guests, or `POST /api/sign-in` with
   `{{"name": "...", "password": "..."}}`. 200 sets a cookie, `podium`, over TLS `__Host-podium`. A refusal is
   `{{"reason": "a sentence", "why": {{...}}}}`; after 429, wait as `Retry-After` says and ask again. `GET /api/tables` lists the tables,
   and needs no cookie.
2. **Open the WebSocket** `ws://localhost:8000/ws?tab=KEY` with the header `Cookie: podium=TOKEN`. `KEY` is chosen by the terminal, up to
   {key_chars} letters and digits: the house recognizes the terminal by it after a lost connection. `?as=display` is a wall, which needs no
   cookie in a house that admits guests. No subprotocol and no extension is needed; permessage-deflate is not offered. If an `Origin`
   header is sent, as browsers do, it must be the house's own address.
3. **Wait for `welcome`**, then `watch` a table; its `rules`, `table`, `history` and `seat` follow. `join` takes a seat. From then on, bet
   while the phase is `betting`, and answer when `seat` holds a `question`.

An answer to the upgrade that is not 101 carries a sentence like every refusal: 403 another site's page, 421 a name that is not the house's,
503 no room. A terminal that is not signed in is told so with `goodbye`, and closed.

## Messages

Each is one JSON object in one text frame. **`do` says which command it is, `is` which message**; both always come with the other fields
of that kind, in any order. Amounts are whole minor units, times are milliseconds since 1970 by the house's clock.

- A command has an `id`: a whole number chosen by the terminal, best rising by one from 1. The house answers each command with
  `acknowledged`, after its consequence is durable, or with `refused` and the reason. Messages that show state may come before the answer
  or after it.
- The same command under the same id happens once and gets the same answer. Another command under a used id is refused.
- `refused` with `"later": true` has a temporary reason: send the same command again under the same id after a short pause.
- The house shows state, never changes: `table` for everybody at a table, `seat` for one player. Each is complete and has a `number`; show the one
  with the highest number and forget the others. The numbers begin anew when the house is restarted: after `welcome`, take what comes.
- Where nothing at a table has changed but how many sit, have bet or decide, `counts` comes instead of `table`: put its fields into the
  `table` that you show, if its number is higher. Who missed some, or leaves them out, has the same fields with the next `table`.
- A `seat` that has not changed is not sent again. Its `view` is of its own `round`: in a later round the player has not bet yet.
- `table` comes before the `seat` that belongs to it and has the same number. At a result, wait for the `seat` whose number is that of the `table` or higher:
  the one before it may have side bets settled already, and not yet what the round returned.
- **A field that has its default value is left out**, in both directions; the lists below say the default of each ("Left out"). A field
  without a default is always there.
- A command with a field that the house does not know is refused. A client ignores fields and kinds of messages that it does not know: later
  versions add some.
- Text for people is a [phrase](#phrase), a key with facts. `reason` has the same in English. The words of all keys are in
  `src/podium/languages/`, a file for each language.

## One round

What a terminal sent (`>`) and the house answered (`<`), from the first request to the result: the whole of
[examples/conversation.jsonl](examples/conversation.jsonl), which `scripts/conversation.py` records from a real house whose clock stands still. The
chapters of the rules are left out here.

{round}

The player's next bet is for the next round, when `table` shows the phase `betting` with its number.

## When the connection is lost

Connect again with the same cookie and the same `tab`, at once and then with growing pauses of up to {reconnect:g} seconds, with some
chance in them so that a thousand terminals do not come together. After `welcome`, `watch` the table again under a new id, then send every command
that was not answered again **under its old id**: it counts once. The seat and the wagers stay. A bet or a decision that was not received
before its time ran out is not made up for; the house decides by the published rules.

The house sends a `goodbye` with the reason where it can, then closes with one of these codes (RFC 6455 7.4):

{codes}

With no code at all (1006 in most libraries), connect again. When the answer to the upgrade is 401, 403 or 421, do not; begin again at
the way in.

## Rates and sizes

{rates}

WebSocket pings may be sent and are answered; the house pings a terminal that has been silent for {ping:g} seconds. The `ping` command does the
same at the level of messages, and its answer has the house's clock. [limits.md](limits.md) has every other limit.

## Values

{values}
"""


def page(found: dict[str, Schema], conversation: str) -> str:
    """The whole page."""
    said = said_of_fields([commands.AnyCommand, messages.AnyMessage])
    head = HEAD.format(
        key_chars=limits.MAX_TERMINAL_KEY_CHARS,
        round=_round(conversation),
        codes=_codes(),
        reconnect=client.MAX_RECONNECT_SECONDS,
        rates=_rates(),
        ping=limits.MAX_SILENT_SECONDS / 2,
        values=_values(),
    )
    parts = [
        head.strip(),
        "## Commands, from a terminal",
        *(_section(struct, found, said, "do") for struct in COMMANDS),
        "## Messages, from the house",
        *(_section(struct, found, said, "is") for struct in MESSAGES),
        "## Parts of messages",
    ]
    rest = set(found) - {struct.__name__ for struct in (*COMMANDS, *MESSAGES)}
    parts += [section(name, found[name], said) for name in found if name in rest]
    return "\n\n".join(parts) + "\n"


def _section(struct: type[msgspec.Struct], found: dict[str, Schema], said: Said, tag: str) -> str:
    """A message, with an example that has every field which must be there."""
    name, value = struct.__name__, str(struct.__struct_config__.tag)
    head, _, fields = section(name, found[name], said, tag=tag).partition("\n\n| field")
    example = f' `{{"do": "{value}", ...}}`' if tag == "do" else f' `{{"is": "{value}", ...}}`'
    lead = f"{dedent(head)}\n\n{example.strip()}, in Python `{name}`."
    return f"{lead}\n\n| field{fields}" if fields else lead


# --- the round ----------------------------------------------------------------------------------------------------------


def _round(conversation: str) -> str:
    """The conversation as it went over the line, a message a line, broken where it is long."""
    lines = []
    for step in map(json.loads, conversation.splitlines()):
        sign = ">" if step["from"] == "terminal" else "<"
        lines += [f"{sign} {line}" for line in _step(step)]
    return "\n".join(["```text", *lines, "```"])


def _step(step: dict[str, Any]) -> list[str]:
    if "request" in step:
        return [step["request"], *([f"Cookie: {step['cookie']}"] if "cookie" in step else [])]
    if "status" in step:
        return [f"{step['status']} Set-Cookie: {step['cookie']}; ...", *_json(step["body"])]
    return _json(step["message"])


WIDTH = 130


def _json(value: Any) -> list[str]:
    """JSON in lines of a bearable length, each field on one line as far as it fits."""
    whole = json.dumps(value, ensure_ascii=False)
    if len(whole) <= WIDTH or not isinstance(value, dict):
        return [whole]
    lines, line = [], "{"
    for place, (name, held) in enumerate(value.items()):
        part = f"{json.dumps(name)}: {json.dumps(held, ensure_ascii=False)}{',' if place < len(value) - 1 else '}'}"
        if len(line) + len(part) > WIDTH and line != "{":
            lines.append(line)
            line = " "
        line += part if line in ("{", " ") else f" {part}"
    return [*lines, line]


# --- tables -------------------------------------------------------------------------------------------------------------


def _codes() -> str:
    said = _sentences_of_codes()
    rows = [
        f"| {int(code)} | {said[code.name]} | {'connect again' if code.come_back else 'do not connect again by itself'} |"
        for code in CloseCode
    ]
    return "\n".join(["| code | why | then |", "| --- | --- | --- |", *rows])


def _sentences_of_codes() -> dict[str, str]:
    """The sentence under each code in the source."""
    tree = ast.parse(inspect.getsource(codes))
    (body,) = [node.body for node in tree.body if isinstance(node, ast.ClassDef)]
    found = {}
    for member, after in pairwise(body):
        if isinstance(member, ast.Assign) and isinstance(member.targets[0], ast.Name) and isinstance(after, ast.Expr):
            found[member.targets[0].id] = " ".join(str(ast.literal_eval(after.value)).split())
    return found


RATES = (
    "MAX_MESSAGE_BYTES",
    "MAX_MESSAGES_PER_SECOND",
    "MAX_MESSAGES_AT_ONCE",
    "MAX_SILENT_SECONDS",
    "MAX_WAITING_COMMANDS_PER_TERMINAL",
    "MAX_REMEMBERED_ANSWERS_PER_TERMINAL",
    "MAX_ANSWER_BYTES",
    "MAX_UNSENT_BYTES_PER_SOCKET",
    "MAX_SOCKETS_PER_PERSON",
    "MAX_TERMINAL_KEY_CHARS",
)


def _rates() -> str:
    tree = ast.parse(Path(limits.__file__).read_text(encoding="utf-8")).body
    said = {
        constant.target.id: " ".join(str(ast.literal_eval(after.value)).split())
        for constant, after in pairwise(tree)
        if isinstance(constant, ast.AnnAssign) and isinstance(constant.target, ast.Name) and isinstance(after, ast.Expr)
    }
    rows = []
    for name in RATES:
        what, _, happens = said[name].partition(" At the limit: ")
        rows.append(f"| {what} | {getattr(limits, name):,} | {happens} |")
    return "\n".join(["| what | at most | at the limit |", "| --- | --- | --- |", *rows])


def _values() -> str:
    """The values that are no enumeration in a type, because games and options decide which of them there are."""
    quoted = "`, `".join
    asked = " ".join(f"About `{about}`: `{quoted(answers)}`." for about, answers in QUESTIONS.items())
    wagers = [f"| `{game.name}` | `{game.dealing.kind}` | `{quoted(game.offers)}` |" for game in GAMES.values()]
    return "\n".join(
        [
            "- A **card** is rank then suit: ranks `2` to `9`, `T`, `J`, `Q`, `K`, `A`, suits `s`, `h`, `d`, `c`. `Td` is the ten of diamonds.",
            f"- A **phase** of a table is one of `{quoted(get_args(Phase))}`. `waiting` is for the dealer or for a shoe.",
            f"- A **decision** is one of `{quoted(CHOICES)}`, also with an amount or the dealer's wager: `{quoted(WITH_MORE)}`. {asked}",
            "  The keys of `allowed` in a question are those that the house takes now, each with the least and the most that it costs.",
            "- A **game** and its **wagers** as they are by default; `rules` has those of the table, with limits and odds:",
            "",
            "| game | dealing | wagers |",
            "| --- | --- | --- |",
            *wagers,
        ]
    )
