"""A full or read-only disk: every door refuses in its vendor's words, nothing is half written, and room heals it all."""

import errno
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.conftest import Server
from tests.security.reach import Employee
from tests.world.server.test_quarantine import PERSON, SHAPES, ask, call_tool, post
from world.client import Client, ControlError
from world.core.settings import Settings
from world.run.host import Host
from world.store import log as logs

DENIED = {  # how each vendor says that it has failed
    "slack": (200, "internal_error"),
    "jira": (500, "Internal server error"),
    "gmail": (500, "backendError"),
    "drive": (500, "backendError"),
    "sheets": (500, "INTERNAL"),
    "github": (502, "Server Error"),
    "github graphql": (502, "Server Error"),
    "status": (503, "unavailable"),
}


@pytest.fixture(scope="module")
def running(company: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Host, "strict", False)
        made = Server(company, tmp_path_factory.mktemp("room"))
        yield made
        made.stop()


@pytest.fixture
def one(running: Server, request: pytest.FixtureRequest) -> Iterator[Employee]:
    """An employee of a world with a message in it."""
    name = f"w{abs(hash(request.node.name))}"
    running.do(partial(running.up.host.create, name, Settings(limits="off")))
    with Employee(running, name, PERSON) as made:
        assert post(made, "before").json()["ok"]
        yield made
    running.do(partial(running.plane.drop, name))


@pytest.fixture(params=[errno.ENOSPC, errno.EROFS, errno.EIO], ids=["full", "read-only", "failing"])
def fill(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From its call on no byte is written to a log."""

    def fail(*_: object) -> int:
        raise OSError(request.param, os.strerror(request.param))

    return lambda: monkeypatch.setattr(logs.os, "pwrite", fail)


def test_every_door_refuses_without_room_and_works_when_there_is_room(
    running: Server, one: Employee, fill: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Client(secret="control secret", url=running.control_url) as control:
        token, before = one.form_token("slack"), control.state_hash(one.world)
        fill()
        answers = {vendor: ask(one, vendor) for vendor in DENIED}
        found = {vendor: (said.status_code, DENIED[vendor][1] in said.text) for vendor, said in answers.items()}
        assert found == {vendor: (status, True) for vendor, (status, _) in DENIED.items()}
        assert post(one, "without room").json() == {"ok": False, "error": "internal_error"}
        tool = call_tool(one, "slack_read_user_profile").json()["result"]
        assert tool["isError"] and "internal_error" in tool["content"][0]["text"]
        sent = one.form("slack", "chat.postMessage", {"_token": token, "channel": "C1", "text": "x"})
        assert sent.status_code >= 500
        with pytest.raises(ControlError) as refused:
            control.inject(one.world, PERSON, "chat.postMessage", channel="#random", text="x")
        assert refused.value.status == 507 and str(running.folder) not in refused.value.message
        with pytest.raises(ControlError) as unmade:
            control.create(name="unmade", seed=1)
        assert unmade.value.status == 507 and "unmade" not in control.worlds()
        assert control.state_hash(one.world) == before, "nothing is half written"
        assert not [told for told in control.status() if told["quarantined"]], "a disk without room breaks no world"
        monkeypatch.undo()
        assert post(one, "with room").json()["ok"] and SHAPES.keys() == DENIED.keys()
        assert control.create(name="unmade", seed=1).world == "unmade"
        texts = [row["after"]["text"] for row in control.diff(one.world) if row["table"] == "slack_message"]
        assert texts == ["before", "with room"]
        control.drop("unmade")


def test_a_damaged_world_is_salvaged_by_the_operator(running: Server, one: Employee) -> None:
    with Client(secret="control secret", url=running.control_url) as control:
        for text in ("second", "third", "fourth"):
            assert post(one, text).json()["ok"]
        log = running.up.host.actors[one.world].world.log
        assert log is not None
        place = log.ends[-3] - log.shift
        with Path(log.path).open("r+b") as file:
            file.seek(place + 100)
            file.write(b"!!!!!!!!")
        told = control.salvage(one.world, name="saved")
        assert (told["damaged_at"], told["salvaged_from"]) == (place, one.world) and told["lost_bytes"] > 0
        texts = [row["after"]["text"] for row in control.diff("saved") if row["table"] == "slack_message"]
        assert texts == ["before", "second"]
        with Employee(running, "saved", PERSON) as again:
            assert post(again, "on we go").json()["ok"]
        with pytest.raises(ControlError, match="is whole"):
            control.salvage("saved")
        control.drop("saved")
