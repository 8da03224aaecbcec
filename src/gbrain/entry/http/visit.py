"""One request on its way through the server."""

import os
import re
import time
from typing import Any

from gbrain.types import Caller

_GIVEN_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}")


class Visit:
    """What is known of a request so far: filled in on its way, read by the access log at its end."""

    def __init__(self, given_id: str | None) -> None:
        self.id = given_id if given_id and _GIVEN_ID.fullmatch(given_id) else os.urandom(8).hex()
        self.began = time.perf_counter()
        self.status = 0
        self.sent = 0
        self.known = False
        self.caller = Caller()
        self.method: str | None = None
        self.tool: str | None = None
        self.failed = False
        self.result: bytes | None = None
        """The encoded response, when there is a result."""

    def line(self) -> dict[str, Any]:
        """The fields of its line in the access log."""
        took = round((time.perf_counter() - self.began) * 1000, 2)
        fields: dict[str, Any] = {"id": self.id, "status": self.status, "ms": took, "bytes": self.sent}
        if self.known:
            fields["client"] = self.caller.client
        if self.method:
            fields["rpc"] = self.method
            fields["ok"] = not self.failed
        if self.tool:
            fields["tool"] = self.tool
        return fields
