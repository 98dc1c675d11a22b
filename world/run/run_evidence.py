"""The record of a finished run that grading needs: calls, changed rows, fired events, the answer; in memory and on disk."""

from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import starmap
from operator import attrgetter
from pathlib import Path
from typing import Any

import orjson

from world.core.conduct import Conduct
from world.core.journal import Change, changes
from world.core.tables import metadata
from world.grading.inputs import Answer, CallRow, FiredEvent
from world.run.actor import Actor
from world.run.run_folder import line, read_lines
from world.store.queries import rows

CALLS = "SELECT seq, at, actor, door, operation, cause_seq, status FROM _call ORDER BY seq"
CONTENTS = "SELECT sha256, data FROM blob WHERE sha256 IN (SELECT value FROM json_each(?)) AND size <= ?"
MAX_CONTENT = 1_000_000  # bytes: what is longer is no text that a person reads
MAX_HELD = 16_000_000  # bytes of all rows that hold bytes in a column of their own, the first ones first
STATED = "SELECT key, value FROM _state WHERE key LIKE 'event:%' OR key = 'answer' ORDER BY key"


@dataclass(frozen=True, slots=True)
class RunRecord:
    """Everything the grader needs of a run besides the sealed image.

    `outcomes` is what sandboxes said by key, `lacking` why they could not be asked,
    `contents` the bytes that were stored meanwhile, by digest.
    """

    changes: Sequence[Change]
    calls: Sequence[CallRow]
    events: Mapping[str, FiredEvent]
    answer: Answer | None
    outcomes: Mapping[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    lacking: Sequence[str] = ()
    contents: Mapping[str, bytes] = field(default_factory=dict[str, bytes])

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle calls and changes as plain tuples: thousands of objects with a state of their own take ten times as long."""
        rest = (self.events, self.answer, self.outcomes, self.lacking, self.contents)
        return _restore_record, (list(map(_CHANGE, self.changes)), list(map(_CALL, self.calls)), *rest)

    def beside(self, quiet: "RunRecord") -> "RunRecord":
        """This past with what sandboxes said in another world that its grading needs."""
        lacking = tuple(dict.fromkeys((*self.lacking, *quiet.lacking)))
        return replace(self, outcomes={**quiet.outcomes, **self.outcomes}, lacking=lacking)


_CHANGE = attrgetter(*(one.name for one in fields(Change)))
_CALL = attrgetter(*(one.name for one in fields(CallRow)))


def _restore_record(changed: Sequence[tuple[Any, ...]], calls: Sequence[tuple[Any, ...]], *rest: Any) -> RunRecord:
    return RunRecord(list(starmap(Change, changed)), list(starmap(CallRow, calls)), *rest)


def collect_run_record(actor: Actor) -> RunRecord:
    """The record of a world as it stands."""
    calls = [CallRow(*found) for found in rows(actor.bound, CALLS)]
    values = {str(key): orjson.loads(text) for key, text in rows(actor.bound, STATED)}
    events = {
        key.removeprefix("event:"): FiredEvent(value["at"], value["seq"], value["facts"])
        for key, value in values.items()
        if key.startswith("event:")
    }
    said = values.get("answer")
    answer = Answer(said["status"], said.get("answer", {}), said.get("reason"), said.get("evidence")) if said else None
    changed = changes(actor.bound)
    lacking = tuple(actor.outcomes.lacking)
    return RunRecord(changed, calls, events, answer, dict(actor.outcomes.found), lacking, _contents(actor, changed))


def _contents(actor: Actor, changed: Sequence[Change]) -> dict[str, bytes]:
    """The bytes that the changed rows stored, by digest; larger ones are left out."""
    written: dict[str, list[Change]] = {}
    for change in changed:
        if change.after is not None:
            written.setdefault(change.table, []).append(change)
    found = dict[str, bytes]()
    if "blob" in written:
        wanted = orjson.dumps([change.pk[0] for change in written["blob"]]).decode()
        found |= {sha256: bytes(data) for sha256, data in rows(actor.bound, CONTENTS, wanted, MAX_CONTENT)}
    for table, some in written.items():
        conduct: Conduct | None = metadata().tables[table].info.get("conduct")
        if conduct is not None and conduct.holds is not None:
            found |= _read_held(actor, table, conduct.holds[0], some)
    return found


def _read_held(actor: Actor, table: str, column: str, written: Sequence[Change]) -> dict[str, bytes]:
    """The bytes in a column of rows that were written, by the last column of their key."""
    found, total = dict[str, bytes](), 0
    keys = [one.name for one in metadata().tables[table].primary_key.columns]
    where = " AND ".join(f'"{name}" = ?' for name in keys)
    select = f'SELECT "{column}" FROM "{table}" WHERE {where} AND length("{column}") <= {MAX_CONTENT}'
    for change in written:
        for (data,) in rows(actor.bound, select, *change.pk) if total < MAX_HELD else ():
            if data is not None:
                found[str(change.pk[-1])] = bytes(data)
                total += len(data)
    return found


def write_past(found: RunRecord, path: Path) -> None:
    """One JSON object a line, each with its kind."""
    with path.open("wb") as file:
        for call in found.calls:
            file.write(line({"kind": "call", **_plain(call)}))
        for change in found.changes:
            file.write(line({"kind": "change", **_plain(change)}))
        for name, event in found.events.items():
            file.write(line({"kind": "event", "name": name, **_plain(event)}))
        if found.answer is not None:
            file.write(line({"kind": "answer", **_plain(found.answer)}))
        for key, outcome in sorted(found.outcomes.items()):
            file.write(line({"kind": "outcome", "key": key, "outcome": outcome}))
        for sha256, data in sorted(found.contents.items()):
            file.write(line({"kind": "content", "sha256": sha256, "data": b64encode(data).decode()}))
        for why in found.lacking:
            file.write(line({"kind": "lacking", "why": why}))


def _plain(record: Any) -> dict[str, Any]:
    """The fields of a record as they are: nothing is copied, since it is only written."""
    return {one.name: getattr(record, one.name) for one in fields(record)}


def read_past(path: Path) -> RunRecord:
    """A record written by `write_past`."""
    calls: list[CallRow] = []
    changed: list[Change] = []
    events: dict[str, FiredEvent] = {}
    answer: Answer | None = None
    outcomes: dict[str, dict[str, Any]] = {}
    contents: dict[str, bytes] = {}
    lacking: list[str] = []
    for row in read_lines(path):
        kind = row.pop("kind")
        if kind == "call":
            calls.append(CallRow(**row))
        elif kind == "change":
            fields: dict[str, Any] = {**row, "pk": tuple(row["pk"])}
            changed.append(Change(**fields))
        elif kind == "event":
            name = row.pop("name")
            events[name] = FiredEvent(**row)
        elif kind == "outcome":
            outcomes[row["key"]] = row["outcome"]
        elif kind == "content":
            contents[row["sha256"]] = b64decode(row["data"])
        elif kind == "lacking":
            lacking.append(row["why"])
        else:
            answer = Answer(**row)
    return RunRecord(changed, calls, events, answer, outcomes, tuple(lacking), contents)
