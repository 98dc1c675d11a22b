"""Owners and whom else the agent asks: what they answer."""

import re
from collections.abc import Callable, Iterable, Mapping

from scenarios.office.cast import find_part
from world.core.app import HeardMessage
from world.script.coworkers import Coworker, Rule
from world.script.stage import Facts, Stage
from world.script.thanks import Thanks

from .services import OWNERS
from .texts import BLANK, BOUND, CLOSING, COUNTING, HEARD, NO, NOT_MINE, SETTLED, YES

REPLIES = {"yes": YES, "bound": BOUND, "no": NO, "not mine": NOT_MINE, "heard": HEARD}


def list_coworkers(names: Iterable[str]) -> list[Coworker]:
    """Everybody who answers: owners about the services of these names, others by the rules, and who only asks."""
    owners = [
        Coworker(who=find_part(part), rules=_list_rules(part, names), fallback=BLANK, delay_s=240, always=True)
        for part in OWNERS
    ]
    others = [
        Coworker(who=find_part(part), fallback=texts, delay_s=300, always=True)
        for part, texts in (("boss", SETTLED), ("counter", COUNTING), ("finance", CLOSING))
    ]
    asking = [
        Coworker(who=find_part(part), thanks=Thanks(events=(event,)), always=True)
        for part, event in (("superior", "hurry"), ("caller", "recall"))
    ]
    return [*owners, *others, *asking]


def _list_rules(part: str, names: Iterable[str]) -> tuple[Rule, ...]:
    """One rule for each service and each answer."""
    return tuple(
        Rule(f"{name} {says}", (), texts, when=_says(part, name, says), slots=_fill(name), about=_names(name))
        for name in names
        for says, texts in REPLIES.items()
    )


def tell_answer(w: Stage, part: str, one: Facts) -> str:
    """What somebody answers now who is asked or told about a service."""
    if w.fired(f"began_{one['name']}"):
        return "heard"
    if part != one["asked"]:
        return "not mine"
    if one["name"] == "objects" and w.fired("objection"):
        return "no"
    return "bound" if one["needs"] else "yes"


def _says(part: str, name: str, says: str) -> Callable[[Stage], bool]:
    return lambda w: tell_answer(w, part, w.fact("truth", "items")[name]) == says


def _fill(name: str) -> Callable[[Stage], Mapping[str, str]]:
    """Key and service, the one that a yes is bound to, and the clusters."""

    def fill(w: Stage) -> Mapping[str, str]:
        items = w.fact("truth", "items")
        one = items[name]
        other = items[one["needs"]]["service"] if one["needs"] else ""
        return {"key": one["key"], "service": one["service"], "other": other, **w.fact("truth", "clusters")}

    return fill


def _names(name: str) -> Callable[[Stage, HeardMessage], bool]:
    """Whether a message names a service, by ticket or by name."""

    def about(w: Stage, heard: HeardMessage) -> bool:
        one = w.fact("truth", "items")[name]
        return any(
            re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", heard.text, re.I)
            for word in (one["key"], one["service"])
        )

    return about
