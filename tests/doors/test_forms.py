"""The mail client's own forms, filled in by the browser of a scripted solution: they send what the solution asks for."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.conftest import Server
from tests.doors.same_world import ADMIN
from tests.doors.three import tokens
from world.agents.browser import BrowserDoor
from world.agents.steps import LastResult, Scene
from world.core.params import Params
from world.run.call_record import CallRecord

LABEL = "users.labels."
STEPS: list[tuple[str, dict[str, Any]]] = [
    (LABEL + "create", {"name": "Travel"}),
    (LABEL + "patch", {"id": "$", "name": "Journeys"}),
    (LABEL + "delete", {"id": "$"}),
    ("users.settings.forwardingAddresses.create", {"forwardingEmail": "jordan@partner.example"}),
    (
        "users.settings.updateVacation",
        {"enableAutoReply": True, "responseSubject": "Away", "responseBodyPlainText": "Back on Monday."},
    ),
    (
        "users.settings.filters.create",
        {"criteria": {"from": "billing@vendor.example"}, "action": {"addLabelIds": ["STARRED"]}},
    ),
    ("mail.empty", {"folder": "trash"}),
    (
        "mail.send",
        {"to": ["jordan@partner.example"], "cc": ["sam@partner.example"], "subject": "Minutes", "text": "They follow."},
    ),
]


class Solution:
    """A browser at the mail client, and what its forms sent."""

    def __init__(self, server: Server) -> None:
        self.host, last = server.up.host, LastResult()
        actor = server.do(lambda: self.host.create("w"))
        actor.recorders.extend([last.take, self.take])
        cookie = server.do(lambda: tokens(self.host, "w", ADMIN, "gmail", "user"))[1]
        scene = Scene(SimpleNamespace(actor=actor, agent=ADMIN), server.do)  # type: ignore[arg-type]
        self.sent: dict[str, CallRecord] = {}
        self.door = BrowserDoor(self.host, server.url, lambda app: cookie, last, scene)

    def take(self, record: CallRecord) -> None:
        """A recorder."""
        self.sent[record.operation] = record

    def do(self, operation: str, arguments: dict[str, Any]) -> tuple[Params, Any]:
        """Arguments as they came, and the answer."""
        self.door.do(operation, arguments)
        record = self.sent.pop(operation)
        return self.host.operation(operation).validate(record.arguments), record.result


@pytest.fixture(scope="module")
def solution(company: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Solution]:
    server = Server(company, tmp_path_factory.mktemp("forms"))
    made = Solution(server)
    yield made
    made.door.close()
    server.stop()


def test_forms_send_what_a_solution_asks_for(solution: Solution) -> None:
    made = ""
    for operation, given in STEPS:
        arguments = {name: made if value == "$" else value for name, value in given.items()}
        came, answer = solution.do(operation, arguments)
        asked = solution.host.operation(operation).validate(arguments)
        assert all(getattr(came, name) == getattr(asked, name) for name in asked.model_fields_set), (
            operation,
            came,
            asked,
        )
        made = answer["id"] if operation == LABEL + "create" else made


def test_a_mail_is_written_in_the_window_as_a_person_writes_it(solution: Solution) -> None:
    arguments = {"to": ["jordan@partner.example"], "subject": "By hand", "text": "Typed into the window."}
    came, answer = solution.do("mail.send", arguments)
    assert came.model_dump(include={"to", "subject"}) == {"to": arguments["to"], "subject": "By hand"}
    assert answer["labelIds"] == ["SENT"] and "Typed into the window." in str(came)
