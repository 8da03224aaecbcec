"""The frame of the doctor: what a check is, in which order checks run, and the report they add up to.

A check that did not run is `skipped`, never `ok`; one that needs another does not run when that one failed.
"""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NotRequired, TypedDict

from gbrain import home as homes
from gbrain.errors import BrainError
from gbrain.mounts import HOST, Choice, choose
from gbrain.registry import Progress, unseen

if TYPE_CHECKING:
    from gbrain.remote import Remote
    from gbrain.store.probe import Probe
    from gbrain.store.server import ServerProbe

Status = Literal["ok", "warn", "fail", "skipped"]
Category = Literal["brain", "skill", "ops", "meta"]
EngineName = Literal["", "any", "sqlite", "postgres", "remote"]

MODULES = (
    *("brains", "home", "remote", "store", "server", "place", "settings", "languages", "folders"),
    *("sweep", "backups"),
    *("models", "writeback", "channels", "skills", "protocol"),
)
"""The modules of checks, in the order in which their checks run."""
DETAILS_SHOWN = 4


class Finding(NamedTuple):
    """What a check found. `fix` is one command a person can run as it stands; `details` are single lines.

    `data` is what a program may want to know beside them.
    """

    status: Status
    message: str
    fix: str | None = None
    details: tuple[str, ...] = ()
    data: dict[str, Any] | None = None


class Check(NamedTuple):
    """One check. It is skipped when one of the checks it `needs` failed or was skipped itself.

    `engine` names the kind of brain it is for: "" every store that is at hand, "any" also one that a server keeps.
    """

    name: str
    title: str
    needs: tuple[str, ...]
    category: Category
    run: Callable[["Patient"], Finding]
    engine: EngineName = ""


class CheckReply(TypedDict):
    """One check in the report."""

    name: str
    status: Status
    message: str
    fix: NotRequired[str]
    details: NotRequired[list[str]]
    data: NotRequired[dict[str, Any]]
    category: Category


class DoctorReply(TypedDict):
    """The report: `complete` is false when anything was skipped, so that nobody takes a part for the whole."""

    schema_version: Literal[2]
    status: Literal["healthy", "warnings", "unhealthy"]
    complete: bool
    checks: list[CheckReply]
    top_issues: list[CheckReply]


class Patient:
    """What the checks look at, and what they have learnt of it so far."""

    def __init__(
        self, home: str, *, fast: bool, chosen: Choice | None = None, unchosen: BrainError | None = None
    ) -> None:
        self.home = home
        self.fast = fast
        self.chosen = chosen or Choice(HOST, home, "given")
        self.unchosen = unchosen
        """Why the brain that was meant could not be told; what is looked at is then the host."""
        self.host = home
        """The home whose mounts count."""
        self.database = homes.database_path(home)
        self.engine = _engine(home)
        self.remote: Remote | None = None
        """The connection to the server that keeps the brain, and how it greeted."""
        self.greeting: dict[str, Any] | None = None
        self.probe: Probe | None = None
        """The connection to the store's file, from the first store check on; None when it could not be read."""
        self.server: ServerProbe | None = None
        """In its place, the connection to the database server."""
        self.born: str | None = None
        """When the brain was made, as store text; None until the store was read."""
        self.busy = False
        """Whether another process kept a lock for as long as a check waited."""


CHECKS: dict[str, Check] = {}


def check(
    name: str, title: str, needs: tuple[str, ...] = (), category: Category = "brain", engine: EngineName = ""
) -> Callable[[Callable[[Patient], Finding]], Callable[[Patient], Finding]]:
    """Declare a function as a check. `name` is what a person greps for, `title` says what it looks at."""

    def declare(function: Callable[[Patient], Finding]) -> Callable[[Patient], Finding]:
        CHECKS[name] = Check(name, title, needs, category, function, engine)
        return function

    return declare


def checks() -> list[Check]:
    """Every check, in the order in which they run."""
    for module in MODULES:
        # The checks load more than the declaration of `run_doctor` may cost a server that never runs it.
        import_module(f"gbrain.doctor.{module}")
    return sorted(CHECKS.values(), key=lambda item: MODULES.index(item.run.__module__.rpartition(".")[2]))


def report(
    home: str | Choice | None = None, fast: bool = False, brain: str | None = None, progress: Progress = unseen
) -> DoctorReply:
    """Examine a home folder, None being that of the brain in force or of `brain`; never raises for what it finds there.

    `fast` leaves out what takes long: the comparison of indexes with tables and the calls on a scratch brain.
    """
    try:
        patient = _patient(home, fast, brain)
    except BrainError as error:
        return added_up([_refused(item, error) for item in checks() if item.engine in ("", "any", "sqlite")])
    try:
        kinds = ("any", patient.engine) if patient.engine == "remote" else ("any", "", patient.engine)
        return added_up(examine([item for item in checks() if item.engine in kinds], patient, progress))
    finally:
        for probe in (patient.probe, patient.server, patient.remote):
            if probe is not None:
                probe.close()


def _patient(home: str | Choice | None, fast: bool, brain: str | None) -> Patient:
    if isinstance(home, Choice):
        return Patient(home.home, fast=fast, chosen=home)
    host = homes.resolve(home)
    if home is not None:
        return Patient(host, fast=fast)
    try:
        chosen = choose(brain, host)
    except BrainError as error:
        return Patient(host, fast=fast, unchosen=error)
    patient = Patient(chosen.home, fast=fast, chosen=chosen)
    patient.host = host
    return patient


def _engine(home: str) -> EngineName:
    try:
        return homes.kind(home)
    except BrainError:
        # The checks of a server say what is wrong with its address.
        return "postgres" if homes.has_address(home) else "sqlite"


def examine(items: list[Check], patient: Patient, progress: Progress = unseen) -> list[CheckReply]:
    """Run these checks in their order, leaving out those whose needs are not met."""
    rows: list[CheckReply] = []
    for done, item in enumerate(items):
        progress(item.name, done, len(items))
        rows.append(_row(item, _run(item, patient, rows)))
    return rows


def exit_code(found: DoctorReply) -> int:
    """1 when a check failed; 0 for a healthy brain, for warnings and for checks that did not run."""
    return 1 if found["status"] == "unhealthy" else 0


def render(found: DoctorReply) -> str:
    """The report for a person: a line a check, its details and fix indented under it."""
    done = [row for row in found["checks"] if row["status"] != "skipped"]
    skipped = len(found["checks"]) - len(done)
    partial = f"; {skipped} not run, so this is no full answer" if skipped else ""
    lines = [f"{found['status']}: {len(done)} checks run{partial}"]
    for row in found["checks"]:
        lines.append(f"{_MARKS[row['status']]} {row['name']}: {row['message']}")
        details = row.get("details", [])
        # With a last line and a fix that makes six: `grep -A6` shows all of it.
        lines += [f"       {line}" for line in details[:DETAILS_SHOWN]]
        if len(details) > DETAILS_SHOWN:
            lines.append(f"       {len(details) - DETAILS_SHOWN} more: gbrain doctor --json")
        if "fix" in row:
            lines.append(f"       fix: {row['fix']}")
    return "\n".join(lines)


_MARKS: dict[Status, str] = {"ok": "[OK]  ", "warn": "[WARN]", "fail": "[FAIL]", "skipped": "[SKIP]"}


def _run(item: Check, patient: Patient, before: list[CheckReply]) -> Finding:
    unmet = [row["name"] for row in before if row["name"] in item.needs and row["status"] in ("fail", "skipped")]
    if unmet:
        return Finding("skipped", f"not run: it needs {unmet[0]}")
    try:
        return item.run(patient)
    except Exception as error:
        # Type and place alone, since a message may hold a person's text.
        place = error.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        where = f" in {place.tb_frame.f_code.co_name}, line {place.tb_lineno}" if place is not None else ""
        return Finding("fail", f"the check itself failed: {type(error).__name__}{where}")


def _refused(item: Check, error: BrainError) -> CheckReply:
    """The row of a check when not even the home is known."""
    if item.name == "home":
        return _row(item, Finding("fail", error.message, error.suggestion.removeprefix("run: ")))
    return _row(item, Finding("skipped", "not run: it needs home"))


def _row(item: Check, finding: Finding) -> CheckReply:
    row: CheckReply = {
        "name": item.name,
        "status": finding.status,
        "message": finding.message,
        "category": item.category,
    }
    if finding.fix is not None:
        row["fix"] = finding.fix
    if finding.details:
        row["details"] = list(finding.details)
    if finding.data is not None:
        row["data"] = finding.data
    return row


def added_up(rows: list[CheckReply]) -> DoctorReply:
    """The report that the rows of the checks make."""
    failed = [row for row in rows if row["status"] == "fail"]
    warned = [row for row in rows if row["status"] == "warn"]
    return {
        "schema_version": 2,
        "status": "unhealthy" if failed else "warnings" if warned else "healthy",
        "complete": all(row["status"] != "skipped" for row in rows),
        "checks": rows,
        "top_issues": failed + warned,
    }
