"""The colleagues who are asked to take something over, and the one who decides: what they answer when they are asked."""

import re
from collections.abc import Callable, Mapping

from scenarios.office.cast import find_part
from world.core.app import HeardMessage
from world.core.clock import MINUTE, to_datetime
from world.script.coworkers import Coworker, Rule
from world.script.stage import Facts, Stage
from world.script.thanks import Thanks

from .texts import BEFORE, BLANK, NO, NOT_MINE, YES

OWNERS = ("o1", "o2", "o3", "o4")
REPLIES = {"yes": YES, "no": NO, "not mine": NOT_MINE}


def list_coworkers(names: tuple[str, ...]) -> list[Coworker]:
    """Everybody who answers: owners about the commitments of these names, the boss about the claim, and who only asks."""
    owners = [
        Coworker(who=find_part(part), rules=_list_rules(part, names), fallback=BLANK, delay_s=240, always=True)
        for part in OWNERS
    ]
    boss = Coworker(
        who=find_part("boss"),
        rules=(Rule("claim", (), BEFORE, when=_is_undecided, about=_is_about_claim, slots=_name_moment),),
        delay_s=300,
        always=True,
    )
    asking = [
        Coworker(who=find_part(part), thanks=Thanks(events=(event,)), always=True)
        for part, event in (("superior", "press"), ("leaver", "back"))
    ]
    return [*owners, boss, *asking]


def _list_rules(part: str, names: tuple[str, ...]) -> tuple[Rule, ...]:
    """One rule for each commitment and each answer."""
    return tuple(
        Rule(f"{name} {says}", (), texts, when=_says(part, name, says), slots=_name_key(name), about=_names(name))
        for name in names
        for says, texts in REPLIES.items()
    )


def tell_answer(w: Stage, part: str, one: Facts) -> str:
    """What somebody answers now who is asked about a commitment."""
    if part not in (one["first"], one["second"]):
        return "not mine"
    if one["gives_back"] and part == one["first"]:
        return "no" if w.fired("withdrawal") else "yes"
    return (
        "yes"
        if part == one["first"] and one["first_says"] == "yes"
        else one["second_says"]
        if part == one["second"]
        else "no"
    )


def _says(part: str, name: str, says: str) -> Callable[[Stage], bool]:
    return lambda w: tell_answer(w, part, w.fact("truth", "items")[name]) == says


def _name_key(name: str) -> Callable[[Stage], Mapping[str, str]]:
    return lambda w: {"key": w.fact("truth", "items")[name]["key"]}


def _names(name: str) -> Callable[[Stage, HeardMessage], bool]:
    """Whether a message names a commitment: by ticket, by number in the book, or by the work."""

    def about(w: Stage, heard: HeardMessage) -> bool:
        one = w.fact("truth", "items")[name]
        words = [one["key"], one["number"], one["work"]]
        return any(re.search(rf"\b{re.escape(word)}\b", heard.text, re.I) for word in words if word)

    return about


def _is_undecided(w: Stage) -> bool:
    return not w.fired("decision")


def _is_about_claim(w: Stage, heard: HeardMessage) -> bool:
    claim = w.fact("truth", "claim")
    return any(word.lower() in heard.text.lower() for word in (claim["customer"], claim["key"]))


def _name_moment(w: Stage) -> Mapping[str, str]:
    """Who is to be heard first, and the weekday of the decision."""
    decided = to_datetime(w.start + w.fact("truth", "minutes")["decision"] * MINUTE)
    return {"leaver": w.fact("truth", "people")["leaver"]["name"].split()[0], "day": f"{decided:%A}"}
