"""The doctor: one function a check, each with a status, a message and, where one exists, a one-line fix.

`report` examines a home whether or not its brain can be opened, `render` shows the report to a person and
`exit_code` is what a command ends with.
"""

from gbrain.doctor.frame import Check, CheckReply, DoctorReply, Finding, check, checks, exit_code, render, report

__all__ = ["Check", "CheckReply", "DoctorReply", "Finding", "check", "checks", "exit_code", "render", "report"]
