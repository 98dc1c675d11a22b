"""T2: many worlds in one process; no answer of one ever holds a byte of another, whatever ids and tokens are swapped."""

import os
import re
from collections.abc import Iterator

import httpx
import pytest

from tests.conftest import Server, first
from tests.security.reach import Employee
from world.access import Principal
from world.host import Host
from world.settings import Settings

WORLDS = 50 if os.environ.get("FIRM_LONG") else 8
ME = "p_0002"
CANARY = re.compile(r"canary-(\d+)-canary")


def canary(number: int) -> str:
    return f"canary-{number}-canary"


def mail(host: Host, me: Principal, text: str) -> None:
    """The canary in a mail to oneself with a file, a draft, a planned mail, a label and a filter."""
    own, files = first(host, me.world, "SELECT email FROM person WHERE id = ?", me.person), [{"filename": f"{text}.txt", "data": "eA=="}]
    host.call(me, "rest", "mail.send", {"to": [own], "subject": text, "attachments": files})
    host.actor(me.world).catch_up()
    host.call(me, "rest", "mail.saveDraft", {"subject": text})
    host.call(me, "rest", "mail.schedule", {"to": [f"{text}@partner.example"], "subject": text, "sendAt": 1_900_000_000})
    label = host.call(me, "rest", "users.labels.create", {"name": text})["id"]
    host.call(me, "rest", "users.settings.filters.create", {"criteria": {"subject": text}, "action": {"addLabelIds": [label]}})


@pytest.fixture(scope="module")
def employees(served: Server) -> Iterator[list[Employee]]:
    """The same person in every world; each world has its canary in a channel, a message, a file, an issue, a comment, and in mail."""

    def prepare(number: int) -> None:
        host, text = served.up.host, canary(number)
        host.create(f"t2-{number}", Settings(limits="off", seed=number))
        me = host.principal(f"t2-{number}", ME)
        made = host.call(me, "rest", "conversations.create", {"name": text, "is_private": number % 2 == 0})
        channel = made["channel"]["id"]
        host.call(me, "rest", "chat.postMessage", {"channel": channel, "text": text})
        host.call(me, "rest", "files.upload", {"channels": [channel], "content": text, "filename": f"{text}.txt"})
        fields = {"project": {"key": "SHOP"}, "issuetype": {"name": "Task"}, "summary": text}
        key = host.call(me, "rest", "createIssue", {"fields": fields})["key"]
        host.call(me, "rest", "addComment", {"issueIdOrKey": key, "body": text})
        mail(host, me, text)
        host.call(me, "rest", "addAttachment", {"issueIdOrKey": key, "files": [{"filename": f"{text}.txt", "content": "eA=="}]})

    made = []
    for number in range(WORLDS):
        served.do(lambda number=number: prepare(number))
        made.append(Employee(served, f"t2-{number}", ME))
    yield made
    for one in made:
        one.http.close()


def strangers(text: str, own: int) -> set[str]:
    return {found for found in CANARY.findall(text) if found != str(own)}


def test_with_the_ids_of_another_world_one_sees_ones_own(employees: list[Employee]) -> None:
    seen = 0
    for number, me in enumerate(employees):
        other = employees[(number + 1) % WORLDS]
        for operation, arguments in other.examples():
            answer = me.rest(operation, arguments)
            seen += canary(number) in answer.text
            assert not strangers(answer.text + str(answer.headers), number), (operation.id, arguments)
            assert answer.status_code < 500, (operation.id, answer.text[:300])
    assert seen >= WORLDS, "the canaries are not where the probes look"


def test_with_the_addresses_of_another_world_one_sees_ones_own(employees: list[Employee]) -> None:
    seen = 0
    for number, me in enumerate(employees[:4]):
        other = employees[number + 1]
        for address, shown in list(other.walk("/slack/", "/jira/", "/gmail/", f"/jira/issues?jql=text~{canary(number + 1)}", most=80)):
            seen += canary(number + 1) in shown.text
            answer = me.page(address)
            assert not strangers(answer.text, number) or canary(number + 1) in address, address
            assert answer.status_code < 500, address
    assert seen


def test_a_token_decides_the_world_whatever_the_path_says(served: Server, employees: list[Employee]) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    headers = {"Accept": "application/json, text/event-stream", "Authorization": f"Bearer {employees[0].bearer['slack']}"}
    for path in ("/mcp/slack", "/mcp/slack/operations", "/mcp"):
        answer = httpx.post(f"{served.url}/w/t2-1{path}", json=body, headers=headers)
        assert answer.status_code == 404, (path, answer.text[:200])


def test_files_and_uploads_of_another_world_are_not_there(employees: list[Employee]) -> None:
    mine, other = employees[0], employees[1]
    found = other.http.post("/slack/api/files.list", headers={"Authorization": f"Bearer {other.bearer['slack']}"}).json()["files"]
    assert found
    for file in found:
        if canary(1) in file["name"]:
            address = file["url_private"].removeprefix(other.server.url)
            assert mine.http.get(address, headers={"Authorization": f"Bearer {mine.bearer['slack']}"}).status_code == 404
            assert other.http.get(address, headers={"Authorization": f"Bearer {other.bearer['slack']}"}).text == canary(1)


def test_a_form_made_in_another_world_is_refused(employees: list[Employee]) -> None:
    token = employees[1].form_token("slack")
    answer = employees[0].form("slack", "chat.postMessage", {"_token": token, "channel": "#random", "text": "x"})
    assert answer.status_code == 403
