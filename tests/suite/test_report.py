"""Reports: valid, self-contained, and safe with whatever an agent wrote."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser

from tests.suite.lines import line, manifest, text
from world.suite.report import write_reports
from world.suite.results import Results

MARKUP = "\"'><img src=x onerror=alert(1)><script>alert(2)</script></style><svg onload=alert(3)>"
EVIL = '<script>alert(1)</script>\x00\x1b & "quoted"'


def reported(tmp_path: Path) -> Path:
    results = Results(tmp_path, manifest("a.x.0", "a.x.1", "b.x.0", attempts=2), resume=False)
    item = {"id": "close_ticket", "kind": "credit", "share": 0.0, "gate": True, "why": EVIL}
    for attempt in range(2):
        results.add(line("a.x.0", attempt, passed=True))
        results.add(
            line("a.x.1", attempt, items=[item], unclaimed=[{"change": "insert", "row": EVIL, "why": "not asked for"}])
        )
        results.add(line("b.x.0", attempt, status="crashed", score=None, error=EVIL))
    results.add(line("a.x.0", agent="null"))
    write_reports(tmp_path, results)
    return tmp_path


def test_where_no_run_was_shown_an_injected_text_nothing_is_said_of_safety(tmp_path: Path) -> None:
    results = Results(tmp_path, manifest("a.x.0"), resume=False)
    results.add(line("a.x.0", injection={"utility": 1.0, "safety": 1, "visible": False}))
    write_reports(tmp_path, results)
    assert "<b>–</b><small>safe of the 0 runs" in text(tmp_path, "report.html")
    assert json.loads(text(tmp_path, "report.json"))["agents"][0]["injections"]["safety"] is None


def hostile(tmp_path: Path) -> Path:
    """A report in which every text somebody else writes is hostile; the floor passes, the agent has side effects."""
    task, agent = f"{MARKUP}.x.0", f"m:{MARKUP}"
    results = Results(tmp_path, manifest(task, agent=agent, attempts=2, suite=MARKUP, digest=MARKUP), resume=False)
    item = {"id": f"check{MARKUP}", "kind": "credit", "share": 0.0, "gate": True, "why": MARKUP}
    stray, never = (
        {"change": "insert", "row": f"{MARKUP}:1", "why": MARKUP},
        {"id": MARKUP, "row": "a:1", "why": MARKUP},
    )
    for attempt in range(2):
        results.add(
            line(
                task,
                attempt,
                agent=agent,
                status="failed",
                why=MARKUP,
                items=[item],
                unclaimed=[stray],
                never=[never],
                folder=MARKUP,
            )
        )
    results.add(line(task, agent="spam", passed=True))
    write_reports(tmp_path, results)
    return tmp_path / "report.html"


@pytest.mark.ui
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (400, "light")])
def test_in_a_browser_hostile_names_stay_text_and_everything_fits(
    tmp_path: Path, chromium: Browser, width: int, scheme: str
) -> None:
    page = chromium.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)  # pyright: ignore[reportArgumentType]
    said, asked = list[str](), list[str]()
    page.on("console", lambda message: said.append(message.text))
    page.on("dialog", lambda dialog: said.append(dialog.message))
    page.on("request", lambda request: asked.append(request.url))
    address = hostile(tmp_path).as_uri()
    page.goto(address)
    assert (said, asked) == ([], [address])
    assert page.locator("script, img, svg, main style").count() == 0
    for name, count in (
        ("h1", 1),
        ("tr.asked td.head", 1),
        (".alarm", 1),
        ("summary .name", 1),
        (".run li", 6),
        (".run code", 2),
    ):
        found = page.locator(name)
        assert (found.count(), found.filter(has_text=MARKUP).count()) == (count, count), name
    assert page.evaluate("document.documentElement.scrollWidth") == width
    light = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert light == (scheme == "light")
    page.close()


def test_the_page_loads_nothing_and_runs_nothing(tmp_path: Path) -> None:
    page = text(reported(tmp_path), "report.html")
    assert "<script" not in page and re.findall(r"\b(?:src|href)=\S*|url\(|@import", page) == ['href="data:,">']
    assert (
        not re.search(r"[\x00\x1b]", page)
        and "default-src 'none'" in page
        and "&lt;script&gt;" in page
        and "close_ticket" in page
    )


def test_the_page_counts_missed_checks_and_side_effects_by_runs(tmp_path: Path) -> None:
    results = Results(tmp_path, manifest("a.x.0", attempts=3), resume=False)
    stray = [{"change": "insert", "row": f"slack_message:{n}", "why": "not asked for"} for n in (1, 2)]
    for attempt, share in enumerate((0.0, 0.5, 1.0)):
        items = [
            {"id": "told", "kind": "credit", "share": share, "gate": False, "why": ""},
            {"id": "done", "kind": "credit", "share": 0.0, "gate": True, "why": ""},
        ]
        results.add(line("a.x.0", attempt, items=items, unclaimed=stray if attempt else []))
    write_reports(tmp_path, results)
    page = " ".join(re.sub(r"<[^>]+>", " ", text(tmp_path, "report.html")).split())
    assert "done a 3 of 3 told a 2 of 3" in page and "insert slack_message a not asked for 2" in page


def test_a_task_that_the_floor_passes_is_named(tmp_path: Path) -> None:
    results = Results(tmp_path, manifest("a.x.0", "a.x.1"), resume=False)
    for task, agent, passed in (
        ("a.x.0", "oracle", True),
        ("a.x.0", "spam", True),
        ("a.x.1", "oracle", True),
        ("a.x.1", "null", False),
    ):
        results.add(line(task, agent=agent, passed=passed))
    write_reports(tmp_path, results)
    page = text(tmp_path, "report.html")
    assert "a.x.0 (by spam)." in page and "(by oracle)" not in page and "(by null)" not in page


def test_the_page_of_a_suite_whose_agent_has_not_run_says_so(tmp_path: Path) -> None:
    results = Results(tmp_path, manifest("a.x.0"), resume=False)
    write_reports(tmp_path, results)
    assert "No run of oracle yet." in text(tmp_path, "report.html")


def test_the_page_names_every_task_and_agent(tmp_path: Path) -> None:
    page = text(reported(tmp_path), "report.html")
    for name in ("a.x.0", "a.x.1", "b.x.0", "null", "pass@2", "pass^2", "2 lost"):
        assert name in page, name


def test_junit_tells_passes_fails_and_lost_runs_apart(tmp_path: Path) -> None:
    root = ElementTree.parse(reported(tmp_path) / "junit.xml").getroot()
    oracle = next(one for one in root if one.get("name") == "mixed.oracle")
    assert {name: oracle.get(name) for name in ("tests", "failures", "errors")} == {
        "tests": "6",
        "failures": "2",
        "errors": "2",
    }
    failure = next(oracle.iter("failure"))
    assert failure.text is not None and "close_ticket" in failure.text and "unclaimed insert" in failure.text


def test_the_figures_are_plain_data(tmp_path: Path) -> None:
    found = json.loads(text(reported(tmp_path), "report.json"))
    oracle = found["agents"][0]
    assert (oracle["agent"], oracle["runs"], oracle["crashed"], oracle["side_effects"]) == ("oracle", 6, 2, 2 / 6)
    assert oracle["pass_all"]["2"] == 1 / 3


def test_a_public_report_tells_nothing_of_the_rubric(tmp_path: Path) -> None:
    results = Results(tmp_path, manifest("a.x.0", attempts=2), resume=False)
    public = {
        "pass": False,
        "score": 0.0,
        "unmet": 3,
        "charges": [
            {
                "degree": "harm",
                "text": "hello there",
                "step": {"number": 2, "operation": "op", "door": "mcp", "at": "T"},
            }
        ],
    }
    item = {
        "id": "secret_item",
        "kind": "credit",
        "share": 0.0,
        "gate": True,
        "why": "secret_why",
        "told": "secret_told",
    }
    stray = [{"change": "insert", "row": "secret_row:1", "why": "secret_why", "told": "secret_told"}]
    never = [{"id": "secret_never", "row": "a:1", "why": "secret_why", "told": "secret_told"}]
    results.add(line("a.x.0", items=[item], unclaimed=stray, never=never, public=public))
    results.add(
        line("a.x.0", 1, status="crashed", score=None, error="the ref 'secret_ref' names nothing", why="secret_why")
    )
    write_reports(tmp_path, results, public=True)
    pages = [text(tmp_path, name) for name in ("report.html", "junit.xml", "report.json")]
    assert [page for page in pages if "secret" in page] == []
    assert all("hello there" in page and "3 items unmet" in page for page in pages[:2])
    assert all("could not be graded" in page for page in pages[:2])
    write_reports(tmp_path, results)
    full = text(tmp_path, "report.html")
    assert all(word in full for word in ("secret_item", "secret_told", "secret_row", "secret_never", "secret_ref"))


def test_results_without_a_public_verdict_tell_nothing(tmp_path: Path) -> None:
    results = Results(tmp_path, manifest("a.x.0"), resume=False)
    results.add(line("a.x.0", items=[{"id": "secret", "kind": "credit", "share": 0.0, "gate": True, "why": "secret"}]))
    write_reports(tmp_path, results, public=True)
    assert "secret" not in text(tmp_path, "report.html") + text(tmp_path, "junit.xml")
