"""Questions that the agent may ask colleagues, and what those answer, for the authors of chores."""

from collections.abc import Callable, Sequence
from typing import Unpack

from scenarios.office.mail import letter, send
from scenarios.office.people import account
from scenarios.office.private_messages import Told, expect_private_message
from world.core.directory import Person
from world.script.chore import Item, ItemOptions
from world.script.coworkers import Coworker, Rule
from world.script.scenario import Script
from world.script.stage import Stage

FALLBACK = ("what is it about?", "sorry, what do you need?", "can you say what you need from me?")


def answer_questions(s: Script, group: str, names: Sequence[str], words: Sequence[str]) -> None:
    """Let colleagues answer when they are asked with one of the words.

    The fact `group` of the draw maps each name to facts with the colleague's `id` and three `answers`.
    """
    for name in names:
        s.coworker(
            Coworker(
                who=find_drawn_person(group, name),
                rules=(Rule(f"{group}_{name}", (tuple(words),), ("{a0}", "{a1}", "{a2}"), slots=_slots(group, name)),),
                fallback=FALLBACK,
                delay_s=120,
                always=True,
            )
        )


def find_drawn_person(group: str, name: str) -> Callable[[Stage], Person]:
    """Who a group of the drawn facts names, for a coworker."""
    return lambda w: w.person(w.fact("truth", group)[name]["id"])


def _slots(group: str, name: str) -> Callable[[Stage], dict[str, str]]:
    def fill(w: Stage) -> dict[str, str]:
        return {f"a{at}": text for at, text in enumerate(w.fact("truth", group)[name]["answers"])}

    return fill


def write_letter(w: Stage, person: str, reader: str, subject: str, text: str) -> None:
    """Somebody writes a mail to one colleague, with a greeting and their name."""
    whom, writer = w.person(reader), w.person(person)
    send(w, person, [whom.email], subject, letter(whom.first_name, text, writer.first_name))


def write_directly(w: Stage, person: str, reader: str, text: str) -> None:
    """Somebody writes a direct message, and the reader has read it already."""
    channel = w.act(person, "conversations.open", users=account(w, reader, "slack"))["channel"]["id"]
    posted = w.act(person, "chat.postMessage", channel=channel, text=text)
    w.act(reader, "conversations.mark", channel=channel, ts=posted["ts"])


def say_all(texts: Sequence[str], **slots: object) -> list[str]:
    """The variants of an answer with their slots filled: the `answers` of a colleague."""
    return [text.format(**slots) for text in texts]


def expect_question(id: str, path: str, text: Item, *, channel: str = "", **more: Unpack[ItemOptions]) -> Told:
    """Expectations that a colleague is asked: by message, by mail, or by name in a channel, whose id is a fact.

    `path` is the path of the facts that `describe_reader` returned.
    """
    items, sets, refs = expect_private_message(id, path, text, **more)
    if channel:
        where = {"channel_id_from": channel, "sender": {"ref": "agent"}}
        called = {"all_of": [{"mentions": {"ref": f"{id}_who"}}, dict(text)]}
        open = {"insert": "slack_message", "where": where, "text": {"field": "text", **called}}
        items.append({"id": f"{id}_open", **open, "after": "event.request.start", **more})
        refs[f"{id}_who"] = {"employee": {"fact": f"{path}.id"}}
        sets.append([f"{id}_open"])
    return items, sets, refs
