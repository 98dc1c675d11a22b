"""A scenario at work in one world: its events, triggers and colleagues. What has happened is kept in the world, never
here.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import orjson
from pydantic import JsonValue

from world.core import event_queue
from world.core.app import App, Facts, HeardMessage
from world.core.call import Call
from world.core.clock import MINUTE
from world.core.errors import OperationError, Outage
from world.core.event_queue import QueuedEvent
from world.core.journal import Change
from world.core.json_types import is_object
from world.core.operation import Operation
from world.core.params import Arguments
from world.script import coworkers, faults, reply_queue
from world.script.coworkers import Coworker
from world.script.errors import NotYet, ScenarioError
from world.script.faults import ActiveFault, Fault
from world.script.message_intent import is_courtesy
from world.script.scenario import Timeline, Trigger
from world.script.stage import DayPart, Stage, locate_mistake
from world.script.thanks import find_question, say_thanks, wait
from world.store.queries import row

_CAUSES = """WITH RECURSIVE chain(seq, cause_seq, operation) AS (
    SELECT seq, cause_seq, operation FROM _call WHERE seq = ?
    UNION SELECT c.seq, c.cause_seq, c.operation FROM _call c JOIN chain ON c.seq = chain.cause_seq
    ) SELECT operation FROM chain WHERE operation LIKE 'event:%'"""


def is_bot(call: Call, person: str) -> bool:
    """Whether a directory id is an integration's."""
    found = row(call.bound, "SELECT kind FROM person WHERE id = ?", person)
    return found is not None and found[0] == "bot"


class Driver(Protocol):
    """Interface of the driver that serves a scenario's world."""

    @property
    def seed(self) -> int: ...

    @property
    def apps(self) -> Mapping[str, App]: ...

    @property
    def played(self) -> frozenset[str]: ...

    def operation(self, name: str) -> Operation: ...

    def active_faults(self) -> list[ActiveFault]: ...

    def try_act(
        self, call: Call, person: str, operation: Operation, arguments: Arguments
    ) -> tuple[Any, OperationError | None]: ...

    def tell(self, call: Call, app: App, topic: str, facts: Facts) -> None: ...

    def for_app(self, call: Call, app: str) -> Call: ...


class ScenarioRuntime:
    """Fires events and answers changes, always inside the driver's open transaction."""

    __slots__ = ("_driver", "_timeline")

    def __init__(self, driver: Driver, timeline: Timeline) -> None:
        self._driver, self._timeline = driver, timeline

    def begin(self, call: Call) -> None:
        """Queue what happens at a time, and arm what waits from the start."""
        for event in self._timeline.events:
            if event.at is not None:
                self._push(call, event.at, event.number)
        for trigger in self._timeline.triggers:
            if trigger.armed_by is None and trigger.cancels is None:
                self._arm(call, trigger, self._timeline.start)

    def react(self, call: Call, change: Change) -> None:
        """Triggers and colleagues, on one changed row."""
        for trigger in self._timeline.triggers:
            if trigger.matches(change):
                self._trip(call, trigger, change)
        self._hear(call, change)

    def _stage(self, call: Call, queued: QueuedEvent, part: DayPart | None) -> Stage:
        def act(person: str, operation: str, arguments: Arguments) -> Any:
            return self._act(call, queued, person, operation, arguments)

        return Stage(call, act, self._timeline.start, trigger=dict(queued.facts), part=part)

    def fire(self, call: Call, queued: QueuedEvent) -> None:
        """Do what a numbered row of the queue stands for."""
        timeline = self._timeline
        if queued.number >= len(timeline.events):
            self._answer(call, queued, timeline.coworkers[queued.number - len(timeline.events)])
            return
        event = timeline.events[queued.number]
        stage = self._stage(call, queued, event.part)
        if isinstance(held := queued.facts.get("act"), dict):
            self._deliver(call, stage, event.name, held)
            return
        if event.while_ is not None and not event.while_(stage):
            return
        event.action(stage)
        for number in stage.ended:
            self._drain(call, timeline.faults[number])
        call.remember(f"event:{event.name}", {"at": call.now, "seq": call.seq, "facts": stage.facts})
        self._follow(call, stage, queued.number)

    def _deliver(self, call: Call, stage: Stage, event: str, held: Mapping[str, JsonValue]) -> None:
        """Do a held-back act now; its result becomes a fact of the event that wanted it."""
        arguments: Any = held["arguments"]
        answer = stage.act(str(held["person"]), str(held["operation"]), **arguments)
        stored = call.state(f"event:{event}")
        if isinstance(stored, dict) and is_object(answer):
            made: dict[str, JsonValue] = {
                key: answer[key] for key in ("ts", "key", "id") if isinstance(answer.get(key), str)
            }
            facts: Any = stored.get("facts") or {}
            call.remember(f"event:{event}", {**stored, "facts": {**facts, **made, "delivered_at": call.now}})

    def _follow(self, call: Call, stage: Stage, number: int) -> None:
        timeline = self._timeline
        event = timeline.events[number]
        for delay, following in event.follows:
            self._push(call, call.now + delay, following)
        if event.every is not None:
            self._push(call, call.now + event.every, number)
        for name, delay, facts in stage.queued:
            following = next(e.number for e in timeline.events if e.name == name)
            self._push(call, call.now + delay, following, facts)
        for trigger in timeline.triggers:
            if trigger.armed_by == number:
                self._arm(call, trigger, call.now)

    def _push(self, call: Call, due: int, number: int, facts: dict[str, JsonValue] | None = None) -> None:
        priority = self._timeline.events[number].priority
        event_queue.push(call.bound, due=due, number=number, cause=call.seq, facts=facts, priority=priority)

    def _answer(self, call: Call, queued: QueuedEvent, coworker: Coworker) -> None:
        stage = self._stage(call, queued, coworker.part)
        told: dict[str, Any] = dict(queued.facts)
        if isinstance(held := queued.facts.get("act"), dict):
            self._deliver(call, stage, "", held)
            return
        person = call.directory.person(str(told["listener"]))
        if person is None or person.status != "active" or call.directory.is_away(person.id):
            return
        if isinstance(turn := told.get("overdue"), int):
            coworkers.overdue(coworker, stage, person, reply_queue.from_facts(told), turn)
            return
        if (heard := self._read(call, told)) is None:
            return
        if coworker.thanks is not None and isinstance(question := told.get("question"), str):
            say_thanks(coworker.thanks, stage, person, heard, question)
            return
        waits = coworkers.answer(coworker, stage, person, heard, peer=bool(told["peer"]))
        if waits is not None:
            due = call.now + waits + (0 if coworker.always else coworkers.until_working(person, call.now + waits))
            facts: dict[str, JsonValue] = {**reply_queue.to_facts(heard), "overdue": told["turn"]}
            event_queue.push(call.bound, due=due, number=queued.number, cause=call.seq, facts=facts)

    def _read(self, call: Call, told: Mapping[str, Any]) -> HeardMessage | None:
        app = self._driver.apps[str(told["messages"][0]["table"]).split("_", 1)[0]]
        return reply_queue.refresh_messages(self._driver.for_app(call, app.name), app, told)

    def _act(self, call: Call, queued: QueuedEvent, person: str, name: str, arguments: Arguments) -> Any:
        operation = self._driver.operation(name)
        if self._hold_back(call, queued, person, operation, arguments):
            return None
        answer, refusal = self._driver.try_act(call, person, operation, arguments)
        if refusal is not None and not isinstance(refusal, Outage) and not _has_agent_called(call):
            raise locate_mistake(f"{call.directory.full_name(person) or person} may not {name}: {refusal}")
        return answer

    def _hold_back(
        self, call: Call, queued: QueuedEvent, person: str, operation: Operation, arguments: Arguments
    ) -> bool:
        """During an outage with a backlog, what colleagues do is kept and delivered afterwards, in order."""
        delivers = bool(self._driver.apps[operation.app].deliveries)
        active = faults.holds_back(self._driver.active_faults(), operation, person, delivers=delivers)
        if active is None:
            return False
        self._put_by(
            call,
            {
                "fault": active.fault.id,
                "number": queued.number,
                "person": person,
                "operation": operation.id,
                "arguments": dict(arguments),
                "at": call.now,
            },
        )
        return True

    def _put_by(self, call: Call, item: dict[str, JsonValue]) -> None:
        kept = call.state("backlog")
        call.remember("backlog", [*kept, item] if isinstance(kept, list) else [item])

    def copies(self, call: Call, queued: QueuedEvent, app: App, topic: str) -> int:
        """Return how often a world event reaches an app now; a fault may hold back, lose or repeat a delivery."""
        if topic not in app.deliveries:
            return 1
        draw = (self._driver.seed, queued.due, orjson.dumps(queued.facts, option=orjson.OPT_SORT_KEYS).decode())
        hit = faults.of_delivery(self._driver.active_faults(), app.name, topic, now=call.now, draw=draw)
        if hit is None or hit.fault.kind == "dup_event":
            return 1 if hit is None else 2
        if hit.fault.kind == "delay_event":
            facts = {key: value for key, value in queued.facts.items() if key != "only"}
            self._put_by(
                call,
                {
                    "fault": hit.fault.id,
                    "topic": topic,
                    "app": app.name,
                    "facts": facts,
                    "cause": queued.cause,
                    "number": queued.number,
                },
            )
            if f"{topic}.held" in app.topics:
                self._driver.tell(
                    call, app, f"{topic}.held", {key: value for key, value in facts.items() if key != "topic"}
                )
        return 0

    def _drain(self, call: Call, fault: Fault) -> None:
        """Queue what an ended outage held back, oldest first."""
        if fault.backlog is None:
            return
        kept = call.state("backlog")
        rows = [r for r in kept if isinstance(r, dict)] if isinstance(kept, list) else []
        mine = [r for r in rows if r["fault"] == fault.id]
        call.remember("backlog", [r for r in rows if r["fault"] != fault.id])
        for position, item in enumerate(mine):
            due = call.now + (position + 1) * MINUTE // fault.backlog.per_minute
            if isinstance(facts := item.get("facts"), dict):
                cause = item["cause"] if isinstance(item["cause"], int) else None
                event_queue.push(
                    call.bound,
                    due=due,
                    number=int(str(item["number"])),
                    cause=cause,
                    facts={**facts, "only": item["app"]},
                )
                continue
            held: dict[str, JsonValue] = {"act": {k: item[k] for k in ("person", "operation", "arguments", "at")}}
            event_queue.push(call.bound, due=due, number=int(str(item["number"])), cause=call.seq, facts=held)

    def _arm(self, call: Call, trigger: Trigger, since: int) -> None:
        armed: dict[str, JsonValue] = {"left": trigger.times}
        if trigger.deadline is not None and trigger.otherwise is not None:
            armed["deadline"] = event_queue.push(
                call.bound, due=since + trigger.deadline, number=trigger.otherwise, cause=call.seq
            )
        call.remember(f"trigger:{trigger.number}", armed)

    def _trip(self, call: Call, trigger: Trigger, change: Change) -> None:
        if trigger.cancels is not None:
            event_queue.withdraw_number(call.bound, trigger.cancels)
            return
        armed = call.state(f"trigger:{trigger.number}")
        if not isinstance(armed, dict) or not armed.get("left"):
            return
        event = self._timeline.events[trigger.event]
        if (
            trigger.otherwise is not None
            and call.state(f"event:{self._timeline.events[trigger.otherwise].name}") is not None
        ):
            return
        if trigger.about is not None and not trigger.about(self._look(call, event.part), _read_row(change)):
            return
        left = int(str(armed["left"])) - 1
        call.remember(f"trigger:{trigger.number}", {**armed, "left": left})
        if left:
            return
        if trigger.otherwise is not None:
            event_queue.withdraw_number(call.bound, trigger.otherwise)
        facts: dict[str, JsonValue] = {
            "table": change.table,
            "pk": list(change.pk),
            "row": _read_row(change),
        }
        self._push(call, call.now + trigger.delay, trigger.event, facts)

    def _hear(self, call: Call, change: Change) -> None:
        """Colleagues who were spoken to will answer after a while."""
        timeline = self._timeline
        app = self._driver.apps.get(change.table.split("_", 1)[0])
        if not timeline.coworkers or app is None or app.hears is None or change.op != "insert":
            return
        own = self._driver.for_app(call, app.name)
        spoken = list(app.hears(own, change))
        if not spoken:
            return
        people: dict[str | None, list[int]] = {}
        for index, coworker in enumerate(timeline.coworkers):
            people.setdefault(self._find_person(coworker, self._look(call, coworker.part)), []).append(index)
        for heard in spoken:
            if heard.listener in self._driver.played:
                continue  # an agent answers for them
            if heard.listener not in people or heard.speaker == heard.listener or heard.speaker.startswith("system:"):
                continue
            if is_bot(call, heard.speaker) or self._depth(call) >= coworkers.MAX_DEPTH:
                continue
            peer = heard.speaker in people
            self._listen(own, self._choose(own, people[heard.listener], heard, peer), heard, change, peer=peer)

    def _look(self, call: Call, part: DayPart | None) -> Stage:
        """A stage on which nothing happens."""
        return Stage(call, _note_nothing, self._timeline.start, part=part)

    def _choose(self, call: Call, indices: Sequence[int], heard: HeardMessage, peer: bool) -> int:
        """Choose what part a person plays towards a message: outside days the one declared last.

        On a day each chore has one such part. It is the last that has an answer, or else the last that owes thanks, or
        else the first that would say something.
        """
        mine = list({self._timeline.coworkers[index].part: index for index in indices}.values())
        if len(mine) == 1:
            return mine[0]
        still = [index for index in mine if not self._is_over(call, index, heard)]
        for holds in (self._has_answer, self._owes_thanks):
            for index in reversed(still):
                if holds(call, index, heard, peer):
                    return index
        return next((index for index in still if not self._timeline.coworkers[index].is_mute), mine[0])

    def _is_over(self, call: Call, index: int, heard: HeardMessage) -> bool:
        coworker = self._timeline.coworkers[index]
        return coworker.over is not None and coworker.over(self._look(call, coworker.part), heard)

    def _has_answer(self, call: Call, index: int, heard: HeardMessage, peer: bool) -> bool:
        coworker = self._timeline.coworkers[index]
        stage, memory = self._look(call, coworker.part), coworkers.recall(coworker, call, heard)
        return bool(coworkers.choose(coworker, stage, heard, memory, peer=peer))

    def _owes_thanks(self, call: Call, index: int, heard: HeardMessage, peer: bool) -> bool:
        coworker = self._timeline.coworkers[index]
        if coworker.thanks is None or peer:
            return False
        stage = self._look(call, coworker.part)
        return bool(find_question(coworker.thanks, stage, self._driver.apps[call.app], heard))

    def _find_person(self, coworker: Coworker, stage: Stage) -> str | None:
        """The directory id of a colleague; None before the events that they are known by."""
        try:
            found = coworker.who(stage)
        except NotYet:
            return None
        except ScenarioError:
            if stage.now > self._timeline.start:
                raise
            return None  # what the world begins with is still being made
        return found if isinstance(found, str) else found.id

    def _listen(
        self,
        call: Call,
        index: int,
        heard: HeardMessage,
        change: Change,
        *,
        peer: bool,
    ) -> None:
        """Queue the answer to something heard, or the thanks for it; nobody hears what a colleague thanks for."""
        coworker = self._timeline.coworkers[index]
        person, number = call.directory.person(heard.listener), len(self._timeline.events) + index
        stage = self._look(call, coworker.part)
        deaf = peer and (is_courtesy(heard.text) or not any(rule.peers for rule in coworker.every_rule()))
        if person is None or deaf:
            return
        thanks, app = coworker.thanks, self._driver.apps[call.app]
        if thanks is not None and not peer and (question := find_question(thanks, stage, app, heard)):
            due = call.now + wait(thanks, stage, person, question)
            due += 0 if coworker.always else coworkers.until_working(person, due)
            reply_queue.push_thanks(call, number, heard, change, due, question)
            return
        if coworker.is_mute:
            return
        quiet = app.quiet(call, person.id) if app.quiet is not None else 0
        due = call.now + coworkers.delay(coworker, stage, person, heard, quiet)
        turn = coworkers.listen(coworker, call, heard)
        reply_queue.push_answer(call, number, heard, change, due, peer=peer, turn=turn)

    def _depth(self, call: Call) -> int:
        """Count the answers of colleagues that lead up to a call, one because of the other."""
        first = len(self._timeline.events)
        numbers = (int(name.partition(":")[2]) for (name,) in call.bound.raw.execute(_CAUSES, (call.seq,)))
        return sum(number >= first for number in numbers)


def _has_agent_called(call: Call) -> bool:
    """Whether a call has come through an agent's door: what is refused then may be the agent's doing."""
    return row(call.bound, "SELECT 1 FROM _call WHERE door IN ('rest', 'mcp', 'page') LIMIT 1") is not None


def _read_row(change: Change) -> dict[str, JsonValue]:
    return dict(change.after or change.before or {})


def _note_nothing(*_: object) -> None:
    """Look only: nothing is noted."""
