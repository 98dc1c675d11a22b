"""Colleagues who read and answer: rules, states with memory, demands and escalation, acting through operations as
themselves.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from world.core.app import HeardMessage
from world.core.call import Call
from world.core.clock import MINUTE, SECOND, duration, to_datetime
from world.core.directory import Person
from world.script.message_intent import is_courtesy, list_questions, needs_no_reply
from world.script.stage import DayPart, Stage
from world.script.thanks import Thanks

VARIANTS = 3  # wordings of every template, at least
MAX_DEPTH = 3  # replies between colleagues that follow from one another
MOST_FALLBACKS = 2  # times in a row that somebody says they did not understand
_WORD = re.compile(r"[\w'-]+")

Holds = Callable[[Stage, HeardMessage], bool]
By = Callable[[HeardMessage], HeardMessage]


@dataclass(frozen=True, slots=True)
class Demand:
    """Condition for the answer of a rule. While it does not hold, one of `replies` is said instead.

    A reply is a question back, a request for what is missing, or a refusal. `final`: nothing is waited for after it.
    `by` changes how it is answered, such as by a review that requests changes.
    """

    holds: Holds
    replies: tuple[str, ...]
    final: bool = False
    by: By | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing a colleague understands. The message must touch every group of `intent`, by any word of the group.

    `replies` are variants in the person's voice; `{slot}` is filled from `slots(stage)`. `then` runs after the reply.
    `needs` names rules that must have been used in the same place before; `once` answers one asker one time.
    `demands` are asked in order before it answers. `goes` is the state afterwards. `asks`: the reply is a question that
    wants an answer. `peers`: it understands other coworkers too. `by` changes how it is answered. `about` must hold of
    the message. A message that touches several rules is answered by all of them, except that a rule with `alone`
    answers alone.
    """

    name: str
    intent: tuple[tuple[str, ...], ...]
    replies: tuple[str, ...]
    once: bool = False
    needs: tuple[str, ...] = ()
    when: Callable[[Stage], bool] | None = None
    slots: Callable[[Stage], Mapping[str, str]] | None = None
    then: Callable[[Stage], None] | None = None
    demands: tuple[Demand, ...] = ()
    goes: str = ""
    asks: bool = False
    peers: bool = False
    by: By | None = None
    about: Holds | None = None
    alone: bool = False

    def understands(self, text: str) -> bool:
        """Whether a message asks for this."""
        return all(_touches_any(group, text) for group in self.intent)

    def is_asked(self, stage: Stage, asked: HeardMessage) -> bool:
        """Whether the questions alone of a message, which is understood, are about this."""
        if self.about is not None and not self.about(stage, asked):
            return False
        return any(_touches_any(group, asked.text) for group in self.intent) or (
            self.about is not None and not self.intent
        )

    @property
    def stands_alone(self) -> bool:
        """Whether its answer is given alone: an act such as a review, or a reply to every message."""
        acts = self.by is not None or any(demand.by is not None for demand in self.demands)
        return self.alone or acts or not (self.intent or self.about)

    @property
    def tells(self) -> bool:
        """Whether it only states something, which is known once said."""
        return not (self.goes or self.asks or self.stands_alone)


def _touches_any(group: tuple[str, ...], text: str) -> bool:
    spoken = _WORD.findall(text.casefold())
    return any(_touches(term, set(spoken), " ".join(spoken)) for term in group)


def _touches(term: str, words: set[str], flat: str) -> bool:
    if " " in term:
        return term in flat
    if term.endswith("*"):
        return any(word.startswith(term[:-1]) for word in words)
    return term in words


@dataclass(frozen=True, slots=True)
class State:
    """State of a conversation: rules that hold only in it, tried before those of the coworker, and its fallback."""

    name: str
    rules: tuple[Rule, ...] = ()
    fallback: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Escalation:
    """Escalation to another person.

    It happens `after` a while without an answer to a question of the colleague, or after so many `asks` that led
    nowhere.
    `replies` are said in the same place with `{to}` and `{speaker}`; in a direct message they go to that person alone.
    Once per conversation.
    """

    to: Callable[[Stage], Person | str]
    replies: tuple[str, ...]
    after: str = ""
    asks: int = 0
    goes: str = ""
    then: Callable[[Stage], None] | None = None


@dataclass(frozen=True, slots=True)
class Coworker:
    """Answers of one person. `who` finds the person when asked; delays are log-normal, in simulated seconds.

    Outside working hours a reply waits until they begin, unless `always`; an absent person stays silent. A conversation
    begins in the first of `states`. It is one per asker and place, or one per asker with `everywhere`. After `forgets`
    it starts afresh. A message for which `over` holds gets no answer. `thanks` is the reaction to an answer to their
    own questions.
    """

    who: Callable[[Stage], Person | str]
    rules: tuple[Rule, ...] = ()
    fallback: tuple[str, ...] = ()
    delay_s: float = 90.0
    sigma: float = 0.4
    always: bool = False
    name: str = field(default="")
    states: tuple[State, ...] = ()
    forgets: str = ""
    everywhere: bool = False
    escalation: Escalation | None = None
    over: Holds | None = None
    thanks: Thanks | None = None
    part: DayPart | None = None  # of a composed day

    def state(self, name: str) -> State:
        """A state by name; the first one for any other name, and one without rules for a coworker without states."""
        found = [state for state in self.states if state.name == name] or [*self.states, State("")]
        return found[0]

    @property
    def is_mute(self) -> bool:
        """Whether they never say anything but thanks."""
        said = (self.fallback, *(state.fallback for state in self.states))
        return not any(said) and not any(self.every_rule())

    def every_rule(self) -> Iterator[Rule]:
        """The rules of all states, then those that always hold."""
        for state in self.states:
            yield from state.rules
        yield from self.rules

    def problems(self) -> list[str]:
        """List the mistakes in its declaration: templates with too few wordings, unknown states and rules."""
        states, rules = {state.name for state in self.states}, {rule.name for rule in self.every_rule()}
        found = [
            f"{where}: {len(texts)} wordings, {VARIANTS} are needed"
            for where, texts in self._templates()
            if 0 < len(texts) < VARIANTS
        ]
        for rule in self.every_rule():
            found += (
                [f"rule {rule.name!r} goes to {rule.goes!r}, which is no state"]
                if rule.goes and rule.goes not in states
                else []
            )
            found += [
                f"rule {rule.name!r} needs {need!r}, which is no rule" for need in rule.needs if need not in rules
            ]
        raised = self.escalation
        if raised is not None and not (raised.after or raised.asks):
            found.append("the escalation has neither after nor asks")
        if raised is not None and raised.goes and raised.goes not in states:
            found.append(f"the escalation goes to {raised.goes!r}, which is no state")
        return found

    def _templates(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        yield "fallback", self.fallback
        for state in self.states:
            yield f"fallback of state {state.name!r}", state.fallback
        for rule in self.every_rule():
            yield f"rule {rule.name!r}", rule.replies
            for demand in rule.demands:
                yield f"a demand of rule {rule.name!r}", demand.replies
        if self.escalation is not None:
            yield "escalation", self.escalation.replies
        if self.thanks is not None:
            yield "thanks", self.thanks.replies
            yield "emoji of thanks", self.thanks.emoji


@dataclass(slots=True)
class Memory:
    """Memory of one conversation; kept in the world, so that a fork has it.

    `heard` counts messages, `fruitless` answers in a row that led nowhere; `at` is when they last answered, in us.
    """

    used: list[str] = field(default_factory=list[str])
    state: str = ""
    heard: int = 0
    fruitless: int = 0
    escalated: bool = False
    at: int = 0


def _place(coworker: Coworker, heard: HeardMessage) -> str:
    own = "" if coworker.part is None else f"{coworker.part.name}:"
    return f"heard:{own}{heard.listener}:{heard.speaker}:{'*' if coworker.everywhere else heard.place}"


def recall(coworker: Coworker, call: Call, heard: HeardMessage) -> Memory:
    """The conversation so far; a fresh one when there was none, or when it is forgotten."""
    stored: Any = call.state(_place(coworker, heard))
    memory = Memory(**stored) if stored else Memory()
    if coworker.forgets and memory.at and call.now - memory.at >= duration(coworker.forgets):
        return Memory(heard=memory.heard)
    return memory


def _keep(coworker: Coworker, call: Call, heard: HeardMessage, memory: Memory) -> None:
    call.remember(_place(coworker, heard), asdict(memory))


def listen(coworker: Coworker, call: Call, heard: HeardMessage) -> int:
    """Take note that something was said; returns how many messages that makes."""
    memory = recall(coworker, call, heard)
    memory.heard += 1
    _keep(coworker, call, heard, memory)
    return memory.heard


@dataclass(frozen=True, slots=True)
class _Reply:
    """Reply that is about to be said. `fruitless`: it led nowhere. `waits`: it waits for an answer."""

    replies: Sequence[str]
    name: str
    rule: Rule | None = None
    fruitless: bool = False
    waits: bool = False
    by: By | None = None


def choose(coworker: Coworker, stage: Stage, heard: HeardMessage, memory: Memory, *, peer: bool = False) -> list[Rule]:
    """Choose the rules that a message touches and that may be used now, those of the state first.

    If the message asks something, only the rules it asks for are chosen. A rule that stands alone comes alone, and only
    one rule changes the state.
    """
    may = (
        rule
        for rule in (*coworker.state(memory.state).rules, *coworker.rules)
        if _may_use(rule, stage, heard, memory, peer)
    )
    touched = [rule for rule in may if rule.understands(heard.text)]
    asked = replace(heard, text=" ".join(list_questions(heard.text)))
    found = [rule for rule in touched if rule.is_asked(stage, asked)] or touched
    if found and found[0].stands_alone:
        return found[:1]
    moves = next((rule for rule in found if rule.goes), None)
    return [rule for rule in found if not rule.stands_alone and (not rule.goes or rule is moves)]


def _may_use(rule: Rule, stage: Stage, heard: HeardMessage, memory: Memory, peer: bool) -> bool:
    if (rule.once and rule.name in memory.used) or (peer and not rule.peers) or set(rule.needs) - set(memory.used):
        return False
    return (rule.when is None or rule.when(stage)) and (rule.about is None or rule.about(stage, heard))


def _decide(coworker: Coworker, stage: Stage, heard: HeardMessage, memory: Memory, peer: bool) -> list[_Reply]:
    if coworker.over is not None and coworker.over(stage, heard):
        return []
    rules, content = choose(coworker, stage, heard, memory, peer=peer), not peer and needs_no_reply(heard.text)
    if not rules:
        return _fall_back(coworker, heard, memory, peer=peer, content=content)
    said = [
        _reply_by(rule, stage, heard) for rule in rules if not (content and rule.tells and rule.name in memory.used)
    ]
    return [reply for reply in said if not (content and reply.name.endswith(".") and reply.name in memory.used)]


def _fall_back(coworker: Coworker, heard: HeardMessage, memory: Memory, *, peer: bool, content: bool) -> list[_Reply]:
    """Return the reply when no rule fits; none to a colleague, to thanks, or to a mere account of work done."""
    tired = coworker.escalation is None and memory.used[-MOST_FALLBACKS:] == ["?"] * MOST_FALLBACKS
    answered = bool(memory.used) and not memory.used[-1].endswith(("?", "!"))
    replies = coworker.state(memory.state).fallback or coworker.fallback
    if peer or tired or is_courtesy(heard.text) or (answered and content) or not replies:
        return []
    return [_Reply(replies, "?", fruitless=True, waits=True)]


def _reply_by(rule: Rule, stage: Stage, heard: HeardMessage) -> _Reply:
    for number, demand in enumerate(rule.demands):
        if not demand.holds(stage, heard):
            name = f"{rule.name}:{number}{'.' if demand.final else '?'}"
            return _Reply(demand.replies, name, fruitless=True, waits=not demand.final, by=demand.by)
    return _Reply(rule.replies, rule.name, rule, waits=rule.asks, by=rule.by)


def answer(coworker: Coworker, stage: Stage, person: Person, heard: HeardMessage, *, peer: bool = False) -> int | None:
    """Say it in the same place, in one message: the chosen rules' replies, what a demand lacks, or the fallback, which
    states nothing.

    Returns when an answer to it is overdue, in us from now; None when none is waited for.
    """
    memory = recall(coworker, stage.call, heard)
    said = [reply for reply in _decide(coworker, stage, heard, memory, peer) if reply.replies]
    if not said:
        return None
    memory.fruitless = memory.fruitless + 1 if all(reply.fruitless for reply in said) else 0
    raised = coworker.escalation
    if raised is not None and 0 < raised.asks <= memory.fruitless and not memory.escalated:
        _escalate(coworker, raised, stage, person, heard, memory)
        return None
    text = "\n".join([_word(reply, stage, person, heard, memory) for reply in said])
    memory.at = stage.now
    _keep(coworker, stage.call, heard, memory)
    by = said[0].by
    _say(stage, person, by(heard) if by else heard, text)
    for rule in (reply.rule for reply in said):
        if rule is not None and rule.then:
            rule.then(stage)
    waits = any(reply.waits for reply in said) and not memory.escalated
    return duration(raised.after) if raised is not None and raised.after and waits else None


def _word(reply: _Reply, stage: Stage, person: Person, heard: HeardMessage, memory: Memory) -> str:
    """The words of a reply; what they change in the memory."""
    text, rule = _choose_wording(reply.replies, stage, person, heard, memory), reply.rule
    memory.used.append(reply.name)
    if rule is not None:
        memory.state = rule.goes or memory.state
    return text.format(**rule.slots(stage)) if rule is not None and rule.slots else text


def overdue(coworker: Coworker, stage: Stage, person: Person, heard: HeardMessage, turn: int) -> None:
    """Escalate a question that has had its time, unless something was said since or somebody has been brought in."""
    memory = recall(coworker, stage.call, heard)
    if coworker.escalation is not None and memory.at and memory.heard == turn and not memory.escalated:
        _escalate(coworker, coworker.escalation, stage, person, heard, memory)


def _escalate(
    coworker: Coworker, raised: Escalation, stage: Stage, person: Person, heard: HeardMessage, memory: Memory
) -> None:
    found = raised.to(stage)
    target = found if isinstance(found, str) else found.id
    app = next(app for app in stage.call.apps.values() if heard.operation in app.operations)
    called, arguments = stage.call.directory.full_name(target), dict(heard.arguments)
    if app.involves is not None:
        called, arguments = app.involves(stage.call, target, arguments)
    speaker = stage.call.directory.full_name(heard.speaker) or heard.speaker
    text = _choose_wording(raised.replies, stage, person, heard, memory).format(to=called, speaker=speaker)
    memory.escalated, memory.state, memory.at = True, raised.goes or memory.state, stage.now
    memory.used.append("!")
    _keep(coworker, stage.call, heard, memory)
    _say(stage, person, replace(heard, arguments=arguments), text)
    if raised.then:
        raised.then(stage)


def _choose_wording(replies: Sequence[str], stage: Stage, person: Person, heard: HeardMessage, memory: Memory) -> str:
    return replies[(len(memory.used) + stage.rng("variant", person.id, heard.place).bits()) % len(replies)]


def _say(stage: Stage, person: Person, heard: HeardMessage, text: str) -> None:
    stage.act(person.id, heard.operation, **{**heard.arguments, heard.field: text})


def delay(coworker: Coworker, stage: Stage, person: Person, heard: HeardMessage, quiet_until: int = 0) -> int:
    """Microseconds until the reply is typed: what must not disturb waits, then thinking, then the rest of the night if
    it is night.
    """
    draw = stage.rng("reply", person.id, heard.place, stage.now)
    thinking = int(draw.lognormal(coworker.delay_s, coworker.sigma) * SECOND) + max(0, quiet_until - stage.now)
    return thinking if coworker.always else thinking + until_working(person, stage.now + thinking)


def until_working(person: Person, at: int) -> int:
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


_SPELT = re.compile(r"[\w.@-]+")


def evidence(
    table: str, column: str, fits: Callable[[Stage, Mapping[str, Any]], bool] | None = None, **where: object
) -> Holds:
    """Build a demand for a link or a key: the message names a row of `table` that equals `where` and that `fits`.

    `column` holds the name by which a message calls the row: an issue's key, a message's ts (also inside a link), a
    file's key. A number counts as `#12` or as the end of a link, `/12`.
    """

    def holds(stage: Stage, heard: HeardMessage) -> bool:
        named = {word.strip(".-").casefold() for word in _SPELT.findall(heard.text)}
        numbers = set(re.findall(r"[#/](\d+)\b", heard.text))
        rows = (row for row in stage.rows(table, **where) if _is_named(row[column], named, numbers))
        return any(fits is None or fits(stage, row) for row in rows)

    return holds


def _is_named(value: object, named: set[str], numbers: set[str]) -> bool:
    if isinstance(value, int):
        return str(value) in numbers
    spelt = str(value or "").casefold()
    return bool(spelt) and (spelt in named or f"p{spelt.replace('.', '')}" in named)
