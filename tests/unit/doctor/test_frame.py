"""The frame: order, needs, the report, its text and its exit code."""

import re
from pathlib import Path

import pytest

from gbrain import doctor
from gbrain.doctor.frame import MODULES, Check, Finding, Patient, Status, added_up, examine

ROOT = Path(__file__).parents[3]


def a_check(name: str, finding: Finding, needs: tuple[str, ...] = ()) -> Check:
    return Check(name, name, needs, "brain", lambda patient: finding)


def statuses(patient: Patient, *items: Check) -> dict[str, str]:
    return {row["name"]: row["status"] for row in examine(list(items), patient)}


@pytest.fixture
def patient(tmp_path: Path) -> Patient:
    return Patient(str(tmp_path), fast=False)


@pytest.mark.parametrize(
    ("first", "second"), [("ok", "ok"), ("warn", "ok"), ("fail", "skipped"), ("skipped", "skipped")]
)
def test_what_was_not_run_is_skipped(patient: Patient, first: Status, second: Status) -> None:
    items = [a_check("a", Finding(first, "")), a_check("b", Finding("ok", ""), ("a",)), a_check("c", Finding("ok", ""))]
    assert statuses(patient, *items) == {"a": first, "b": second, "c": "ok"}


def test_skipping_goes_on_down_the_line(patient: Patient) -> None:
    items = [
        a_check("a", Finding("fail", "broken")),
        a_check("b", Finding("ok", ""), ("a",)),
        a_check("c", Finding("ok", ""), ("b",)),
    ]
    rows = examine(items, patient)
    assert [row["status"] for row in rows] == ["fail", "skipped", "skipped"]
    assert rows[1]["message"] == "not run: it needs a"


def test_a_check_that_breaks_has_failed_and_says_nothing_private(patient: Patient) -> None:
    def broken(patient: Patient) -> Finding:
        raise KeyError("a person's text")

    (row,) = examine([Check("a", "A", (), "ops", broken)], patient)
    assert row["status"] == "fail"
    assert "KeyError" in row["message"]
    assert "person" not in str(row)


def test_optional_members_are_left_out(patient: Patient) -> None:
    plain, full = examine(
        [a_check("a", Finding("ok", "fine")), a_check("b", Finding("warn", "odd", "gbrain init", ("more",)))], patient
    )
    assert plain == {"name": "a", "status": "ok", "message": "fine", "category": "brain"}
    assert full["fix"] == "gbrain init"
    assert full["details"] == ["more"]


def a_report(*findings: Finding) -> doctor.DoctorReply:
    rows = examine([a_check(f"c{at}", finding) for at, finding in enumerate(findings)], Patient("/", fast=False))
    return added_up(rows)


OK, WARN, FAIL, SKIP = (Finding(status, f"it is {status}") for status in ("ok", "warn", "fail", "skipped"))


@pytest.mark.parametrize(
    ("findings", "status", "complete", "code"),
    [
        ((OK, OK), "healthy", True, 0),
        ((OK, SKIP), "healthy", False, 0),
        ((WARN, OK), "warnings", True, 0),
        ((WARN, FAIL, SKIP), "unhealthy", False, 1),
    ],
)
def test_the_worst_finding_decides(findings: tuple[Finding, ...], status: str, complete: bool, code: int) -> None:
    found = a_report(*findings)
    assert (found["status"], found["complete"], doctor.exit_code(found)) == (status, complete, code)
    assert found["schema_version"] == 2


def test_failures_come_before_warnings() -> None:
    assert [row["name"] for row in a_report(WARN, OK, FAIL, SKIP)["top_issues"]] == ["c2", "c0"]


def test_details_and_fix_stand_indented_under_their_check() -> None:
    text = doctor.render(a_report(OK, Finding("fail", "broken", "gbrain init", ("one", "two"))))
    assert text.splitlines() == [
        "unhealthy: 2 checks run",
        "[OK]   c0: it is ok",
        "[FAIL] c1: broken",
        "       one",
        "       two",
        "       fix: gbrain init",
    ]


def test_six_lines_after_a_name_show_its_details_and_its_fix() -> None:
    text = doctor.render(a_report(Finding("warn", "odd", "gbrain init", tuple("abcdefgh"))))
    lines = text.splitlines()
    assert lines[-2:] == ["       4 more: gbrain doctor --json", "       fix: gbrain init"]
    assert len(lines) - 1 <= 1 + 6


def test_a_part_is_never_told_as_the_whole() -> None:
    assert "1 not run" in doctor.render(a_report(OK, SKIP)).splitlines()[0]
    assert "not run" not in doctor.render(a_report(OK, WARN)).splitlines()[0]


@pytest.mark.guard
def test_names_are_unique_and_needs_come_first() -> None:
    seen: set[str] = set()
    for item in doctor.checks():
        assert item.name not in seen
        assert set(item.needs) <= seen, f"{item.name} needs what runs after it: see MODULES in doctor/frame.py"
        assert item.title
        seen.add(item.name)
    assert len(seen) > 20


@pytest.mark.guard
def test_every_module_with_a_check_is_run() -> None:
    folder = ROOT / "src" / "gbrain" / "doctor"
    declaring = {path.stem for path in folder.glob("*.py") if "\n@check(" in path.read_text(encoding="utf-8")}
    assert declaring ^ set(MODULES) == set(), "MODULES in src/gbrain/doctor/frame.py: a module not there never runs"


@pytest.mark.guard
def test_every_check_has_its_section() -> None:
    page = (ROOT / "docs" / "reference" / "doctor.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## `([\w.]+)`$", page, re.MULTILINE)
    assert sections == [item.name for item in doctor.checks()], (
        "docs/reference/doctor.md: a section for each check, in the order in which they run"
    )
    untitled = [f"{item.name}: {item.title}" for item in doctor.checks() if item.title not in page]
    assert untitled == [], "docs/reference/doctor.md: a section begins with the title of its check"


def test_a_home_that_cannot_be_told_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GBRAIN_HOME", "not/absolute")
    found = doctor.report()
    by_name = {row["name"]: row for row in found["checks"]}
    assert by_name.pop("home")["status"] == "fail"
    assert {row["status"] for row in by_name.values()} == {"skipped"}
    assert found["top_issues"][0]["fix"] == "export GBRAIN_HOME=/absolute/folder"
