# ruff: noqa: E501
"""Every operation as a method, with its types. Generated: run `make docs`."""

from typing import Any, Literal

import gbrain.ambient.activity
import gbrain.ambient.advisor
import gbrain.ambient.proof
import gbrain.ambient.shadow
import gbrain.ambient.status
import gbrain.ambient.turns
import gbrain.ambient.volunteering
import gbrain.ambient.why
import gbrain.ambient.why_page
import gbrain.doctor.frame
import gbrain.ops.access
import gbrain.ops.boundary
import gbrain.ops.capture
import gbrain.ops.config
import gbrain.ops.diagnosis
import gbrain.ops.embedding
import gbrain.ops.entity
import gbrain.ops.extract
import gbrain.ops.extracting
import gbrain.ops.find
import gbrain.ops.graph
import gbrain.ops.history
import gbrain.ops.languages
import gbrain.ops.listing
import gbrain.ops.memory
import gbrain.ops.memory_pages
import gbrain.ops.meta
import gbrain.ops.modelling
import gbrain.ops.pages
import gbrain.ops.porting
import gbrain.ops.purging
import gbrain.ops.recall
import gbrain.ops.sources
import gbrain.ops.spending
import gbrain.ops.steering
import gbrain.ops.sweeping
import gbrain.ops.syncing
import gbrain.ops.synthesis
import gbrain.ops.tags
import gbrain.ops.thinking
import gbrain.ops.timeline
import gbrain.ops.undoing
import gbrain.ops.unresolved
import gbrain.ops.upkeep
import gbrain.ops.writing

class Methods:
    def remember(
        self,
        fact: str,
        *,
        provenance: str,
        ttl: str | None = None,
        entity: str | None = None,
        kind: Literal["event", "preference", "commitment", "belief", "fact"] = "fact",
        visibility: Literal["world", "private"] = "world",
        replaces: str | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.memory.RememberReply:
        """Save one claim with its origin, so that every agent knows it from now on.

        A claim already known is not saved twice, and a new value of the same attribute replaces the old one. Names are
        never guessed: an unclear entity is left open and the reply names who it could be.

        fact: One claim in one line, in the user's own words.
        provenance: Where it comes from: harness, session, date. At most 500 characters.
        ttl (default None): How long it holds: a span such as "3d", "12h", or a date. Leave out for a lasting fact.
        entity (default None): Whom or what it is about: a page slug (people/dana-oakes), a name or alias, or "user" for the user.
        kind (default 'fact'): What sort of claim it is.
        visibility (default 'world'): world: agents of this brain may read it; private: only the person at this machine.
        replaces (default None): The id of a fact that this one corrects.
        """

    def entity(
        self,
        name: str,
        *,
        as_of: str | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.entity.EntityReply:
        """Look someone or something up: one card with summary, open threads, links and counts, without any model.

        A name nobody bears gets the nearest names as suggestions, never a guess.

        name: A person, company, project or other page: its slug, title or an alias.
        as_of (default None): What was known at this moment: an ISO date or time.
        """

    def synthesize(
        self,
        question: str,
        *,
        since: str | None = None,
        until: str | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.synthesis.SynthesizeReply:
        """[EXPENSIVE: calls a model if one is set] Compose an answer across many pages with a language model, citing what it stands on.

        question: What to answer from the brain.
        since (default None): Only evidence from then on: an ISO date or time, or a span.
        until (default None): Only evidence up to then.
        """

    def forget(
        self,
        id: str,
        *,
        reason: str | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.memory.ForgetReply:
        """Make a fact no longer hold; it leaves every answer at once and stays in the history.

        id: The fact_id that recall or remember gave.
        reason (default None): Why, in a few words.
        """

    def recall(
        self,
        entity: str | None = None,
        *,
        query: str | None = None,
        budget_tokens: float | None = None,
        since: str | None = None,
        session_id: str | None = None,
        include_expired: bool = False,
        supersessions: bool = False,
        limit: float | None = None,
        grep: str | None = None,
        include_pending: bool = False,
        as_of: str | None = None,
        types: list[str] | None = None,
        tags: list[str] | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.recall.RecallReply:
        """Read what is known: facts about someone or something, or what answers a question.

        Filters combine. With a query, facts are ranked by it and pages come along; without one the newest come first.

        entity (default None): Only facts about this: a slug, a title or an alias.
        query (default None): Words or a question: facts and pages are ranked by it.
        budget_tokens (default None): At most this many tokens of facts and pages; the rest is counted as dropped.
        since (default None): Only facts from then on: an ISO date or time, or "3d ago".
        session_id (default None): Only facts saved in this session.
        include_expired (default False): Also facts that were forgotten, replaced or have lapsed.
        supersessions (default False): The facts that were replaced, with what replaced them.
        limit (default None): At most this many facts (50 unless given, 100 at most).
        grep (default None): Only facts that contain this text, in any case.
        include_pending (default False): Add how many facts are saved but not yet compared with what was known; saving compares, so 0.
        as_of (default None): What was known at this moment: an ISO date or time.
        types (default None): Only pages of one of these types, and facts about them.
        tags (default None): Only pages with all of these tags, and facts about them.
        """

    def context_pack(
        self,
        entities: str,
        *,
        budget_tokens: float | None = None,
        since: str | None = None,
        session_id: str | None = None,
        include_private: bool = False,
        as_of: str | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.boundary.PackReply:
        """Bundle what to know about a few entities: cards, open threads, their facts and the most recent ones.

        entities: Names or slugs, separated by commas; the first eight count.
        budget_tokens (default None): At most this many tokens; cards come first, then facts.
        since (default None): Only open threads from then on: an ISO date or time, or a span.
        session_id (default None): Prefer the recent facts of this session.
        include_private (default False): Also private facts; only the local operator may ask.
        as_of (default None): What was known at this moment: an ISO date or time.
        """

    def delta(
        self,
        *,
        since: str | None = None,
        since_slug: str | None = None,
        entities: str | None = None,
        budget_tokens: float | None = None,
        session_id: str | None = None,
        include_private: bool = False,
        source_id: str | None = None,
    ) -> gbrain.ops.boundary.DeltaReply:
        """Tell what changed: pages, facts and open threads since a moment, or since this session last asked.

        since (default None): From this moment on: an ISO date or time, or a span. With a session it also moves its cursor.
        since_slug (default None): With since: the last slug already given, to go on inside one moment.
        entities (default None): Names, separated by commas, whose open threads come along.
        budget_tokens (default None): At most this many tokens; pages come first, then facts.
        session_id (default None): A session that asks again and again: each change is given once.
        include_private (default False): Also private facts; only the local operator may ask.
        """

    def add_link(
        self,
        from_: str,
        to: str,
        *,
        link_type: str | None = None,
        context: str | None = None,
        link_source: str | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.graph.AddLinkReply:
        """Link one page to another with a type; the same link is made once.

        from_: The slug of the page the link leaves.
        to: The slug of the page it leads to.
        link_type (default None): What sort of link, such as works_at.
        context (default None): The words in which the link was seen.
        link_source (default None): What made the link; manual unless given.
        """

    def add_timeline_entry(
        self,
        slug: str,
        date: str,
        summary: str,
        *,
        detail: str | None = None,
        source: str | None = None,
        expected_version: int | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.timeline.AddEntryReply:
        """Add one dated line of evidence to a page's timeline; the same line is added once.

        In a source with a folder a line with a full date is written at the end of the page's file too.

        slug: The page's slug, such as people/dana-oakes, or work:people/dana-oakes.
        date: When it happened, as precisely as it is known: 2031, 2031-03 or 2031-03-30.
        summary: What happened, in one line.
        detail (default None): More about it.
        source (default None): Where it is known from.
        expected_version (default None): The version that was read before this change. When the page has moved on, the change is joined with what came since, or refused where both changed the same lines. 0: the page must not exist yet.
        """

    def capture(
        self,
        content: str,
        *,
        slug: str | None = None,
        type: str | None = None,
        expected_version: int | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.capture.CaptureReply:
        """Keep a text as a page without deciding where it belongs; the same text on one day is kept once.

        content: The text to keep, as it is. 4 MB at most.
        slug (default None): Where to keep it; inbox/<date>-<hash> unless given.
        type (default None): The type of the page.
        expected_version (default None): The version that was read before this change. When the page has moved on, the change is joined with what came since, or refused where both changed the same lines. 0: the page must not exist yet.
        """

    def extract_facts(
        self,
        turn_text: str,
        *,
        session_id: str | None = None,
        entity_hints: list[str] | None = None,
        is_dream_generated: bool = False,
        valid_from: str | None = None,
        source_slug: str | None = None,
        visibility: Literal["world", "private"] | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.extracting.ExtractFactsReply:
        """[EXPENSIVE: calls a model if one is set] Read what a person said for facts worth knowing later, and save them as remember does.

        One turn is read once: a repeat counts as duplicate and calls no model. Without a model the reply says what the
        agent can do itself; sentences that ask to be remembered are saved as they stand.

        turn_text: What the person said, word for word.
        session_id (default None): The session it was said in.
        entity_hints (default None): Names or slugs it may be about; the first five count.
        is_dream_generated (default False): It was made by a program, not said: nothing is read.
        valid_from (default None): When it was said: an ISO date or time. Now, unless given.
        source_slug (default None): The page it is from; kept with each fact.
        visibility (default None): world or private; unless given what facts.default_visibility says, and private without that.
        """

    def get_backlinks(
        self,
        slug: str,
        *,
        limit: int = 200,
        offset: int = 0,
        source_id: str | None = None,
    ) -> list[gbrain.ops.graph.LinkRow]:
        """List the links from other pages to this one.

        slug: The page's slug, such as people/dana-oakes, or work:people/dana-oakes.
        limit (default 200): At most this many, the oldest first.
        offset (default 0): Leave out this many first.
        """

    def get_links(
        self,
        slug: str,
        *,
        limit: int = 200,
        offset: int = 0,
        source_id: str | None = None,
    ) -> list[gbrain.ops.graph.LinkRow]:
        """List the links from a page to others.

        slug: The page's slug, such as people/dana-oakes, or work:people/dana-oakes.
        limit (default 200): At most this many, the oldest first.
        offset (default 0): Leave out this many first.
        """

    def get_page(
        self,
        slug: str,
        *,
        fuzzy: bool = False,
        include_content: bool = True,
        include_deleted: bool = False,
        as_of: str | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.pages.PageReply:
        """Read one page: current truth, timeline, front matter, version. Also one past its expiry, with a warning.

        slug: The page's slug, such as people/dana-oakes, or work:people/dana-oakes.
        fuzzy (default False): Also take a title, an alias or a misspelt name; the reply says what it led to.
        include_content (default True): With the page's text; without, only what is known about it.
        include_deleted (default False): Also a page that is deleted.
        as_of (default None): As the page stood at this moment: an ISO date or time.
        source_id (default None): The source of the page, when it is not the usual one.
        """

    def get_timeline(
        self,
        slug: str,
        *,
        after: str | None = None,
        before: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: float | None = None,
        source_id: str | None = None,
    ) -> list[gbrain.ops.timeline.EntryRow]:
        """Read the timeline of a page, the newest entry first.

        slug: The page's slug, such as people/dana-oakes, or work:people/dana-oakes.
        after (default None): Another name for since.
        before (default None): Another name for until.
        since (default None): Only from then on, that day included: a date, a month, a year, or 30d.
        until (default None): Only up to then, that day, month or year included.
        limit (default None): At most this many (100 unless given).
        """

    def list_link_sources(
        self,
        *,
        source_id: str | None = None,
    ) -> list[gbrain.ops.graph.LinkSourceRow]:
        """Count the links of the brain by what made them, the most first."""

    def list_pages(
        self,
        *,
        type: str | None = None,
        tag: str | None = None,
        limit: float | None = None,
        offset: float = 0,
        updated_after: str | None = None,
        sort: Literal["updated_desc", "updated_asc", "created_desc", "slug"] = "updated_desc",
        include_deleted: bool = False,
        source_id: str | None = None,
    ) -> list[gbrain.ops.pages.PageRow]:
        """List pages, the last changed first.

        type (default None): Only pages of this type.
        tag (default None): Only pages with this tag.
        limit (default None): At most this many (50 unless given).
        offset (default 0): Leave out this many first.
        updated_after (default None): Only pages changed after this ISO date or time.
        sort (default 'updated_desc'): The order.
        include_deleted (default False): Also pages that are deleted or past their expiry.
        source_id (default None): The source of the page, when it is not the usual one.
        """

    def put_page(
        self,
        slug: str,
        content: str,
        *,
        expected_version: int | None = None,
        allow_empty: bool = False,
        drop_facts: bool = False,
        reason: str | None = None,
        source_kind: str | None = None,
        source_uri: str | None = None,
        ingested_via: str | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.writing.PutReply:
        """Create a page or write its next version.

        Read the page first and pass its version as expected_version, so that nobody's change is lost; a text that fetch
        gave says it itself. `merged: true` in the reply: the text was joined with a later version, so the page says more
        than it. Every version is kept. The three keys about the text's origin count for local callers only.

        slug: The page's slug, such as people/dana-oakes, or work:people/dana-oakes.
        content: The whole page: Markdown, with or without YAML front matter. 4 MB at most.
        expected_version (default None): The version that was read before this change. When the page has moved on, the change is joined with what came since, or refused where both changed the same lines. 0: the page must not exist yet.
        allow_empty (default False): Let an empty text replace a page that has one.
        drop_facts (default False): Let the page lose its facts fence where this text has none; else it stays.
        reason (default None): Why, in a few words; it stands in the page's history.
        source_kind (default None): What sort of place the text is from.
        source_uri (default None): Where the text is from.
        ingested_via (default None): What brought the text in.
        """

    def query(
        self,
        query: str,
        *,
        limit: float | None = None,
        offset: float = 0,
        mode: Literal["conservative", "balanced", "tokenmax"] | None = None,
        expand: bool = True,
        types: list[str] | None = None,
        tags: list[str] | None = None,
        since: str | None = None,
        until: str | None = None,
        recency: Literal["off", "on", "strong"] = "off",
        snippet_chars: float | None = None,
        explain: bool = False,
        source_id: str | None = None,
    ) -> list[gbrain.ops.find.SearchRow]:
        """Find pages that answer a question, also where they use other words, or answer only a part of it.

        Abbreviations are looked up in the names of pages, a comparison is asked for each side; hits are merged. `_meta`
        says what was asked and how far the best hit can be trusted.

        query: A question, words or a name. Everything in it is text: there is no query syntax.
        limit (default None): At most this many pages; the mode's number unless given.
        offset (default 0): Leave out this many first.
        mode (default None): How much may come back; the setting search.mode unless given.
        expand (default True): Ask in other words too: abbreviations written out and back, each part of a question.
        types (default None): Only pages of one of these types.
        tags (default None): Only pages with all of these tags.
        since (default None): Only pages with a date of their own or in their timeline from then on: a date, a month, or 30d.
        until (default None): Only pages with such a date up to then, that day, month or year included.
        recency (default 'off'): Whether newer pages come before older ones that answer as well: off, on, or strong.
        snippet_chars (default None): At most this many characters of each page.
        explain (default False): Say why each hit was found: arms, ranks, what its score is made of.
        source_id (default None): The source of the page, when it is not the usual one.
        """

    def request_tools(
        self,
        *,
        tools: list[str] | None = None,
        surface: Literal["verbs", "starter", "full"] | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.meta.ToolsReply:
        """List every tool by subject in one line each, or give the definitions of some.

        A tool beyond the surface of this server is listed as not available; its owner can widen the surface.

        tools (default None): Names of tools whose whole definitions are wanted.
        surface (default None): The surface to change to.
        """

    def resolve_slugs(
        self,
        partial: str,
        *,
        types: list[str] | None = None,
        tags: list[str] | None = None,
        source_id: str | None = None,
    ) -> list[str]:
        """Find the slugs a name or a part of one may mean, the likeliest first.

        partial: Part of a slug, title or alias; a misspelt letter is fine.
        types (default None): Only pages of one of these types.
        tags (default None): Only pages with all of these tags.
        source_id (default None): The source of the page, when it is not the usual one.
        """

    def search(
        self,
        query: str,
        *,
        limit: float | None = None,
        offset: float = 0,
        mode: Literal["conservative", "balanced", "tokenmax"] | None = None,
        types: list[str] | None = None,
        tags: list[str] | None = None,
        since: str | None = None,
        until: str | None = None,
        snippet_chars: float | None = None,
        explain: bool = False,
        as_of: str | None = None,
        source_id: str | None = None,
    ) -> list[gbrain.ops.find.SearchRow]:
        """Find pages by name or by their words, each with the passage that answers best.

        A page whose title, alias or slug is the query comes first. No match is an empty list.

        query: Words, a name or a question. Everything in it is text: there is no query syntax.
        limit (default None): At most this many pages; the mode's number unless given.
        offset (default 0): Leave out this many first.
        mode (default None): How much may come back; the setting search.mode unless given.
        types (default None): Only pages of one of these types.
        tags (default None): Only pages with all of these tags.
        since (default None): Only pages with a date of their own or in their timeline from then on: a date, a month, or 30d.
        until (default None): Only pages with such a date up to then, that day, month or year included.
        snippet_chars (default None): At most this many characters of each page.
        explain (default False): Say why each hit was found: arms, ranks, what its score is made of.
        as_of (default None): Search the texts as they stood at this moment, by words alone: an ISO date or time.
        source_id (default None): The source of the page, when it is not the usual one.
        """

    def sources_list(
        self,
        *,
        source_id: str | None = None,
    ) -> gbrain.ops.sources.SourcesReply:
        """List the sources you may use, with their pages, and which of them an unnamed source means."""

    def sync_brain(
        self,
        *,
        source_id: str | None = None,
        all: bool = False,
        paths: list[str] | None = None,
        pull: bool = True,
        full: bool = False,
        confirm_removals: bool = False,
        dry_run: bool = False,
    ) -> gbrain.ops.syncing.SyncReply:
        """Take in what was added, changed, renamed and removed in the folders of Markdown that pages come from.

        Files are never changed by it. A page whose file is gone is deleted so that it can be restored; one that never came
        from a file stays. A file that cannot be read is named with its line, and holds nothing else back.

        source_id (default None): Only this source.
        all (default False): Every source that has a folder.
        paths (default None): Only these files and folders, relative to the source's own.
        pull (default True): First take in what others pushed, where the folder is in git.
        full (default False): Read every file, also those that look unchanged.
        confirm_removals (default False): Let many pages go at once, where their files are gone.
        dry_run (default False): Tell what would change; change nothing.
        """

    def think(
        self,
        question: str,
        *,
        anchor: str | None = None,
        since: str | None = None,
        until: str | None = None,
        save: bool = False,
        source_id: str | None = None,
    ) -> gbrain.ops.thinking.ThinkReply:
        """[EXPENSIVE: calls a model if one is set] Answer a question over pages, facts, links and dated entries, with what is missing and what disagrees.

        Questions about time are answered by dates alone where these tell: when something was, how long ago, what a figure
        was then, how it went. Everything else is composed by a model, if one is set, and checked against the evidence.

        question: What to find out from the brain.
        anchor (default None): A name or slug the question is about, where it does not say.
        since (default None): Only evidence from then on: an ISO date or time, or a span.
        until (default None): Only evidence up to then.
        save (default False): Keep the answer as a page. Only for the person at this machine.
        """

    def traverse_graph(
        self,
        slug: str,
        *,
        depth: float = 5,
        link_type: str | None = None,
        direction: Literal["in", "out", "both"] | None = None,
        source_id: str | None = None,
    ) -> list[gbrain.ops.graph.GraphNode] | list[gbrain.ops.graph.GraphEdge]:
        """Walk from a page along its links: every page once, at its least distance.

        Without a type and a direction the pages come back, each with the links that leave it; with either, the links do. At
        most 1,000 pages are visited; a warning says when there are more.

        slug: The page's slug, such as people/dana-oakes, or work:people/dana-oakes.
        depth (default 5): How many links far.
        link_type (default None): What sort of link, such as works_at.
        direction (default None): Which way to walk; out unless given.
        """

    def whoami(
        self,
        *,
        source_id: str | None = None,
    ) -> gbrain.ops.meta.WhoamiReply:
        """Say how the brain sees this caller: transport, scopes, sources, surface; and which brain it is."""

    def accept_facts(
        self,
        ids: list[str],
        *,
        source_id: str | None = None,
    ) -> gbrain.ops.steering.AcceptedReply:
        """Say that facts which were taken out of turns may stand; they leave the list of those to review.

        They hold all along: this only says that a person has seen them. `gbrain forget` drops one.

        ids: The ids of the facts, as `gbrain facts --unreviewed` shows them.
        """

    def activity(
        self,
        *,
        since: str | None = None,
        limit: int = 50,
        source_id: str | None = None,
    ) -> gbrain.ambient.activity.ActivityReply:
        """Tell what happened lately: facts saved and ended, pages written, offered and opened, and what the hooks did.

        since (default None): From then on: an ISO date or time, or "3h ago"; the last day unless given.
        limit (default 50): At most this many, the last ones.
        """

    def add_reference(
        self,
        category: str,
        content: str,
        tags: list[str] | None = None,
        *,
        confidence: float | None = None,
        automatic: bool = False,
        provenance: str | None = None,
        expected_version: int | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.memory_pages.MemoryReply:
        """Add a reference to a collection, on the page memory/reference/CATEGORY; the same one is kept once.

        category: The collection it belongs to, such as sailing.
        content: A link or a short text; a long one belongs on a page of its own.
        tags (default None): Tags for the collection's page.
        confidence (default None): How sure it is, 0 to 1; 1 unless given, and 0.7 for an automatic write.
        automatic (default False): Nobody asked for this write: it starts below confidence 1.
        provenance (default None): Where it comes from; the writing client unless given.
        expected_version (default None): The version that was read before this change. When the page has moved on, the change is joined with what came since, or refused where both changed the same lines. 0: the page must not exist yet.
        source_id (default None): The source of the page, when it is not the usual one.
        """

    def add_tag(
        self,
        slug: str,
        tag: str,
        *,
        expected_version: int | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.tags.AddTagReply:
        """Put a tag on a page; it stays when the page's text is rewritten.

        In a source with a folder it is written into the front matter of the page's file instead.

        slug: The page's slug, such as people/dana-oakes, or work:people/dana-oakes.
        tag: The tag, such as founder.
        expected_version (default None): The version that was read before this change. When the page has moved on, the change is joined with what came since, or refused where both changed the same lines. 0: the page must not exist yet.
        """

    def advisor(
        self,
        *,
        source_id: str | None = None,
    ) -> gbrain.ambient.advisor.AdvisorReply:
        """List what would be worth doing to this brain, each with the command that does it.

        What concerns the person's own decisions names no command: ask them. A remote caller is told of nothing.
        """

    def auth_approve(
        self,
        *,
        source_id: str | None = None,
    ) -> gbrain.ops.access.ApproveReply:
        """Print a code for the consent page, which shows that the person there runs this brain.

        It works once, within ten minutes, and ends an earlier one that was not used. Type it only on a page that you
        opened yourself by connecting a program just now.
        """

    def auth_create(
        self,
        name: str,
        *,
        scopes: list[str] | None = None,
        sources: list[str] | None = None,
        all_sources: bool = False,
        surface: Literal["verbs", "starter", "full"] | None = None,
        slugs: list[str] | None = None,
        expires: str | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.access.CreateReply:
        """Make a bearer token for a client that calls over HTTP. It is shown this once; only its hash is kept.

        Without options the token reads and writes the default source and does not end. No program sees private text by it.
        `admin` and `steer` together, with every source, open the viewer at `/` of the server: make such a token for a
        person, never for an agent.

        name: What to call the client.
        scopes (default None): Any of read, write, admin and steer; read,write unless given.
        sources (default None): A source it may use; may be given again. default unless given.
        all_sources (default False): Every source, also those added later.
        surface (default None): The most tools it is offered; full unless given.
        slugs (default None): Only this page and the facts about it; may be given again.
        expires (default None): When it ends: a span such as "90d", a date, or "never".
        """

    def auth_list(
        self,
        *,
        source_id: str | None = None,
    ) -> gbrain.ops.access.ListReply:
        """List every client with its grants, state and last use, and the OAuth applications. Tokens are never shown."""

    def auth_register(
        self,
        name: str,
        *,
        redirect_uris: list[str],
        confidential: bool = False,
        source_id: str | None = None,
    ) -> gbrain.ops.access.RegisterReply:
        """Register an OAuth application by hand. It gets in when you let it in on the consent page.

        name: What to call the application.
        redirect_uris: Where the browser goes back to; may be given again. On loopback any port fits.
        confidential (default False): It can keep a secret, and has to show it.
        """

    def auth_rescope(
        self,
        name: str | None = None,
        *,
        id: str | None = None,
        scopes: list[str] | None = None,
        sources: list[str] | None = None,
        all_sources: bool = False,
        surface: Literal["verbs", "starter", "full"] | None = None,
        slugs: list[str] | None = None,
        any_slug: bool = False,
        expires: str | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.access.ClientRow:
        """Change what a client may do, from its next call on; what is not given stays.

        name (default None): The name of the client or application.
        id (default None): Its id, as auth list shows it, in place of the name.
        scopes (default None): Exactly these of read, write, admin and steer from now on.
        sources (default None): Exactly these sources; may be given again.
        all_sources (default False): Every source, also those added later.
        surface (default None): The most tools it is offered.
        slugs (default None): Exactly these slugs; may be given again.
        any_slug (default False): Bound to no slugs any more.
        expires (default None): When it ends: a span such as "90d", a date, or "never".
        """

    def auth_revoke(
        self,
        name: str | None = None,
        *,
        id: str | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.access.RevokeReply:
        """Shut a client out from its next call on, or remove an OAuth application and every client it brought in.

        name (default None): The name of the client or application.
        id (default None): Its id, as auth list shows it, in place of the name.
        """

    def check_backlinks(
        self,
        *,
        fix: bool = False,
        all: bool = False,
        source_id: str | None = None,
    ) -> gbrain.ops.upkeep.BacklinksReply:
        """Find mentions of people and companies that their own pages do not answer, and add the lines that are missing.

        A line bears the date of what it tells of: of the entry or page that names them, never of the run. What a private
        page says is not written to one that others read.

        fix (default False): Write the missing lines; without it they are only told.
        all (default False): The pages of every source.
        source_id (default None): The source whose pages are checked.
        """

    def config_get(
        self,
        key: str,
        *,
        source_id: str | None = None,
    ) -> gbrain.ops.config.SettingRow:
        """Read one setting: its value, its default and what it may be.

        key: The name of the setting.
        """

    def config_list(
        self,
        *,
        source_id: str | None = None,
    ) -> gbrain.ops.config.SettingsReply:
        """List every setting with the value in force."""

    def config_set(
        self,
        key: str,
        value: str,
        *,
        source_id: str | None = None,
    ) -> gbrain.ops.config.SettingRow:
        """Change a setting; servers that run already go by it from their next call.

        key: The name of the setting.
        value: One of its allowed values.
        """

    def config_unset(
        self,
        key: str,
        *,
        source_id: str | None = None,
    ) -> gbrain.ops.config.SettingRow:
        """Remove the value of a setting, so that its default holds.

        key: The name of the setting.
        """

    def conflicts(
        self,
        *,
        after: str = "",
        limit: int = 50,
        source_id: str | None = None,
    ) -> gbrain.ops.steering.ConflictsReply:
        """List live facts that give the same attribute of someone or something different values, with both origins.

        A later value replaces an earlier one by itself where both stand in one source and are seen by the same readers;
        what is left is for a person to decide.

        after (default ''): Continue after this: `next` of the reply before.
        limit (default 50): At most this many.
        """

    def consents(
        self,
        *,
        source_id: str | None = None,
    ) -> gbrain.ops.undoing.ConsentsReply:
        """List when saving unasked was turned on and off, and by whom. Facts saved meanwhile bear the id."""

    def correct(
        self,
        id: str,
        fact: str,
        *,
        reason: str | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.steering.SteeredReply:
        """Put a right claim in the place of a wrong one; the wrong one stays in the history with the reason.

        id: The id of the fact, as every read shows it.
        fact: The claim as it should be.
        reason (default None): Why, in a few words.
        """

    def delete_page(
        self,
        slug: str,
        *,
        expected_version: int | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.pages.DeleteReply:
        """Delete a page so that it can come back: it leaves every read, its links too, and keeps its versions.

        In a source with a folder its file goes too; restoring the page writes it again.

        slug: The page's slug, such as people/dana-oakes, or work:people/dana-oakes.
        expected_version (default None): The version that was read before this; when the page has moved on, nothing is changed.
        source_id (default None): The source of the page, when it is not the usual one.
        """

    def diff_versions(
        self,
        slug: str,
        from_version: int | None = None,
        to_version: int | None = None,
        *,
        source_id: str | None = None,
    ) -> gbrain.ops.history.DiffReply:
        """Show what changed in a page from one version to another, as a unified diff.

        slug: The page's slug, such as people/dana-oakes, or work:people/dana-oakes.
        from_version (default None): The earlier version; the one before the later unless given.
        to_version (default None): The later version; the current one unless given.
        """

    def embed(
        self,
        *,
        stale: bool = False,
        source_id: str | None = None,
    ) -> gbrain.ops.embedding.EmbedReply:
        """Give every text that awaits one a vector, for search by meaning.

        A running server does this by itself, for new texts. Broken off, it goes on where it stood.

        stale (default False): Also texts whose vectors are of another model, or of another reading of them: all anew.
        """

    def export_brain(
        self,
        *,
        dir: str,
        include_private: bool = False,
        source_id: str | None = None,
    ) -> gbrain.ops.porting.ExportReply:
        """Write the pages of a source as Markdown, byte for byte, and its facts as JSON lines with all that is known.

        Nothing in the brain changes, and nothing in the folder is deleted.

        dir: A new folder, or one with an earlier export of this source.
        include_private (default False): Private pages and facts too. Keep the folder to yourself then.
        source_id (default None): The source that is exported.
        """

    def extract(
        self,
        what: Literal["links", "timeline", "all"],
        *,
        source_id: str | None = None,
    ) -> gbrain.ops.extract.ExtractReply:
        """Make the links and dated entries that the texts of pages ask for, and take away those they ask for no more.

        What was added by hand stays. A second run changes nothing.

        what: What to read out of the pages.
        source_id (default None): Only the pages of this source; every source unless given.
        """

    def fetch(
        self,
        id: str,
        *,
        source_id: str | None = None,
    ) -> gbrain.ops.find.FetchReply:
        """Fetch a whole page as one text, front matter included, by the id that search gave: put_page takes it back.

        id: A slug, source:slug, or gbrain://page/source/slug, as search gives it.
        """

    def forget_captured(
        self,
        *,
        consent: str,
        include_remember: bool = False,
        dry_run: bool = True,
        source_id: str | None = None,
    ) -> gbrain.ops.undoing.ForgetCapturedReply:
        """Forget the facts that were taken out of turns under one consent, in every source.

        An agent that calls `remember` does not say whether it was asked to, so those facts stay unless they are
        included.

        consent: The id of the consent, as `gbrain consents` shows it.
        include_remember (default False): Also facts that agents saved with `remember` meanwhile.
        dry_run (default True): Tell which facts would go; forget nothing.
        """

    def forget_fact(
        self,
        id: float,
        *,
        reason: str | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.memory.ForgetFactReply:
        """As forget, for callers that keep integer ids.

        id: The integer id of the fact.
        reason (default None): Why, in a few words.
        """

    def get_brain_identity(
        self,
        *,
        source_id: str | None = None,
    ) -> gbrain.ops.meta.IdentityReply:
        """Say which brain answers: its id, the version of gbrain, its engine and size."""

    def get_health(
        self,
        *,
        source_id: str | None = None,
    ) -> gbrain.ops.meta.HealthReply:
        """Say how many pages have links, a timeline and a summary, and how many nothing leads to or from."""

    def get_stats(
        self,
        *,
        source_id: str | None = None,
    ) -> gbrain.ops.meta.StatsReply:
        """Count the pages, links, tags, timeline entries and facts of the brain."""

    def get_tags(
        self,
        slug: str,
        *,
        source_id: str | None = None,
    ) -> list[str]:
        """List the tags of a page, those of its text and those put on by hand.

        slug: The page's slug, such as people/dana-oakes, or work:people/dana-oakes.
        """

    def get_versions(
        self,
        slug: str,
        *,
        include_content: bool = False,
        limit: int = 100,
        before: int | None = None,
        source_id: str | None = None,
    ) -> list[gbrain.ops.history.VersionRow]:
        """List the versions of a page, the newest first: when, by whom, why, and how each begins.

        slug: The page's slug, such as people/dana-oakes, or work:people/dana-oakes.
        include_content (default False): With the whole text of each version.
        limit (default 100): At most this many, the newest first.
        before (default None): Only versions below this number: the next page of a long list.
        """

    def import_brain(
        self,
        dir: str,
        *,
        overwrite: bool = False,
        dry_run: bool = False,
        source_id: str | None = None,
    ) -> gbrain.ops.porting.ImportReply:
        """Bring in an export of gbrain, a folder of Markdown (a vault, another memory), or exported conversations.

        The files are only read. Everything that is not taken is listed with the reason; run again, it goes on where it
        stopped.

        dir: The folder or file: an export of gbrain, Markdown of any kind, or conversations.
        overwrite (default False): Make texts the next version of pages that say something else.
        dry_run (default False): Tell what would come in; change nothing.
        source_id (default None): The source they come into.
        """

    def invalidate(
        self,
        id: str,
        *,
        reason: str | None = None,
        until: str | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.steering.SteeredReply:
        """Say that a claim was wrong, or held only until a day; it leaves every answer and stays in the history.

        id: The id of the fact, as every read shows it.
        reason (default None): Why, in a few words.
        until (default None): It was right until then: an ISO date or time. Left out: it never was.
        """

    def lint(
        self,
        *,
        all: bool = False,
        source_id: str | None = None,
    ) -> gbrain.ops.upkeep.LintReply:
        """List facts on pages of people, companies, deals and projects without `[Source: ...]`, and undated timeline items.

        An item under `## Timeline` is an entry when it begins as in `- **2031-03-30** | Met at the harbour`.
        Where no source is named, the pages of all sources are checked that a read takes in then.

        all (default False): The pages of every source.
        source_id (default None): The source whose pages are checked.
        """

    def list_facts(
        self,
        *,
        entity: str | None = None,
        kind: Literal["event", "preference", "commitment", "belief", "fact"] | None = None,
        state: Literal["live", "lapsed", "replaced", "forgotten", "all"] = "live",
        origin: str | None = None,
        saved_by: str | None = None,
        consent: str | None = None,
        visibility: Literal["world", "private"] | None = None,
        words: str | None = None,
        unreviewed: bool = False,
        before: str | None = None,
        limit: int = 50,
        source_id: str | None = None,
    ) -> gbrain.ops.listing.FactsReply:
        """List facts by what is known about them, the newest first; nothing is ranked.

        entity (default None): Only facts about this slug.
        kind (default None): Only facts of this kind.
        state (default 'live'): live, lapsed, replaced, forgotten, or all.
        origin (default None): Only facts whose provenance holds this.
        saved_by (default None): Only facts that this client saved.
        consent (default None): Only facts saved under this consent.
        visibility (default None): Only world, or only private facts.
        words (default None): Only facts that hold these words as they stand, in any case.
        unreviewed (default False): Only what was saved out of turns and is not reviewed yet.
        before (default None): Continue: `next` of the reply before.
        limit (default 50): At most this many.
        """

    def list_unresolved_links(
        self,
        slug: str | None = None,
        *,
        limit: int = 200,
        offset: int = 0,
        source_id: str | None = None,
    ) -> list[gbrain.ops.unresolved.UnresolvedRow]:
        """List the references in pages that lead to no page yet, and those whose name several pages bear.

        Each becomes a link by itself as soon as a page of that slug or alias appears.

        slug (default None): Only the references of this page.
        limit (default 200): At most this many.
        offset (default 0): Leave out this many first.
        source_id (default None): Only the pages of this source.
        """

    def merge_facts(
        self,
        keep: str,
        drop: str,
        *,
        reason: str | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.steering.SteeredReply:
        """Let one of two facts stand for both; the other ends and points to it.

        keep: The id of the fact that stays.
        drop: The id of the fact that says the same, or is wrong beside it.
        reason (default None): Why, in a few words.
        """

    def models_list(
        self,
        *,
        source_id: str | None = None,
    ) -> gbrain.ops.modelling.ModelsReply:
        """List the language models that are set, for what, and where their keys come from. None is called."""

    def models_price(
        self,
        model: str,
        *,
        input: str | None = None,
        output: str | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.modelling.PriceReply:
        """Set what a model costs, so that limits in money hold for it; without amounts, forget what was set.

        model: PROVIDER:MODEL, as `gbrain models list` shows it.
        input (default None): Dollars for a million tokens that it reads.
        output (default None): Dollars for a million tokens that it writes.
        """

    def models_set(
        self,
        model: str,
        *,
        for_: Literal["default", "extract", "compose", "expand", "judge", "rerank"] = "default",
        url: str | None = None,
        key: str | None = None,
        untested: bool = False,
        source_id: str | None = None,
    ) -> gbrain.ops.modelling.SetReply:
        """Choose the language model for a purpose, after trying it once; it is kept only if it answers.

        The key comes from the environment, or from a file of mode 600 in the folder `keys` of the home that is named like
        the variable. It is stored nowhere else.

        model: PROVIDER:MODEL; more of them, each after `then`, stand in for it.
        for_ (default 'default'): What the model is for; `default` is everything that has none of its own.
        url (default None): The address, where it is not the provider's own.
        key (default None): The variable that holds the key; never the key itself.
        untested (default False): Keep it without trying it.
        """

    def models_test(
        self,
        *,
        source_id: str | None = None,
    ) -> gbrain.ops.modelling.TestReply:
        """Try every language model that is set, each once: whether it answers, with JSON, and with counts of tokens."""

    def models_unset(
        self,
        *,
        for_: Literal["default", "extract", "compose", "expand", "judge", "rerank"] = "default",
        source_id: str | None = None,
    ) -> gbrain.ops.modelling.UnsetReply:
        """Choose no language model for a purpose any more: the default's holds, or none is called.

        for_ (default 'default'): What the model is for; `default` is everything that has none of its own.
        """

    def move_fact(
        self,
        id: str,
        *,
        entity: str,
        reason: str | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.steering.SteeredReply:
        """File a fact under another entity; the claim, its origin and its dates stay.

        id: The id of the fact, as every read shows it.
        entity: Whom or what it is about: a slug, a name or an alias.
        reason (default None): Why, in a few words.
        """

    def prove_forgotten(
        self,
        *,
        id: str,
        erase: bool = False,
        source_id: str | None = None,
    ) -> gbrain.ambient.proof.ProofReply:
        """Look in every place where the words of a fact may live, and say for each: gone, remains, or out of reach.

        A forgotten fact stays in the history, so that what was known at an earlier time can be told. `erase` takes its
        words out of there too; nothing brings them back.

        id: The id of a fact that was forgotten.
        erase (default False): Take its words out of the store and of the banked turns, for good.
        """

    def purge(
        self,
        *,
        expired: bool = False,
        source_id: str | None = None,
        dry_run: bool = True,
    ) -> gbrain.ops.purging.PurgeReply:
        """Delete the pages that are past their expiry, and the files they have. `gbrain restore` brings one back.

        Such a page is in no answer already; until it is deleted `gbrain get SLUG` and `gbrain history SLUG`
        show it.

        expired (default False): The pages past their expiry.
        source_id (default None): Only this source; every source unless given.
        dry_run (default True): Tell which pages would go; delete nothing.
        """

    def record_feedback(
        self,
        action: str,
        approved: bool,
        reason: str = "",
        *,
        about: str | None = None,
        provenance: str | None = None,
        expected_version: int | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.memory_pages.MemoryReply:
        """Record what the user approved or rejected, on the page of the month: memory/feedback/YYYY-MM.

        action: What was done or proposed.
        approved: Whether the user was for it.
        reason (default ''): Why, in the user's words.
        about (default None): The memory page that a rejection is about, as SLUG or SLUG#KEY: it loses half its confidence.
        provenance (default None): Where it comes from; the writing client unless given.
        expected_version (default None): The version that was read before this change. When the page has moved on, the change is joined with what came since, or refused where both changed the same lines. 0: the page must not exist yet.
        source_id (default None): The source of the page, when it is not the usual one.
        """

    def record_lesson(
        self,
        lesson: str,
        confidence: float | None = None,
        *,
        automatic: bool = False,
        provenance: str | None = None,
        expected_version: int | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.memory_pages.MemoryReply:
        """Record a lesson on a page of its own below memory/episodic/; the same one again is kept once.

        lesson: What was learnt, in a sentence or two.
        confidence (default None): How sure it is, 0 to 1; 1 unless given, and 0.7 for an automatic write.
        automatic (default False): Nobody asked for this write: it starts below confidence 1.
        provenance (default None): Where it comes from; the writing client unless given.
        expected_version (default None): The version that was read before this change. When the page has moved on, the change is joined with what came since, or refused where both changed the same lines. 0: the page must not exist yet.
        source_id (default None): The source of the page, when it is not the usual one.
        """

    def remove_link(
        self,
        from_: str,
        to: str,
        *,
        link_type: str | None = None,
        link_source: str | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.graph.RemoveLinkReply:
        """Remove the links from one page to another: all of them, or those of one type or source.

        from_: The slug of the page the link leaves.
        to: The slug of the page it leads to.
        link_type (default None): What sort of link, such as works_at.
        link_source (default None): Only links that this source made.
        """

    def remove_tag(
        self,
        slug: str,
        tag: str,
        *,
        expected_version: int | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.tags.RemoveTagReply:
        """Take a tag off a page; one that its front matter names goes from the text too, as a new version.

        A `#tag` in the text itself stays, and so does the tag.

        slug: The page's slug, such as people/dana-oakes, or work:people/dana-oakes.
        tag: The tag, such as founder.
        expected_version (default None): The version that was read before this change. When the page has moved on, the change is joined with what came since, or refused where both changed the same lines. 0: the page must not exist yet.
        """

    def restore_fact(
        self,
        id: str,
        *,
        reason: str | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.steering.SteeredReply:
        """Let a claim that was forgotten or replaced hold again, with the dates it had.

        What replaced it ends, unless the two were only joined as the same. The end that was stated with it stays: once that
        has passed, nothing brings the claim back but saying it again.

        id: The id of the fact, as every read shows it.
        reason (default None): Why, in a few words.
        """

    def restore_page(
        self,
        slug: str,
        *,
        source_id: str | None = None,
    ) -> gbrain.ops.pages.RestoreReply:
        """Bring a deleted page back, with its links, tags and timeline.

        slug: The page's slug, such as people/dana-oakes, or work:people/dana-oakes.
        source_id (default None): The source of the page, when it is not the usual one.
        """

    def revert_version(
        self,
        slug: str,
        version_id: int,
        *,
        expected_version: int | None = None,
        reason: str | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.writing.PutReply:
        """Make an old version of a page its next one; nothing in between is lost.

        slug: The page's slug, such as people/dana-oakes, or work:people/dana-oakes.
        version_id: The number of the version to bring back, as get_versions lists it.
        expected_version (default None): The version that was read before this; when the page has moved on, nothing is changed.
        reason (default None): Why, in a few words; it stands in the page's history.
        """

    def run_doctor(
        self,
        *,
        fast: bool = False,
        source_id: str | None = None,
    ) -> gbrain.doctor.frame.DoctorReply:
        """Examine the brain: home, store, settings and protocol, each with its status and a command that helps.

        Nothing is changed. A check that did not run is skipped, never ok, and then the report is not complete.

        fast (default False): Leave out what takes long; the report is then not complete.
        """

    def save_user_profile(
        self,
        key: str,
        value: str,
        *,
        confidence: float | None = None,
        automatic: bool = False,
        provenance: str | None = None,
        expected_version: int | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.memory_pages.MemoryReply:
        """Save one thing about the user on the page memory/user/profile; a later value of a key replaces the earlier.

        An automatic write that contradicts what is there lowers its confidence, and replaces it only once it is surer.

        key: What it is about, such as tea or time zone.
        value: What holds.
        confidence (default None): How sure it is, 0 to 1; 1 unless given, and 0.7 for an automatic write.
        automatic (default False): Nobody asked for this write: it starts below confidence 1.
        provenance (default None): Where it comes from; the writing client unless given.
        expected_version (default None): The version that was read before this change. When the page has moved on, the change is joined with what came since, or refused where both changed the same lines. 0: the page must not exist yet.
        source_id (default None): The source of the page, when it is not the usual one.
        """

    def search_diagnose(
        self,
        query: str,
        *,
        target: str,
        limit: float | None = None,
        mode: Literal["conservative", "balanced", "tokenmax"] | None = None,
        types: list[str] | None = None,
        tags: list[str] | None = None,
        since: str | None = None,
        until: str | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.diagnosis.Diagnosis:
        """Trace one page through a search, stage by stage, and say where it falls out or what place it takes.

        A page that this caller may not see is not found, like one that does not exist.

        query: What is searched for.
        target: The page whose way through the search is told.
        limit (default None): The search's own limit; the mode's number unless given.
        mode (default None): How much may come back; the setting search.mode unless given.
        types (default None): The search's filter: only pages of one of these types.
        tags (default None): The search's filter: only pages with all of these tags.
        since (default None): Only pages with a date of their own or in their timeline from then on: a date, a month, or 30d.
        until (default None): Only pages with such a date up to then, that day, month or year included.
        source_id (default None): The source of the page, when it is not the usual one.
        """

    def sources_add(
        self,
        id: str,
        *,
        path: str | None = None,
        name: str | None = None,
        federated: bool | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.sources.AddReply:
        """Add a source: a named place for pages and facts, with a folder of Markdown or without one.

        Where unnamed writes went before there was anything, they may go to the first source that has a folder; where
        something is kept already, they stay. The reply says which.

        id: The id of the source.
        path (default None): The folder of Markdown its pages come from.
        name (default None): What people call it; the id unless given.
        federated (default None): Whether reads that name no source take it in too.
        """

    def sources_current(
        self,
        *,
        source_id: str | None = None,
    ) -> gbrain.ops.sources.CurrentReply:
        """Say which source is meant where none is named, why, and which sources reads then take in."""

    def sources_default(
        self,
        id: str,
        *,
        source_id: str | None = None,
    ) -> gbrain.ops.sources.SourceRow:
        """Make this the source that is meant where nothing else names one.

        id: The id of the source.
        """

    def sources_federate(
        self,
        id: str,
        *,
        source_id: str | None = None,
    ) -> gbrain.ops.sources.SourceRow:
        """Let reads that name no source take this one in too.

        id: The id of the source.
        """

    def sources_language(
        self,
        id: str,
        language: str | None = None,
        *,
        source_id: str | None = None,
    ) -> gbrain.ops.languages.LanguageReply:
        """Choose the language in which keyword search stems the words of a source, or show which one it is.

        Every page and fact of the source is then indexed anew, in batches between which others can write. Until that is
        done, and after it was broken off, a question finds what stands in either language; the same command goes on.

        id: The id of the source.
        language (default None): Whose words it holds; `none` compares words as they are.
        """

    def sources_remove(
        self,
        id: str,
        *,
        confirm_destructive: bool = False,
        source_id: str | None = None,
    ) -> gbrain.ops.sources.RemoveReply:
        """Remove a source with its pages, their versions and its facts, for good. The files of its folder stay.

        id: The id of the source.
        confirm_destructive (default False): Delete its pages and facts, for good.
        """

    def sources_rename(
        self,
        id: str,
        name: str | None = None,
        *,
        new_id: str | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.sources.RenameReply:
        """Change what a source is called, or its id.

        A new id reaches everything the brain keeps, clients' grants too. What was written elsewhere stays as it is: texts
        that cite the old id, .gbrain-source files, and the command lines of servers.

        id: The id of the source.
        name (default None): What people call it from now on.
        new_id (default None): Its id from now on, in every page, fact and grant.
        """

    def sources_unfederate(
        self,
        id: str,
        *,
        source_id: str | None = None,
    ) -> gbrain.ops.sources.SourceRow:
        """Keep this source apart: only reads that name it or ask for all see it, and reads from within see no other.

        id: The id of the source.
        """

    def spend(
        self,
        *,
        days: int = 30,
        source_id: str | None = None,
    ) -> gbrain.ops.spending.SpendReply:
        """Show what language models took: calls, tokens and money by day and by model, and how near the limits are.

        days (default 30): How many days, today among them.
        """

    def status(
        self,
        *,
        limit: int = 5,
        source_id: str | None = None,
    ) -> gbrain.ambient.status.StatusReply:
        """Show the brain at a glance: its size, the mode of saving, the last facts, what waits and what runs out soon.

        limit (default 5): How many of the last facts.
        """

    def sweep(
        self,
        *,
        source_id: str | None = None,
        budget_ms: int = 5000,
        batch_limit: int = 20,
    ) -> gbrain.ops.sweeping.SweepReply:
        """Bring files in line with facts, make the links and dates of what agents wrote, and check pages written since.

        Turns that hooks banked become facts of the source each was banked for, under the gate of ambient memory. Each part
        goes on where it stopped, and one that fails holds back no other. Nothing happens while another process sweeps the
        same brain. `gbrain serve` does this by itself.

        source_id (default None): Only this source; every source unless given.
        budget_ms (default 5000): Begin nothing new after so many milliseconds.
        batch_limit (default 20): Look at the time after so many pages.
        """

    def turns_drop(
        self,
        turn: str,
        *,
        source_id: str | None = None,
    ) -> gbrain.ambient.turns.DroppedReply:
        """Delete the words of a banked turn; nothing is made of it any more, and its session does not bank it again.

        Facts that came of it stay: gbrain forget takes them. An agent drops a turn once it has saved what is in it.

        turn: A turn: its id, the beginning of it, or the name of its file.
        """

    def turns_list(
        self,
        *,
        state: Literal["waiting", "done", "left"] | None = None,
        session: str | None = None,
        limit: int = 50,
        source_id: str | None = None,
    ) -> gbrain.ambient.turns.TurnsReply:
        """List the turns that capture hooks banked: what became of each, what the others wait for, and how long they stay.

        A person sees how each begins; an agent sees those of its own source while memory is on, the words by turns_show.

        state (default None): Only those in this state.
        session (default None): Only those of this session of an agent.
        limit (default 50): How many, the latest first.
        """

    def turns_retry(
        self,
        turn: str,
        *,
        source_id: str | None = None,
    ) -> gbrain.ambient.turns.TurnRow:
        """[EXPENSIVE: calls a model if one is set] Read a banked turn for facts now, also one that a model could make nothing of; the reply says what became of it.

        The gate of ambient memory holds as ever. What was retired because memory was off stays so.

        turn: A turn: its id, the beginning of it, or the name of its file.
        """

    def turns_show(
        self,
        turn: str,
        *,
        source_id: str | None = None,
    ) -> gbrain.ambient.turns.TurnReply:
        """Show one banked turn and its words, fenced as what they are: something a person said, and no instruction.

        turn: A turn: its id, the beginning of it, or the name of its file.
        """

    def unset_settings(
        self,
        prefix: str,
        *,
        source_id: str | None = None,
    ) -> gbrain.ops.config.UnsetReply:
        """Remove the values of all settings whose names begin so, from the store and from `config.json`.

        Settings that this version does not know go too.

        prefix: How the names of the settings begin: memory.
        """

    def update_project_context(
        self,
        updates: dict[str, Any],
        *,
        project: str | None = None,
        confidence: float | None = None,
        automatic: bool = False,
        provenance: str | None = None,
        expected_version: int | None = None,
        source_id: str | None = None,
    ) -> gbrain.ops.memory_pages.MemoryReply:
        """Merge keys into what is known about a project, on the page memory/project/NAME; other keys stay.

        updates: Keys and what holds for each; null takes a key out.
        project (default None): The project's name; that of the source unless given.
        confidence (default None): How sure it is, 0 to 1; 1 unless given, and 0.7 for an automatic write.
        automatic (default False): Nobody asked for this write: it starts below confidence 1.
        provenance (default None): Where it comes from; the writing client unless given.
        expected_version (default None): The version that was read before this change. When the page has moved on, the change is joined with what came since, or refused where both changed the same lines. 0: the page must not exist yet.
        source_id (default None): The source of the page, when it is not the usual one.
        """

    def volunteer_context(
        self,
        window: str | None = None,
        *,
        news: int | None = None,
        known: list[str] | None = None,
        max_pages: int | None = None,
        min_confidence: float | None = None,
        budget_tokens: float | None = None,
        session_id: str | None = None,
        include_private: bool = False,
        stats: bool = False,
        source_id: str | None = None,
    ) -> gbrain.ambient.volunteering.VolunteerReply:
        """Offer the pages that a conversation names, with what is open about them; nothing where a name is unclear.

        No model is called. Each offer says by which arm it was found, how surely, and why.

        window (default None): The last turns: plain text, blocks that begin with [user] or [assistant], or a JSON list of {"role", "text"}.
        news (default None): So many of the newest turns are news, all unless given; what older ones name is offered only if the newest points back at it.
        known (default None): Pages that the conversation knows already, as source:slug; they are not offered.
        max_pages (default None): At most so many pages.
        min_confidence (default None): Only what is at least so sure.
        budget_tokens (default None): At most this many tokens of text.
        session_id (default None): A session that asks again and again: nothing is offered it twice.
        include_private (default False): Also private pages and facts; only the local operator may ask.
        stats (default False): Tell how much was offered and opened instead; on this machine only.
        """

    def why(
        self,
        id: str,
        *,
        query: str | None = None,
        source_id: str | None = None,
    ) -> gbrain.ambient.why.WhyReply:
        """Tell where a fact comes from: its words of origin, who saved it, what it replaced, and what replaced it.

        With a query also why `recall` gives it or leaves it out. The person at this machine sees the turn it was made of
        too, the consent it was saved under, and who has read it.

        id: The id of the fact, as every read shows it.
        query (default None): What was asked: then its place in the answer, and what ranks it.
        """

    def why_page(
        self,
        slug: str,
        *,
        query: str | None = None,
        source_id: str | None = None,
    ) -> gbrain.ambient.why_page.WhyPageReply:
        """Tell what ranks a page for a query, what offers it to agents, and how often both happened.

        The person at this machine also sees when it was offered, by what, and who has read it.

        slug: The page of a hit or of an offered line: its slug, or source:slug as it stands there.
        query (default None): What was searched for or said.
        source_id (default None): The source of the page, when it is not the usual one.
        """

    def writeback_preview(
        self,
        *,
        clear: bool = False,
        limit: int = 200,
        source_id: str | None = None,
    ) -> gbrain.ambient.shadow.PreviewReply:
        """Show what ambient memory would have saved in the last seven days, and what it would have passed over, and why.

        Turn it on with `gbrain config set memory.auto_writeback_shadow on`. Nothing of it is a fact, and it goes by itself.

        clear (default False): Delete all of it, after it was shown.
        limit (default 200): How many turns, the latest first.
        """
