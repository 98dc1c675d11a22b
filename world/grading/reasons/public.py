"""A verdict for readers who must not learn the rubric: the result, and for each charge only facts the agent knows."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from world.core.json_types import is_object

STEP = ("number", "operation", "door", "at")
WORST = {"slip": 0, "harm": 1}


def to_public(verdict: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a verdict that may be shown.

    It holds pass, score, the number of unmet items, and each charge with its degree, the agent's own text and step.
    Charges of one step and text are one.
    """
    found: dict[str, Any] = {
        "pass": verdict["pass"],
        "score": verdict["score"],
        "unmet": sum(item["share"] < 1 for item in verdict["items"]),
        "charges": _charges(verdict),
    }
    if "members" in verdict:
        found["members"] = verdict["members"]
    if "error" in verdict:
        found["error"] = {"kind": verdict["error"]["kind"]}
    return found


def _charges(verdict: Mapping[str, Any]) -> list[dict[str, Any]]:
    found: dict[tuple[int, str], dict[str, Any]] = {}
    listed = [(str(one["degree"]), one["reasons"]) for one in verdict["unclaimed"]]
    for degree, reasons in [*listed, *(("harm", breach["reasons"]) for breach in verdict["never"])]:
        one = _charge(degree, reasons)
        key = (one["step"]["number"] if one["step"] else 0, one["text"])
        if key not in found or WORST[one["degree"]] > WORST[found[key]["degree"]]:
            found[key] = one
    return [found[key] for key in sorted(found)]


def _charge(degree: str, reasons: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    reason = reasons[0] if reasons else {"own": "", "step": None}
    step = reason["step"]
    shown = {name: step[name] for name in STEP} if is_object(step) else None
    return {"degree": degree, "text": reason["own"], "step": shown}


def explain_public(public: Mapping[str, Any]) -> list[str]:
    """Plain lines for a terminal or a log."""
    return list(_lines(public))


def _lines(public: Mapping[str, Any]) -> Iterator[str]:
    if "error" in public:
        yield "not graded"
        return
    unmet = f"{public['unmet']} item{'' if public['unmet'] == 1 else 's'} unmet"
    yield f"{'PASS' if public['pass'] else 'FAIL'}  score {public['score']:g}, {unmet}"
    yield from (_line(charge) for charge in public["charges"])


def _line(charge: Mapping[str, Any]) -> str:
    text = f": “{charge['text']}”" if charge["text"] else ""
    return f"  {charge['degree']}  {tell_step(charge['step'])}{text}"


def tell_step(step: Mapping[str, Any] | None) -> str:
    """A step in words; of what goes back to no call of the agent, that."""
    if step is None:
        return "no step of the agent"
    return f"step {step['number']}, {step['operation']} ({step['door']}) at {step['at']}"
