"""Dated evidence on pages."""

from typing import Any

import pytest

from gbrain.errors import InvalidParams, NotFound


def test_an_entry_is_added_once(local: Any, page: Any) -> None:
    page("people/a")
    entry = {"date": "2031-03-30", "summary": "Joined the harbour", "source": "chat", "detail": "As a pilot."}
    added = local("add_timeline_entry", slug="people/a", **{**entry, "summary": " Joined  the harbour\n"})
    assert added == {"status": "ok", "entry": entry}
    assert local("add_timeline_entry", slug="people/a", **entry) == {"status": "skipped", "reason": "duplicate"}
    assert local("get_timeline", slug="people/a") == [
        {"id": 1, "page_id": 1, **entry, "created_at": "2031-05-04T22:10:00.000Z"}
    ]


def test_dates_keep_their_precision_newest_first(local: Any, page: Any) -> None:
    page("people/a")
    for date in ("2030", "2031-03", "2031-03-30", "2031-12-01"):
        local("add_timeline_entry", slug="people/a", date=date, summary=f"in {date}")

    def dates(**more: Any) -> list[str]:
        return [row["date"] for row in local("get_timeline", slug="people/a", **more)]

    assert dates() == ["2031-12-01", "2031-03-30", "2031-03", "2030"]
    assert dates(limit=1) == ["2031-12-01"]
    assert dates(since="2031-03-31") == ["2031-12-01", "2031-03"]
    assert dates(after="2031", before="2031-03") == ["2031-03-30", "2031-03"]
    assert dates(until="2030") == ["2030"]
    assert dates(since="2031-03-30", until="2031-03-30") == ["2031-03-30", "2031-03"]
    assert dates(since="10w") == ["2031-12-01", "2031-03-30", "2031-03"]
    assert dates(since="2031") == ["2031-12-01", "2031-03-30", "2031-03"]


@pytest.mark.parametrize("date", ["2031-02-30", "2031-13", "2031-00-10", "soon", "30.03.2031", "", "2031-3-30"])
def test_dates_that_are_none_are_refused(local: Any, page: Any, date: str) -> None:
    page("people/a")
    with pytest.raises(InvalidParams) as caught:
        local("add_timeline_entry", slug="people/a", date=date, summary="x")
    assert "2031-03-30" in caught.value.suggestion


def test_bad_entries_and_bounds_are_refused(local: Any, page: Any) -> None:
    page("people/a")
    for summary in ("", " \n"):
        with pytest.raises(InvalidParams):
            local("add_timeline_entry", slug="people/a", date="2031", summary=summary)
    for bounds in ({"since": "garbage"}, {"until": "2031-02-30"}, {"since": "2031", "after": "2030"}, {"limit": 1001}):
        with pytest.raises(InvalidParams):
            local("get_timeline", slug="people/a", **bounds)
    with pytest.raises(NotFound):
        local("add_timeline_entry", slug="people/none", date="2031", summary="x")
    assert local("get_timeline", slug="people/none") == []
