"""One door or another, same world: an operation through REST, MCP and its form, and what each of them leaves."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from typing import Any

from tests.conftest import first
from tests.doors.three import Doors, Said, Trace, leave, trace
from world.agents.examples import Examples
from world.core import discovery
from world.core.builtin_operations import app as employee
from world.core.clock import HOUR, MINUTE
from world.core.operation import Operation
from world.core.principal import Kind
from world.run.host import Host
from world.web.rest_door import find_rest_door

DOORS = ("rest", "mcp", "page")
ADMIN, OUTSIDER = "p_0002", "p_0025"  # chief technology officer, finance
COLLEAGUE = "p_0003"
FEED, GATEWAY = "p_9006", "p_9008"  # the vendors' own feed and the gateway of mail from outside, bots
BY_FEED = {"status.post": FEED, "mail.receive": GATEWAY}
OPERATIONS = [operation for app in (*discovery.apps(), employee) for operation in app.operations.values()]
INVITATIONS = {
    "repos/update-invitation",
    "repos/delete-invitation",
    "repos/accept-invitation-for-authenticated-user",
    "repos/decline-invitation-for-authenticated-user",
}
FORMAT, DELEGATES = "contentFormat", "users.settings.delegates.list"
NUMBERS = count(1)


Variant = tuple[str, dict[str, Any]]


def prepared(doors: Doors, operation: Operation) -> tuple[str, list[dict[str, Any]]]:
    """A world in which the examples of an operation hold, and their arguments."""
    name, host = f"p{next(NUMBERS)}", doors.host

    def make() -> list[dict[str, Any]]:
        host.fork(host.actors["root"], name)
        me = host.principal(name, ADMIN)
        examples = Examples(host.operations, partial(host.call, me, "rest")).of(operation.id)
        return [
            {**example, **choose_content_format(operation), **of_company(host, name, operation.id)}
            for example in examples
        ]

    return name, doors.server.do(make)


def choose_content_format(operation: Operation) -> dict[str, str]:
    """What REST says by its address alone and other doors in an argument: version 2 of a tracker's API speaks wiki."""
    return {FORMAT: "wiki"} if FORMAT in operation.params.model_fields else {}


def of_two_contents(ask: Callable[..., Any]) -> dict[str, Any]:
    """A file with bytes and the older of its two revisions."""
    file = ask("drive.files.create", {"name": "x.bin", "content": "AAAA"})["id"]
    ask("drive.files.update", {"fileId": file, "content": "AAAB"})
    return {"fileId": file, "revisionId": ask("drive.revisions.list", {"fileId": file})["revisions"][0]["id"]}


def of_company(host: Host, world: str, operation: str) -> dict[str, Any]:
    """What no example can know: the address of a colleague, another's private file, a code that came by mail."""
    ask = partial(host.call, host.principal(world, ADMIN), "rest")
    colleague = str(first(host, world, "SELECT email FROM person WHERE id = ?", COLLEAGUE))
    if operation in INVITATIONS:
        return invited(host, world, operation)
    if operation == "issues/reprioritize-sub-issue":
        return second_below(ask)
    if operation == "web.requestAccess":
        asks = host.principal(world, OUTSIDER)
        return {
            "fileId": host.call(asks, "rest", "spreadsheets.create", {"properties": {"title": "Forecast"}})[
                "spreadsheetId"
            ]
        }
    if operation == "drive.revisions.delete":
        return of_two_contents(ask)
    if operation == "mail.receive":
        return {"to": [colleague]}
    if operation.startswith("users.settings.delegates.") and operation != DELEGATES:
        wanted = {"delegateEmail": colleague}
        if operation != "users.settings.delegates.create":
            ask("users.settings.delegates.create", wanted)
        return wanted
    return confirming(host, world, ask) if operation == "mail.confirmAddress" else {}


def invited(host: Host, world: str, operation: str) -> dict[str, Any]:
    """A repository of somebody's own, to which somebody else is asked in: the one who asks changes it, the one who is
    asked answers.
    """
    own, other = (OUTSIDER, ADMIN) if operation.endswith("for-authenticated-user") else (ADMIN, OUTSIDER)
    asks = host.principal(world, own)
    made = host.call(asks, "rest", "repos/create-for-authenticated-user", {"name": "notes"})
    login = str(first(host, world, "SELECT login FROM github_account WHERE person_id = ?", other))
    place = {"owner": made["owner"]["login"], "repo": made["name"]}
    id = host.call(asks, "rest", "repos/add-collaborator", {**place, "username": login})["id"]
    return {"invitation_id": id} if other == ADMIN else {**place, "invitation_id": id}


def second_below(ask: Callable[[str, Mapping[str, Any]], Any]) -> dict[str, int]:
    """Another issue under the one that has the example's below it."""
    here = {"owner": "quayline", "repo": "payments"}
    made = ask("issues/create", {**here, "title": "Another part of it"})
    ask("issues/add-sub-issue", {**here, "issue_number": 1, "sub_issue_id": made["id"]})
    return {"after_id": made["id"]}


def confirming(host: Host, world: str, ask: Callable[[str, Mapping[str, Any]], Any]) -> dict[str, str]:
    """A mailing list one is on as an address to send from; the code came to every member's mailbox."""
    address = str(first(host, world, "SELECT address FROM gmail_list_member WHERE person_id = ?", ADMIN))
    ask("users.settings.sendAs.create", {"sendAsEmail": address})
    host.actors[world].advance(host.actors[world].now + MINUTE)
    found = ask("users.messages.list", {"q": "subject:confirmation in:anywhere"})["messages"]
    code = re.search(r"\d{9}", ask("users.messages.get", {"id": found[0]["id"]})["snippet"])
    assert code is not None
    return {"purpose": "send as", "email": address, "code": code[0]}


def played(
    doors: Doors,
    parent: str,
    operation: Operation,
    variants: list[Variant],
    person: str,
    kind: Kind = "user",
    at: tuple[str, ...] = DOORS,
    leaves: bool = False,
    later: bool = True,
) -> list[dict[str, tuple[Said, Trace]]]:
    """The variants one after another, in a fork for each door; per variant what each door said and what it left. Last
    what came of it an hour later, where there is a `later` and the door took one of them.
    """
    host, found = doors.host, [dict[str, tuple[Said, Trace]]() for _ in (*variants, "events")]
    for door in at:
        name = f"f{next(NUMBERS)}"
        since = doors.server.do(lambda name=name: host.fork(host.actors[parent], name).version)
        doors.become(name, person, operation.app, kind)
        if leaves:
            if door == "page":
                doors.open_page(operation)
            doors.server.do(lambda name=name: leave(host, name, person))
        for position, (_, arguments) in enumerate(variants):
            said = doors.call(door, operation, arguments)
            left = doors.server.do(lambda name=name, since=since: trace(host, name, since))
            found[position][door] = said, left
            since = left.calls[-1][0] if left.calls else since
        if later and any(one[door][0].accepted for one in found[:-1]):  # what is refused has no consequences
            doors.server.do(lambda name=name: host.actors[name].advance(host.actors[name].now + HOUR))
        found[-1][door] = Said(True, ""), doors.server.do(lambda name=name, since=since: trace(host, name, since))
        doors.server.do(lambda name=name: host.drop(name))
    return found


def differences(what: str, found: Mapping[str, tuple[Said, Trace]]) -> list[str]:
    """In what the doors do not agree."""
    (_, first), *others = found.items()
    lines: list[str] = []
    for door, (said, left) in others:
        for field in ("calls", "rows", "now", "ended"):
            mine, theirs = getattr(left, field), getattr(first[1], field)
            if mine != theirs:
                lines.append(
                    f"{what}: {field} at {door} {mine} instead of {theirs}\n    {door}: {said.text[:300]}\n   "
                    f" {first[0].text[:300]}"
                )
        if said.accepted != first[0].accepted:
            lines.append(
                f"{what}: accepted at {door} {said.accepted} instead of {first[0].accepted}: {said.text[:300]}"
            )
    return lines


def unknown(value: Any) -> Any:
    """The same with its first text made into one that names nothing; None if there is no text in it."""
    if isinstance(value, str):
        return f"{value}99"
    if isinstance(value, list):
        return [inner, *value[1:]] if value and (inner := unknown(value[0])) else None
    if isinstance(value, Mapping):
        for name, item in value.items():
            if name != FORMAT and (inner := unknown(item)):
                return {**value, name: inner}
    return None


def missing(operation: Operation, example: Mapping[str, Any]) -> list[Variant]:
    """The example without each argument that must be given."""
    needed = [info.alias or name for name, info in operation.params.model_fields.items() if info.is_required()]
    return [
        (f"without {name}", {k: v for k, v in example.items() if k != name})
        for name in needed
        if in_body(operation, name)
    ]


def in_body(operation: Operation, name: str) -> bool:
    """Whether REST can leave an argument out: not when it is a part of the address."""
    rest = find_rest_door(operation.app)
    if rest is None:
        return True
    try:
        rest.wire(operation.id, {k: v for k, v in operation.examples[0].items() if k != name})
    except LookupError:
        return False
    return True


def assert_same_world(doors: Doors, operation: Operation) -> None:
    assert operation.examples, f"{operation.id} has no example to try"
    world, examples = prepared(doors, operation)
    wrong, later = unknown(examples[0]), operation.writes  # what changes nothing has no consequences
    variants = [*missing(operation, examples[0]), ("example", examples[0]), *([("unknown", wrong)] if wrong else [])]
    bad: list[str] = []
    results = dict(
        zip(
            [*(what for what, _ in variants), "events"],
            played(doors, world, operation, variants, ADMIN, later=later),
            strict=True,
        )
    )
    for what, found in results.items():
        bad += differences(what, found)
    done = results["example"]
    if operation.id in BY_FEED:
        done, later = played(
            doors, world, operation, [("feed", examples[0])], BY_FEED[operation.id], "bot", ("rest", "mcp")
        )
        bad += differences("feed", done) + differences("feed, events", later)
    assert all(said.accepted for said, _ in done.values()), f"its example is refused: {done}"
    outside, after = played(doors, world, operation, [("outsider", examples[0])], OUTSIDER, later=later)
    gone, _ = played(doors, world, operation, [("left", examples[0])], ADMIN, leaves=True, later=False)
    bad += differences("outsider", outside) + differences("outsider, events", after) + differences("left", gone)
    bad += [f"left: {door} still takes it" for door, (said, _) in gone.items() if said.accepted]
    assert not bad, "\n".join(bad)
