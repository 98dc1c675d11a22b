"""Exports as `datasets` and pyarrow read them, in an environment of their own."""

import json
from pathlib import Path

from tests.clients.day import interpreter, run
from tests.world.studio.exports.run_folders import ask, open_source, open_writer, write_run
from world.run.home import Home
from world.run.trajectory import Origin
from world.studio.exports.columns import COLUMNS
from world.studio.exports.grpo import export_groups
from world.studio.exports.preferences import export_preferences
from world.studio.exports.sft import export_conversations
from world.studio.exports.tables import list_rows

ROOT = Path(__file__).parents[2]


def test_exports_are_tables_of_datasets_and_parquet_keeps_every_value(home: Home, tmp_path: Path) -> None:
    change = {"id": 1, "call_seq": 1, "table": "t", "pk": [4], "op": "insert", "before": None, "after": {"id": 4}}
    write_run(tmp_path / "runs" / "a", ask(1, "one"), ask(2, "é\n", diff=[change]), score=0.0)
    write_run(tmp_path / "runs" / "b", ask(1, "one"), ask(3), score=1.0, origin=Origin(run="a", step=1, seq=1))
    source, _ = open_source(home, tmp_path / "runs")
    writer = open_writer()
    export_conversations(source, writer, tmp_path / "sft.jsonl")
    export_preferences(source, writer, tmp_path / "preferences.jsonl")
    export_groups(source, writer, tmp_path / "grpo.jsonl")
    rows = [row for one in source.list_runs() for row in list_rows(one)]
    tables = {table: [dict(row.values) for row in rows if row.table == table] for table in COLUMNS}
    (tmp_path / "rows.json").write_text(json.dumps(tables), encoding="utf-8")
    offline = {"HF_DATASETS_OFFLINE": "1", "HF_HOME": str(tmp_path / "hub")}
    report = run(interpreter("datasets"), "datasets_check.py", str(tmp_path), PYTHONPATH=str(ROOT), **offline)
    assert report["rows"] == {"sft": 2, "preferences": 1, "grpo": 2}
    assert report["roles"] == ["user", "assistant", "tool", "assistant", "tool"]
    assert report["arguments"] == '{"seconds":1}' and report["tools"] == ["now", "wait", "finish"]
    assert [round(one, 2) for one in report["advantages"]] == [-1.0, 1.0]
    assert report["same"] and report["left"] == []
