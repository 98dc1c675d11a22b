"""Reports: valid, self-contained, and safe with whatever an agent wrote."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

from tests.suite.lines import line, manifest, text
from world.suite.report import write_reports
from world.suite.results import Results

EVIL = "<script>alert(1)</script>\x00\x1b & \"quoted\""


def reported(tmp_path: Path) -> Path:
    results = Results(tmp_path, manifest("a.x.0", "a.x.1", "b.x.0", attempts=2), resume=False)
    item = {"id": "close_ticket", "kind": "credit", "share": 0.0, "gate": True, "why": EVIL}
    for attempt in range(2):
        results.add(line("a.x.0", attempt, passed=True))
        results.add(line("a.x.1", attempt, items=[item], unclaimed=[{"change": "insert", "row": EVIL, "why": "not asked for"}]))
        results.add(line("b.x.0", attempt, status="crashed", score=None, error=EVIL))
    results.add(line("a.x.0", agent="null"))
    write_reports(tmp_path, results)
    return tmp_path


def test_the_page_loads_nothing_and_runs_nothing(tmp_path: Path) -> None:
    page = text(reported(tmp_path), "report.html")
    assert "<script" not in page and not re.search(r"\b(?:src|href)=|url\(|@import", page)
    assert "&lt;script&gt;" in page and "close_ticket" in page


def test_the_page_names_every_task_and_agent(tmp_path: Path) -> None:
    page = text(reported(tmp_path), "report.html")
    for name in ("a.x.0", "a.x.1", "b.x.0", "null", "pass@2", "pass^2", "2 lost"):
        assert name in page, name


def test_junit_tells_passes_fails_and_lost_runs_apart(tmp_path: Path) -> None:
    root = ElementTree.parse(reported(tmp_path) / "junit.xml").getroot()
    oracle = next(one for one in root if one.get("name") == "mixed.oracle")
    assert {name: oracle.get(name) for name in ("tests", "failures", "errors")} == {"tests": "6", "failures": "2", "errors": "2"}
    failure = next(oracle.iter("failure"))
    assert failure.text is not None and "close_ticket" in failure.text and "unclaimed insert" in failure.text


def test_the_figures_are_plain_data(tmp_path: Path) -> None:
    found = json.loads(text(reported(tmp_path), "report.json"))
    oracle = found["agents"][0]
    assert (oracle["agent"], oracle["runs"], oracle["crashed"], oracle["side_effects"]) == ("oracle", 6, 2, 2 / 6)
    assert oracle["pass_all"]["2"] == 1 / 3
