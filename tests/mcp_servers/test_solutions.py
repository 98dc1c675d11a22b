"""Every operation that a shipped task's solution needs has a tool at `/mcp`. Whether it takes every argument is not asked."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from mcp_servers.catalogue import catalogue
from world.agents.steps import Step
from world.gate.variant_runner import VariantRunner
from world.run.home import Home
from world.run.host import Host, open_host
from world.run.images import get_image
from world.script import catalogue as scripts
from world.script import loader

NAMES = sorted({*scripts.chores(), *scripts.folders()})
BY_OTHER_NAMES = {
    "assignIssue": "editIssue",
    "chat.getPermalink": "search.messages",
    "conversations.open": "chat.postMessage",
    "getComments": "getIssue",
    "moveIssuesToBacklog": "editIssue",
    "moveIssuesToSprintAndRank": "editIssue",
}
"""Operations that another one of the list does as well: `chat.postMessage` takes a person, `editIssue` any
field, `getIssue` shows comments, and what `search.messages` finds has its link."""


@pytest.fixture(scope="module")
def host(home: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A host over the small company, which all tasks are in."""
    made = open_host(get_image(home, "S"), tmp_path_factory.mktemp("solutions"))
    yield made
    made.store.close()


def list_steps(host: Host, name: str) -> list[Step]:
    """The steps of the solution in one draw."""
    with closing(VariantRunner(host, loader.find_scenario(name), 0, None)) as bench:
        run, played = bench.play_solution()
        host.drop(run.world)
    return [one.step for one in played]


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_each_operation_of_a_solution_has_a_tool_on_the_combined_list(host: Host, name: str) -> None:
    tools = catalogue(host.apps.values()).combined
    known = {one.id for tool in tools.tools.values() for one in tool.operations.values()}
    needed = {BY_OTHER_NAMES.get(step.operation, step.operation) for step in list_steps(host, name)}
    assert needed and needed <= known, needed - known
