"""One door: an operation is one typed function, and every way in is `call`.

    @operation(scope="read", surface="full", title="Read a page")
    def get_page(ctx: Context, slug: Annotated[str, Param("...")]) -> PageReply:
        \"\"\"First line: the tool's description and the command's help.\"\"\"

Name, JSON schema, required-ness, enums and bounds come from the signature; nothing is said twice.
"""

from gbrain.registry.arguments import refuse_unknown
from gbrain.registry.calling import WRITING, call
from gbrain.registry.declared import OPERATIONS, Operation, allowed, find, load_all, operation, visible
from gbrain.registry.request import Context, Progress, Reply, context, unseen, within_reach
from gbrain.schema import Param

__all__ = [
    "OPERATIONS",
    "WRITING",
    "Context",
    "Operation",
    "Param",
    "Progress",
    "Reply",
    "allowed",
    "call",
    "context",
    "find",
    "load_all",
    "operation",
    "refuse_unknown",
    "unseen",
    "visible",
    "within_reach",
]
