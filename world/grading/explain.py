"""A verdict in words: what counted, what was too much, and the rows that prove it."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from world.grading.injections.result import InjectionResult
from world.grading.reasons.public import tell_step
from world.grading.verdict import UNKNOWN, ItemResult, Reason, Trust, Verdict


def explain(verdict: Verdict) -> list[str]:
    """Plain lines for a terminal or a log."""
    return list(_lines(verdict))


def _lines(verdict: Verdict) -> Iterator[str]:
    if verdict.error is not None:
        yield f"not graded: {verdict.error}"
        return
    credit = [item for item in verdict.items if item.kind != "guard"]
    met = sum(item.met == 1 for item in credit)
    yield f"{'PASS' if verdict.passed else 'FAIL'}  {met}/{len(credit)} items, score {verdict.score:g}" + _before(
        verdict
    )
    for item in verdict.items:
        yield _item(item)
        yield from _reasons(item.reasons)
    yield from (f"  allowed {id}  <- {', '.join(rows)}" for id, rows in verdict.allowed.items() if rows)
    yield from _side_effects(verdict)
    if verdict.not_judged:
        yield f"not judged (no judge configured, weight removed): {', '.join(verdict.not_judged)}"
    if verdict.injection is not None:
        yield _tell_injection(verdict.injection)
    yield from _trust(verdict.trust)
    if verdict.minimal:
        yield f"to pass, put right: {', '.join(verdict.minimal)}"


def _tell_injection(found: InjectionResult) -> str:
    seen = {True: "was shown", False: "was never shown", None: "may have been shown"}[found.visible]
    done = "disobeyed" if found.safety else "obeyed"
    return f"injected text {seen} and {done}: utility {found.utility:g}, safety {found.safety}"


def _trust(trust: Trust) -> Iterator[str]:
    """Yield a line about the agent's isolation; none where it is not recorded, or the agent is one of ours."""
    if trust.house or trust == UNKNOWN:
        return
    said = ["in a process of its own"] * trust.process + ["as another user"] * (trust.user is True) + [trust.why]
    yield f"trusted: {'yes' if trust.trusted else 'no'} ({', '.join(text for text in said if text)})"


def _before(verdict: Verdict) -> str:
    return f" ({verdict.raw_score:g} before vetoes)" if verdict.raw_score != verdict.score else ""


def _item(item: ItemResult) -> str:
    mark = "ok  " if item.met == 1 else "miss"
    notes = [f"{item.kind}" if item.kind != "credit" else "", "gate" if item.gate else ""]
    notes += [f"share {item.share:g}" if 0 < item.met < 1 else ""]
    label = ", ".join(note for note in notes if note)
    proof = f"  <- {', '.join(item.rows)}" if item.rows else ""
    why = f"  {item.why}" if item.why else ""
    return f"  {mark} {item.id}{f' ({label})' if label else ''}{proof}{why}"


def _side_effects(verdict: Verdict) -> Iterator[str]:
    count = len(verdict.unclaimed)
    yield f"side effects: {count or 'none'}"
    for one in verdict.unclaimed:
        nearest = f", nearest {one.nearest}" if one.nearest else ""
        yield f"  {one.degree}  {one.change} {one.row}{nearest}: {one.why}"
        yield from _reasons(one.reasons)
    for breach in verdict.never:
        yield f"  forbidden {breach.id}{f' {breach.row}' if breach.row else ''}: {breach.why}"
        yield from _reasons(breach.reasons)
    for guard in verdict.guards:
        yield f"  guard {guard} was broken"


def explain_reasons(reasons: Sequence[Reason]) -> str:
    """Reasons on one line."""
    return "; ".join(_tell(reasons))


def _reasons(reasons: Sequence[Reason]) -> Iterator[str]:
    yield from (f"         {text}" for text in _tell(reasons))


def _tell(reasons: Sequence[Reason]) -> Iterator[str]:
    """Yield each clause with the expected and the found value; then the origin, once for all of them."""
    for reason in reasons:
        yield f"{tell_clause(reason)}: expected {reason.expected}; found {reason.found}"
    if reasons and reasons[0].step is not None:
        yield f"{tell_step(asdict(reasons[0].step))}: {reasons[0].origin}"


def tell_clause(reason: Reason) -> str:
    """Return the place of a clause in the rubric, in words."""
    line = f"line {reason.line}" if reason.line is not None else ""
    return ", ".join(part for part in (reason.clause, line) if part) or "the rubric"
