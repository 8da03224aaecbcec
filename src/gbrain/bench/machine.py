"""What this machine does: processor time of whole processes, memory, disk."""

import os
import platform
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import gbrain
from gbrain.mounts import ENV_BRAIN, HOST


class Cost(NamedTuple):
    """What one process took: processor and wall seconds."""

    cpu: float
    wall: float


class Failed(Exception):
    """A process that was measured did not do its work."""


def once(command: Sequence[str], env: Mapping[str, str], given: str = os.devnull) -> Cost:
    """Run a command with its output thrown away and the file `given` as its input; raises Failed when it does not exit
    with 0."""
    null, read = os.open(os.devnull, os.O_RDWR), os.open(given, os.O_RDONLY)
    actions = [(os.POSIX_SPAWN_DUP2, read, 0), *((os.POSIX_SPAWN_DUP2, null, stream) for stream in (1, 2))]
    began = time.perf_counter()
    try:
        pid = os.posix_spawnp(command[0], list(command), dict(env), file_actions=actions)
    finally:
        os.close(null)
        os.close(read)
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - began
    if os.waitstatus_to_exitcode(status):
        raise Failed(f"{' '.join(command)[:120]} ended with {os.waitstatus_to_exitcode(status)}")
    return Cost(usage.ru_utime + usage.ru_stime, wall)


def interleaved(commands: Mapping[str, Sequence[str]], env: Mapping[str, str], runs: int) -> dict[str, list[Cost]]:
    """Each command `runs` times, in turn, so that a busy moment of the machine meets them all."""
    found: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            found[name].append(once(command, env))
    return found


def middle(costs: Sequence[Cost]) -> Cost:
    """The median of each."""
    return Cost(statistics.median(cost.cpu for cost in costs), statistics.median(cost.wall for cost in costs))


def environment(base: str, **more: str) -> dict[str, str]:
    """The environment of a measured process: this one's, with a home of its own and no other setting of gbrain.

    Modules are compiled once, as on any machine, and not in each process.
    """
    left_out = ("GBRAIN_", "PYTHONDONTWRITEBYTECODE")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    return {**kept, "GBRAIN_HOME": base, ENV_BRAIN: HOST, **more}


def kept(work: str | None) -> str:
    """The folder that keeps what is generated, made if need be: the one that was named, else a cache at home."""
    folder = os.path.abspath(work or os.path.join(os.path.expanduser("~"), ".cache", "gbrain-bench"))
    os.makedirs(folder, exist_ok=True)
    return folder


def gbrain_command() -> list[str]:
    """The `gbrain` of this installation, as a person would run it."""
    beside = os.path.join(os.path.dirname(sys.executable), "gbrain")
    return [beside] if os.path.exists(beside) else [sys.executable, "-m", "gbrain"]


def memory(pid: int) -> tuple[float, float]:
    """(resident now, its peak) of a process in MB; the peak is 0 where the system does not tell."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
            kib = {line.split(":")[0]: int(line.split()[1]) for line in file if line.startswith(("VmRSS", "VmHWM"))}
        return kib["VmRSS"] / 1024, kib["VmHWM"] / 1024
    except OSError:
        with os.popen(f"ps -o rss= -p {pid}") as answer:
            return int(answer.read() or 0) / 1024, 0.0


def cpu_seconds(pid: int) -> float:
    """The processor time that a process has taken; 0 where the system does not tell. Format: proc_pid_stat(5)."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def fsync_ms(folder: str, count: int = 60) -> float:
    """The median time of an 8 kB append that is on the disk when it returns, in ms: the floor of a durable write."""
    path = os.path.join(folder, "fsync.probe")
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    times = []
    try:
        for _ in range(count):
            began = time.perf_counter()
            os.write(handle, b"x" * 8192)
            os.fsync(handle)
            times.append((time.perf_counter() - began) * 1000)
    finally:
        os.close(handle)
        os.unlink(path)
    return statistics.median(times)


def disk_bytes(folder: str) -> int:
    """The bytes of every file below a folder."""
    return sum(os.path.getsize(os.path.join(place, name)) for place, _, names in os.walk(folder) for name in names)


def described() -> dict[str, Any]:
    """The machine and the versions, for the head of a report."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return {
        "python": platform.python_version(),
        "gbrain": gbrain.__version__,
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "load": round(load, 2),
    }
