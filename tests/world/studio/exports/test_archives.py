"""HTTP archives and tables."""

import json
from pathlib import Path

import pytest

from tests.world.studio.exports.run_folders import CALL, ask, open_source, visit, write_run
from world.run.home import Home
from world.run.trajectory_reader import TrajectoryError
from world.studio.exports.columns import COLUMNS
from world.studio.exports.har import export_archive, render_moment
from world.studio.exports.table_file import fits
from world.studio.exports.tables import list_rows


def test_an_archive_has_a_page_a_run_and_an_entry_a_request(home: Home, tmp_path: Path) -> None:
    image = {"base64": "/wA="}
    write_run(tmp_path / "runs" / "a", visit("/slack/x", "done"), visit("/y", image), visit("/z", within=2), score=None)
    write_run(tmp_path / "runs" / "b", ask(1))
    source, told = open_source(home, tmp_path / "runs")
    assert export_archive(source, tmp_path / "out.har") == 3
    assert told == ["b: has no request over HTTP"]
    log = json.loads((tmp_path / "out.har").read_text())["log"]
    assert log["version"] == "1.2" and [page["id"] for page in log["pages"]] == ["a"]
    first, second, _ = log["entries"]
    assert first["request"]["url"] == "http://127.0.0.1/slack/x?a=1&b="
    assert first["request"]["queryString"] == [{"name": "a", "value": "1"}, {"name": "b", "value": ""}]
    assert first["request"]["postData"]["text"] == "{}" and first["pageref"] == "a"
    assert first["response"]["content"] == {"size": 4, "mimeType": "text/plain", "text": "done"}
    assert second["response"]["content"] == {
        "size": 2,
        "mimeType": "text/plain",
        "text": "/wA=",
        "encoding": "base64",
    }
    assert first["startedDateTime"].startswith("2001-09-09T01:46:40") and first["time"] == 0.005


def test_a_broken_request_ends_its_run_and_the_archive_stays_whole(home: Home, tmp_path: Path) -> None:
    write_run(tmp_path / "runs" / "a", visit("/x"), visit("/y", response={"status": "?"}))
    write_run(tmp_path / "runs" / "b", visit("/z"))
    source, told = open_source(home, tmp_path / "runs")
    assert export_archive(source, tmp_path / "out.har") == 2 and len(told) == 1
    assert len(json.loads((tmp_path / "out.har").read_text())["log"]["entries"]) == 2
    with pytest.raises(TrajectoryError):
        render_moment(10**30)


def test_tables_have_the_runs_their_steps_calls_and_changes(home: Home, tmp_path: Path) -> None:
    change = {"id": 1, "call_seq": 1, "table": "t", "pk": [4], "op": "insert", "before": None, "after": {"id": 4}}
    event = {**CALL, "seq": 0, "at": 1, "ended_at": 1, "actor": "system:world", "door": "world"}
    write_run(tmp_path / "a", ask(1, "seen", diff=[change], events=[event]))
    (tmp_path / "a" / "harness.jsonl").write_text('{"kind":"time","step":1,"at_s":0.5}\n')
    source, _ = open_source(home, tmp_path / "a")
    (run,) = source.list_runs()
    rows = list(list_rows(run))
    assert [row.table for row in rows] == ["runs", "steps", "calls", "calls", "changes"]
    assert all(set(row.values) == set(COLUMNS[row.table]) for row in rows)
    assert all(fits(row.values[name], kind) for row in rows for name, kind in COLUMNS[row.table].items())
    step, (by_world, by_agent), changed = rows[1].values, rows[2:4], rows[4].values
    assert step["title"] == "wait seconds=1" and step["changed_rows"] == 1 and step["real_at_s"] == 0.5
    assert "seen" in step["response"]
    assert (by_world.values["by_agent"], by_agent.values["by_agent"]) == (False, True)
    assert (changed["pk"], changed["before"], changed["after"]) == ("[4]", None, '{"id":4}')


def test_a_column_holds_only_its_kind() -> None:
    kinds = {"text": ("a", 1), "whole": (1, 2**63), "number": (1.5, "x"), "truth": (True, 1)}
    assert all(fits(good, kind) and not fits(bad, kind) for kind, (good, bad) in kinds.items())
    assert not fits("\ud800", "text") and fits(None, "text")
