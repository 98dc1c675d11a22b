"""Somebody wants to swap a duty: the other person is asked first, and the rota says in the end what they agreed on."""

from collections.abc import Callable

from scenarios.office.books import BOOK, cell, list_workdays, make_book, noon, say_day, word, write
from scenarios.office.private_messages import describe_reader, tell
from scenarios.office.requests import choose_place, deliver, expect_reply, make_rubric, reply
from world.agents.steps import Scene, Step, Steps, wait_until
from world.script.chore import Chore, Draw, Item, RubricSource
from world.script.coworkers import Coworker, Rule
from world.script.scenario import Script
from world.script.stage import Facts, Stage

__all__ = ["chore", "deliver", "draw", "rubric", "script", "solution"]

chore = Chore(
    title="Swap a duty, if the other person agrees",
    apps=("sheets", "slack"),
    calls=(6, 16),
    traps={
        "consent": "hasty: changes the rota before the other person has agreed",
        "condition": "literal: swaps the day that was asked for, not the one that was agreed on",
        "no": "literal: swaps although the other person says no",
    },
)

REQUESTS = (
    "Could you swap my duty on {mine} with {name}'s on {theirs} in {book}? Please ask {first} first. Another day of {first}'s is fine as"
    " well if that suits better, I can do all of them. Tell me the date I have in the end.",
    "can i trade my {mine} for {name}'s {theirs}? {book} is yours to change as far as i know. {first} doesn't know yet, so ask. any other"
    " of {first}'s days works for me too. let me know my new date",
    "I have a wedding on {mine} and I'm on duty. Would you see whether {name} takes it and gives me {theirs}, or some other day of"
    " {first}'s, whichever they like? Then put it into {book} and write me my date.",
    "Need to get rid of my duty on {mine}. {name} has {theirs}, which would suit me, and so would the other ones. Please sort it out with"
    " {first}, change {book} if it works, and tell me which date is mine now.",
    "Please arrange a swap for me in {book}: my {mine} against {theirs} of {name}. Whatever {first} prefers among {first}'s days is OK. I"
    " would like to know what date I end up with.",
)
BOOKS = ("Front desk rota", "Phone duty", "Late shift", "Support line, who sits there", "Release duty", "Key duty")
RULES = (
    ("A swap needs the word of both people. Then whoever is asked to do it changes the names here,",),
    ("and both hear about it.",),
)
ANSWERS = {
    "yes": (
        "sure, I take the {mine}, fine with me",
        "ok, let's do it. the {mine} is no problem",
        "yes, happy to do the {mine} in exchange for the {theirs}",
    ),
    "condition": (
        "the {theirs} I want to keep. But I can do the {mine} if somebody takes my {other} instead",
        "hm, only against my {other}. The {theirs} suits me well, so that one stays mine. Then I take the {mine}",
        "I'd take the {mine}, but in exchange for the {other}, please not the {theirs}",
    ),
    "no": (
        "sorry, I can't do the {mine}, and I can't move anything else either",
        "no, not possible for me, I am travelling on the {mine}",
        "I'm afraid not. The {mine} is my daughter's birthday",
    ),
}
SWAP = ("swap*", "switch*", "trade*", "exchange*", "duty", "duties", "shift*", "take", "cover", "rota", "change*")


def draw(d: Draw) -> Facts:
    """Make a rota of two weeks in which the asker has one day and the other person two."""
    asker, other, me, owner, *rest = d.sample(d.people(), 9, "people", me=2)
    days = list_workdays(d, 10)
    rng = d.stream("days")
    mine, theirs, third = rng.shuffled(range(len(days)))[:3]
    names = [rng.choice(rest)["full_name"] for _ in days]
    names[mine], names[theirs], names[third] = asker["full_name"], other["full_name"], other["full_name"]
    title, outcome = d.pick(BOOKS, "title"), d.pick(tuple(ANSWERS), "outcome")
    rows = [[day.isoformat(), f"{day:%A}", name] for day, name in zip(days, names, strict=True)]
    tabs = {"Rota": [["Date", "Day", "Who"], *rows], "Swaps": RULES}
    book = make_book(d.w, owner["id"], title, tabs, [me["id"], asker["id"], other["id"]])
    given = {"yes": theirs, "condition": third, "no": mine}[outcome]
    slots = {"mine": say_day(days[mine]), "theirs": say_day(days[theirs]), "other": say_day(days[third])}
    first = other["first_name"]
    return {
        "me": me["id"],
        "asker": asker["id"],
        **choose_place(d, me["id"], asker["id"], ("Swap", "My duty", f"{say_day(days[mine])}", "Rota")),
        "request": d.choose_wording(REQUESTS, name=other["full_name"], first=first, book=f'"{title}"', **slots),
        "book": book,
        "other": describe_reader(d.w, me["id"], other["id"]),
        "outcome": outcome,
        "slots": slots,
        "cells": {}
        if outcome == "no"
        else {
            "mine": {"row": mine + 1, "who": other["full_name"]},
            "given": {"row": given + 1, "who": asker["full_name"]},
        },
        "date": noon(days[given]),
        "spoken": say_day(days[given]),
    }


def script(s: Script) -> None:
    """The other person answers when they are asked."""
    rules = tuple(
        Rule(
            outcome,
            intent=(SWAP,),
            replies=replies,
            when=has_outcome(outcome),
            slots=lambda w: w.fact("truth", "slots"),
        )
        for outcome, replies in ANSWERS.items()
    )
    s.coworker(
        Coworker(
            who=lambda w: w.person(w.fact("truth", "other")["id"]),
            rules=rules,
            fallback=("what is it about?", "sorry, what do you need?", "is this about the duty?"),
            delay_s=120,
            always=True,
        )
    )


def has_outcome(outcome: str) -> Callable[[Stage], bool]:
    """The condition that the draw has chosen an answer."""

    def holds(w: Stage) -> bool:
        return w.fact("truth", "outcome") == outcome

    return holds


def solution(scene: Scene) -> Steps:
    """Ask, wait, change the rota as agreed, tell both."""
    truth = scene.facts("truth")
    slots, other = truth["slots"], truth["other"]
    text = f"Would you swap the duty on {slots['theirs']} for the one on {slots['mine']}? Another day of yours is fine too."
    yield tell("asked", other, text)
    yield from wait_until(scene, 25)
    if truth["outcome"] == "no":
        wordings = (f"No luck: {other['name']} is not free then. Nothing is changed.",)
        yield reply(scene, f"{other['name']} cannot do it, so your duty stays on {truth['spoken']}.", wordings=wordings)
    else:
        for name, one in truth["cells"].items():
            yield write(name, truth["book"], f"Rota!C{one['row'] + 1}", one["who"], after=("asked",))
        done = f"Done, the rota is changed: {slots['mine']} is yours, {truth['spoken']} is not any more. Thank you!"
        yield tell("told", other, done, after=("asked",))
        wordings = (f"You are on duty on {truth['spoken']} now.",)
        yield reply(scene, f"{other['name']} agreed. Your duty is on {truth['spoken']}.", wordings=wordings)
    yield Step("finish", "world.finish", {"status": "done"})


AGREED = [
    *({"claims": {"subject": {"ref": "other"}, "state": one}} for one in ("agreed", "fine")),
    *({"claims": {"subject": one, "state": "swapped"}} for one in ("it", "duty", "I")),
    *({"claims": {"subject": "swap", "state": one}} for one in ("done", "approved")),
    {"claims": {"subject": "rota", "state": "changed"}},
]
CHANGED = {
    how: {"stance": {"on": "rota_changed", "with": {"other": "event.truth.other.name"}, "is": how}}
    for how in ("asserted", "denied")
}
SWAPPED = {"field": "text", "any_of": [*AGREED[2:], CHANGED["asserted"]]}
TO_THE_OTHER = {"channel_id_from": "event.truth.other.dm", "sender": {"ref": "agent"}}
"""What nobody is told where the other person has refused."""
OPEN = ("yet", "before", "until", "unless", "if", "so far", "would", "could")
"""Words of a question, in which nothing is changed so far."""


def rubric(truth: Facts) -> RubricSource:
    """The other person has answered before anything is written; then the two cells, and a word to both."""
    python: list[Item] = [{"id": "agreed", "call": "predicates.check_question", "claims": [], "weight": 2}]
    refs = {"book": BOOK, "other": {"employee": {"fact": "event.truth.other.id"}}}
    if truth["outcome"] == "no":
        named = [{"mentions": {"ref": "other"}}, {"facts": {"must": [{"date": "event.truth.date"}]}}]
        answer = expect_reply(truth, {"any_of": named, "none_of": [*AGREED, CHANGED["asserted"]]}, gate=True)
        never = [
            {"id": "rota", "write": "any", "table": "sheets_cell", "where": {"file_id": {"ref": "book"}}},
            {"id": "told_swapped", "insert": "slack_message", "where": TO_THE_OTHER, "text": SWAPPED},
        ]
        return make_rubric([answer], refs=refs, python=python, never=never)
    cells = [
        cell(f"cell_{name}", "Rota", f"event.truth.cells.{name}.row", 2, word(one["who"]), weight=2)
        for name, one in truth["cells"].items()
    ]
    answer = expect_reply(truth, {"facts": {"must": [{"date": "event.truth.date"}]}, "none_of": [CHANGED["denied"]]})
    python.append({"id": "told", "call": "predicates.check_notice", "claims": []})
    off = {"field": "text", "any_of": [CHANGED["denied"]], "none_of": [{"mentions": one} for one in OPEN]}
    never = [{"id": "told_unchanged", "insert": "slack_message", "where": TO_THE_OTHER, "text": off}]
    return make_rubric([*cells, answer], refs=refs, python=python, never=never)
