"""The error tree: codes, exit codes, statuses and the envelope every transport sends."""

import json

import pytest

import gbrain
from gbrain import errors
from gbrain.errors import (
    BrainError,
    Internal,
    InvalidParams,
    InvalidToken,
    NotFound,
    ProvenanceRequired,
    ScopeDenied,
    Unavailable,
    UnknownTool,
    VersionConflict,
)

TREE: list[tuple[type[BrainError], str, int, int]] = [
    (InvalidParams, "invalid_params", 2, 400),
    (ProvenanceRequired, "provenance_required", 2, 400),
    (UnknownTool, "unknown_tool", 2, 404),
    (NotFound, "not_found", 3, 404),
    (ScopeDenied, "scope_denied", 4, 403),
    (InvalidToken, "invalid_token", 4, 401),
    (VersionConflict, "version_conflict", 5, 409),
    (Unavailable, "unavailable", 6, 503),
    (Internal, "internal", 1, 500),
]


@pytest.mark.parametrize(("kind", "code", "exit_code", "status"), TREE, ids=lambda value: str(value))
def test_each_error_has_its_codes(kind: type[BrainError], code: str, exit_code: int, status: int) -> None:
    assert (kind.code, kind.exit_code, kind.http_status) == (code, exit_code, status)
    assert issubclass(kind, BrainError)
    assert kind.__doc__


def test_the_tree_is_whole() -> None:
    classes = {value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, BrainError)}
    assert classes == {kind for kind, *_ in TREE} | {BrainError}
    assert {kind.__name__ for kind in classes} <= set(gbrain.__all__)


def test_a_missing_origin_is_a_bad_argument() -> None:
    with pytest.raises(InvalidParams):
        raise ProvenanceRequired("a fact needs its origin", "pass provenance")


class TestEnvelope:
    def test_what_it_holds(self) -> None:
        error = NotFound("there is no such fact", "run: gbrain recall")
        expected = {"error": "not_found", "message": "there is no such fact", "suggestion": "run: gbrain recall"}
        assert error.envelope() == expected
        assert error.envelope(verb=True) == {**expected, "protocol_version": 1}
        assert str(error) == error.message == "there is no such fact"

    @pytest.mark.parametrize("detail", [{"reason": "busy"}, "iso_duration", [], 0, False, ""])
    def test_a_detail_rides_along_when_there_is_one(self, detail: object) -> None:
        body = Unavailable("m", "s", detail=detail).envelope()
        assert body["detail"] == detail
        assert json.loads(json.dumps(body)) == body

    def test_none_is_no_detail(self) -> None:
        assert "detail" not in Unavailable("m", "s", detail=None).envelope()

    def test_a_suggestion_must_be_given(self) -> None:
        with pytest.raises(TypeError):
            InvalidParams("only a message")  # type: ignore[call-arg]


class TestRevived:
    @pytest.mark.parametrize("kind", [row[0] for row in TREE], ids=lambda kind: kind.__name__)
    def test_an_error_comes_back_as_it_was(self, kind: type[BrainError]) -> None:
        error = kind("what is wrong", "run: gbrain doctor", detail={"reason": "x"})
        again = errors.revived(error.envelope(verb=True))
        assert type(again) is kind
        assert again.envelope() == error.envelope()

    def test_an_unknown_code_is_kept_and_nothing_has_to_be_there(self) -> None:
        error = errors.revived({"error": "too_warm"})
        assert (error.code, error.message, error.exit_code) == ("too_warm", "too_warm", 1)
        assert error.suggestion
        assert BrainError.code == "internal"
        assert errors.revived({}).suggestion
