"""V18: nothing about the future, or about the grading, can be had at the first moment."""

import asyncio
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy

from world.agents.examples import Examples
from world.agents.runner import task_of
from world.agents.steps import DirectDoor, Scene, StepRefused
from world.core import event_queue
from world.core.clock import MINUTE
from world.core.json_types import is_object, is_row
from world.core.params import Arguments
from world.core.probes import Place
from world.core.tables import metadata
from world.gate.crawler import AgentClient
from world.gate.replay import record_writes
from world.gate.seed_independence import is_unique_to_world
from world.gate.variant_runner import CheckResult, VariantRunner
from world.grading.inputs import CallRow
from world.run import episode
from world.run.episode import Episode
from world.run.run_folder import line
from world.server.serve import listening, tcp
from world.store.queries import Bound, rows

PAGES = 12  # of each app
SENTENCE = 16  # characters; shorter texts stand in companies by chance
FACT = 6
TOPIC_EVENT = f"event:{event_queue.TOPIC}"  # the operation of a call in which an app does what it had put off


@dataclass(frozen=True, slots=True)
class Secret:
    """A text that must not be had at the first moment, and its kind."""

    text: str
    kind: str


def find_leaks(runner: VariantRunner) -> Iterator[CheckResult]:
    """V18: gold answers, rubric, solution, facts and texts of the future against all that the agent's tokens reach at
    t0. The quick gate asks no server: what one adds to the operations is the same for every scenario.
    """
    hidden = secrets(runner)
    served = asyncio.run(_read_served_pages(runner)) if runner.stride == 1 else []
    places = [("the task", runner.root.task), *read_everything(runner), *served, *list_new_blobs(runner)]
    found = hits(runner, hidden, places)
    for secret, where in found:
        yield CheckResult("V18", f"{secret.kind} {secret.text[:60]!r}", False, f"at the first moment, in {where}")
    yield CheckResult(
        "V18", f"{len(hidden)} secrets in {len(places)} answers", not found, f"{len(found)} leaks" if found else ""
    )


def hits(runner: VariantRunner, hidden: list[Secret], places: list[Place]) -> list[tuple[Secret, str]]:
    """Return the secrets found in answers, each with its first place.

    Texts of the sealed company are sources, not leaks.
    """
    everything = "\0".join(text for _, text in places)
    found = exclude_known_texts(runner, [secret for secret in hidden if secret.text in everything])
    return [(secret, next(where for where, text in places if secret.text in text)) for secret in found]


def exclude_known_texts(runner: VariantRunner, hidden: list[Secret]) -> list[Secret]:
    """The secrets that do not stand in the sealed company."""
    known = runner.host.store.base.map
    found = [secret for secret in hidden if known.find(secret.text.encode("utf-8", "surrogatepass")) < 0]
    packed = "\0".join(_unpack_text(data) for *_, data in _blobs(_open_sealed_company(runner))) if found else ""
    return [secret for secret in found if secret.text not in packed]


# the secrets


def secrets(runner: VariantRunner) -> list[Secret]:
    """Every such text of one seed, longest first, each once."""
    rules = episode.rubric_document(runner.root).data
    found = [Secret(text, "rubric") for text in _sentences(rules)]
    for call in record_writes(runner):
        found += [
            Secret(text, f"solution {call.step.id}")
            for text in _sentences([call.step.arguments, call.step.paraphrases])
        ]
        if call.ends:
            found += [
                Secret(str(value), "answer")
                for value in _leaves(call.step.arguments)
                if is_unique_to_world(str(value)) and len(str(value)) >= FACT
            ]
    start = runner.root.actor.now
    for name, event in runner.quiet.events.items():
        if event.at > start:
            found += [
                Secret(str(v), f"fact of {name}")
                for v in _leaves(event.facts)
                if len(str(v)) >= FACT and is_unique_to_world(str(v))
            ]
    found += list_future_texts(runner)
    return sorted(
        {secret.text: secret for secret in reversed(found)}.values(),
        key=lambda secret: (-len(secret.text), secret.text),
    )


def list_future_texts(runner: VariantRunner) -> list[Secret]:
    """List the texts that are said when nobody acts, except those in the task itself, such as a title to look for, and
    those by which an app only tells of what was there at the first moment, such as its mails about messages.
    """
    first, calls = runner.root.actor.version, {call.seq: call for call in runner.quiet.calls}
    rows = [
        change.after
        for change in runner.quiet.changes
        if change.call_seq > first
        and change.op == "insert"
        and change.after
        and not was_set_off(change.call_seq, calls, first)
    ]
    return [Secret(text, "future") for row in rows for text in _sentences(row) if text not in runner.root.task]


def was_set_off(seq: int, calls: Mapping[int, CallRow], first: int) -> bool:
    """Whether a call comes, through apps alone and by no event of the script, from one before the first moment."""
    current: int | None = seq
    while current is not None and current > first:
        call = calls[current]
        if call.operation.startswith("event:") and call.operation != TOPIC_EVENT:
            return False
        current = call.cause_seq
    return current is not None


def _sentences(value: Any) -> Iterator[str]:
    """Lines of texts that are long enough to be nobody else's."""
    for leaf in _leaves(value):
        if isinstance(leaf, str):
            yield from (piece for text in leaf.splitlines() if len(piece := text.strip()) >= SENTENCE and " " in piece)


def _leaves(value: Any) -> Iterator[Any]:
    if is_object(value):
        for item in value.values():
            yield from _leaves(item)
    elif is_row(value):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


# the places an agent can read


TOKEN_LIFE = 30 * MINUTE  # simulated; access tokens of some vendors live no longer than an hour


class _First:
    """A door that never leaves the first moment: when calls have taken half the time to the first event, or all that the
    budget has, it begins anew.
    """

    name = "rest"

    def __init__(self, runner: VariantRunner) -> None:
        self._runner, self._run = runner, runner.fork()
        self._until = runner.root.actor.now + min(room(runner.root) // 2, TOKEN_LIFE)

    def do(self, operation: str, arguments: Arguments) -> Any:
        """Perform an operation. Raises StepRefused."""
        if self._run.actor.now >= self._until or self._is_spent():
            self.close()
            self._run = self._runner.fork()
        return DirectDoor(self._run).do(operation, arguments)

    def _is_spent(self) -> bool:
        limit, first = self._run.actor.settings.max_calls, self._runner.root.actor.version
        return limit is not None and self._run.actor.version - first >= limit - 1

    def close(self) -> None:
        """Drop the world."""
        self._runner.host.drop(self._run.world)


def room(root: Episode) -> int:
    """Simulated microseconds until something happens."""
    horizon = root.actor.settings.horizon_at or root.actor.now + 3600 * 10**6
    following = event_queue.find_due_event(root.actor.bound, horizon)
    return max(0, (following.due if following else horizon) - root.actor.now)


def read_everything(runner: VariantRunner) -> Iterator[Place]:
    """Yield the answers of every reading operation, refusals included."""
    door = _First(runner)
    reads = {
        id: operation
        for id, operation in sorted(runner.host.operations.items())
        if not operation.writes and id != "world.wait"
    }
    examples = Examples(reads, door.do)
    for name in reads:
        try:
            for example in examples.of(name):
                yield name, line(door.do(name, example)).decode("utf-8", "replace")
        except StepRefused as refusal:
            yield name, f"{refusal.code} {refusal.detail}"
        except LookupError:  # the example's subject is not in this company
            continue
    for app in runner.host.apps.values():
        for one in app.probes.reads(Scene(runner.root)):
            yield one.what, line(door.do(one.operation, one.arguments)).decode("utf-8", "replace")
    door.close()


async def _read_served_pages(runner: VariantRunner) -> list[Place]:
    """Pages, error bodies and descriptions, from a real server; each app's in a fork of its own, since calls take time."""
    found: list[Place] = []
    async with listening(runner.host, tcp("127.0.0.1", 0)) as up:
        for app in ("", *(name for name in sorted(runner.host.apps) if name != "world")):
            run = runner.fork()
            found += await asyncio.to_thread(_harvest, run, task_of(run, up.url), app)
            runner.host.drop(run.world)
    return found


def _harvest(run: Episode, task: Any, app: str) -> list[Place]:
    until = run.actor.now + room(run) - 10**6
    reach = AgentClient(task, lambda: run.actor.now < until)
    try:
        if not app:
            return [*reach.walk("/", PAGES), *reach.errors(), *reach.list_descriptions()]
        served = run.host.apps[app].probes.served(reach.probe(app)) if app in reach.apps else ()
        return [*reach.walk(f"/{app}/", PAGES), *served]
    finally:
        reach.close()


def list_new_blobs(runner: VariantRunner) -> Iterator[Place]:
    """Yield the blobs of the world that the sealed company has not, unpacked: git objects are new after a push."""
    known = {(table, key) for table, key, _ in _blobs(_open_sealed_company(runner))}
    for table, key, data in _blobs(runner.root.actor.bound):
        if (table, key) not in known:
            yield f"{table} {key[0]}", _unpack_text(data)


def _open_sealed_company(runner: VariantRunner) -> Bound:
    return runner.host.store.connection(runner.host.store.view(runner.root.actor.world, at=0))


def _blobs(bound: Bound) -> Iterator[tuple[str, tuple[Any, ...], bytes]]:
    """Table, key and content of what is kept as bytes."""
    for table in metadata().sorted_tables:
        names = [column.name for column in table.columns if isinstance(column.type, sqlalchemy.LargeBinary)]
        if names and not table.name.startswith("_"):
            keys = [column.name for column in table.primary_key.columns]
            wanted = ", ".join(f'"{name}"' for name in keys + names)
            for row in rows(bound, f'SELECT {wanted} FROM "{table.name}"'):
                yield from ((table.name, row[: len(keys)], data) for data in row[len(keys) :] if data)


def _unpack_text(data: bytes) -> str:
    try:
        data = zlib.decompress(data)
    except zlib.error:  # kept as it is
        pass
    return data.decode("utf-8", "replace")
