"""`notify` of Codex: `python -I -S .../gbrain/ambient/notify.py [OPTIONS OF THE HOOK] -- [THE PERSON'S OWN] NOTICE`.

Starts the program that the person had there before, with the notice, and then does what the capture hook does after a
turn. Always ends with 0 and prints nothing.
"""

import os
import sys
import time


def main() -> None:
    """Hand the notice on and capture the turn; whatever goes wrong is nobody's trouble."""
    began = time.monotonic()
    at = sys.argv.index("--")
    options, own, notice = sys.argv[1:at], sys.argv[at + 1 : -1], sys.argv[-1]
    if own:
        try:
            if sys.platform == "win32":
                # The quick way is not there, and nothing else of it takes this long to load.
                import subprocess

                subprocess.Popen([*own, notice])
            else:
                os.posix_spawnp(own[0], [*own, notice], os.environ)
        except OSError:
            # That it cannot be started is as it was before gbrain came.
            pass
    try:
        sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
        # An interpreter without site packages finds gbrain only now.
        from gbrain.ambient.capture import run

        run(["stop", "codex", *options, notice], os.environ, began)
    except BaseException:
        pass
    # Not by way of the interpreter's end, which waits for what may hang.
    os._exit(0)


if __name__ == "__main__":
    main()
