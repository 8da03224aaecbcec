"""The script an agent runs before a turn: `python -I -S .../gbrain/ambient/recall_hook.py LANE HARNESS [--home F]`.

LANE is `start`, `prompt`, `before-compact` or `after-compact`. It always ends with 0, and prints what its agent takes
into the model's context, or nothing.
"""

import gc
import os
import sys
import time


def main() -> None:
    """Run the hook; whatever goes wrong is nobody's trouble."""
    began = time.monotonic()
    try:
        # It is over before there is anything to collect.
        gc.disable()
        # Behind the standard library, which is looked through more often.
        sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
        # An interpreter without site packages finds gbrain only now.
        from gbrain.ambient.recalling import run

        run(sys.argv[1:], os.environ, began)
    except BaseException:
        pass
    # Not by way of the interpreter's end, which waits for what may hang.
    os._exit(0)


if __name__ == "__main__":
    main()
