"""Puts the figures of `firm bench --json FILE` into the README, between its markers."""

import json
import re
import sys
from pathlib import Path
from typing import Any

README = Path(__file__).parents[1] / "README.md"
NAMES = {
    "fork_us": "fork, bind, first query (µs, median)",
    "fork_at_step_1000_us": "fork at step 1,000, bind, first query (µs)",
    "diff_us_20_changes": "net diff of 20 changes (µs)",
    "idle_world_kb": "an idle world in memory (KB)",
    "worlds_held": "worlds held at once in one process",
    "worlds_held_mb": "their memory (MB)",
    "rest_read_x_echo": "REST read, times a bare echo",
    "rest_write_x_echo": "REST write, times a bare echo",
    "mcp_call_x_sdk_echo": "MCP call, times an echo of the SDK",
    "episodes_per_s_inprocess": "episodes/s, in process, all cores",
    "episodes_per_s": "episodes/s over HTTP, all cores",
    "gmail_search_ms_50k": "a search of 50,000 mails, first page (ms)",
    "gmail_send_x_echo": "a mail sent and delivered over REST, times a bare echo",
    "gmail_inbox_load_ms": "an inbox of 50,000 mails loads in Chromium (ms)",
    "git_clone_1000_commits_s": "`git clone` of 1,000 commits (s)",
    "git_push_ms": "`git push` of one commit (ms)",
    "merge_pr_ms": "a pull request merged over REST, 1,000 commits (ms)",
    "pr_diff_ms": "the difference of a pull request of 30 files over REST (ms)",
    "graphql_issues_x_echo": "a GraphQL list of 30 issues, times a bare echo",
    "github_pr_page_ms": "a pull request loads in Chromium (ms)",
    "sheet_edit_recalc_ms_10k": "a cell edited under 10,000 formulas, over REST (ms)",
    "sheet_open_ms_10k": "a sheet of 10,000 × 26 cells loads in Chromium (ms)",
    "sheet_values_get_x_echo": "1,000 cells read over REST, times a bare echo",
    "xlsx_import_ms_10k": "an xlsx file of 10,000 × 26 cells becomes a spreadsheet (ms)",
    "hostile_formula_ms_max": "the dearest of 3,000 hostile formulas (ms of processor time)",
    "hostile_hold_ms_max": "the longest hold of the store's thread over all bombs (ms of processor time)",
    "calm_p99_x_quiet": "p99 of 56 calm worlds beside 8 hostile ones / without these",
    "grade_ms_200": "a verdict over 200 changed rows (ms)",
    "grade_over_http_ms": "a verdict over HTTP, smallest scenario (ms)",
    "grade_over_http_ms_largest": "a verdict over HTTP, largest scenario (ms)",
    "graded_episodes_per_s": "graded episodes/s over HTTP, all cores",
    "graded_episodes_per_s_workers2": "graded episodes/s over HTTP, two workers, two clients",
    "workers2_x_one_worker": "the same, times one worker's",
    "openenv_step_ms": "a step over OpenEnv's wire (ms, median)",
    "inprocess_call_us": "a call in the process (µs, median)",
    "mcp_episodes_per_s": "graded episodes of 30 MCP calls per second, a server per core",
    "restart_10000_worlds_s": "restart over 10,000 worlds to the first answer (s)",
    "gate_s": "the gate of one scenario, one seed, in process (s)",
    "suite_null_s": "the suite `smoke` with an agent that does nothing (s)",
    "suite_core_null_s": "the suite `core` with an agent that does nothing (s)",
    "suite_core_oracle_s": "the suite `core` with the solutions over REST (s)",
    "pool_episodes_per_s": "graded runs/s of an agent that does nothing, all cores",
    "oracle_mcp_s": "the slowest scenario's own solution through MCP (s)",
    "studio_open_ms_5000_steps": "the studio: first page of a run of 5,000 steps (ms)",
    "studio_scrub_ms": "the studio: a step and the world at it (ms)",
    "fork_and_continue_ms": "the studio: a fork at a step and one call in it (ms)",
    "oracle_ui_s": "the slowest scenario's own solution in Chromium (s)",
    "cold_start_s": "cold start of the command (s)",
}


def table(figures: dict[str, Any]) -> str:
    """The figures as a Markdown table, with the machine under it."""
    rows = [f"| {words} | {_render_figure(figures[name])} |" for name, words in NAMES.items() if name in figures]
    machine = ", ".join(f"{name} {value}" for name, value in figures.get("machine", {}).items())
    loops = sorted(figures.get("loop_ms", {}).values())
    speed = f" A million additions in Python took {loops[0]:.0f} to {loops[-1]:.0f} ms meanwhile." if loops else ""
    return "\n".join(["| figure | measured |", "|---|---|", *rows, "", f"Machine: {machine}.{speed}"])


def _render_figure(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{_render_figure(one)} at {size} MB" for size, one in value.items())
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def replace_figures(readme: str, figures: dict[str, Any]) -> str:
    """Replace the figures of the README. Raises ValueError when the markers are not there."""
    text, count = re.subn(
        r"(<!-- figures -->\n).*?(<!-- /figures -->)", lambda m: f"{m[1]}{table(figures)}\n{m[2]}", readme, flags=re.S
    )
    if count != 1:
        raise ValueError("the README has no figures markers")
    return text


if __name__ == "__main__":
    found = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    README.write_text(replace_figures(README.read_text(encoding="utf-8"), found), encoding="utf-8")
