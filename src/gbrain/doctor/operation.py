"""The operation `run_doctor`. It stands alone, so that declaring it costs a server nothing."""

from typing import Annotated

from gbrain.doctor.frame import DoctorReply, report
from gbrain.registry import Context, Param, operation


@operation(
    scope="admin",
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
    return report(ctx.home, fast)
