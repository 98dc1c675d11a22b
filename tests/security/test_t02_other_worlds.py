"""T2: many worlds in one process; no answer of one ever holds a byte of another, whatever ids and tokens are swapped."""

import base64
import os
import re
from collections.abc import Iterator

import httpx
import pytest

from tests.conftest import Server, first
from tests.security.reach import Employee
from world.core.principal import Principal
from world.core.settings import Settings
from world.run.host import Host

WORLDS = 50 if os.environ.get("FIRM_LONG") else 4
ME = "p_0002"
STARTS = ("/slack/", "/jira/", "/gmail/", "/sheets/my-drive", "/sheets/")
CANARY = re.compile(r"canary-(\d+)-canary")


def canary(number: int) -> str:
    return f"canary-{number}-canary"


def mail(host: Host, me: Principal, text: str) -> None:
    """The canary in a mail to oneself with a file, a draft, a planned mail, a label and a filter."""
    own, files = (
        first(host, me.world, "SELECT email FROM person WHERE id = ?", me.person),
        [{"filename": f"{text}.txt", "data": "eA=="}],
    )
    host.call(me, "rest", "mail.send", {"to": [own], "subject": text, "attachments": files})
    host.actor(me.world).events.fire_until(host.actor(me.world).now)
    host.call(me, "rest", "mail.saveDraft", {"subject": text})
    host.call(
        me, "rest", "mail.schedule", {"to": [f"{text}@partner.example"], "subject": text, "sendAt": 1_900_000_000}
    )
    label = host.call(me, "rest", "users.labels.create", {"name": text})["id"]
    host.call(
        me, "rest", "users.settings.filters.create", {"criteria": {"subject": text}, "action": {"addLabelIds": [label]}}
    )


def sheet(host: Host, me: Principal, text: str) -> None:
    """The canary as a folder, a spreadsheet with a sheet, a cell, a name, a comment, and as a file with bytes."""
    place = host.call(
        me, "rest", "drive.files.create", {"name": text, "mimeType": "application/vnd.google-apps.folder"}
    )["id"]
    key = host.call(me, "rest", "web.create", {"title": text, "sheetNames": [text], "folderId": place})["spreadsheetId"]
    host.call(me, "rest", "web.enter", {"spreadsheetId": key, "cells": [[0, 0, text], [1, 0, f'="{text}"&"!"']]})
    name = {"name": text.replace("-", "_"), "range": {"sheetId": 0, "endRowIndex": 1}}
    host.call(
        me,
        "rest",
        "spreadsheets.batchUpdate",
        {"spreadsheetId": key, "requests": [{"addNamedRange": {"namedRange": name}}]},
    )
    host.call(me, "rest", "drive.comments.create", {"fileId": key, "content": text})
    content = base64.urlsafe_b64encode(text.encode()).decode()
    host.call(me, "rest", "drive.files.create", {"name": f"{text}.txt", "content": content, "parents": [place]})


@pytest.fixture(scope="module")
def employees(served: Server) -> Iterator[list[Employee]]:
    """The same person in every world; each has its canary in a channel, a message, a file, an issue, a comment, in mail
    and on the drive.
    """

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
        sheet(host, me, text)
        host.call(
            me,
            "rest",
            "addAttachment",
            {"issueIdOrKey": key, "files": [{"filename": f"{text}.txt", "content": "eA=="}]},
        )

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
    for number, me in enumerate(employees[:3]):
        other = employees[number + 1]
        for address, shown in list(other.walk(*STARTS, f"/jira/issues?jql=text~{canary(number + 1)}", most=80)):
            seen += canary(number + 1) in shown.text
            answer = me.page(address)
            assert not strangers(answer.text, number) or canary(number + 1) in address, address
            assert answer.status_code < 500, address
    assert seen


def test_a_token_decides_the_world_whatever_the_path_says(served: Server, employees: list[Employee]) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    headers = {
        "Accept": "application/json, text/event-stream",
        "Authorization": f"Bearer {employees[0].bearer['slack']}",
    }
    for path in ("/mcp/slack", "/mcp/slack/operations", "/mcp"):
        answer = httpx.post(f"{served.url}/w/t2-1{path}", json=body, headers=headers)
        assert answer.status_code == 404, (path, answer.text[:200])


def test_files_and_uploads_of_another_world_are_not_there(employees: list[Employee]) -> None:
    mine, other = employees[0], employees[1]
    found = other.http.post(
        "/slack/api/files.list", headers={"Authorization": f"Bearer {other.bearer['slack']}"}
    ).json()["files"]
    assert found
    for file in found:
        if canary(1) in file["name"]:
            address = file["url_private"].removeprefix(other.server.url)
            assert (
                mine.http.get(address, headers={"Authorization": f"Bearer {mine.bearer['slack']}"}).status_code == 404
            )
            assert other.http.get(address, headers={"Authorization": f"Bearer {other.bearer['slack']}"}).text == canary(
                1
            )


def test_spreadsheets_and_files_of_another_world_are_not_there(employees: list[Employee]) -> None:
    mine, other = employees[0], employees[1]
    own, bearer = ({"Authorization": f"Bearer {one.bearer['sheets']}"} for one in (mine, other))
    found = other.http.get(
        "/sheets/drive/v3/files", params={"q": f"name contains '{canary(1)}'", "fields": "*"}, headers=bearer
    ).json()["files"]
    assert len(found) == 3
    book = mine.http.post("/sheets/v4/spreadsheets", json={}, headers=own).json()["spreadsheetId"]
    for file in found:
        links = [file["webViewLink"], file.get("webContentLink"), *file.get("exportLinks", {}).values()]
        for address in [one.partition("://")[2].partition("/")[2] if "://" in one else one for one in links if one]:
            answer = mine.page("/" + address.lstrip("/"))
            assert answer.status_code in (403, 404, 422) and not strangers(answer.text, 0), address
        for address in (f"/sheets/drive/v3/files/{file['id']}?alt=media", f"/sheets/v4/spreadsheets/{file['id']}"):
            assert mine.http.get(address, headers=own).status_code == 404, address
        cell = {"values": [[f'=IMPORTRANGE("{file["id"]}","A1")']]}
        at = f"/sheets/v4/spreadsheets/{book}/values/A1"
        mine.http.put(at, params={"valueInputOption": "USER_ENTERED"}, json=cell, headers=own)
        assert mine.http.get(at, headers=own).json()["values"] == [["#REF!"]]


def test_forks_of_one_spreadsheet_compute_each_its_own(served: Server, employees: list[Employee]) -> None:
    def run() -> list[object]:
        host, worlds = served.up.host, ("t2-0", "t2-fork")
        host.fork(host.actors["t2-0"], "t2-fork")
        key = first(
            host, "t2-0", "SELECT key FROM drive_file WHERE name = ? AND mime_type LIKE '%spreadsheet'", canary(0)
        )
        for world in worlds:
            cells = [[0, 1, f"only {world}"], [1, 1, '=B1&"!"']]
            host.call(host.principal(world, ME), "rest", "web.enter", {"spreadsheetId": key, "cells": cells})
        asked = {"spreadsheetId": key, "range": "B1:B2"}
        return [
            host.peek(host.principal(world, ME), "rest", "spreadsheets.values.get", asked)["values"]
            for world in (*worlds, *worlds)
        ]

    assert served.do(run) == [[["only t2-0"], ["only t2-0!"]], [["only t2-fork"], ["only t2-fork!"]]] * 2


def test_a_form_made_in_another_world_is_refused(employees: list[Employee]) -> None:
    token = employees[1].form_token("slack")
    answer = employees[0].form("slack", "chat.postMessage", {"_token": token, "channel": "#random", "text": "x"})
    assert answer.status_code == 403
