"""What stands in the brains of the sweep: visible things, and what a caller must not be able to tell is there."""

from typing import Any, Literal, NamedTuple

Hidden = Literal["private", "payroll", "others"]
BOUND = ("people/dana-open", "notes/twice")
"""The slugs a client is bound to that is hidden everything else, `others`, from."""


class Step(NamedTuple):
    """A call of the owner in one source. Where what it hides is absent it is left out, or made with `instead`."""

    hides: Hidden | None
    source: str
    name: str
    arguments: dict[str, Any]
    session: str | None = None
    instead: dict[str, Any] | None = None

    def hidden_from(self, lacks: frozenset[Hidden]) -> bool:
        """Whether it is one of these kinds of hidden things."""
        about = {self.arguments[key] for key in ("slug", "from", "to", "entity") if key in self.arguments}
        bound = (bool(about) and about <= set(BOUND)) or self.name == "forget"
        payroll = self.source == "payroll" and "payroll" in lacks
        return self.hides in lacks or payroll or ("others" in lacks and not bound)


STEPS: list[Step] = []

FILL = "quay rope tide gull crane buoy"
LONG = " ".join(f"filling{number}" for number in range(400))


def add(hides: Hidden | None, name: str, source: str = "default", session: str | None = None, **arguments: Any) -> None:
    STEPS.append(Step(hides, source, name, {key.rstrip("_"): value for key, value in arguments.items()}, session))


def page(
    hides: Hidden | None,
    slug: str,
    body: str,
    *,
    source: str = "default",
    title: str = "",
    private: bool = False,
    **header: str,
) -> None:
    lines = {"title": title, **header, "visibility": "private" if private else ""}
    front = "".join(f"{key}: {value}\n" for key, value in lines.items() if value)
    add(hides, "put_page", source, slug=slug, content=f"---\n{front}---\n\n{body}\n" if front else f"{body}\n")


def fact(hides: Hidden | None, text: str, entity: str | None = None, source: str = "default", **more: Any) -> None:
    more = {"entity": entity, "provenance": "a chat", **more}
    add(hides, "remember", source, fact=text, **{key: value for key, value in more.items() if value is not None})


def secret(text: str, entity: str | None = None, **more: Any) -> None:
    fact("private", text, entity, visibility="private", **more)


# Ranked by rarity, `harbour` is worth more than `lantern` among what is visible, and far less among everything.
page(None, "people/dana-open", f"Dana keeps the lantern. {FILL}", title="Dana Open", type="person",
     aliases="[Dee, D. Open]", tags="[friend]")  # fmt: skip
page("private", "people/dana-marker", "Marker keeps the harbour lantern. harbour harbour", title="Dana Marker",
     private=True, type="person", aliases="[Dee, Secret Keeper]", tags="[friend, marker]")  # fmt: skip
page(None, "people/reed-sample", f"Reed counts. {FILL}", title="Reed Sample", type="person", tags="[friend]")
page("private", "hidden/reed-sample", "marker harbour", title="Reed Sample", private=True, tags="[friend]")
page(None, "companies/pier-example", f"Pier ships rope. {FILL}", title="Pier Example", type="company")
page("private", "hidden/owner", "marker of the owner", title="Olga Marker", private=True, aliases="[user, me]")
for number in range(4):
    page(None, f"notes/lantern-{number}", f"lantern {FILL} number{number}")
    page(None, f"notes/rope-{number}", f"rope lantern gull number{number} {LONG if number == 3 else ''}")
page(None, "notes/harbour-0", f"harbour {FILL} number9", title="Quiet Water")
page(None, "notes/lantern-9", f"lantern {FILL} number8", title="Bright Water")
page(None, "notes/gone", "lantern gone", title="Gone Water")
page(None, "notes/past", "lantern past", title="Past Water", expiry="2031-05-04T12:00:00Z")
add(None, "delete_page", slug="notes/gone")
page("private", "hidden/gone", "lantern marker gone", title="Gone Marker", private=True)
add("private", "delete_page", slug="hidden/gone")
page("private", "hidden/past", "marker past", title="Past Marker", private=True, expiry="2031-05-04T12:00:00Z")
page("private", "hidden/once", "marker that everybody could read", title="Once")
page("private", "hidden/once", "marker that nobody can read", title="Once", private=True)
HEADER = "---\nvisibility: private\n---\n"
FENCE = "lantern\n\n## Facts\n\n<!--- gbrain:facts:begin -->\n{}<!--- gbrain:facts:end -->\n"
OPEN_ROW = "| 1 | likes rope | fact | 1.0 | world |\n"
for slug, content, other in (
    ("notes/opened", f"{HEADER}marker {LONG}", f"{HEADER}short"),
    (
        "notes/fenced",
        FENCE.format(f"{OPEN_ROW}| 2 | harbour marker {LONG} | fact | 1.0 | private |\n"),
        FENCE.format(f"{OPEN_ROW}| 2 | short | fact | 1.0 | private |\n"),
    ),
):
    STEPS.append(
        Step(
            "private",
            "default",
            "put_page",
            {"slug": slug, "content": content},
            instead={"slug": slug, "content": other},
        )
    )
page(None, "notes/opened", "now everybody may read it", title="Opened")
page(None, "notes/twice", "first words", title="Twice")
page(None, "notes/twice", "second words, see Dana", title="Twice")
for number in range(12):
    page("private", f"hidden/harbour-{number}", f"harbour marker {LONG}", title=f"Harbour Marker {number}",
         private=True)  # fmt: skip

page(None, "notes/links", "[[people/dana-marker]], [[Secret Keeper]], [[people/paid-marker]], [[Dana Open]]; [[Dee]]",
     title="Links", related="[Dana Marker, hidden/owner, Reed Sample]")  # fmt: skip
page("private", "hidden/links", "[[people/dana-open]] is a marker of [[notes/links]]", private=True)

for start, end, kind in (
    ("people/dana-open", "companies/pier-example", "works_at"),
    ("people/reed-sample", "people/dana-open", "knows"),
    ("notes/twice", "people/dana-open", ""),
):
    add(None, "add_link", from_=start, to=end, link_type=kind, context="seen at the quay")
for start, end, kind in (
    ("people/dana-open", "people/dana-marker", "works_at"),
    ("people/dana-marker", "people/dana-open", "knows"),
    ("people/dana-marker", "companies/pier-example", "marker_of"),
    ("companies/pier-example", "hidden/owner", "owned_by"),
    ("hidden/gone", "people/dana-open", "knows"),
):
    if start != "hidden/gone":
        add("private", "add_link", from_=start, to=end, link_type=kind, context="marker", link_source="marker")

page("private", "memory/project/marker", "- **stage**: marker", title="marker", private=True, type="project")
page("payroll", "memory/user/profile", "- **tea**: marker", source="payroll", title="User profile", type="user")
add(None, "add_timeline_entry", slug="people/dana-open", date="2031-05-01", summary="Bought a lantern")
add(None, "add_timeline_entry", slug="people/reed-sample", date="2031-04", summary="Counted rope")
add("private", "add_timeline_entry", slug="people/dana-marker", date="2031-05-02", summary="marker happened")
add(None, "add_tag", slug="people/reed-sample", tag="walk")
add("private", "add_tag", slug="people/dana-marker", tag="marker-tag")

fact(None, "Dana likes green tea", "people/dana-open", kind="preference")
secret("Dana owes a marker", "people/dana-open", kind="commitment")
fact(None, "Dana lives in Lisbon", "people/dana-open")
secret("Dana lives in Markerville", "people/dana-open")
fact(None, "Dana lives in Porto", "people/dana-open")
secret("Dana plays chess on Sundays", "people/dana-open")
fact(None, "Reed will send the rope on Friday", "people/reed-sample", kind="commitment", session="s-1")
secret("Reed will bring the marker", "people/reed-sample", kind="commitment", session="s-1")
secret("Marker meets the pier", "people/dana-marker")
secret("Zorblax Marker sells lanterns", "Zorblax Marker")
secret("the secret harbour word is marker")
fact(None, "the lantern budget is due", ttl="2031-05-04T12:00:00Z")
secret("the marker budget is due", ttl="2031-05-04T12:00:00Z")
fact(None, "Unwritten Quill writes at noon", "Unwritten Quill")
secret("Unwritten Quill writes the marker", "Unwritten Quill")
fact(None, "rope is sold at the quay", "people/reed-sample")
fact(None, "the harbour is wide")
for number in range(4):
    fact(None, f"a lantern hangs at berth {number}")
for number in range(12):
    secret(f"the harbour marker stands at berth {number}")
fact(None, "tea is served at four")
add(None, "forget", id="1", reason="changed")
add("private", "delta", session_id="s-1", since="2031-05-04")

page("payroll", "people/dana-open", "marker salary of Dana harbour lantern", source="payroll", title="Dana Marker",
     type="person", aliases="[Dee, Wage]", tags="[friend, marker]")  # fmt: skip
page("payroll", "people/paid-marker", "marker salary harbour", source="payroll", title="Paid Marker", tags="[marker]")
page("payroll", "notes/gone", "marker", source="payroll", title="Gone Water")
page("payroll", "pay/user", "marker", source="payroll", title="Owner Marker", aliases="[user, me]")
for number in range(30):
    page("payroll", f"pay/harbour-{number}", f"harbour tea wide marker {LONG if number % 2 else ''}",
         source="payroll", title=f"Harbour Water {number}")  # fmt: skip
page("payroll", "pay/links", "[[people/dana-open]] is a marker of [[notes/links]]", source="payroll")
add("payroll", "sources_language", "payroll", id="payroll", language="german")
add("payroll", "add_link", "payroll", from_="people/paid-marker", to="people/dana-open", context="marker",
    link_source="marker")  # fmt: skip
add("payroll", "add_timeline_entry", "payroll", slug="people/dana-open", date="2031-05-03", summary="marker paid")
fact("payroll", "Dana earns a marker salary", "people/dana-open", source="payroll", kind="commitment")
fact("payroll", "Dana likes green tea", "people/dana-open", source="payroll")
fact("payroll", "Payroll Quill is paid", "Payroll Quill", source="payroll")
fact("payroll", "Unwritten Quill is paid a marker", "Unwritten Quill", source="payroll")
for number in range(30):
    fact("payroll", f"the harbour pays marker {number} wide tea", source="payroll")
secret("payroll marker of the owner", source="payroll")
