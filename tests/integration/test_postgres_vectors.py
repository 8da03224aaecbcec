"""Search by meaning on PostgreSQL, before and after pgvector is there."""

from pathlib import Path

import pytest

import databases
from gbrain.brain import join_database
from gbrain.errors import Unavailable
from gbrain.types import View


def test_without_pgvector_the_words_answer_and_the_reason_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GBRAIN_EMBEDDING_PROVIDER", "auto")
    server = databases.shared()
    with join_database(str(tmp_path / "home"), server.url(server.create())) as brain:
        brain.put_page(slug="note/tea", content="# Tea\n\nA hot beverage of green leaves.\n")
        with pytest.raises(Unavailable) as failed:
            brain.embed()
        assert failed.value.detail == {"reason": "no_vector_index"}
        view = View(("default",), True, brain.store.config.now())
        assert brain.meaning.nearest(view, "a warm drink", 3) == ([], "no_vector_index")
        assert brain.search("beverage")[0]["slug"] == "note/tea"
        brain.store.engine.rows("create extension vector")
        assert brain.embed()["waiting"] == 0
        found = brain.meaning.nearest(view, "a warm drink", 3)
        assert [(hit.kind, hit.ordinal) for hit in found.hits] == [("page", 0)]
        assert found.reason is None
