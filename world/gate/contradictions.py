"""V23: the texts of the solution, contradicted in each of many ways; none earns its item."""

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from functools import cache, partial
from typing import Literal

from world.agents.steps import Scene
from world.core.yaml_text import load_yaml
from world.gate.act_runs import RecordedSolution
from world.gate.acts import CORPUS, HALVES, Strict
from world.gate.conduct import try_variant
from world.gate.mutants import get_leaves
from world.gate.sentences import SENTENCE, contradict_sentence, is_statement, put_into
from world.gate.solution_texts import Checkpoint, Replacement, SolutionText, is_item_met, list_prose
from world.gate.variant_runner import CheckResult, VariantRunner
from world.grading.verdict import Verdict

CYRILLIC = dict(zip("aeiopcxys", "\u0430\u0435\u0456\u043e\u0440\u0441\u0445\u0443\u0455", strict=True))
VERB = re.compile(r"\b(is|are|am|was|were|has|have|had|will|would|can|could|must|do|does|did)\b(?! not\b)")
DAY = 24 * 60
FIGURE = re.compile(r"(?<![\w.,:-])\d{1,2}:\d\d(?![\w:-])|(?<![\w.,:-])\d[\d.,]*\d(?![\w:-])|(?<![\w.,:-])\d(?![\w:-])")
KEPT = re.compile(r"(<[^>]*>)")  # mentions and links, which letters make


class ContradictionKind(Strict):
    """A way to contradict a text, in a wording of each half."""

    id: str
    how: Literal["whole", "each", "verb", "next", "figure", "letters", "dress"]
    dress: str = ""
    development: str
    test: str

    def get_wording(self, half: str) -> str:
        """Its wording of a half."""
        return self.development if half == "development" else self.test


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A contradiction of a text; `label` tells several of a kind apart."""

    wording: Replacement
    label: str = ""


@cache
def read_kinds() -> list[ContradictionKind]:
    """The ways to contradict a text."""
    raw = load_yaml((CORPUS / "contradictions" / "kinds.yaml").read_text(encoding="utf-8"))
    return [ContradictionKind.model_validate(one) for one in raw]


def contradict_texts(runner: VariantRunner) -> Iterator[CheckResult]:
    """V23: a text that is contradicted does not earn its item."""
    solved = runner.keep(RecordedSolution)
    figures = find_figures(solved)
    for prose in list_prose(solved):
        with closing(Checkpoint(solved, prose)) as stage:
            for half in HALVES:
                for kind in read_kinds()[:: runner.stride]:
                    yield from try_contradictions(stage, kind, half, figures)


def try_contradictions(
    stage: Checkpoint, kind: ContradictionKind, half: str, figures: set[Decimal]
) -> Iterator[CheckResult]:
    """A kind of contradiction of a text."""
    prose, name = stage.prose, f"{half} {stage.prose.item.id}: {kind.id}"
    states = any(is_statement(one) for text in prose.texts for one in SENTENCE.findall(text))
    found = list(contradict(stage, kind, half, figures)) if states else []
    if not found:
        why = "nothing in it can be contradicted so" if states else "it only asks"
        yield CheckResult("V23", name, True, why, half=half, left_out=True)
    for one in found:
        judge = partial(expect_text_refused, prose)
        yield replace(try_variant("V23", f"{name}{one.label}", partial(stage.say, one.wording), judge), half=half)


def expect_text_refused(prose: SolutionText, check: str, what: str, verdict: Verdict) -> CheckResult:
    """A finding that holds when the item of a text is not met."""
    why = f"earns {prose.item.id}, pass {verdict.passed}" if is_item_met(verdict, prose.item) else ""
    return CheckResult(check, what, not why, why)


def contradict(stage: Checkpoint, kind: ContradictionKind, half: str, figures: set[Decimal]) -> Iterator[Contradiction]:
    """Yield the contradictions that a kind makes of a text: none, one, or several."""
    prose, wording = stage.prose, kind.get_wording(half)
    if kind.how == "next":
        if prose.is_message:
            following = [put_into(wording, text) for text in prose.texts]
            yield Contradiction(Replacement(prose.arguments, prose.replace_texts(*following)))
    elif kind.how == "figure":
        for figure in sorted({one for text in prose.texts for one in list_figures(text)} & figures):
            texts = [another_figure(text, figure, wording) for text in prose.texts]
            yield Contradiction(Replacement(prose.replace_texts(*texts)), f" {figure:f}")
    elif kind.how == "dress":
        yield from dress_text(stage, kind, wording)
    else:
        texts = [rewrite(kind, wording, text) for text in prose.texts]
        if texts != prose.texts:
            yield Contradiction(Replacement(prose.replace_texts(*texts)))


def rewrite(kind: ContradictionKind, wording: str, text: str) -> str:
    """A text against itself."""
    if kind.how == "whole":
        return put_into(wording, text)
    if kind.how == "each":
        return SENTENCE.sub(lambda found: contradict_sentence(wording, found[0]), text)
    if kind.how == "verb":
        return VERB.sub(lambda found: wording.replace("{verb}", found[0]), text)
    alike = str.maketrans({letter: CYRILLIC[letter] for letter in wording})
    return "".join(part if KEPT.fullmatch(part) else part.translate(alike) for part in KEPT.split(text))


def dress_text(stage: Checkpoint, kind: ContradictionKind, wording: str) -> Iterator[Contradiction]:
    """A text as an app shows it in that dress, where it has one."""
    prose = stage.prose
    operation = stage.rest[0].step.operation
    host = stage.solved.runner.host
    rendering = host.apps[host.operation(operation).app].probes.renderings.get(operation, {}).get(kind.dress)
    if rendering is not None:
        yield Contradiction(Replacement(rendering(prose.arguments, max(prose.texts, key=len), wording)))


def find_figures(solved: RecordedSolution) -> set[Decimal]:
    """The figures of the story: those in the facts that its events left."""
    timeline, scene = solved.before_end.actor.timeline, Scene(solved.before_end)
    facts = [scene.facts(event.name) for event in timeline.events] if timeline else []
    values = [str(value) for found in facts for _, value in get_leaves(found) if not isinstance(value, bool)]
    return {figure for value in values if " " not in value for figure in list_figures(value)}


def list_figures(text: str) -> Iterator[Decimal]:
    """The figures in a text; a time of day is one, as hours and hundredths."""
    yield from (figure for found in FIGURE.findall(text) if (figure := read_figure(found)) is not None)


def read_figure(text: str) -> Decimal | None:
    """The value of a figure with commas between thousands, or of a time of day."""
    try:
        return Decimal(text.replace(",", "").replace(":", ".")).normalize()
    except InvalidOperation:
        return None


def another_figure(text: str, figure: Decimal, wording: str) -> str:
    """A text with another value wherever a figure stands: multiplied and added to, as a wording says."""
    times, more = map(Decimal, wording.split())

    def change(found: re.Match[str]) -> str:
        value = read_figure(found[0])
        if value != figure or value is None:
            return found[0]
        if ":" in found[0]:
            hours, minutes = map(int, found[0].split(":"))
            hours, minutes = divmod(int((hours * 60 + minutes) * times + more) % DAY, 60)
            return f"{hours:02}:{minutes:02}"
        places = len(found[0].partition(".")[2])
        return f"{value * times + more:{',' if ',' in found[0] else ''}.{places}f}"

    return FIGURE.sub(change, text)
