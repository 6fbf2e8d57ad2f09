"""Passkeys over HTTP: what is not an answer to a challenge of the house, given once, signs nobody in (SEC-1)."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from pathlib import Path
from typing import Any

import pytest

from podium.server import limits
from tests.server.served import Browser, a_house
from tests.terminal import on_a_loop


def encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def answering(challenge: str) -> str:
    """What a browser sends for a challenge, signed by nobody."""
    client = json.dumps({"type": "webauthn.get", "challenge": challenge, "origin": "http://localhost"}).encode()
    parts = {"clientDataJSON": encoded(client), "authenticatorData": encoded(bytes(37)), "signature": encoded(b"x")}
    return json.dumps({"id": "AAAA", "rawId": "AAAA", "type": "public-key", "response": parts})


async def challenge_of(browser: Browser, path: str = "/api/sign-in/passkey/begin") -> str:
    options: Any = json.loads((await browser.done(path))["options"])
    assert len(urlsafe_b64decode(options["challenge"] + "=")) == 32
    return str(options["challenge"])


@on_a_loop
async def test_sec_1_a_challenge_is_answered_once_in_time_and_for_what_it_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_CHALLENGES", 2)
    async with a_house(tmp_path) as served:
        operator, stranger = await served.operator(), await served.browser()

        async def tried(challenge: str) -> str:
            return (await stranger.post("/api/sign-in/passkey", credential=answering(challenge))).reason

        late, unknown = "That took too long: begin again (SEC-1).", "This passkey is not known here"
        given = await challenge_of(stranger)
        assert (await tried(given)).startswith(unknown)
        assert await tried(given) == late, "it is used up"
        assert await tried(encoded(bytes(32))) == late, "the house never gave it"
        assert await tried(await challenge_of(operator, "/api/me/passkeys/begin")) == late, "it was for registering"
        old = await challenge_of(stranger)
        served.later += 5 * 60_000
        assert await tried(old) == late
        first = await challenge_of(stranger)
        for _ in range(2):
            await challenge_of(stranger)
        assert await tried(first) == late, "the oldest is forgotten"
        assert (await stranger.get("/api/me")).body is None
        assert [note.kind for note in await served.notes()].count("sign-in-failed") == 6


@pytest.mark.parametrize(
    "credential", ["", "{}", "[]", '{"id": 1}', "\u0000", '{"id":"AA","response":{"clientDataJSON":"!"}}']
)
@on_a_loop
async def test_what_is_no_passkey_is_refused_in_a_sentence(tmp_path: Path, credential: str) -> None:
    async with a_house(tmp_path) as served:
        operator = await served.operator()
        for path, more in (("/api/sign-in/passkey", {}), ("/api/me/passkeys", {"name": "phone"})):
            said = await operator.post(path, credential=credential, **more)
            assert said.status == 422
            assert said.reason
        assert (await operator.get("/api/me/passkeys")).body == []
