"""Colleagues who read and answer: scripted rules with memory, acting through operations as themselves."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from world.clock import MINUTE, SECOND, to_datetime

if TYPE_CHECKING:
    from world.call import Call
    from world.directory import Person
    from world.stage import Stage

_WORD = re.compile(r"[\w'-]+")


@dataclass(frozen=True, slots=True)
class Heard:
    """Something a person was told: by whom, what, and which operation answers it in the same place."""

    listener: str
    speaker: str
    text: str
    place: str
    operation: str
    arguments: Mapping[str, Any]
    field: str = "text"


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing a colleague understands. Every group of `intent` must be touched by the message, any word of a group does.

    `replies` are variants in the person's voice; `{slot}` is filled from `slots(stage)`. `then` runs after the reply.
    `needs` names rules that must have been used in the same place before; `once` answers one asker one time.
    """

    name: str
    intent: tuple[tuple[str, ...], ...]
    replies: tuple[str, ...]
    once: bool = False
    needs: tuple[str, ...] = ()
    when: "Callable[[Stage], bool] | None" = None
    slots: "Callable[[Stage], Mapping[str, str]] | None" = None
    then: "Callable[[Stage], None] | None" = None

    def understands(self, text: str) -> bool:
        """Whether a message asks for this."""
        words = {word.casefold() for word in _WORD.findall(text)}
        flat = " ".join(_WORD.findall(text.casefold()))
        return all(any(_touches(term, words, flat) for term in group) for group in self.intent)


def _touches(term: str, words: set[str], flat: str) -> bool:
    if " " in term:
        return term in flat
    if term.endswith("*"):
        return any(word.startswith(term[:-1]) for word in words)
    return term in words


@dataclass(frozen=True, slots=True)
class Coworker:
    """How one person answers. `who` finds the person when asked; delays are log-normal, in simulated seconds.

    Outside working hours a reply waits until they begin, unless `always`; an absent person stays silent.
    """

    who: "Callable[[Stage], Person | str]"
    rules: tuple[Rule, ...]
    fallback: tuple[str, ...] = ()
    delay_s: float = 90.0
    sigma: float = 0.4
    always: bool = False
    name: str = field(default="")

    def choose(self, stage: "Stage", heard: Heard) -> Rule | None:
        """The first rule that understands the message and may be used now."""
        used = _used(stage.call, heard)
        for rule in self.rules:
            if rule.once and rule.name in used:
                continue
            if set(rule.needs) - set(used) or not rule.understands(heard.text):
                continue
            if rule.when is None or rule.when(stage):
                return rule
        return None


def _memory(heard: Heard) -> str:
    return f"heard:{heard.listener}:{heard.speaker}:{heard.place}"


def _used(call: "Call", heard: Heard) -> list[str]:
    stored = call.state(_memory(heard))
    return [str(name) for name in stored] if isinstance(stored, list) else []


def delay(coworker: Coworker, stage: "Stage", person: "Person", heard: Heard) -> int:
    """Microseconds until the reply is typed: thinking, then the rest of the night if it is night."""
    draw = stage.rng("reply", person.id, heard.place, stage.now)
    thinking = int(draw.lognormal(coworker.delay_s, coworker.sigma) * SECOND)
    if coworker.always:
        return thinking
    return thinking + until_working(person, stage.now + thinking)


def until_working(person: "Person", at: int) -> int:
    """Microseconds from a simulated time to the person's next working minute; 0 when it is one."""
    local = to_datetime(at, person.tz)
    minute = local.hour * 60 + local.minute
    wait, day = 0, local.weekday()
    if minute >= person.hours_end:
        wait, day = 1440 - minute + person.hours_start, (day + 1) % 7
    elif minute < person.hours_start:
        wait = person.hours_start - minute
    elif day < 5:
        return 0
    while day >= 5:
        wait, day = (wait or person.hours_start - minute) + 1440, (day + 1) % 7
    return wait * MINUTE


def answer(coworker: Coworker, stage: "Stage", person: "Person", heard: Heard) -> None:
    """Say it: the chosen rule's reply in the same place, or the fallback, which states nothing."""
    rule = coworker.choose(stage, heard)
    replies: Sequence[str] = rule.replies if rule else coworker.fallback
    if not replies:
        return
    used = _used(stage.call, heard)
    text = replies[(len(used) + stage.rng("variant", person.id, heard.place).bits()) % len(replies)]
    if rule and rule.slots:
        text = text.format(**rule.slots(stage))
    stage.call.remember(_memory(heard), [*used, rule.name if rule else "?"])
    stage.act(person.id, heard.operation, **{**heard.arguments, heard.field: text})
    if rule and rule.then:
        rule.then(stage)
