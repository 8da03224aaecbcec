"""Search by meaning over a real brain and a real endpoint: what it finds, and what it says when it cannot."""

import json
import threading
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar

import pytest

from embedding_server import Endpoint, endpoint, reply, vector
from gbrain import Brain, open_brain
from gbrain.domain.chunks import READING
from gbrain.errors import Unavailable
from gbrain.models.choice import ENV_PROVIDER
from gbrain.models.embedder import EmbedFailed
from gbrain.models.meaning import REASONS
from gbrain.types import View

HARD = (
    "how do I greet",
    "",
    " ",
    "?!…",
    "the of and",
    "\x00\x01\x1b[31m",
    "word " * 2_000,
    "林小满 and 김예시 🏮 עברית",
    "e\u0301" * 50,
)


@pytest.fixture
def server() -> Iterator[Endpoint]:
    with endpoint() as running:
        yield running


@pytest.fixture
def brain(tmp_path: Path, server: Endpoint, monkeypatch: pytest.MonkeyPatch) -> Iterator[Brain]:
    """A brain whose embedder is the endpoint, with three pages and a fact that have their vectors."""
    monkeypatch.delenv(ENV_PROVIDER)
    with open_brain(str(tmp_path / "home"), create=True) as made:
        configure(made, provider="endpoint", model="m", url=server.url)
        for name in ("aaaa", "bbbb", "cccc"):
            made.put_page(slug=f"note/{name}", content=f"# {name}\n\n{name}\n")
        made.remember(fact="dddd dddd dddd", provenance="a test")
        made.embed()
        yield made


def configure(brain: Brain, **values: str) -> None:
    for name, value in values.items():
        brain.store.config.set(f"embedding.{name}", value)


def view(brain: Brain, private: bool = True) -> View:
    return View(("default",), private, brain.store.config.now())


def asked(brain: Brain, text: str = "aaaa", limit: int = 5) -> tuple[list[tuple[str, int]], str | None]:
    found = brain.meaning.nearest(view(brain), text, limit)
    assert found.reason is None or found.reason in REASONS
    return [(hit.kind, hit.id) for hit in found.hits], found.reason


def check(brain: Brain) -> Any:
    return next(row for row in brain.run_doctor()["checks"] if row["name"] == "embedding")


class TestFound:
    def test_the_likest_come_first(self, brain: Brain) -> None:
        hits, reason = asked(brain)
        assert reason is None
        assert hits[0] == ("page", 1)
        assert len(hits) == 4
        assert asked(brain, "dddd", 1) == ([("fact", 1)], None)

    def test_what_has_no_vector_yet_is_told(self, brain: Brain) -> None:
        brain.put_page(slug="note/eeee", content="eeee")
        hits, reason = asked(brain, "eeee")
        assert (len(hits), reason) == (4, "vectors_pending")
        assert brain.search("eeee")[0]["slug"] == "note/eeee"
        assert brain.embed() == {
            "embedded": 1,
            "with_vector": 5,
            "waiting": 0,
            "model": "endpoint:m@127.0.0.1",
            "dimension": 8,
        }
        assert asked(brain, "eeee")[1] is None

    def test_a_private_text_that_waits_is_no_reason_for_others(self, brain: Brain) -> None:
        brain.put_page(slug="note/eeee", content="---\nvisibility: private\n---\neeee")
        assert brain.meaning.nearest(view(brain, private=False), "eeee", 3).reason is None
        assert brain.meaning.nearest(view(brain), "eeee", 3).reason == "vectors_pending"

    @pytest.mark.parametrize("text", HARD)
    def test_no_question_makes_it_raise(self, brain: Brain, text: str) -> None:
        assert asked(brain, text)[1] is None

    def test_half_of_the_vectors_missing(self, brain: Brain) -> None:
        with brain.store.transaction():
            brain.store.vectors.drop("page", [1, 2])
        hits, _ = asked(brain)
        assert {hit for hit in hits if hit[0] == "page"} == {("page", 3)}
        assert brain.search("aaaa")[0]["slug"] == "note/aaaa"


class TestFailing:
    @pytest.mark.parametrize(
        ("answer", "reason"),
        [
            (lambda body: (500, b"oh"), "server_error"),
            (lambda body: (401, b""), "no_key"),
            (lambda body: (200, b"nonsense"), "bad_reply"),
            (lambda body: reply([]), "wrong_count"),
            (lambda body: reply([[1.0] * 9]), "wrong_dimension"),
            (lambda body: reply([[float("nan")] * 8]), "not_finite"),
        ],
    )
    def test_the_words_still_answer_and_the_reason_is_said(
        self, brain: Brain, server: Endpoint, answer: Callable[[dict[str, Any]], tuple[int, bytes]], reason: str
    ) -> None:
        server.answer = answer
        assert asked(brain) == ([], reason)
        assert brain.search("aaaa")[0]["slug"] == "note/aaaa"
        assert brain.remember(fact="eeee", provenance="a test")["status"] == "inserted"
        brain.put_page(slug="note/ffff", content="ffff")
        with pytest.raises(EmbedFailed) as failed:
            brain.embed()
        assert failed.value.reason == reason
        server.answer = lambda body: reply([vector(text) for text in body["input"]])
        assert brain.embed()["waiting"] == 0

    def test_an_endpoint_that_went_away(self, brain: Brain, server: Endpoint) -> None:
        server.close()
        assert asked(brain) == ([], "unreachable")
        assert brain.search("aaaa")[0]["slug"] == "note/aaaa"

    def test_turned_off(self, brain: Brain) -> None:
        configure(brain, provider="off")
        assert asked(brain) == ([], "off")

    def test_nothing_has_a_vector(self, brain: Brain, tmp_path: Path, server: Endpoint) -> None:
        with open_brain(str(tmp_path / "empty"), create=True) as empty:
            configure(empty, provider="endpoint", model="m", url=server.url)
            assert asked(empty) == ([], "no_vectors")


class TestAnotherModel:
    def test_words_answer_until_all_is_embedded_anew(self, brain: Brain, server: Endpoint) -> None:
        configure(brain, model="other")
        assert asked(brain) == ([], "model_changed")
        with pytest.raises(Unavailable) as failed:
            brain.embed()
        assert failed.value.detail == {"reason": "model_changed"}
        assert failed.value.suggestion == "run: gbrain embed --stale"
        server.answer = lambda body: reply([vector(text)[:4] for text in body["input"]])
        told = brain.embed(stale=True)
        assert (told["embedded"], told["waiting"], told["dimension"]) == (4, 0, 4)
        assert asked(brain)[0][0] == ("page", 1)
        assert asked(brain)[1] is None

    def test_broken_off_it_goes_on_where_it_stood(
        self, brain: Brain, server: Endpoint, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("gbrain.models.meaning.BATCH", 1)
        configure(brain, model="other")
        given = []

        def twice(body: dict[str, Any]) -> tuple[int, bytes]:
            if len(body["input"]) == 1:
                given.append(body["input"][0])
            if len(given) > 2:
                return 400, b""
            return reply([vector(text) for text in body["input"]])

        server.answer = twice
        with pytest.raises(EmbedFailed):
            brain.embed(stale=True)
        server.answer = lambda body: reply([vector(text) for text in body["input"]])
        hits, reason = asked(brain)
        assert (len(hits), reason) == (2, "vectors_pending")
        told = brain.embed()
        assert (told["embedded"], told["waiting"]) == (2, 0)


class TestAnotherReading:
    """What a model reads is the same for one number of the reading."""

    READ: ClassVar = {1: "14cc6931fc7b0c6c"}
    PAGE = (
        "---\ntitle: Harbour\nsummary: What the harbour costs.\n---\n# Harbour\n\nA crane was bought.\n\n## Budget\n\n"
        "| year | cost |\n|---|---|\n| 2030 | 12 |\n\n" + "Ropes are to be replaced every spring. " * 40 + "\n"
    )
    TALK = "# Call\n\n" + "\n\n".join(f"{who} (2031-05-04): word {who}" for who in ("Dana", "Alice", "Dana", "Alice"))

    def test_a_change_of_what_is_read_asks_for_another_number(self, brain: Brain) -> None:
        brain.put_page(slug="read/harbour", content=self.PAGE)
        brain.put_page(slug="read/call", content=self.TALK)
        store = brain.store
        chunks = [row.id for row in store.vectors.waiting("page", store.vectors.space(), 100)]
        read = [*store.chunks.texts(chunks).values(), *store.facts.texts([1]).values()]
        assert len(read) > 7
        assert sha256(json.dumps(read).encode()).hexdigest()[:16] == self.READ[READING], (
            "texts are read in another way now: raise READING, and put the new digest beside the new number"
        )

    def test_the_number_stands_in_the_name_of_the_space(self, brain: Brain) -> None:
        space = brain.store.vectors.space()
        assert space is not None
        assert (space.name, space.model, space.reading) == (
            f"endpoint:m@127.0.0.1#{READING}", "endpoint:m@127.0.0.1", str(READING),
        )  # fmt: skip

    @pytest.mark.parametrize("name", ["endpoint:m@127.0.0.1#0", "endpoint:m@127.0.0.1"])
    def test_words_answer_until_all_is_embedded_anew(self, brain: Brain, name: str) -> None:
        with brain.store.transaction():
            brain.store.engine.rows("update embedding_models set name = :name", {"name": name})
        assert asked(brain) == ([], "reading_changed")
        brain.search("aaaa")
        with pytest.raises(Unavailable) as failed:
            brain.embed()
        assert failed.value.detail == {"reason": "reading_changed"}
        assert failed.value.suggestion == "run: gbrain embed --stale"
        found = check(brain)
        assert (found["status"], found["fix"]) == ("warn", "gbrain embed --stale")
        assert found["message"].startswith("the vectors are of texts as another version of gbrain read them")
        told = brain.embed(stale=True)
        assert (told["embedded"], told["waiting"], told["model"]) == (4, 0, "endpoint:m@127.0.0.1")
        assert asked(brain)[1] is None
        assert check(brain)["status"] == "ok"


class TestRepeats:
    def test_what_means_the_same_is_compared_and_the_reply_says_whether(self, brain: Brain) -> None:
        told = brain.remember(fact="eeee eeee", provenance="a test")
        assert told["degraded_dedup"] is True
        brain.meaning.answer_here()
        assert "degraded_dedup" not in brain.remember(fact="ffff ffff", provenance="a test")

    def test_a_number_or_a_name_still_tells_two_claims_apart(self, brain: Brain) -> None:
        brain.meaning.answer_here()
        first = brain.remember(fact="The harbour has 12 cranes", provenance="a test")
        brain.embed()
        other = brain.remember(fact="The harbour has 21 cranes of steel", provenance="a test")
        assert (first["status"], other["status"]) == ("inserted", "inserted")
        assert "degraded_dedup" not in other

    def test_a_far_fact_of_many_is_found_as_what_a_claim_repeats(self, brain: Brain) -> None:
        brain.meaning.answer_here()
        first = brain.remember(fact="Dana plays the oboe", provenance="a test", entity="Dana Oakes")
        for number in range(70):
            brain.remember(fact=f"item {number} is on the list of things", provenance="a test", entity="Dana Oakes")
        brain.embed()
        again = brain.remember(fact="Dana plays the oboe.", provenance="a test", entity="Dana Oakes")
        assert (again["status"], again["id"]) == ("duplicate", first["id"])


def test_two_at_once_embed_each_text_once(brain: Brain, server: Endpoint, tmp_path: Path) -> None:
    for number in range(60):
        brain.put_page(slug=f"many/{number}", content=f"text number {number}")
    server.asked.clear()
    with open_brain(str(tmp_path / "home")) as other:
        threads = [threading.Thread(target=one.embed) for one in (brain, other)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    texts = [text for request in server.asked for text in request.body["input"]]
    assert len(texts) == len(set(texts)) == 60
    assert brain.embed()["waiting"] == 0


def test_the_key_is_in_no_reply_and_not_in_the_brain(
    brain: Brain, server: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GBRAIN_EMBEDDING_KEY", "sk-very-secret")
    configure(brain, model="keyed")
    brain.embed(stale=True)
    assert server.asked[-1].headers["Authorization"] == "Bearer sk-very-secret"
    server.answer = lambda body: (401, b"sk-very-secret")
    brain.put_page(slug="x", content="x")
    with pytest.raises(EmbedFailed) as failed:
        brain.embed()
    assert "secret" not in json.dumps(failed.value.envelope())
    brain.close()
    for path in (tmp_path / "home").rglob("*"):
        assert not path.is_file() or b"sk-very-secret" not in path.read_bytes()
