"""Numbers beyond 64 bits, in every parameter of every operation, at every door: refused in the vendor's words, and
nothing written.
"""

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from tests.conftest import Server
from tests.portions import portions
from tests.security.reach import REST, STRIDE, Employee
from tests.security.rough import Rough, leaves, put, refused, tool_refused
from world.core import discovery
from world.core.builtin_operations import app as employee_app
from world.core.operation import Operation
from world.core.request_builder import Wire
from world.core.settings import Settings

OPERATIONS = [o for app in (*discovery.apps(), employee_app) for o in app.operations.values() if o.id != "world.finish"]
BEYOND = (2**63, -(2**63) - 1, 10**400)
DIGITS = "9" * 30
Door = Callable[[Rough, Operation, dict[str, Any]], bool]
GIT = ("git/ls-refs", "git/upload-pack", "git/receive-pack")


@pytest.fixture(scope="module")
def rough(served: Server) -> Iterator[Rough]:
    served.do(lambda: served.up.host.create("numbers", Settings(limits="off")))
    with Employee(served, "numbers", "p_0002") as employee:
        yield Rough(employee)


@pytest.fixture(scope="module")
def examples(rough: Rough) -> dict[str, dict[str, Any]]:
    """Arguments with which each operation would go through."""
    return {operation.id: arguments for operation, arguments in reversed(rough.employee.examples(writes=True))}


def by_tool(rough: Rough, operation: Operation, arguments: dict[str, Any]) -> bool:
    world = operation.app == "world"
    name = operation.id.partition(".")[2] if world else operation.snake
    return tool_refused(rough.tool(operation.app, name, json.dumps(arguments), "" if world else "/operations"))


def by_rest(rough: Rough, operation: Operation, arguments: dict[str, Any]) -> bool:
    if operation.app == "world":
        return refused(
            "world", rough.post("world", f"/{operation.id.partition('.')[2]}", json.dumps(arguments).encode())
        )
    if operation.id in GIT:
        return True  # these travel as git's own packets, which hold no such numbers
    try:
        wire: Wire = REST[operation.app].wire(operation.id, arguments)
    except (KeyError, ValueError):
        return True  # without what stands in its address, or with bytes that are none, there is no request to make
    body = None if wire.json is None else json.dumps(wire.json)
    headers = {"Authorization": f"Bearer {rough.employee.bearer[operation.app]}", "Content-Type": "application/json"}
    address = f"/{operation.app}{wire.path}"
    return refused(
        operation.app,
        rough.http.request(wire.method, address, params=wire.query or None, content=body, headers=headers),
    )


def by_form(rough: Rough, operation: Operation, arguments: dict[str, Any]) -> bool:
    listed = [f"{name}:json={json.dumps(value)}" for name, value in arguments.items() if not isinstance(value, str)]
    texts = [f"{name}={value}" for name, value in arguments.items() if isinstance(value, str)]
    answer = rough.form(
        "slack" if operation.app == "world" else operation.app, operation.id, "&".join([*texts, *listed]).encode()
    )
    assert answer.status_code < 500, answer.text[:300]
    return answer.status_code >= 400


DOORS: tuple[Door, ...] = (by_tool, by_rest, by_form)


@cache
def by_query(rough: Rough, operation: str, name: str) -> bool:
    """Forms and queries carry numbers as texts."""
    headers = {"Authorization": f"Bearer {rough.employee.bearer['slack']}"}
    return refused("slack", rough.http.get(f"/slack/api/{operation}", params={name: str(2**64)}, headers=headers))


def pairs(at: int) -> list[tuple[int, Door]]:
    """Each number and each door once, paired otherwise at the next place; in long runs each number at each door."""
    turns = range(at, at + len(DOORS) // min(STRIDE, len(DOORS)))
    return [(number, DOORS[(nth + turn) % len(DOORS)]) for turn in turns for nth, number in enumerate(BEYOND)]


def offences(rough: Rough, operation: Operation, example: dict[str, Any]) -> Iterator[str]:
    """The numbers that one operation takes and should not, each with its door and place."""
    before = rough.changed()
    for at, place in enumerate(leaves(operation, "integer")):
        for number, door in pairs(at):
            if not door(rough, operation, put(example, place, number)):
                yield f"{operation.id}: {door.__name__} takes {number} at {place}"
        if operation.app == "slack" and len(place) == 1 and not by_query(rough, operation.id, str(place[0])):
            yield f"{operation.id}: a query takes {2**64} at {place}"
    if rough.changed() != before:
        yield f"{operation.id}: something was written"


@pytest.mark.parametrize("operations", portions(OPERATIONS))
def test_no_integer_beyond_64_bits_is_taken(
    rough: Rough, examples: dict[str, dict[str, Any]], operations: list[Operation], subtests: pytest.Subtests
) -> None:
    for operation in operations:
        with subtests.test(operation.id):
            assert list(offences(rough, operation, examples.get(operation.id, {}))) == []


@pytest.mark.parametrize("operations", portions(OPERATIONS))
def test_digits_beyond_64_bits_are_only_text_where_text_is_meant(
    rough: Rough, examples: dict[str, dict[str, Any]], operations: list[Operation], subtests: pytest.Subtests
) -> None:
    for operation in operations:
        with subtests.test(operation.id):
            sends_digits(rough, operation, examples.get(operation.id, {}))


def sends_digits(rough: Rough, operation: Operation, example: dict[str, Any]) -> None:
    """Asks at every place of a text, which must fail nowhere; then at all places at once."""
    everywhere, places = example, leaves(operation, "string")
    for place in places:
        everywhere = put(everywhere, place, DIGITS)
        if operation.id != "addAttachment":  # its bytes travel as they are
            by_rest(rough, operation, put(example, place, DIGITS))
    if places:
        by_tool(rough, operation, everywhere)


def test_documents_with_numbers_beyond_64_bits_are_refused_or_kept_as_they_are(rough: Rough) -> None:
    deep = f'{{"issueIdOrKey":"SHOP-1","propertyKey":"big","value":{{"n":[{2**70}]}}}}'
    tool_refused(rough.tool("jira", "set_issue_property", deep))
    assert not refused(
        "jira", rough.http.get("/jira/rest/api/3/issue/SHOP-1/properties", headers=bearer(rough, "jira"))
    )
    blocks = f'{{"channel":"#random","text":"x","metadata":{{"event_type":"a","event_payload":{{"n":{2**70}}}}}}}'
    tool_refused(rough.tool("slack", "chat_post_message", blocks))


def bearer(rough: Rough, app: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {rough.employee.bearer[app]}"}


def test_the_models_of_all_operations_were_walked() -> None:
    assert sum(bool(leaves(operation, "integer")) for operation in OPERATIONS) > 60
    assert sum(bool(leaves(operation, "string")) for operation in OPERATIONS) > 180
    assert ("reconcileIssues", 0) in leaves(
        next(o for o in OPERATIONS if o.id == "searchAndReconsileIssuesUsingJql"), "integer"
    )
