"""All other operations' answers as text. Each function is named like its operation, as in `verb_texts`."""

from typing import Any

from gbrain.domain.places import SEED
from gbrain.entry.cli import screen
from gbrain.entry.cli.screen import Paint
from gbrain.mounts import reason

EXCERPT = 60

WIDTH = 78
"""Where prose wraps: it fits the narrowest common terminal."""

Given = dict[str, Any]


def list_pages(value: Any, given: Given, paint: Paint) -> str:
    """Slug, type, day of the last change and title of each page."""
    if not value:
        return "No pages found."
    rows = [(page["slug"], page["type"], page["updated_at"][:10], page["title"]) for page in value]
    return screen.table(("slug", "type", "changed", "title"), rows)


def get_page(value: Any, given: Given, paint: Paint) -> str:
    """The canonical Markdown of the page, as it can be written back."""
    if "compiled_truth" not in value:
        return screen.json_text(value)
    # yaml takes 20 ms to load, and no other text needs it.
    from gbrain.sources.pages import canonical_text

    lifted = {name: value[name] for name in ("type", "title", "tags", "version", "last_modified", "modified_by")}
    return canonical_text(value["frontmatter"], value["compiled_truth"], value["timeline"], **lifted)


def put_page(value: Any, given: Given, paint: Paint) -> str:
    """What became of the page."""
    slug = paint.name(value["slug"])
    if value["status"] == "skipped":
        return f"{slug} says this already (version {value['version']})"
    joined = ", joined with what came since" if value.get("merged") else ""
    return "\n".join([f"{slug} is at version {value['version']}{joined}", *_auto_links(value)])


def _auto_links(value: Any) -> list[str]:
    """What the links of a text became, where that is worth a line."""
    made = value.get("auto_links") or {}
    lines = []
    if made.get("created") or made.get("removed"):
        lines.append(f"  links: {made['created']} new, {made['removed']} gone")
    for row in made.get("unresolved") or []:
        could = f"; it could be {', '.join(row['candidates'])}" if row.get("candidates") else ""
        lines.append(f"  no page yet for: {row['name']}{could}")
    return lines


def capture(value: Any, given: Given, paint: Paint) -> str:
    """Where the text was kept."""
    if given.get("quiet"):
        return str(value["slug"])
    lines = ["captured:", f"  slug: {paint.name(value['slug'])}", f"  status: {value['status']}"]
    lines.append(f"  content_hash: {value['content_hash'][:16]}")
    if value.get("captured_at"):
        lines.append(f"  captured_at: {value['captured_at']}")
    return "\n".join(lines)


def delete_page(value: Any, given: Given, paint: Paint) -> str:
    """That the page is gone, and how long it can come back for certain."""
    slug, source = value["slug"], "" if value["source_id"] == SEED else f" --source {value['source_id']}"
    state = "Deleted" if value["status"] == "soft_deleted" else "Was deleted before"
    until = f"{value['recoverable_until'][:16]}Z"
    return (
        f"{state}: {paint.name(slug)}\n  it comes back, until {until} for certain, with: gbrain restore {slug}{source}"
    )


def embed(value: Any, given: Given, paint: Paint) -> str:
    """How many texts got a vector, and how it stands."""
    stands = f"{value['with_vector']:,} have one, {value['waiting']:,} await one"
    return f"{screen.counted(value['embedded'], 'text')} got a vector; {stands} ({paint.name(value['model'])})"


def restore_page(value: Any, given: Given, paint: Paint) -> str:
    """Whether the page was deleted at all."""
    state = "Restored" if value["status"] == "restored" else "Was not deleted"
    return f"{state}: {paint.name(value.get('slug', given.get('slug', '')))}"


def get_versions(value: Any, given: Given, paint: Paint) -> str:
    """Number, moment, author, reason and beginning of each version, the newest first."""
    lines = []
    for row in value:
        text = row["excerpt"]
        shown = text[:EXCERPT].rstrip(" …") + ("…" if len(text) > EXCERPT else "")
        reason = f" ({' '.join(row['reason'].split())})" if row["reason"] else ""
        made = paint.dim(f"{screen.minute(row['modified_at'])}, by {row['modified_by']}{reason}")
        lines.append(f"{paint.name('#' + str(row['version']))}  {made}  {shown}".rstrip())
    return "\n".join(lines) or "No versions."


def diff_versions(value: Any, given: Given, paint: Paint) -> str:
    """The unified diff."""
    if not value["diff"]:
        return f"Version {value['from_version']} and version {value['to_version']} say the same."
    return str(value["diff"]).rstrip("\n")


def revert_version(value: Any, given: Given, paint: Paint) -> str:
    """Which version the old one has become."""
    if value["status"] == "skipped":
        return f"{paint.name(value['slug'])} reads as version {given['version_id']} already"
    return f"{paint.name(value['slug'])} is at version {value['version']}, which reads as version {given['version_id']}"


def search(value: Any, given: Given, paint: Paint) -> str:
    """Score, slug and the passage of each hit."""
    if not value:
        return "No results."
    lines = []
    for hit in value:
        score = paint.dim(f"[{hit['score']:.4f}]")
        through = f" {paint.dim('(asked: ' + hit['found_through'] + ')')}" if "found_through" in hit else ""
        lines.append(f"{score} {paint.name(hit['slug'])}{through} -- {hit['chunk_text']}")
        if "explain" in hit:
            lines += [f"  {line}" for line in _explained(hit["explain"])]
    return "\n".join(lines)


query = search


def _explained(told: Any) -> list[str]:
    """Why a hit was found, and what its score is made of."""
    parts = "  ".join(f"{name} {value:.3f}" for name, value in told["parts"].items() if value)
    return [f"why: {told['why']}", *([f"score: {parts}  (holds {told['share']:.0%} of the question)"] if parts else [])]


def search_diagnose(value: Any, given: Given, paint: Paint) -> str:
    """What decided, then each stage."""
    marks = {"passed": "+", "failed": "x", "skipped": "-", "noted": " "}
    lines = [f"{paint.name(value['slug'])}: {value['verdict']}"]
    lines += [f"  {marks[row['outcome']]} {row['stage']:<12} {row['says']}" for row in value["stages"]]
    if value["words"]:
        lines.append("  words of the question, how often the page has each, and how many passages do:")
        lines += [f"    {row['word']}  {row['in_page']}  {row['passages']}" for row in value["words"]]
    return "\n".join(lines)


def resolve_slugs(value: Any, given: Given, paint: Paint) -> str:
    """One slug a line."""
    return "\n".join(value) or "No page has a name like this."


def get_tags(value: Any, given: Given, paint: Paint) -> str:
    """All tags on one line."""
    return ", ".join(value) or "No tags."


def add_tag(value: Any, given: Given, paint: Paint) -> str:
    """What was tagged."""
    return f"Tagged {paint.name(given['slug'])}: {given['tag']}"


def remove_tag(value: Any, given: Given, paint: Paint) -> str:
    """What was untagged."""
    return f"Untagged {paint.name(given['slug'])}: {given['tag']}"


def get_timeline(value: Any, given: Given, paint: Paint) -> str:
    """One line an entry: its date as precise as it is known, what happened, and where that comes from."""
    lines = []
    for entry in value:
        source = f" {paint.dim('[' + entry['source'] + ']')}" if entry["source"] else ""
        lines.append(f"{paint.name(entry['date'][:10])}  {entry['summary']}{source}")
        if entry.get("detail"):
            lines += [f"  {line}" for line in entry["detail"].splitlines()]
    return "\n".join(lines) or "No timeline entries."


def add_timeline_entry(value: Any, given: Given, paint: Paint) -> str:
    """Whether the entry is new."""
    state = "Is on the timeline already" if value["status"] == "skipped" else "Added"
    return f"{state}: {given['date']}  {given['summary']}"


def add_link(value: Any, given: Given, paint: Paint) -> str:
    """The link as it stands now."""
    kind = given.get("link_type") or ""
    return f"Linked {paint.name(given['from'])} --{kind}-> {paint.name(given['to'])}"


def remove_link(value: Any, given: Given, paint: Paint) -> str:
    """What was unlinked."""
    if not value["removed"]:
        return f"There was no such link from {paint.name(given['from'])} to {paint.name(given['to'])}"
    return f"Unlinked {paint.name(given['from'])} from {paint.name(given['to'])}"


def get_links(value: Any, given: Given, paint: Paint) -> str:
    """One line a link that leaves the page."""
    return "\n".join(f"--{row['link_type']}-> {paint.name(row['to_slug'])}" for row in value) or "No links."


def list_unresolved_links(value: Any, given: Given, paint: Paint) -> str:
    """Page, key and name of each reference without a page, the pages it could mean, and what was looked through."""
    lines, sources = [], given.get("sources", [])
    for row in value:
        field = f" {paint.dim(row['field'] + ':')}" if row["field"] else ""
        could = f"  (could be {', '.join(row['candidates'])})" if row.get("candidates") else ""
        place = f"{row['source_id']}:" if len(sources) > 1 else ""
        lines.append(f"{place}{paint.name(row['slug'])}{field}  {row['name']}{could}")
    looked = f"in the source{'s' if len(sources) > 1 else ''} {', '.join(sources)}"
    return "\n".join(lines) or f"Every reference {looked} leads to a page."


def get_backlinks(value: Any, given: Given, paint: Paint) -> str:
    """One line a link that leads to the page."""
    lines = [f"{paint.name(row['from_slug'])} --{row['link_type']}->" for row in value]
    return "\n".join(lines) or "No backlinks."


def list_link_sources(value: Any, given: Given, paint: Paint) -> str:
    """How many links each source made."""
    return "\n".join(f"{row['link_source']}\t{row['count']}" for row in value) or "No links."


def traverse_graph(value: Any, given: Given, paint: Paint) -> str:
    """The pages around one page, by their distance."""
    if not value:
        return f"No edges found from {given['slug']}."
    lines = []
    for row in value:
        if "from_slug" in row:
            indent = "  " * max(0, row["depth"] - 1)
            arrow = f"--{row['link_type']}->"
            lines.append(f"{indent}{row['from_slug']} {arrow} {paint.name(row['to_slug'])} (depth {row['depth']})")
            continue
        lines.append(f"[depth {row['depth']}] {paint.name(row['slug'])}")
        lines += [f"  --{link['link_type']}-> {link['to_slug']}" for link in row["links"]]
    return "\n".join(lines)


def get_stats(value: Any, given: Given, paint: Paint) -> str:
    """The counts of the brain."""
    ended = f"{value['facts_superseded']} replaced, {value['facts_lapsed']} lapsed"
    lines = [
        f"Pages: {value['page_count']}",
        f"Links: {value['link_count']}",
        f"Tags: {value['tag_count']}",
        f"Timeline entries: {value['timeline_entry_count']}",
        f"Facts: {value['fact_count']} live, {ended}",
    ]
    if value["pages_by_type"]:
        lines += ["By type:", *(f"  {kind}: {count}" for kind, count in value["pages_by_type"].items())]
    return "\n".join(lines)


def get_health(value: Any, given: Given, paint: Paint) -> str:
    """How complete the brain is."""
    shares = {"links": "link_coverage", "a timeline": "timeline_coverage", "a summary": "summary_coverage"}
    lines = [f"Pages: {value['page_count']}, {value['orphan_pages']} without a link to or from another"]
    lines += [f"  with {name}: {value[share]:.0%}" for name, share in shares.items()]
    return "\n".join([*lines, f"Facts: {value['fact_count']} live"])


def whoami(value: Any, given: Given, paint: Paint) -> str:
    """The brain that answered, and what may be done there."""
    lines: list[tuple[str, str]] = []
    brain = value.get("brain")
    if brain is not None:
        lines.append(
            ("brain", f"{paint.name(brain['name'])} ({reason(brain['selected_by'], brain.get('said_in', ''))})")
        )
        lines.append(("kept", f"{brain['kind']}, {brain.get('place', '')}"))
    lines.append(("you are", f"{value.get('token_name') or value['client']} ({value['transport']})"))
    lines.append(("you may", ", ".join(value["scopes"]) or "nothing"))
    lines.append(("sources", ", ".join(value["sources"]) or "none"))
    lines.append(("writes go to", value["source"] or "none"))
    if "slugs" in value:
        lines.append(("only pages", ", ".join(value["slugs"])))
    if "expires_at" in value:
        lines.append(("until", value["expires_at"] or "it is taken away"))
    return "\n".join(f"{title + ':':<14}{text}" for title, text in lines)
