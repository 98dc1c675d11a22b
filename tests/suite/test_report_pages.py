"""The pages of runs: readable from disk, linked both ways, safe with whatever a run holds."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.suite.lines import line, manifest, text
from tests.world.studio.exports.run_folders import CALL, ask, visit, write_run
from world.suite.report import write_reports
from world.suite.report_pages import MAX_LISTED, MAX_TEXT, STEPS
from world.suite.results import Results

BAD = "\"'><img src=x onerror=alert(1)><script>alert(2)</script></style>\x00"
CHANGE: dict[str, Any] = {"call_seq": 1, "table": "slack_message", "pk": [4], "op": "insert", "before": None}


def write_suite(folder: Path, *rows: dict[str, Any], public: bool = False, grade: Any = None, **run: Any) -> Path:
    """A report over one run of the agent and one of the floor."""
    results = Results(folder, manifest("a.x.0"), resume=False)
    write_run(folder / "runs" / "a.x.0-0", *rows, score=0.5, **run)
    write_run(folder / "runs" / "floor", *rows)
    if grade is not None:
        (folder / "runs" / "a.x.0-0" / "grade.json").write_text(json.dumps(grade))
    results.add(line("a.x.0"))
    results.add(line("a.x.0", agent="null", folder="floor"))
    write_reports(folder, results, public=public)
    return folder / "pages"


def test_a_run_is_shown_step_by_step_and_found_from_the_report(tmp_path: Path) -> None:
    event = {**CALL, "seq": 0, "at": 1, "ended_at": 1, "actor": "system:world", "operation": "mail.arrives"}
    change = {**CHANGE, "id": 8, "after": {"text": "hello"}}
    reason = {"expected": "a message says 5", "found": "it says 6", "step": {"number": 1}}
    item = {"id": "told", "share": 0.0, "why": "not told", "journal": [8], "reasons": [reason]}
    met = {"id": "seen", "share": 1.0, "why": "", "journal": [8], "reasons": []}
    pages = write_suite(
        tmp_path,
        ask(5, "five"),
        visit("/slack/x", "done", events=[event], diff=[change]),
        grade={"score": 0.5, "items": [item, met], "unclaimed": [], "never": []},
    )
    assert [path.name for path in pages.iterdir()] == ["a.x.0-0.html"]
    assert 'href="pages/a.x.0-0.html"' in text(tmp_path, "report.html") and "firm studio" in text(
        tmp_path, "report.html"
    )
    page = text(pages, "a.x.0-0.html")
    for words in ("wait seconds=5", "five", "POST /slack/x?a=1", "done", "mail.arrives", "slack_message 4 text=hello"):
        assert words in page, words
    assert "told — not told — a message says 5 it says 6" in page
    assert page.count('href="a.x.0-0.html#step-1"') == 1 and page.count('href="a.x.0-0.html#step-2"') == 2
    assert 'id="step-2"' in page and 'href="../report.html"' in page
    assert 'href="http://127.0.0.1:8410/runs/runs/a.x.0-0"' in page


def test_a_public_page_has_what_the_agent_saw_and_nothing_of_the_rubric(tmp_path: Path) -> None:
    item = {"id": "secret", "share": 0.0, "why": "secret", "journal": [8], "reasons": []}
    change = {**CHANGE, "id": 8, "after": {"text": "hidden"}}
    grade = {"score": 0.5, "items": [item]}
    page = text(write_suite(tmp_path, ask(5, "five", diff=[change]), public=True, grade=grade), "a.x.0-0.html")
    assert "five" in page and "secret" not in page and "hidden" not in page


def test_a_page_loads_nothing_and_hostile_texts_stay_texts(tmp_path: Path) -> None:
    row = ask(
        1, BAD, operation=BAD, status=BAD, door=BAD, diff=[{**CHANGE, "id": 1, "table": BAD, "after": {BAD: BAD}}]
    )
    row["request"] = {"surface": BAD, "tool": BAD, "arguments": {BAD: BAD}}
    event = {**CALL, "at": 1, "actor": BAD, "operation": BAD}
    item = {"id": BAD, "share": 0.0, "why": BAD, "journal": [], "reasons": []}
    page = text(write_suite(tmp_path, {**row, "events": [event]}, grade={"items": [item]}, task=BAD), "a.x.0-0.html")
    assert "<script" not in page and "<img" not in page and "\x00" not in page and "&lt;script&gt;" in page
    assert page.count("</style>") == 1 and "default-src 'none'" in page
    assert not re.findall(r"\bsrc=[\"']|url\(|@import", page)


@pytest.mark.ui
@pytest.mark.parametrize("width", [1280, 1920, 400])
def test_in_a_browser_a_page_runs_and_asks_nothing_and_fits(tmp_path: Path, chromium: Browser, width: int) -> None:
    pages = write_suite(tmp_path, ask(1, BAD * 50), visit("/" + "x" * 900, BAD), task=BAD)
    page = chromium.new_page(viewport={"width": width, "height": 800})
    said, asked = list[str](), list[str]()
    page.on("console", lambda message: said.append(message.text))
    page.on("dialog", lambda dialog: said.append(dialog.message))
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "report.html").as_uri())
    page.locator(".run a").click()
    assert page.url == (pages / "a.x.0-0.html").as_uri() and page.locator("section").count() == 2
    assert said == [] and all(url.startswith("file:") for url in asked)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.close()


def test_a_long_run_has_several_pages_and_long_texts_are_cut(tmp_path: Path) -> None:
    many = [{**CHANGE, "id": number, "after": {"n": number}} for number in range(MAX_LISTED + 3)]
    rows = [ask(number) for number in range(STEPS)]
    pages = write_suite(tmp_path, *rows, ask(7, "x" * (MAX_TEXT + 9)), ask(8, diff=many))
    assert sorted(path.name for path in pages.iterdir()) == ["a.x.0-0.1.html", "a.x.0-0.html"]
    first, second = text(pages, "a.x.0-0.html"), text(pages, "a.x.0-0.1.html")
    assert f'id="step-{STEPS}"' in first and f'id="step-{STEPS + 1}"' not in first
    assert f'id="step-{STEPS + 1}"' in second and "cut; the run" in second and "and 3 more" in second
    assert 'href="a.x.0-0.1.html"' in first


def test_a_run_that_cannot_be_read_has_no_page_and_no_other_folder_is_looked_at(tmp_path: Path) -> None:
    results = Results(tmp_path, manifest("a.x.0", attempts=3), resume=False)
    write_run(tmp_path / "runs" / "cut", ask(1))
    (tmp_path / "runs" / "cut" / "trajectory.jsonl").write_text("{")
    write_run(tmp_path / "elsewhere", ask(1))
    for attempt, folder in enumerate(("cut", "../elsewhere", "gone")):
        results.add(line("a.x.0", attempt, folder=folder))
    write_reports(tmp_path, results)
    assert list((tmp_path / "pages").iterdir()) == [] and "runs/cut" in text(tmp_path, "report.html")
