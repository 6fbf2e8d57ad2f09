"""VER-1, VER-2: everything that runs is in a signed list, and what differs from it is found, noted and can keep a house closed."""

import shutil
import sys
from pathlib import Path

import msgspec
import pytest

from podium.basics.refusal import Refused
from podium.cli import run
from podium.server import vigil
from podium.server.program import (
    Installation,
    Manifest,
    differences,
    installation_at,
    load_manifest,
    manifest_of,
    manifest_text,
    read_manifest,
    running,
    signed,
    verifier,
)
from podium.server.serve import Address, open_house
from podium.server.vigil import UnknownProgram
from tests.server.served import CONFIG, a_house
from tests.terminal import on_a_loop

HERE = Installation(running().package, (), running().python)
SEED = bytes(range(32))
SIGNER = verifier("operator", SEED)


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """Another installation: a virtual environment with Podium's package and one dependency."""
    site = tmp_path / "other" / "lib" / "python3.11" / "site-packages"
    site.mkdir(parents=True)
    here = running()
    kept = [here.package / name for name in ("__init__.py", "__main__.py", "languages", "server")]
    (site / "podium").mkdir()
    for each in kept:
        if each.is_dir():
            shutil.copytree(each, site / "podium" / each.name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(each, site / "podium")
    for name in ("msgspec", "typer"):
        for found in [path for place in here.site for path in place.glob(f"{name}*")]:
            shutil.copytree(found, site / found.name, dirs_exist_ok=True)
    (tmp_path / "other" / "bin").mkdir()
    shutil.copy(here.site[0].parents[2] / "bin" / "typer", tmp_path / "other" / "bin")
    return tmp_path / "other"


def site_of(other: Path) -> Path:
    return installation_at(other).site[0]


def test_ver_1_the_manifest_has_everything_that_runs() -> None:
    listed = manifest_of(running())
    assert listed.python == ".".join(map(str, sys.version_info[:3]))
    assert {"server/program.py", "languages/es.json", "server/web/welcome.html"} <= set(listed.package)
    assert {"msgspec", "aiohttp", "cryptography"} <= set(listed.dependencies)
    assert all(len(each.record) == 64 for each in listed.dependencies.values())


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("podium/server/floor.py", "The file server/floor.py was altered."),
        ("podium/languages/es.json", "The file languages/es.json was altered."),
        ("podium/server/web/welcome.html", "The file server/web/welcome.html was altered."),
    ],
)
def test_ver_2_an_altered_file_is_found(other: Path, file: str, said: str) -> None:
    wanted = manifest_of(installation_at(other))
    assert differences(wanted, installation_at(other)) == []
    with (site_of(other) / file).open("ab") as opened:
        opened.write(b"\n")
    assert differences(wanted, installation_at(other)) == [said]


def test_ver_2_missing_and_added_files_are_found(other: Path) -> None:
    wanted = manifest_of(installation_at(other))
    (site_of(other) / "podium" / "server" / "floor.py").unlink()
    (site_of(other) / "podium" / "server" / "spy.py").write_text("")
    (site_of(other) / "spy.pth").write_text("import spy\n")
    assert differences(wanted, installation_at(other)) == [
        "The file server/floor.py is missing.",
        "The file server/spy.py was added.",
        "The file beside the dependencies spy.pth was added.",
    ]


def test_ver_2_an_altered_dependency_is_found_by_its_record_and_an_altered_record_by_the_manifest(other: Path) -> None:
    wanted = manifest_of(installation_at(other))
    file = site_of(other) / "typer" / "main.py"
    file.write_text(file.read_text() + "\n")
    assert differences(wanted, installation_at(other)) == [f"{file} of the dependency typer was altered."]
    [record] = site_of(other).glob("typer-*.dist-info/RECORD")
    lines = record.read_text().splitlines(keepends=True)
    record.write_text("".join(line for line in lines if not line.startswith("typer/main.py,")))
    found = differences(wanted, installation_at(other))
    assert "The dependency typer was altered." in found
    assert "The file beside the dependencies typer/main.py was added." in found


# --- the signature ----------------------------------------------------------------------------------------------------------

TEXT = manifest_text(Manifest("1.0", "3.11.7", {"a.py": "00" * 32}, {}, {}))


def test_ver_2_a_signed_manifest_is_read_and_another_is_refused() -> None:
    note = signed(TEXT, "operator", SEED)
    assert read_manifest(note.encode(), SIGNER) == read_manifest(TEXT.encode())
    both = signed(note, "regulator", bytes(32))
    for name, seed in (("operator", SEED), ("regulator", bytes(32))):
        assert read_manifest(both.encode(), verifier(name, seed)).podium == "1.0"
    for altered in (TEXT, note.replace("a.py", "b.py"), signed(TEXT, "operator", bytes(32)), signed(TEXT, "eve", SEED)):
        with pytest.raises(Refused, match="not signed by operator"):
            read_manifest(altered.encode(), SIGNER)


@pytest.mark.parametrize("name", ["", "two words", "a+b"])
def test_a_name_that_no_signature_can_have_is_refused(name: str) -> None:
    with pytest.raises(Refused, match="is not the name of a key"):
        verifier(name, SEED)
    with pytest.raises(Refused, match="is not the name of a key"):
        signed(TEXT, name, SEED)


@pytest.mark.parametrize("signer", ["x", "a+b+c", SIGNER.replace("operator", "eve"), f"{SIGNER}AA"])
def test_what_is_no_public_key_is_refused(signer: str) -> None:
    with pytest.raises(Refused, match="is not a public key"):
        read_manifest(TEXT.encode(), signer)


@pytest.mark.parametrize("text", [b"", b"{}", b"\xff\n\n", b"[1]\n"])
def test_what_is_no_manifest_is_refused(text: bytes) -> None:
    with pytest.raises(Refused, match="The manifest cannot be read"):
        read_manifest(text)


# --- the commands -----------------------------------------------------------------------------------------------------------


def test_ver_2_a_copy_of_somebody_else_checks_an_installation(
    other: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest, key = tmp_path / "manifest", tmp_path / "signer.key"
    assert run(["program", "manifest", "--at", str(other)]) == 0
    manifest.write_text(capsys.readouterr().out)
    assert run(["program", "key", str(key), "--name", "casino.example"]) == 0
    signer = capsys.readouterr().out.strip()
    assert key.stat().st_mode & 0o777 == 0o600
    assert run(["program", "sign", str(manifest), "--key", str(key)]) == 0
    manifest.write_text(capsys.readouterr().out)
    check = ["verify", "--program", "--manifest", str(manifest), "--signed-by", signer, "--at", str(other)]
    assert run(check) == 0
    assert capsys.readouterr().out.endswith(f"Everything is as {manifest} has it, signed by casino.example.\n")
    (site_of(other) / "podium" / "__main__.py").write_text("import spy\n")
    assert run(check) == 1
    assert capsys.readouterr().err == "The file __main__.py was altered.\n"
    assert run([*check[:5], SIGNER, *check[6:]]) == 2
    assert "not signed by operator" in capsys.readouterr().err


def test_verify_checks_a_house_or_the_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify"]) == 2
    assert run(["verify", str(tmp_path), "--program"]) == 2
    assert "Name the data of a house, or give --program" in capsys.readouterr().err


# --- the house --------------------------------------------------------------------------------------------------------------


def put_manifest(tmp_path: Path, altered: bool) -> Path:
    listed = manifest_of(HERE)
    if altered:
        listed = msgspec.structs.replace(listed, package={**listed.package, "server/floor.py": "00" * 32})
    file = tmp_path / "manifest"
    file.write_text(signed(manifest_text(listed), "operator", SEED))
    assert load_manifest(file, SIGNER) == listed
    return file


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The dependencies of this installation are not read file by file: that takes seconds, and is tested above."""
    monkeypatch.setattr(vigil, "running", lambda: HERE)


@pytest.mark.usefixtures("quick")
@on_a_loop
async def test_ver_2_a_house_notes_at_its_start_and_once_a_day_that_the_program_differs(tmp_path: Path) -> None:
    file = put_manifest(tmp_path, altered=True)
    config = msgspec.structs.replace(CONFIG, manifest=str(file), manifest_signer=SIGNER)
    async with a_house(tmp_path / "data", config) as served:
        [note] = [note for note in await served.notes() if note.kind == "program-differs"]
        assert note.reason == "The file server/floor.py was altered."
        assert served.opened is not None
        watching = served.opened.reception.vigil
        await watching.look()
        assert [note.kind for note in await served.notes()].count("program-differs") == 1
        watching._program_checked -= vigil.DAY_SECONDS
        await watching.look()
        await watching.look()
        assert [note.kind for note in await served.notes()].count("program-differs") == 2


@pytest.mark.usefixtures("quick")
@on_a_loop
async def test_ver_2_a_strict_house_stays_closed(tmp_path: Path) -> None:
    file = put_manifest(tmp_path, altered=True)
    config = msgspec.structs.replace(CONFIG, manifest=str(file), manifest_signer=SIGNER, program="strict")
    with pytest.raises(UnknownProgram, match=r"configured to stay closed then: The file server/floor.py was altered"):
        await open_house(tmp_path / "data", Address(port=0), config=config)
    with pytest.raises(Refused, match="names the manifest and its signer"):
        await open_house(tmp_path / "data", Address(port=0), config=msgspec.structs.replace(config, manifest_signer=""))
    put_manifest(tmp_path, altered=False)
    async with a_house(tmp_path / "data", config) as served:
        assert "program-differs" not in [note.kind for note in await served.notes()]
