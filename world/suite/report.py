"""Reports of a suite: JUnit for machines, one self-contained page for people."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from world.grading.reasons.public import explain_public
from world.suite.report_pages import clean_text, open_templates, write_run_pages
from world.suite.results import Results
from world.suite.statistics import Line, rows
from world.suite.suite_runner import FLOOR

UNGRADED = "could not be graded"


def write_reports(folder: Path, results: Results, *, public: bool = False) -> None:
    """Write `junit.xml`, `report.json`, `report.html` and the pages of runs of what there is so far; `public`: with
    nothing of the rubrics. Raises OSError.
    """
    lines = results.latest()
    (folder / "junit.xml").write_bytes(junit(results.manifest.suite, lines, public=public))
    (folder / "report.json").write_text(json.dumps(figures(results), indent=1) + "\n", encoding="utf-8")
    agent = results.manifest.agent
    pages = write_run_pages(folder, [line for line in lines if line["agent"] == agent], public=public)
    (folder / "report.html").write_text(clean_text(page(results, public=public, pages=pages)), encoding="utf-8")


def figures(results: Results) -> dict[str, Any]:
    """Every agent's figures as plain data."""
    manifest = results.manifest
    found = [
        {
            "agent": row.agent,
            "tasks": row.tasks,
            "runs": row.runs,
            "crashed": row.crashed,
            "pass": {"mean": row.passed.mean, "low": row.passed.low, "high": row.passed.high},
            "score": row.score,
            "pass_at": {str(k): value for k, value in row.pass_at.items()},
            "pass_all": {str(k): value for k, value in row.pass_all.items()},
            "side_effects": row.side_effects,
            "trusted": row.trusted,
            "doubts": list(row.doubts),
            "steps": row.steps,
            "simulated_s": row.simulated_s,
            **({} if row.injections is None else {"injections": asdict(row.injections)}),
        }
        for row in rows(results.latest(), manifest)
    ]
    return {"suite": manifest.suite, "digest": manifest.digest, "door": manifest.door, "agents": found}


def junit(suite: str, lines: Sequence[Mapping[str, Any]], *, public: bool = False) -> bytes:
    """The runs as test cases; a fail names what was missing, a lost run is an error."""
    root = ElementTree.Element("testsuites", name=suite)
    for agent in sorted({line["agent"] for line in lines}):
        mine = [line for line in lines if line["agent"] == agent]
        failed, crashed = (
            [one for one in mine if not one["pass"] and not _is_lost(one)],
            [one for one in mine if _is_lost(one)],
        )
        counts = {"tests": len(mine), "failures": len(failed), "errors": len(crashed)}
        attributes = {"name": f"{suite}.{agent}", **{name: str(count) for name, count in counts.items()}}
        found = ElementTree.SubElement(root, "testsuite", attributes)
        for line in mine:
            _case(found, line, public)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"


def _is_lost(line: Mapping[str, Any]) -> bool:
    return line["error"] is not None


def _case(parent: ElementTree.Element, line: Mapping[str, Any], public: bool) -> None:
    name = f"{line['task']} {line['attempt'] + 1}"
    case = ElementTree.SubElement(
        parent, "testcase", classname=line["scenario"], name=name, time=f"{line['wall_s']:.3f}"
    )
    if _is_lost(line):
        ElementTree.SubElement(case, "error", message=clean_text(UNGRADED if public else line["error"]))
    elif not line["pass"]:
        ElementTree.SubElement(case, "failure", message=f"score {line['score']}").text = clean_text(
            "\n".join(public_reasons(line) if public else reasons(line))
        )


def reasons(line: Mapping[str, Any]) -> list[str]:
    """List the reasons why a run did not pass, a line each."""
    if line["error"]:
        return [line["error"]]
    found = [
        f"{one['id']}: {one['why'] or 'not met'}{_describe_reason(one)}" for one in line["items"] if one["share"] < 1
    ]
    found += [
        f"unclaimed {one['change']} {one['row']}: {one['why']}{_describe_reason(one)}" for one in line["unclaimed"]
    ]
    return found + [f"never {one['id']}: {one['why']}{_describe_reason(one)}" for one in line["never"]]


def _describe_reason(one: Mapping[str, Any]) -> str:
    """The clause, its values and the step; lines of older results have none."""
    return f" — {one['told']}" if one.get("told") else ""


def public_reasons(line: Mapping[str, Any]) -> list[str]:
    """List the reasons why a run did not pass, without anything of the rubric."""
    return [UNGRADED] if _is_lost(line) or "public" not in line else explain_public(line["public"])


def page(results: Results, *, public: bool = False, pages: Mapping[str, str] | None = None) -> str:
    """The report as one HTML page that loads nothing; `public`: with nothing of the rubrics. `pages` are the addresses
    of the pages of runs, by folder.
    """
    lines, agent = results.latest(), results.manifest.agent
    mine, found = [line for line in lines if line["agent"] == agent], rows(lines, results.manifest)
    return (
        open_templates()
        .get_template("report.html")
        .render(
            pages=pages or {},
            manifest=results.manifest,
            rows=found,
            ks=[k for k in (found[0].pass_at if found else ()) if k > 1],
            tasks=_tasks(mine),
            items=[] if public else _items(mine),
            effects=[] if public else _effects(mine),
            public=public,
            worthless=_worthless(lines, agent),
            floor=FLOOR,
            reasons=public_reasons if public else reasons,
        )
    )


def _tasks(lines: Sequence[Line]) -> dict[str, list[Line]]:
    found: dict[str, list[Line]] = {}
    for line in lines:
        found.setdefault(line["task"], []).append(line)
    return found


def _items(lines: Sequence[Line]) -> list[tuple[str, str, int, int]]:
    """(scenario, item, runs that did not meet it, runs), the ones most often missed first."""
    missed: dict[tuple[str, str], list[int]] = {}
    for line in lines:
        for item in line["items"]:
            missed.setdefault((line["scenario"], item["id"]), []).append(int(item["share"] < 1))
    listed = [(scenario, item, sum(found), len(found)) for (scenario, item), found in missed.items() if any(found)]
    return sorted(listed, key=lambda one: (-one[2] / one[3], one[0], one[1]))


def _effects(lines: Sequence[Line]) -> list[tuple[str, str, str, int]]:
    """(scenario, change, why it is none of the task's, runs that made it), the most frequent first."""
    found: Counter[tuple[str, str, str]] = Counter()
    for line in lines:
        stray = {(f"{one['change']} {one['row'].partition(':')[0]}", one["why"]) for one in line["unclaimed"]}
        never = {(f"never {one['id']}", one["why"]) for one in line["never"]}
        found.update((line["scenario"], what, why) for what, why in stray | never)
    return sorted(((*key, runs) for key, runs in found.items()), key=lambda one: (-one[3], one))


def _worthless(lines: Sequence[Line], agent: str) -> list[tuple[str, str]]:
    """(task, agent) of the tasks that an agent of the floor passes: they measure nothing."""
    return sorted({(line["task"], line["agent"]) for line in lines if line["pass"] and line["agent"] != agent})
