"""`podium doctor` says what is not well, and what to do."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from podium.cli import doctor, run
from podium.cli.doctor import ADVICE
from podium.house.stamps import since_note
from podium.record.store import BOOK, open_book
from podium.record.store.keys import PURPOSES
from podium.server.health import HealthCard
from podium.server.metrics import Metrics
from podium.server.serve import FILES_NEEDED
from tests.terminals.houses import RunningHouse, quick

DEPLOY = Path(__file__).parent.parent / "deploy"


def found(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, dict[str, Any]]]:
    code = run(["doctor", "--json", *arguments])
    return code, {finding["about"]: finding for finding in json.loads(capfd.readouterr().out)}


def test_a_machine_without_a_house_is_fit(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, said = found(capfd, "--data", str(tmp_path / "new"))
    assert code == 0
    assert set(said) == {"versions", "clock", "disk", "open files", "keys", "database"}
    assert said["keys"]["state"] == said["database"]["state"] == "well"
    assert all(each["do"] for each in said.values() if each["state"] != "well")
    assert list(tmp_path.iterdir()) == []


def test_a_running_house_is_reached(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    house = RunningHouse(tmp_path, {"t1": quick("stadium-blackjack")})
    house.open()
    try:
        code, said = found(capfd, "--data", str(tmp_path / "data"), "--url", house.address)
        assert code == 0
        assert said["reachable"]["says"].startswith("Test house answers at http://127.0.0.1")
        assert "WAL" in said["database"]["says"]
    finally:
        house.close()
    code, said = found(capfd, "--data", str(tmp_path / "data"), "--url", house.address)
    assert (code, said["reachable"]["state"]) == (1, "failing")
    assert "firewall" in said["reachable"]["do"]


def test_what_a_house_says_of_itself_comes_with_what_to_do(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    house = RunningHouse(tmp_path, {"t1": quick("stadium-blackjack")}, backup_hours=1, disk_rest_mb=1_000_000_000)
    house.open()
    try:
        code, said = found(capfd, "--data", str(tmp_path / "data"), "--url", house.address)
    finally:
        house.close()
    assert code == 0
    assert said["backups"]["says"] == "No backup is known; one is due every 1 hours."
    assert "podium backup" in said["backups"]["do"]
    assert "archive_days" in said["disk"]["do"] or "Make room" in said["disk"]["do"]


def test_every_part_of_health_has_advice() -> None:
    parts = HealthCard.__struct_fields__
    assert set(ADVICE) == {"table", *parts} - {"tables", "state", "well", "why"}


def test_a_file_of_another_user_in_the_data(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slips").mkdir()
    monkeypatch.setattr(doctor, "owner_of", lambda path: 0 if path == tmp_path else 54_321)
    code, said = found(capfd, "--data", str(tmp_path))
    assert (code, said["owner"]["state"]) == (1, "failing")
    assert said["owner"]["says"].startswith(f"{tmp_path / 'slips'} belongs to 54321, and {tmp_path} to root.")
    assert said["owner"]["do"] == f"chown -R root {tmp_path}"


def test_keys_that_others_may_read_or_that_are_lost(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    keys = tmp_path / "house.keys"
    keys.mkdir(mode=0o700)
    (keys / "seal.key").touch(mode=0o644)
    code, said = found(capfd, "--data", str(tmp_path / "house"))
    assert (code, said["keys"]["state"]) == (1, "failing")
    assert "seal.key" in said["keys"]["says"]
    assert said["keys"]["do"].startswith("chmod 700")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / BOOK).touch()
    code, said = found(capfd, "--data", str(tmp_path / "other"))
    assert (code, said["keys"]["do"]) == (1, "Put back your copy of them.")


def test_a_damaged_book(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / BOOK).write_bytes(b"no database at all" * 100)
    code, said = found(capfd, "--data", str(tmp_path))
    assert (code, said["database"]["state"]) == (1, "failing")
    assert "podium verify" in said["database"]["do"]


def test_a_database_that_does_not_answer(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, said = found(capfd, "--data", str(tmp_path), "--database", "postgresql://127.0.0.1:1/podium")
    assert (code, said["database"]["state"]) == (1, "failing")
    assert "pg_hba.conf" in said["database"]["do"]


def test_an_empty_database_has_lost_no_keys(
    tmp_path: Path, postgres_url: str, capfd: pytest.CaptureFixture[str]
) -> None:
    arguments = ("--data", str(tmp_path / "house"), "--database", postgres_url)
    code, said = found(capfd, *arguments)
    assert (code, said["keys"]["says"].startswith("A new house will make its keys in")) == (0, True)
    open_book(postgres_url).close()
    code, said = found(capfd, *arguments)
    assert (code, said["keys"]["do"]) == (1, "Put back your copy of them.")


def test_an_address_that_is_none(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--url", "play.example"]) == 2
    assert "it is like https://play.example" in capfd.readouterr().err


# --- the deployment files follow the program ------------------------------------------------------------------------------


def test_the_unit_has_the_keys_and_the_open_files_of_a_house() -> None:
    unit = (DEPLOY / "systemd" / "podium.service").read_text()
    assert sorted(re.findall(r"^LoadCredential=(\w+)\.key:", unit, re.MULTILINE)) == sorted(PURPOSES)
    note = since_note(Path("/var/lib/podium"))
    assert f"\nLoadCredential={note}:/etc/podium/keys/{note}\n" in unit
    assert f"\nLimitNOFILE={FILES_NEEDED}\n" in unit


def test_alerts_and_board_use_figures_that_a_house_has() -> None:
    shown = Metrics(lambda: 0).text().decode()
    known = set(re.findall(r"^# TYPE (\w+) ", shown, re.MULTILINE))
    for file in ("prometheus/alerts.yml", "grafana/podium.json"):
        used = set(re.findall(r"\bpodium_[a-z_]+", (DEPLOY / file).read_text()))
        assert used
        assert {re.sub(r"_bucket$", "", name) for name in used} <= known, file
