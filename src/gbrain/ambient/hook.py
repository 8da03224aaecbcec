"""The script an agent runs after a turn: `python -I -S .../gbrain/ambient/hook.py LANE HARNESS [--home FOLDER] ...`.

LANE is `stop`, `compact` or `session-end`; HARNESS is `claude-code`, `codex`, `gemini`, `opencode` or `openclaw`. It
always ends with 0 and prints nothing. It is as short as it is because a script is compiled each time it runs.
"""

import os
import sys
import time


def main() -> None:
    """Run the hook; whatever goes wrong is nobody's trouble."""
    began = time.monotonic()
    try:
        # Behind the standard library, which is looked through more often.
        sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
        # An interpreter without site packages finds gbrain only now.
        from gbrain.ambient.capture import run

        run(sys.argv[1:], os.environ, began)
    except BaseException:
        pass
    # Not by way of the interpreter's end, which waits for what may hang.
    os._exit(0)


if __name__ == "__main__":
    main()
