"""V28: rows that a rubric allows, filled with content that no open text may have."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any

from world.core.journal import last_change
from world.gate.act_runs import LeftOut, Moment, RecordedSolution, list_own_changes, run_with, take_steps
from world.gate.acts import (
    HALVES,
    ActCall,
    ForbiddenText,
    RowTemplate,
    fill_slots,
    list_names,
    look_up,
    read_contents,
    read_openings,
)
from world.gate.conduct import try_variant
from world.gate.mutants import get_leaves, replace_at
from world.gate.solution_texts import is_prose, is_within, list_seqs
from world.gate.variant_runner import CheckResult, VariantRunner, expect_fail
from world.grading.degrees.temporary_harm import MOMENT
from world.grading.effects import change_set
from world.grading.inputs import Evidence
from world.grading.items import Allowance
from world.grading.readings import WorldLookup, decode
from world.grading.tables import Row
from world.grading.verdict import Verdict

PLAIN = "Noted, thank you."
HUGE = ("huge_text", 30_000)
NAME = re.compile(r"[^A-Za-z0-9]+")
NAME_CHARS = 60


@dataclass(frozen=True, slots=True)
class RowWriter:
    """Way to write a row that a rubric lets pass and that others can read, and the moment to do so."""

    opening: RowTemplate
    moment: Moment


def try_polluted_allowances(runner: VariantRunner) -> Iterator[CheckResult]:
    """V28: a row that a rubric lets pass does not pass with content that nobody may write."""
    solved = runner.keep(RecordedSolution)
    usual = solved.judge(*solved.at_end())
    for name, found in chain(list_allowed(solved, usual), list_passing(solved)):
        if isinstance(found, RowWriter):
            yield from try_contents(solved, name, found)
        else:
            yield replace(found, what=name)


def list_allowed(solved: RecordedSolution, usual: Verdict) -> Iterator[tuple[str, RowWriter | CheckResult]]:
    """The allowances of a rubric, each with a way to write what it allows, or why there is none."""
    for allowance in solved.runner.rubric.allowances:
        name = f"{allowance.id} {allowance.table.name}"
        yield name, guard_search(lambda allowance=allowance: find_way(solved, allowance, usual))


def list_passing(solved: RecordedSolution) -> Iterator[tuple[str, RowWriter | CheckResult]]:
    """The ways to write rows that no item asks for and that cost nothing, by `benign` or by degree."""
    for opening in read_openings():
        name = f"let pass {opening.id}"
        yield name, guard_search(lambda opening=opening: find_free(solved, opening))


def guard_search(search: Any) -> RowWriter | CheckResult:
    """Return the result of a search; an exception becomes a finding."""
    try:
        found = search()
    except Exception as error:  # noqa: BLE001 - whatever a scenario raises is said, and the gate goes on
        return CheckResult("V28", "", False, f"{type(error).__name__}: {error}")
    return CheckResult("V28", "", True, found.why, left_out=True) if isinstance(found, LeftOut) else found


def find_way(solved: RecordedSolution, allowance: Allowance, usual: Verdict) -> RowWriter | LeftOut:
    """A call with a plain text that an allowance takes."""
    table = allowance.table.name
    if allowance.kind != "insert":
        return LeftOut("it allows no new row")
    if allowance.by is not None:
        return LeftOut("it allows rows of somebody else")
    openings = [*list_own(solved, table), *(one for one in read_openings() if one.table == table)]
    if not openings:
        return LeftOut(f"no call writes an open text of {table}")
    why = "no moment for it"
    for opening in openings:
        for moment in list_moments(solved):
            verdict = run_with(solved, opening, [moment], name_content(solved.values, PLAIN))
            if isinstance(verdict, LeftOut):
                why = verdict.why
            elif takes(allowance, verdict, usual):
                return read_by_others(solved, opening, moment)
            else:
                why = "it does not allow a plain text in these places"
    return LeftOut(why)


def takes(allowance: Allowance, verdict: Verdict, usual: Verdict) -> bool:
    """Whether an allowance took a row more than in the solution; of rows that are gone no list is kept."""
    if allowance.gone_by_end:
        return verdict.passed
    return len(verdict.allowed.get(allowance.id, ())) > len(usual.allowed.get(allowance.id, ()))


def find_free(solved: RecordedSolution, opening: RowTemplate) -> RowWriter | LeftOut:
    """The end of the solution, if a plain text costs nothing there."""
    verdict = run_with(solved, opening, [solved.at_end], name_content(solved.values, PLAIN))
    if isinstance(verdict, LeftOut):
        return verdict
    if not (verdict.passed and verdict.score == 1.0):
        return LeftOut("it is not let pass with a plain text")
    return read_by_others(solved, opening, solved.at_end)


def read_by_others(solved: RecordedSolution, opening: RowTemplate, moment: Moment) -> RowWriter | LeftOut:
    """A way to write a row, if anybody but its author has the time to read it."""
    run, _ = moment()
    try:
        mark = last_change(run.actor.bound)
        take_steps(run, opening.steps, name_content(solved.values, PLAIN))
        evidence = solved.runner.evidence(run)
    finally:
        solved.runner.host.drop(run.world)
    stood, seen = find_audiences(evidence, mark, (PLAIN, name_of(PLAIN)))
    if not stood:
        return LeftOut("it is gone before anybody can read it")
    return RowWriter(opening, moment) if seen else LeftOut("nobody but its author can read it")


def find_audiences(evidence: Evidence, mark: int, texts: Collection[str]) -> tuple[bool, bool]:
    """Whether rows with one of some texts, written after a change, stand for a while, and whether others read them."""
    changes = change_set(evidence)
    lookup = WorldLookup(evidence.tables, changes.final, evidence.s0, evidence.directory, evidence.contents)
    stood = [
        effect
        for effect in (*changes.effects, *changes.transient)
        if effect.origin == "agent" and effect.journal[-1] > mark and holds(effect.written, texts)
        if not effect.gone or effect.last_at - effect.first_at > MOMENT
    ]
    readers = [
        evidence.tables[one.table].conduct.readers(decode(evidence.tables[one.table], one.written), lookup)
        for one in stood
        if not evidence.tables[one.table].derived_from
    ]
    return bool(stood), any(not one.is_only(evidence.agent) for one in readers)


def holds(row: Row, texts: Collection[str]) -> bool:
    """Whether a text stands in a row."""
    return any(text in value for value in row.values() if isinstance(value, str) for text in texts)


def list_moments(solved: RecordedSolution) -> list[Moment]:
    """The end, and the waits of the solution, the longest first."""
    return [solved.at_end, *(lambda n=n, at=at: solved.after(n, at) for n, at in solved.gaps() if n)]


def list_own(solved: RecordedSolution, table: str) -> Iterator[RowTemplate]:
    """The calls of the solution that wrote a row of a table, with its longest text left open."""
    changes = list_own_changes(solved.before_end)
    made = {
        change.call_seq: change.after or {} for change in changes if change.table == table and change.op == "insert"
    }
    for seq, played in zip(list_seqs(solved), solved.played, strict=True):
        texts = [(path, value) for path, value in get_leaves(played.step.arguments) if is_prose(value)]
        path, said = max(texts, key=lambda found: len(found[1]), default=((), ""))
        if not said or not any(is_within(said, str(value)) for value in made.get(seq, {}).values()):
            continue
        for text in ("{content}", f"{said}\n\n{{content}}"):  # the allowance may ask for the usual text as well
            params = replace_at(dict(played.step.arguments), path, text)
            if set(list_names(params)) == {"content"}:
                steps = [ActCall(operation=played.step.operation, params=params)]
                yield RowTemplate(id="own", means=f"As the solution's {played.step.id}.", table=table, steps=steps)


def try_contents(solved: RecordedSolution, name: str, way: RowWriter) -> Iterator[CheckResult]:
    """A way with each content of both halves."""
    for half in HALVES:
        for content in read_contents()[:: solved.runner.stride]:
            what = f"{half} {name}: {content.id}"
            yield replace(
                try_variant("V28", what, partial(run_filled, solved, way, content, half), expect_fail), half=half
            )


def run_filled(solved: RecordedSolution, way: RowWriter, content: ForbiddenText, half: str) -> Verdict | LeftOut:
    """The verdict of the solution with a content in a row that is let pass."""
    names = any("content_name" in set(list_names(step.params)) for step in way.opening.steps)
    if names and not content.in_names:
        return LeftOut("a name cannot hold it")
    missing = [name for name in list_names(content.text(half)) if name not in solved.values]
    if missing:
        return LeftOut(f"no value for {', '.join(missing)}")
    text = str(fill_slots(content.text(half), partial(look_up, values=solved.values)))
    if content.id == HUGE[0]:
        text *= -(-HUGE[1] // len(text))
    verdict = run_with(solved, way.opening, [way.moment], name_content(solved.values, text))
    passed = isinstance(verdict, Verdict) and verdict.passed
    if passed and content.story:
        return LeftOut("whether it is false the story knows: a `never` item may say so")
    if passed and names and name_of(text) != NAME.sub("-", text).strip("-"):
        return LeftOut("a name is too short for it")
    return verdict


def name_content(values: Mapping[str, Any], text: str) -> dict[str, Any]:
    """The values of a world with a text for `{content}`."""
    return {**values, "content": text, "content_name": name_of(text)}


def name_of(text: str) -> str:
    """A text as a name of letters, digits and dashes."""
    return NAME.sub("-", text).strip("-")[:NAME_CHARS].strip("-")
