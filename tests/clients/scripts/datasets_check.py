"""Loads exports with `datasets`, and writes and reads tables with pyarrow. Prints a report."""

import json
import sys
from pathlib import Path

import pyarrow.parquet
from datasets import load_dataset

from world.studio.exports.columns import COLUMNS
from world.studio.exports.table_file import TableFile

folder = Path(sys.argv[1])
found = {
    name: load_dataset("json", data_files=str(folder / f"{name}.jsonl"), split="train", cache_dir=str(folder / "cache"))
    for name in ("sft", "preferences", "grpo")
}
rows = json.loads((folder / "rows.json").read_text(encoding="utf-8"))
for table in COLUMNS:
    with TableFile(folder / f"{table}.parquet", table) as file:
        for values in rows[table]:
            file.add(values)
tables = {table: pyarrow.parquet.read_table(folder / f"{table}.parquet").to_pylist() for table in COLUMNS}
first = found["sft"][0]
print(
    json.dumps(
        {
            "rows": {name: one.num_rows for name, one in found.items()},
            "roles": [message["role"] for message in first["messages"]],
            "arguments": first["messages"][1]["tool_calls"][0]["function"]["arguments"],
            "tools": [one["function"]["name"] for one in json.loads(first["tools"])],
            "advantages": found["grpo"]["advantage"][:],
            "same": tables == rows,
            "left": sorted(path.name for path in folder.glob("*.part")),
        }
    )
)
