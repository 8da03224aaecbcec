"""The operation `run_doctor`. It stands alone, so that declaring it costs a server nothing."""

from typing import Annotated

from gbrain.doctor.frame import DoctorReply, report
from gbrain.registry import Context, Param, operation


@operation(
    scope="admin",
    mutates=False,
    surface="full",
    title="Examine the brain",
    cli="doctor",
    idempotent=True,
    examples=("gbrain doctor", "gbrain doctor --fast", "gbrain doctor | grep -A6 store.in_use"),
)
def run_doctor(
    ctx: Context,
    fast: Annotated[bool, Param("Leave out what takes long; the report is then not complete.")] = False,
) -> DoctorReply:
    """Examine the brain: home, store, settings and protocol, each with its status and a command that helps.

    Nothing is changed. A check that did not run is skipped, never ok, and then the report is not complete.
    """
    found = report(ctx.chosen, fast, progress=ctx.progress)
    if ctx.caller.remote:
        # Messages and details tell paths, sizes and processes of this machine.
        for row in found["checks"]:
            row["message"] = "see: gbrain doctor, on the machine of the brain"
            for key in ("details", "fix", "data"):
                row.pop(key, None)  # type: ignore[misc]
        found["top_issues"] = [row for row in found["checks"] if row["status"] in ("warn", "fail")]
    return found
