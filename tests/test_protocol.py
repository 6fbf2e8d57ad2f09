"""The files that follow from the protocol are those that it gives today, and other programs can read them."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from jsonschema import Draft7Validator, Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from podium.wire.commands import AnyCommand, Decide
from podium.wire.messages import AnyMessage

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"


def read(name: str) -> Any:
    return json.loads((DOCS / name).read_text(encoding="utf-8"))


def test_the_written_protocol_is_current() -> None:
    """Also the recorded round: the same program plays it again, message for message."""
    run = subprocess.run(
        [sys.executable, "scripts/protocol.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.stderr == ""
    assert run.returncode == 0


# --- for programs -------------------------------------------------------------------------------------------------------


def test_openapi_is_valid_and_has_every_reference() -> None:
    described = read("openapi.json")
    assert list(OpenAPIV31SpecValidator(described).iter_errors()) == []
    assert described["paths"]["/api/guest"]["post"]["responses"]["200"]["content"]
    assert_references(described)


def test_asyncapi_is_valid_and_has_every_reference() -> None:
    """By the schema that the AsyncAPI project publishes."""
    specification = ROOT / "web" / "node_modules" / "@asyncapi" / "specs" / "schemas" / "3.0.0-without-$id.json"
    schema = json.loads(specification.read_text(encoding="utf-8"))
    described = read("asyncapi.json")
    assert [error.message for error in Draft7Validator(schema).iter_errors(described)] == []
    kinds = {struct.__struct_config__.tag for struct in (*get_args(AnyCommand), *get_args(AnyMessage))}
    assert set(described["components"]["messages"]) == kinds
    assert_references(described)
    wrong = described | {"channels": {"terminal": {"address": 7}}}
    assert list(Draft7Validator(schema).iter_errors(wrong))


def assert_references(described: Any) -> None:
    """Every reference leads to something in the same document."""
    found = list(_references(described))
    assert len(found) > 20
    for reference in found:
        here = described
        for part in reference.removeprefix("#/").split("/"):
            assert part in here, reference
            here = here[part]


def _references(value: Any) -> Any:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for held in value.values():
            yield from _references(held)
    elif isinstance(value, list):
        for held in value:
            yield from _references(held)


# --- the recorded round -------------------------------------------------------------------------------------------------

CONVERSATION = [json.loads(line) for line in (DOCS / "examples" / "conversation.jsonl").read_text().splitlines()]
MESSAGES = [step["message"] for step in CONVERSATION if "message" in step]


def test_the_recorded_round_goes_from_the_door_to_the_result() -> None:
    assert CONVERSATION[0] == {"from": "terminal", "request": "POST /api/guest"}
    assert [message["do"] for message in MESSAGES if "do" in message][:3] == ["watch", "join", "bet"]
    assert MESSAGES[-1]["view"]["settled"]
    answered = [message["id"] for message in MESSAGES if message.get("is") == "acknowledged"]
    assert answered == [message["id"] for message in MESSAGES if "do" in message]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.get("do") or message["is"])
def test_the_recorded_messages_follow_the_schema(message: dict[str, Any]) -> None:
    schema = read("protocol.schema.json")
    kinds = [kind["$ref"] for kind in schema["anyOf"]]
    tag = "do" if "do" in message else "is"
    [mine] = [
        kind
        for kind in kinds
        if schema["$defs"][kind.rpartition("/")[2]]["properties"].get(tag, {}).get("enum") == [message[tag]]
    ]
    Draft202012Validator({"$ref": mine, "$defs": schema["$defs"]}).validate(message)


# --- both sides alike ---------------------------------------------------------------------------------------------------


def test_what_the_house_leaves_out_a_terminal_may_leave_out_too() -> None:
    schemas = read("protocol.schema.json")["$defs"]
    commands = {struct.__name__ for struct in get_args(AnyCommand)}
    left_out: dict[str, Any] = {
        field: kind["default"]
        for name in ("Seated", "SeatView", "TableView")
        for field, kind in schemas[name]["properties"].items()
        if isinstance(kind.get("default"), int)
    }
    for name in commands:
        assert set(schemas[name]["required"]) & set(left_out) == set(), name
    assert "step" in left_out
    decided = msgspec.json.decode(b'{"do":"decide","id":1,"round":1,"decision":"stand"}', type=AnyCommand)
    assert decided == Decide(id=1, round=1, step=0, decision="stand")


def test_fields_have_the_same_name_in_python_and_on_the_wire() -> None:
    for struct in (*get_args(AnyCommand), *get_args(AnyMessage)):
        for field in msgspec.structs.fields(struct):
            assert field.name == field.encode_name, f"{struct.__name__}.{field.name}"


def test_every_kind_of_message_and_every_value_is_on_the_page() -> None:
    page = (DOCS / "protocol.md").read_text(encoding="utf-8")
    for struct in (*get_args(AnyCommand), *get_args(AnyMessage)):
        assert f"### `{struct.__struct_config__.tag}`\n" in page
        assert f"in Python `{struct.__name__}`" in page
    for name, schema in read("protocol.schema.json")["$defs"].items():
        for field, kind in schema["properties"].items():
            for value in kind.get("enum", []):
                assert json.dumps(value) in page or f"`{value}`" in page, f"{name}.{field}: {value}"
