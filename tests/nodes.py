"""The program that runs the plugins of agents: one on the path, or the one that came with the real clients."""

import os
import shutil
import subprocess
from pathlib import Path

_CLIENTS = Path(os.environ.get("CLIENTS_HOME") or Path.home() / ".cache" / "real-clients")
_BESIDE = _CLIENTS / "npm" / "node24" / "node_modules" / ".bin" / "node"
NODE = shutil.which("node") or (str(_BESIDE) if _BESIDE.exists() else None)


def node(script: str, folder: Path, *arguments: str, seconds: float = 120) -> str:
    """Run a module in a folder: what it printed. It must end well and say nothing on stderr."""
    assert NODE is not None
    (folder / "drive.mjs").write_text(script)
    done = subprocess.run([NODE, "drive.mjs", *arguments], cwd=folder, capture_output=True, text=True, timeout=seconds)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout
