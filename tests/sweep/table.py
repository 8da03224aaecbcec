"""Every operation by what a remote caller can do with it, and what it is asked.

An operation that is open to remote callers and stands in no class here fails the sweep by its name. To add one: a row
in `READS` with arguments that reach for what is hidden, in `WRITES` (a sequence, run after all reads), or in `PLAIN`
when nothing a brain holds is in its replies.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from gbrain import registry

Arguments = dict[str, Any]


class Call(NamedTuple):
    """One call of a tool."""

    name: str
    arguments: Arguments
    session: str | None = None


NAMES = (
    "Dana", "Dee", "Dana Open", "dana-open", "people/dana-open", "people/reed-sample", "Unwritten Quill", "Reed Sample",
    "Dana Marker", "people/dana-marker", "Secret Keeper", "Dana Markr", "user", "hidden/owner", "Zorblax Marker",
    "Zorblax", "Payroll Quill", "people/paid-marker", "Paid Marker", "Wage", "Harbour Water 1", "notes/gone",
    "notes/past", "hidden/gone", "hidden/past", "Water", "notes/fenced", "nobody at all",
)  # fmt: skip
"""Hits, misses and near misses of what is visible, private and another source's."""
SLUGS = (
    "people/dana-open", "people/reed-sample", "companies/pier-example", "notes/gone", "notes/past", "notes/twice",
    "notes/opened", "notes/links", "notes/tied", "notes/fenced", "people/dana-marker", "people/dana-markr",
    "hidden/gone", "hidden/past", "hidden/reed-sample", "hidden/once", "people/paid-marker", "pay/user", "/bad//",
    "nobody",
)  # fmt: skip
QUERIES = (
    "harbour lantern", "lantern harbour tide rope", "marker", "Dana Marker", "Dana", "Water", "tea wide",
    "harbour tea berth", "zorblax", "salary", "rope lantern gull number3", "Dee", "dana-open", "",
    "who lives in Lisbon",
)  # fmt: skip
TAGS = ("friend", "marker", "marker-tag", "walk")
LONG_AGO = "2001-01-01"
MOMENTS = ("2031-05-04T11:00:00Z", "2031-05-04T08:25:00Z")
"""Moments at which other texts stood than stand now."""

READS: dict[str, list[Arguments]] = {
    "recall": [
        {},
        {"include_expired": True},
        {"supersessions": True},
        {"session_id": "s-1"},
        {"since": "2031-05-04", "limit": 5},
        *({"as_of": moment} for moment in MOMENTS),
        *({"query": query, "as_of": MOMENTS[0]} for query in QUERIES[:4]),
        {"grep": "marker"},
        {"include_pending": True, "budget_tokens": 60},
        {"query": "harbour lantern berth", "budget_tokens": 60},
        *({"entity": name} for name in NAMES),
        *({"query": query} for query in QUERIES),
    ],
    "entity": [
        *({"name": name} for name in NAMES),
        *({"name": name, "as_of": MOMENTS[at % 2]} for at, name in enumerate(NAMES)),
    ],
    "context_pack": [
        {"entities": ", ".join(NAMES[:8])},
        {"entities": ", ".join(NAMES[8:16]), "include_private": True},
        {"entities": "Dana Open, people/reed-sample", "session_id": "s-1", "budget_tokens": 80},
        {"entities": "Dana Open", "since": "2031-05-03"},
        {"entities": ", ".join(NAMES[:8]), "as_of": MOMENTS[1]},
        {"entities": ", ".join(NAMES[8:16]), "as_of": MOMENTS[0], "include_private": True},
    ],
    "delta": [
        {"since": LONG_AGO, "include_private": True},
        {"since": LONG_AGO, "budget_tokens": 50},
        {"since": "2031-05-04T08:20:00Z", "since_slug": "notes/lantern-2", "entities": "Dana Open, Dana Marker"},
        {"session_id": "s-1"},
        {"session_id": "s-2", "since": LONG_AGO, "budget_tokens": 40},
        {"session_id": "s-2"},
    ],
    "volunteer_context": [
        *({"window": f"What do we know about {name}, and what did {name} say?"} for name in NAMES),
        *({"window": f"see {slug}"} for slug in SLUGS),
        {"window": "[user]\nDana Marker and Paid Marker met.\n[assistant]\nWell?\n[user]\nWhat did she say?"},
        {"window": "Zorblax Marker wrote to Secret Keeper", "include_private": True, "min_confidence": 0.0},
        {"window": "Dana Open and Reed Sample", "session_id": "s-1", "max_pages": 1},
        {"window": "Dana Open and Reed Sample", "session_id": "s-1", "budget_tokens": 40},
        {"stats": True},
    ],
    "search": [
        *({"query": query} for query in QUERIES),
        {"query": "lantern", "limit": 3, "offset": 2},
        {"query": "harbour", "tags": ["marker"]},
        {"query": "lantern", "types": ["person"], "snippet_chars": 20},
        *({"query": query, "as_of": MOMENTS[at % 2]} for at, query in enumerate(QUERIES)),
        {"query": "harbour", "tags": ["marker"], "as_of": MOMENTS[0]},
    ],
    "query": [
        *({"query": query} for query in QUERIES),
        *({"query": text} for text in ("DM", "DO", "PM", "compare Dana Open with Dana Marker", "what is MCP?")),
        {"query": "harbour", "tags": ["marker"], "expand": False},
    ],
    "why": [{"id": str(id), **more} for id in range(1, 40) for more in ({}, {"query": "harbour lantern"})],
    "why_page": [{"slug": slug, "query": "Dana Open and Dana Marker keep the lantern"} for slug in SLUGS],
    "search_diagnose": [
        *({"query": "harbour lantern", "target": slug} for slug in SLUGS),
        *({"query": query, "target": "people/dana-open"} for query in QUERIES),
    ],
    "resolve_slugs": [{"partial": text} for text in (*NAMES, "mark", "zorb", "harb", "pay", "ree smple")],
    "fetch": [{"id": id} for slug in SLUGS for id in (slug, f"payroll:{slug}", f"gbrain://page/default/{slug}")],
    "get_page": [
        *({"slug": slug} for slug in SLUGS),
        *({"slug": slug, "include_deleted": True} for slug in SLUGS),
        *({"slug": slug, "as_of": "now"} for slug in SLUGS),
        *({"slug": name, "fuzzy": True} for name in NAMES),
    ],
    "list_pages": [
        {},
        {"include_deleted": True, "sort": "created_desc"},
        {"limit": 4, "offset": 2, "sort": "slug"},
        {"type": "person"},
        {"updated_after": "2031-05-04T08:10:00Z", "sort": "updated_asc"},
        *({"tag": tag} for tag in TAGS),
    ],
    "get_versions": [{"slug": slug, "include_content": True} for slug in SLUGS],
    "diff_versions": [
        *({"slug": slug, **more} for slug in SLUGS for more in ({}, {"from_version": 1}, {"to_version": 1})),
    ],
    "get_links": [{"slug": slug} for slug in SLUGS],
    "get_backlinks": [{"slug": slug, "limit": 2} for slug in SLUGS],
    "list_unresolved_links": [{}, *({"slug": slug} for slug in SLUGS)],
    "get_timeline": [{"slug": slug} for slug in SLUGS],
    "get_tags": [{"slug": slug} for slug in SLUGS],
    "list_link_sources": [{}],
    "traverse_graph": [
        *({"slug": slug} for slug in SLUGS),
        *({"slug": "people/dana-open", "direction": way, "depth": 3} for way in ("in", "out", "both")),
        {"slug": "people/dana-open", "link_type": "marker_of", "direction": "both"},
    ],
    "synthesize": [
        *({"question": question} for question in ("who keeps the marker?", "What is known of Dana Open?", " ")),
        {"question": "What does Reed Sample earn, and who is Zorblax Marker?", "since": "2030-01-01"},
    ],
    "think": [
        *({"question": query} for query in QUERIES if query),
        {"question": "When did Dana Open meet the marker?"},
        {"question": "What happened with Dana Marker in May 2031?", "anchor": "Dana Marker"},
        {"question": "How did the salary of Reed Sample change?", "anchor": "people/paid-marker", "save": True},
        {"question": "Where did Zorblax Marker live in 2030?", "since": "2030-01-01", "until": "2031-05"},
        *({"question": f"what is known of {name}?"} for name in NAMES),
    ],
    "get_stats": [{}],
    "get_health": [{}],
    "get_brain_identity": [{}],
    "sources_list": [{}],
}
"""Operations whose replies hold something of the brain: each has to be caught when the predicate is switched off."""

PLAIN: dict[str, list[Arguments]] = {
    "whoami": [{}],
    "sources_current": [{}],
    "request_tools": [{}, {"tools": ["recall", "auth_list", "marker"]}, {"surface": "verbs"}],
    "run_doctor": [{"fast": True}],
    "advisor": [{}],
}
"""Operations whose replies hold nothing of the brain's texts."""

HIDDEN_SLUGS = ("people/dana-marker", "hidden/gone", "hidden/past", "memory/project/marker")
"""Slugs of private pages that live, are deleted, and are past their expiry."""

WRITES: list[Call] = [
    Call("put_page", {"slug": "people/dana-open", "content": "# Dana\n\nblind"}),
    Call("put_page", {"slug": "people/paid-marker", "content": "# Paid\n\nmine now"}),
    Call("put_page", {"slug": "people/marker-new", "content": "---\naliases: [Zorblax Marker]\n---\n\nlantern"}),
    Call("put_page", {"slug": "people/unwritten-quill", "content": "# Unwritten Quill\n\nwrites"}),
    Call("put_page", {"slug": "notes/own", "content": "---\nvisibility: private\n---\n\nmarker of mine"}),
    Call("put_page", {"slug": "notes/gone", "content": "back again"}),
    Call(
        "put_page", {"slug": "notes/tied", "content": "[[people/dana-marker]] [[Secret Keeper]] [[Dee]] [[pay/user]]"}
    ),
    Call("put_page", {"slug": "people/dana-markr", "content": "now [[notes/links]] is tied, and [[hidden/gone]]"}),
    Call("put_page", {"slug": "notes/twice", "content": "# Twice\n\nthird harbour words", "expected_version": 2}),
    *(
        Call("put_page", {"slug": slug, "content": "# Mine\n\nmine", "expected_version": version, **more})
        for slug in HIDDEN_SLUGS
        for version, more in ((1, {}), (2, {}), (7, {}), (0, {"dry_run": True}))
    ),
    Call("capture", {"content": "marker harbour captured"}),
    Call("capture", {"content": "captured elsewhere", "slug": "people/paid-marker-2"}),
    *(
        Call(name, {"slug": slug, **more})
        for slug in (*HIDDEN_SLUGS, "pay/user", "people/dana-markr", "notes/past")
        for name, more in (
            ("delete_page", {}),
            ("delete_page", {"expected_version": 7}),
            ("restore_page", {}),
            ("revert_version", {"version_id": 1}),
            ("add_tag", {"tag": "mine"}),
            ("remove_tag", {"tag": "marker"}),
            ("add_timeline_entry", {"date": "2031-05-02", "summary": "marker happened"}),
            ("add_link", {}),
            ("remove_link", {}),
        )
        if name not in ("add_link", "remove_link")
    ),
    *(
        Call(name, {"from": start, "to": end})
        for name in ("add_link", "remove_link")
        for start, end in (
            ("people/dana-open", "people/dana-marker"),
            ("people/dana-marker", "people/dana-open"),
            ("people/paid-marker", "people/dana-open"),
            ("companies/pier-example", "people/dana-open"),
        )
    ),
    Call("add_tag", {"slug": "people/dana-open", "tag": "marker"}),
    Call("remove_tag", {"slug": "people/reed-sample", "tag": "friend"}),
    Call("add_timeline_entry", {"slug": "people/dana-open", "date": "2031-05-03", "summary": "marker paid"}),
    Call("delete_page", {"slug": "notes/rope-0"}),
    Call("restore_page", {"slug": "notes/rope-0"}),
    Call("revert_version", {"slug": "notes/twice", "version_id": 1}),
    Call("revert_version", {"slug": "notes/opened", "version_id": 1}),
    Call("put_page", {"slug": "notes/opened", "content": "joined", "expected_version": 1}),
    *(
        Call("remember", {"fact": text, "provenance": "a chat", "entity": entity})
        for text, entity in (
            ("Dana owes a marker", "people/dana-open"),
            ("Dana lives in Faro", "people/dana-open"),
            ("Dana plays chess on Mondays", "Dee"),
            ("Dana earns a marker salary", "Dana"),
            ("Marker meets the pier", "people/dana-marker"),
            ("keeps a list", "Dana Marker"),
            ("keeps another list", "Secret Keeper"),
            ("Zorblax Marker sells lanterns", "Zorblax Marker"),
            ("sings", "Zorblax"),
            ("counts", "Reed Sample"),
            ("prefers rope", "user"),
            ("is paid", "Payroll Quill"),
            ("swims", "Wage"),
            ("the secret harbour word is marker", None),
            ("the harbour pays marker 3 wide tea", None),
        )
    ),
    *(
        Call("remember", {"fact": f"a fact in place of {id}", "provenance": "a chat", "replaces": str(id)})
        for id in (2, 4, 6, 1, 99_999)
    ),
    *(
        Call("extract_facts", {"turn_text": text, "entity_hints": ["Dana Marker", "Wage"], "source_slug": "pay/user"})
        for text in ("Please remember that the marker is wide.", "Dana has a marker.", "Remember the harbour word.")
    ),
    Call("save_user_profile", {"key": "tea", "value": "black marker"}),
    Call("save_user_profile", {"key": "tea", "value": "green", "automatic": True}),
    Call("update_project_context", {"updates": {"stage": "beta"}, "project": "lantern"}),
    Call("add_reference", {"category": "markers", "content": "tide tables", "tags": ["marker"]}),
    Call("record_lesson", {"lesson": "Count the rope twice"}),
    *(
        Call("record_feedback", {"action": "mails", "approved": False, "about": about})
        for about in ("memory/project/marker#stage", "memory/project/marker", "memory/user/profile#tea", "pay/user#tea")
    ),
    *(Call("sources_add", {"id": id}) for id in ("payroll-2", "payroll-2", "pay/roll", "default")),
    *(Call("forget", {"id": str(id)}) for id in (*range(1, 16), 40, 60, 99_999)),
    *(Call("forget_fact", {"id": id}) for id in (2, 4, 6, 17, 50, 99_999)),
]
"""What a caller tries to change, in this order. A hidden id or slug must answer like one that is not there."""

TAKEN: list[Call] = [
    Call(name, {"slug": slug, "content": "# Mine\n\nmine", **more})
    for slug in HIDDEN_SLUGS
    for name, more in (("put_page", {}), ("put_page", {"expected_version": 0}), ("capture", {}))
] + [Call("update_project_context", {"updates": {"stage": "beta"}, "project": "marker"})]
"""Writes that would make a page where a private one is: the one thing that tells so, and nothing more."""

LOCAL = frozenset(found.name for found in registry.load_all() if found.local_only)
"""Operations for the person at this machine: the registry says so, and the sweep that no remote caller reaches them."""
NEAR = frozenset(found.name for found in registry.load_all() if found.near)
"""Those of them that an agent on the pipe of this machine reaches too; what they tell has tests of its own."""

SCOPES: list[Arguments] = [
    {"source_id": source} for source in ("payroll", "default", "__all__", "*", "nowhere", "../x", "")
]
FLAGS: list[Arguments] = [{"all_sources": True}, {"include_private": True, "include_expired": True}]


def classified() -> set[str]:
    """Every operation that stands in a class."""
    return {*READS, *PLAIN, *LOCAL, *(call.name for call in (*WRITES, *TAKEN))}


def questions() -> Iterator[Call]:
    """Every question, without a scope argument."""
    for name, asked in (READS | PLAIN).items():
        yield from (Call(name, arguments) for arguments in asked)
    yield Call("entity", {"name": "Dana Open"}, session="s-1")


def reads() -> Iterator[Call]:
    """Every question, and some of each operation with every scope argument."""
    yield from questions()
    for more in (*SCOPES, *FLAGS):
        yield from (Call(name, asked[0] | more) for name, asked in (READS | PLAIN).items())
    for more in SCOPES:
        yield from (Call("search", {"query": query, **more}) for query in QUERIES[:5])
        yield from (Call("get_page", {"slug": slug, **more}) for slug in SLUGS[:8])
        yield Call("list_pages", {"sort": "slug", **more})


def writes() -> Iterator[Call]:
    """Every write, the first of each operation with every scope argument before it."""
    seen: set[str] = set()
    for call in WRITES:
        if call.name not in seen:
            seen.add(call.name)
            yield from (
                call._replace(arguments=call.arguments | more | {"dry_run": True}) for more in (*SCOPES, *FLAGS)
            )
            yield from (call._replace(arguments=call.arguments | {"source_id": source}) for source in ("payroll", "x"))
        yield call


def near() -> Iterator[Call]:
    """What an agent on the pipe may ask about turns, of which these homes have none to show."""
    yield from (Call(name, {"turn": "marker"} if name != "turns_list" else {}) for name in sorted(NEAR))


def refused() -> Iterator[Call]:
    """What no remote caller may call, and what nobody can."""
    yield from (Call(name, {}) for name in sorted(LOCAL - NEAR))
    yield from (Call(name, {}) for name in ("marker", "recal", "config-get"))
