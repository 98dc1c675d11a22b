"""Who sees what: every person, every operation of the chat service, every kind of room, against a declared oracle."""

import shutil

from tests.campaign.part import Figures, Ground, Part, Tally
from tests.security.rooms import OWNER, Office
from tests.security.test_t03_other_people import MUST_SHOW, exempt, shows
from world.core.errors import OperationError
from world.run.host import open_host


def run(ground: Ground) -> Figures:
    """Reads by everybody of every room, then writes by those outside into rooms that are closed to them."""
    folder, tally = ground.scratch / "permissions", Tally()
    host = open_host(ground.company, folder)
    try:
        office = Office(host)
        people = office.people[:: max(1, round(1 / ground.scale))]
        operations = host.apps["slack"].operations.values()
        for person in people:
            for operation in operations:
                for room in office.rooms:
                    allowed, probe = room.open_to(person), office.probe(operation, room)
                    case = f"{person} {operation.id} {room.kind}"
                    if operation.writes:
                        if not allowed and person != OWNER and {"channel", "channel_id"} & probe.keys():
                            tally.counts["cases"] += 1
                            if writes(office, person, operation.id, probe):
                                tally.note("forbidden_writes", case)
                        continue
                    seen = shows(office.look(person, operation.id, probe), operation, room)
                    tally.counts["cases"] += 1
                    if seen and not allowed:
                        tally.note("forbidden_reads", case)
                    if allowed and not seen and operation.id in MUST_SHOW and not exempt(operation, room):
                        tally.note("missing_reads", case)
    finally:
        host.store.close()
        shutil.rmtree(folder)
    names = ("forbidden_reads", "forbidden_writes", "missing_reads")
    return {"done": tally.counts["cases"], "people": len(people), **{name: tally.counts[name] for name in names}}


def writes(office: Office, person: str, operation: str, probe: dict[str, object]) -> bool:
    """Whether a writing call changes a row of the app."""
    raw = office.host.actors["t3"].bound.raw
    sql = "SELECT count(*) FROM _journal WHERE \"table\" LIKE 'slack_%' AND after LIKE ?"
    channel = probe.get("channel") or probe.get("channel_id")
    before = raw.execute(sql, (f"%{channel}%",)).fetchone()[0]
    try:
        office.do(person, operation, **{**probe, "text": "x"} if operation.startswith("chat.") else probe)
    except OperationError:
        return False
    return office.host.actors["t3"].bound.raw.execute(sql, (f"%{channel}%",)).fetchone()[0] != before


part = Part(
    "permissions",
    5_000,
    "cases of person, operation and room",
    ("forbidden_reads", "forbidden_writes", "missing_reads"),
    run,
)
