"""Puts the figures of `make campaign` (reliability.json) into reliability.md, between its markers."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PAGE, RESULTS = HERE / "reliability.md", HERE / "reliability.json"


def table(results: Mapping[str, Any]) -> str:
    """What was run of each part, what must be 0 and is, and the other figures."""
    lines = ["| part | run | of the whole | must be 0 | also counted |", "|---|---|---|---|---|"]
    for name, entry in results.items():
        figures = dict(entry["figures"])
        done = figures.pop("done")
        never = "; ".join(f"{_spell(one)}: {figures.pop(one):,}" for one in entry["never"])
        others = "; ".join(f"{_spell(one)}: {value:,}" for one, value in figures.items() if not isinstance(value, dict))
        share = f"{done / entry['whole']:.1%} of {entry['whole']:,}" if entry["whole"] else f"scale {entry['scale']}"
        lines.append(f"| `{name}` | {done:,} {entry['unit']} | {share} | {never} | {others} |")
    return "\n".join(lines)


def circumstances(results: Mapping[str, Any]) -> str:
    """When, where and on which state of the code each part ran."""
    lines = [
        "| part | date | commit | machine | seconds of the processor | a million additions (ms) |",
        "|---|---|---|---|---|---|",
    ]
    for name, entry in results.items():
        machine = f"{entry['machine']['cores']} cores, Python {entry['machine']['python']}"
        lines.append(
            f"| `{name}` | {entry['date']} | `{entry['commit']}` | {machine} | {entry['cpu_s']:,} | {entry['loop_ms']} |"
        )
    return "\n".join(lines)


def bombs(results: Mapping[str, Any]) -> str:
    """Every bomb with its longest hold, the longest first."""
    held = results.get("bombs", {}).get("figures", {}).get("held_ms", {})
    lines = ["| bomb | longest hold (ms of the processor) |", "|---|---|"]
    ranked = sorted(held.items(), key=lambda one: (-one[1], one[0]))
    return "\n".join([*lines, *(f"| {name.replace('|', ' ')} | {value:,.1f} |" for name, value in ranked)])


def _spell(name: str) -> str:
    return name.replace("_ms", " (ms)").replace("_kb", " (KB)").replace("_", " ")


SECTIONS = {"table": table, "circumstances": circumstances, "bombs": bombs}


def write(page: str, results: Mapping[str, Any]) -> str:
    """The page with the figures between its markers. Raises ValueError when a marker is not there."""
    for name, render in SECTIONS.items():
        text = render(results)
        page, count = re.subn(
            rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", lambda m, text=text: f"{m[1]}{text}\n{m[2]}", page, flags=re.S
        )
        if count != 1:
            raise ValueError(f"the page has no markers for {name}")
    return page


if __name__ == "__main__":
    found = json.loads(RESULTS.read_text(encoding="utf-8"))
    PAGE.write_text(write(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")
