"""`podium simulate`: rounds dealt from real shoes, and what every wager did in them."""

from rich.table import Table

from podium.basics.refusal import Refused, shortened
from podium.basics.words import english, money
from podium.cli import terminal
from podium.cli.dealing import dealing
from podium.cli.options import read_number, read_options
from podium.cli.output import Written, print_csv, print_json
from podium.maths.cluster import simulate_on
from podium.maths.comparing import compared, disagreements
from podium.maths.jobs import Job
from podium.maths.simulation import Measured, Simulated, simulate
from podium.rules.games import game


def read_wagers(written: list[str]) -> dict[str, int]:
    """`--wager NAME=AMOUNT`, each wager once."""
    wagers: dict[str, int] = {}
    for entry in written:
        name, _, written_amount = entry.partition("=")
        amount = read_number(written_amount)
        if not name or amount is None:
            raise Refused("wager-argument", argument=shortened(entry))
        if name in wagers:
            raise Refused("argument-twice", argument=f"--wager {shortened(name)}")
        wagers[name] = amount
    return wagers


def show(
    name: str,
    options: list[str],
    *,
    rounds: int,
    seed: int,
    strategy: str,
    players: int,
    wagers: list[str],
    penetration: float,
    jobs: int | None,
    cluster: str | None,
    written: Written,
) -> None:
    """Simulates, and prints the result."""
    job = Job(
        game(name, read_options(options)),
        rounds,
        seed=seed,
        strategy=strategy,
        players=players,
        wagers=read_wagers(wagers),
        penetration=penetration,
    )
    simulated = _watched(job, jobs, cluster)
    pairs = compared(simulated)
    warnings = disagreements(simulated, pairs)
    match written:
        case "json":
            said = simulated.to_dict() | {"warnings": warnings}
            for measured, exact in pairs:
                if exact is not None:
                    said["wagers"][measured.wager]["exact_house_edge"] = exact
            print_json(said)
        case "csv":
            exacts = {measured.wager: exact for measured, exact in pairs}
            print_csv([row | {"exact_house_edge": exacts[row["wager"]]} for row in simulated.rows()])
        case "text":
            terminal.show([_heading(simulated), _table(pairs), *warnings])


def _watched(job: Job, jobs: int | None, cluster: str | None) -> Simulated:
    """Plays the job, with a progress bar."""
    if cluster is not None and jobs is not None:
        raise Refused("jobs-or-cluster")
    with dealing(job.rounds) as progress:
        if cluster is not None:
            return simulate_on(cluster, job, progress=progress)
        return simulate(job, jobs=jobs, progress=progress)


def _heading(simulated: Simulated) -> str:
    job = simulated.job
    return (
        f"{job.game.title}, strategy {job.strategy}: {job.rounds:,} rounds of {job.players} in {simulated.seconds:.2f} "
        f"seconds, {simulated.rounds_per_second:,.0f} a second; seed {job.seed}."
    )


def _table(pairs: list[tuple[Measured, float | None]]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("Wager", no_wrap=True)
    for column in ("Amount", "Edge", "Error", "Deviation", "Exact"):
        table.add_column(column, justify="right", no_wrap=True)
    for measured, exact in pairs:
        table.add_row(
            measured.wager,
            money(measured.stake),
            f"{measured.house_edge:.4%}",
            f"{measured.standard_error:.4%}",
            f"{measured.standard_deviation:.4f}",
            "" if exact is None else f"{exact:.4%}",
        )
    return table


english(
    "refused",
    {
        "wager-argument": "--wager {argument} is not NAME=AMOUNT: write it like --wager trilux=500.",
        "jobs-or-cluster": (
            "--jobs is for this machine and --cluster for others, whose workers say how many cores they have: give one of them."
        ),
    },
)
