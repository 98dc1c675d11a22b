"""What an operation tells of itself: tool name, summary, whether it destroys, what it counts in, what it costs."""

from collections.abc import Mapping
from typing import Any

import pytest

from world.core.app import App
from world.core.call import Call
from world.core.clock import SECOND
from world.core.errors import InvalidArguments
from world.core.operation import MAX_TOOL_NAME, Operation, Pool
from world.core.params import NoParams, Params
from world.core.settings import Settings


class Named(Params):
    """A name."""

    name: str


def declare(id: str, **more: Any) -> Operation:
    app = App("jot", "Jot")

    def run(call: Call, params: Named) -> None:
        """Do what the name says,
        at once.

        Nothing else is done.
        """

    app.operation(id, source="here", **more)(run)
    return app.operations[id]


@pytest.mark.parametrize(
    ("id", "snake"),
    [
        ("chat.postMessage", "chat_post_message"),
        ("getURLExternal", "get_url_external"),
        ("issues/list-for-repo", "issues_list_for_repo"),
        ("v2Users", "v2_users"),
        ("HTMLPage", "html_page"),
        # small words go first, and only from names that are too long
        ("list.the.branches.of.a.repo", "list_the_branches_of_a_repo"),
        ("x" * 44, "x" * 44),
        ("x" * 45, "x" * 44),
        ("list_the_branches_of_a_repository_by_pattern", "list_the_branches_of_a_repository_by_pattern"),
        ("list_the_branches_of_a_repository_by_pattern2", "list_branches_repository_pattern2"),
        # then the longest words lose their ends, the first of equals before the others
        ("abcdefghijklmnopqrstuv_abcdefghijklmnopqrstuv", "abcdefghijklmnopqrstu_abcdefghijklmnopqrstuv"),
        ("get_abcdefghijklmnopqrstuvwxyz_abcdefghijklmnopqrst", "get_abcdefghijklmnopqrs_abcdefghijklmnopqrst"),
    ],
)
def test_a_tool_name_is_the_id_in_snake_case_no_longer_than_a_tool_may_be(id: str, snake: str) -> None:
    assert declare(id).snake == snake and len(snake) <= MAX_TOOL_NAME


def test_a_summary_is_the_first_paragraph_on_one_line() -> None:
    assert declare("jot.write").summary == "Do what the name says, at once."


@pytest.mark.parametrize(
    ("id", "writes", "destroys"),
    [
        ("chat.delete", True, True),
        ("chat.delete", False, False),
        ("chat.postMessage", True, False),
        ("issues/remove-label", True, True),
        ("removed.list", True, False),
    ],
)
def test_an_operation_destroys_if_it_writes_and_its_name_says_so(id: str, writes: bool, destroys: bool) -> None:
    assert declare(id, writes=writes).destroys is destroys


def test_arguments_are_validated_by_the_declared_model() -> None:
    operation = declare("jot.write")
    assert operation.validate({"name": "x", "other": 1}) == Named(name="x")
    with pytest.raises(InvalidArguments) as refusal:
        operation.validate({})
    assert refusal.value.sentence() == "name: is required"


@pytest.mark.parametrize(
    ("pages", "counted"), [(True, {"rest", "mcp", "page", "control"}), (False, {"rest", "mcp", "control"})]
)
def test_a_pool_counts_what_comes_by_an_api_and_by_pages_unless_it_leaves_them_out(
    pages: bool, counted: set[str]
) -> None:
    pool = Pool("desk", 3, pages=pages)
    assert {door for door in ("rest", "mcp", "page", "world", "control") if pool.counts(door)} == counted


@pytest.mark.parametrize(
    ("declared", "us"),
    [
        ({}, 1 * SECOND),
        ({"writes": True}, 3 * SECOND),
        ({"writes": True, "cost_s": 0.25}, 250_000),
        ({"cost_s": 2}, 2 * SECOND),
        ({"cost_s": 0}, 1),
        ({"cost_s": 0.000_001_6}, 2),
        ({"free": True, "cost_s": 9}, 1),
    ],
)
def test_a_call_costs_what_its_operation_says_and_at_least_a_microsecond(declared: Mapping[str, Any], us: int) -> None:
    assert Settings().cost(declare("jot.write", **declared)) == us


def test_the_usual_costs_can_be_set() -> None:
    settings = Settings(read_s=0.5, write_s=0)
    assert (settings.cost(declare("jot.read")), settings.cost(declare("jot.write", writes=True))) == (500_000, 1)


def test_limits_come_from_the_operation_else_from_the_app_and_its_pools() -> None:
    desk = Pool("desk", 3)
    app = App("jot", "Jot", limit=9, pools=lambda id, writes: desk if writes else None)

    def run(call: Call, params: NoParams) -> None:
        """Do it."""

    for id, more in (("own", {"limit": 0, "writes": True}), ("write", {"writes": True}), ("read", {})):
        app.operation(id, source="here", **more)(run)  # type: ignore[arg-type]
    assert {id: (one.limit, one.pool) for id, one in app.operations.items()} == {
        "own": (0, None),
        "write": (9, desk),
        "read": (9, None),
    }
    assert app.operations["read"].window_s == 60 and not app.operations["read"].free
