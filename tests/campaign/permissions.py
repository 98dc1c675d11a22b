"""Who may see and do what: every person, every operation and every kind of object of every app, against declared oracles."""

import shutil
from collections.abc import Callable, Iterator

from tests.campaign.part import Figures, Ground, Part, Tally
from tests.security import test_github_levels, test_github_reading, test_sheets_levels
from tests.security.github_writes import Changing
from tests.security.rooms import OWNER, Office
from tests.security.test_t03_other_people import MUST_SHOW, Desk, exempt, judge_mail, judge_project, shows
from tests.security.vault import Vault
from world.core.errors import OperationError
from world.run.host import open_host

Judged = Iterator[tuple[str, str]]  # a case, and what is wrong about it


def run(ground: Ground) -> Figures:
    """All apps. Below scale 1, fewer people of the company; the code host and the drive are small and always whole."""
    tally = Tally()
    matrices: dict[str, Callable[[Ground], Judged]] = {
        "company": judge_company,
        "code_host": judge_code_host,
        "drive": judge_drive,
    }
    for name, judge in matrices.items():
        for case, wrong in judge(ground):
            tally.counts[name] += 1
            if wrong:
                tally.note("differences", f"{case}: {wrong}")
    counts = {f"cases_of_{name}": tally.counts[name] for name in matrices}
    return {"done": sum(counts.values()), **counts, "differences": tally.counts["differences"]}


def judge_company(ground: Ground) -> Judged:
    """Chat, tracker and mail of the seeded company."""
    folder = ground.scratch / "permissions"
    host = open_host(ground.company, folder)
    try:
        office = Office(host)
        office.people = office.people[:: max(1, round(1 / ground.scale))]
        yield from judge_rooms(office)
        yield from ((case, wrong) for _, case, wrong in judge_project(office, Desk(office)))
        yield from ((case, wrong) for _, _, case, wrong in judge_mail(office))
    finally:
        host.store.close()
        shutil.rmtree(folder)


def judge_rooms(office: Office) -> Judged:
    """Reads by everybody of every room, and writes by those outside into rooms that are closed to them."""
    for person in office.people:
        for operation in office.host.apps["slack"].operations.values():
            for room in office.rooms:
                allowed, probe = room.open_to(person), office.probe(operation, room)
                case = f"{person} {operation.id} {room.kind}"
                if not operation.writes:
                    seen = shows(office.look(person, operation.id, probe), operation, room)
                    missing = allowed and not seen and operation.id in MUST_SHOW and not exempt(operation, room)
                    yield case, "sees it" if seen and not allowed else "does not see it" if missing else ""
                elif not allowed and person != OWNER and {"channel", "channel_id"} & probe.keys():
                    yield case, "writes" if writes(office, person, operation.id, probe) else ""


def writes(office: Office, person: str, operation: str, probe: dict[str, object]) -> bool:
    """Whether a writing call changes a row of the app."""
    raw = office.host.actors["t3"].bound.raw
    sql = "SELECT count(*) FROM _journal WHERE table_name LIKE 'slack_%' AND after LIKE ?"
    channel = probe.get("channel") or probe.get("channel_id")
    before = raw.execute(sql, (f"%{channel}%",)).fetchone()[0]
    try:
        office.do(person, operation, **{**probe, "text": "x"} if operation.startswith("chat.") else probe)
    except OperationError:
        return False
    return office.host.actors["t3"].bound.raw.execute(sql, (f"%{channel}%",)).fetchone()[0] != before


def judge_code_host(ground: Ground) -> Judged:
    """A private repository, from every distance: each reading and each writing operation on it."""
    folders = [ground.scratch / name for name in ("vault", "changing")]
    for folder in folders:
        folder.mkdir()
    vault, changing = Vault(folders[0]), Changing(folders[1])
    try:
        yield from ((case, wrong) for _, case, wrong in test_github_reading.judge_reads(vault))
        yield from test_github_levels.judge_writes(changing)
    finally:
        vault.host.store.close()
        changing.host.store.close()


def judge_drive(ground: Ground) -> Judged:
    """Files, had in every way there is: everything that can be read and changed of them."""
    folder = ground.scratch / "ways"
    folder.mkdir()
    ways = test_sheets_levels.Ways(folder)
    try:
        yield from test_sheets_levels.judge_reads(ways)
        yield from test_sheets_levels.judge_changes(ways)
    finally:
        ways.close()


part = Part("permissions", 5_000, "cases of person, operation and object", ("differences",), run)
