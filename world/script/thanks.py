"""Thanks for an answer: once, with an emoji or a word, after a while."""

from collections.abc import Callable
from dataclasses import dataclass

from world.core.app import App, HeardMessage
from world.core.clock import SECOND
from world.core.directory import Person
from world.script.message_intent import count_words
from world.script.stage import Stage

LEAST = 4  # words of what is taken for an answer


@dataclass(frozen=True, slots=True)
class Thanks:
    """Reaction of a person to an answer to a question that they asked in `events`.

    The events note where, in facts that the app declares as a place. Without events the first message to the person
    counts, or the first of which `about` holds.
    The reaction is an emoji where the app has them. Otherwise, and in a share `words` of the cases, it is one of
    `replies` in the same place. It is the world's: nobody is charged with it, and it sets nothing off. Whether the
    answer is right does not matter. The delay is log-normal, in simulated seconds.
    """

    events: tuple[str, ...] = ()
    replies: tuple[str, ...] = ("Thanks!", "Thank you!", "Ok, thanks.")
    emoji: tuple[str, ...] = ("+1", "pray", "ok_hand")
    words: float = 0.25
    delay_s: float = 240.0
    sigma: float = 0.5
    about: Callable[[Stage, HeardMessage], bool] | None = None


def find_question(thanks: Thanks, stage: Stage, app: App, heard: HeardMessage) -> str:
    """Return the event whose question was answered here and not thanked for yet, `*` without events; else empty."""
    if "?" in heard.text or count_words(heard.text) < LEAST:
        return ""
    asked = next((event for event in thanks.events if _find_place(stage, app, event) == heard.place), "")
    name = asked if thanks.events else "*"
    if not name or stage.call.state(_memory(heard, name)) is not None:
        return ""
    return name if thanks.about is None or thanks.about(stage, heard) else ""


def _find_place(stage: Stage, app: App, event: str) -> str | None:
    """Return the place where an event asked, if it was in the app."""
    fired = stage.fired(event)
    return None if fired is None or app.place is None else app.place(fired.facts)


def _memory(heard: HeardMessage, question: str) -> str:
    return f"thanked:{heard.listener}:{question}"


def wait(thanks: Thanks, stage: Stage, person: Person, question: str) -> int:
    """Microseconds until somebody reacts."""
    return int(stage.rng("thanks", person.id, question).lognormal(thanks.delay_s, thanks.sigma) * SECOND)


def say_thanks(thanks: Thanks, stage: Stage, person: Person, heard: HeardMessage, question: str) -> None:
    """React, if nobody has for this question."""
    if stage.call.state(_memory(heard, question)) is not None:
        return
    stage.call.remember(_memory(heard, question), True)
    draw = stage.rng("thanked", person.id, question)
    if heard.emoji is not None and draw.random() >= thanks.words:
        operation, arguments = heard.emoji
        stage.act(person.id, operation, **{**arguments, "name": draw.choice(thanks.emoji)})
        return
    stage.act(person.id, heard.operation, **{**heard.arguments, heard.field: draw.choice(thanks.replies)})
