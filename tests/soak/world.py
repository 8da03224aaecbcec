"""One brain, all that uses it at once, and what is done to it."""

import os
import random
import shutil
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any

import databases
from commandline import Gbrain
from soak.ledger import CANARY, Ledger

DISK_MB = 96
CLOCKS = ("", "", "", "+1d", "-3h", "+40d")
"""What a process that begins believes of the time, besides the truth."""


class World:
    """A home, on a disk of its own where this machine lets us have one, and a folder of notes."""

    def __init__(self, base: Path, ledger: Ledger, seed: int, database: databases.Server | None = None) -> None:
        self.base = base
        self.ledger = ledger
        self.random = random.Random(seed)
        self.database = database
        self.disk = base / "disk"
        self.notes = base / "notes"
        self.ended = threading.Event()
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        """The processes that may be killed, by the name of who runs them."""
        self.disk.mkdir()
        self.notes.mkdir()
        self.mounted = database is None and os.geteuid() == 0 and self._mount()
        self.gbrain = Gbrain(self.disk)

    def _mount(self) -> bool:
        command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m,mode=0755", "none", str(self.disk)]
        return (
            shutil.which("mount") is not None
            and subprocess.run(command, capture_output=True, check=False).returncode == 0
        )

    def prepare(self) -> None:
        """A brain that knows something private, with a folder of notes and writeback on."""
        self.gbrain("init", *(["--postgres", self.database.url(self.database.create())] if self.database else []))
        self.gbrain("config", "set", "auth.required", "off")
        self.gbrain("config", "set", "memory.auto_writeback", "salient")
        self.gbrain("sources", "add", "notes", "--path", str(self.notes))
        private = ("--provenance", "soak", "--visibility", "private", "--entity", "people/dana-oakes")
        self.gbrain("put", "people/dana-oakes", "--content", "---\ntitle: Dana Oakes\ntype: person\n---\nRows.\n")
        self.gbrain("remember", f"Dana Oakes whispers {CANARY}", *private)

    def environment(self) -> dict[str, str]:
        """Of a process that begins now: its home, and perhaps a clock that leapt."""
        clock = self.random.choice(CLOCKS)
        return {"GBRAIN_HOME": str(self.disk), **({"GBRAIN_CLOCK": clock} if clock else {})}

    def command(self, who: str, *words: str, stdin: bytes = b"", **env: str) -> tuple[int, str, str]:
        """Run a command that may be killed on its way; its code (below 0 where it was) and what it wrote."""
        given = self.gbrain.environment({**self.environment(), "HOME": str(self.base), **env})
        pipe = subprocess.PIPE
        with subprocess.Popen(list(words), stdin=pipe, stdout=pipe, stderr=pipe, env=given, cwd=self.base) as process:
            self.running[who] = process
            try:
                out, err = process.communicate(stdin, timeout=120)
            except subprocess.TimeoutExpired:
                process.kill()
                out, err = process.communicate()
                self.ledger.complain(f"{who} never ended: {' '.join(words)}")
            finally:
                self.running.pop(who, None)
        told = (out.decode(errors="replace"), err.decode(errors="replace"))
        return process.returncode, *told

    def blows(self) -> list[str]:
        """What can be done to it here."""
        always = ["kill", "kill", "kill", "stop"]
        if self.database:
            # Each is waited for by all, so more would leave nothing to be acknowledged.
            return [*always, *always, "database"]
        return [*always, "full"] if self.mounted else always

    def strike(self, blow: str) -> None:
        """Do it, and take it back where somebody who looks after the machine would."""
        self.ledger.count(f"blow: {blow}")
        if blow in ("kill", "stop"):
            self._strike_one(blow)
        elif blow == "database":
            assert self.database is not None
            self.database.kill()
            self.ended.wait(2.0)
        elif blow == "full":
            filler = self.disk / "filler"
            try:
                with filler.open("wb", buffering=0) as file:
                    while file.write(b"\0" * 65536):
                        pass
            except OSError:
                self.ended.wait(1.5)
            finally:
                filler.unlink()
        elif blow == "read-only" and self.mounted:
            # A file that is open for writing keeps its disk writable, so whoever holds one has to go first.
            while self._remount("ro"):
                for process in list(self.running.values()):
                    process.kill()
                    process.wait(30)
            self.ended.wait(2.0)
            self._remount("rw")

    def _remount(self, how: str) -> bool:
        """Whether it was refused."""
        command = ["mount", "-o", f"remount,{how}", str(self.disk)]
        return subprocess.run(command, capture_output=True, check=False).returncode != 0

    def _strike_one(self, blow: str) -> None:
        names = [name for name in list(self.running) if not name.startswith("steady")]
        process = self.running.get(self.random.choice(names)) if names else None
        if process is None or process.poll() is not None:
            return
        if blow == "kill":
            process.kill()
        else:
            process.send_signal(signal.SIGSTOP)
            self.ended.wait(1.0)
            process.send_signal(signal.SIGCONT)

    def end(self) -> None:
        """Nothing is torn any more."""
        self.ended.set()

    def remove(self) -> None:
        """Give the disk back."""
        if self.mounted:
            subprocess.run(["umount", "-l", str(self.disk)], capture_output=True, check=False)

    def open(self) -> Any:
        """The brain, in this process."""
        from gbrain.brain import open_brain

        return open_brain(str(self.gbrain.home))
