"""Single values that have broken a door before: each is refused in words, or taken, and never a failure of the server."""

import base64
import json
from collections.abc import Iterator
from typing import Any

import pytest

from apps.github.git import ZERO
from apps.github.git.wire.pkt import FLUSH, pkt
from tests.conftest import Server
from tests.security.reach import Employee
from tests.security.rough import Rough, tool_refused
from world.core.settings import Settings

HERE = {"owner": "quayline", "repo": "payments"}
E = "caf\N{LATIN SMALL LETTER E WITH ACUTE}"
TWO = "\N{SUPERSCRIPT TWO}"
REFUSED: list[tuple[str, str, dict[str, Any]]] = [
    ("slack", "dnd_set_snooze", {"num_minutes": 2**53}),
    ("slack", "files_upload_content", {"secret": "x", "data": "\ud800"}),
    ("github", "activity_list_notifications_for_authenticated_user", {"page": 2**63 - 1}),
    (
        "github",
        "actions_create_or_update_repo_secret",
        {**HERE, "secret_name": "A", "encrypted_value": E, "key_id": "1"},
    ),
    ("github", "actions_get_workflow", {**HERE, "workflow_id": TWO}),
    (
        "github",
        "git_receive_pack",
        {**HERE, "commands": [{"ref": "refs/heads/x", "old": ZERO, "new": ZERO}], "pack": E},
    ),
    ("github", "users_create_public_ssh_key_for_authenticated_user", {"key": f"ssh-rsa {E}"}),
    ("github", "graphql", {"query": "{ resource(url: 5) { __typename } }"}),
    ("sheets", "spreadsheets_values_update", {"spreadsheetId": "x", "range": "A1", "values": [["\ud800"]]}),
    ("sheets", "web_import", {"spreadsheetId": "x", "content": "YSxi", "delimiter": "-1"}),
]


@pytest.fixture(scope="module")
def rough(served: Server) -> Iterator[Rough]:
    served.do(lambda: served.up.host.create("odd", Settings(limits="off")))
    with Employee(served, "odd", "p_0002") as employee:
        yield Rough(employee)


@pytest.mark.parametrize(("app", "tool", "arguments"), REFUSED, ids=[f"{app} {tool}" for app, tool, _ in REFUSED])
def test_an_odd_value_is_refused(rough: Rough, app: str, tool: str, arguments: dict[str, Any]) -> None:
    assert tool_refused(rough.tool(app, tool, json.dumps(arguments))) or tool == "graphql"


@pytest.mark.parametrize("value", ["5", "[5]", "true", "1.5", "{a: 1}", '["x"]', "ENUM", "[[]]"])
def test_an_address_in_a_query_is_a_text(rough: Rough, value: str) -> None:
    body = json.dumps({"query": f"{{ resource(url: {value}) {{ __typename }} }}"}).encode()
    answer = rough.post("github", "/api/graphql", body)
    assert answer.status_code == 200 and answer.json()["errors"][0]["message"], answer.text


def test_cursors_are_bytes_of_ours_and_nothing_else(rough: Rough) -> None:
    for cursor in (E, "%", base64.b64encode(b"\xff").decode(), base64.b64encode(b"9" * 30).decode()):
        query = (
            f"{{ viewer {{ repositories(first: 1, after: {json.dumps(cursor)}) {{ totalCount nodes {{ id }} }} }} }}"
        )
        answer = rough.post("github", "/api/graphql", json.dumps({"query": query}).encode())
        assert answer.status_code == 200 and "cursor" in answer.json()["errors"][0]["message"], (cursor, answer.text)
        slack = rough.post("slack", "/api/conversations.list", json.dumps({"cursor": cursor}).encode())
        assert slack.json()["error"] == "invalid_cursor"


@pytest.mark.parametrize("line", [E, f"want {E}", "\udcff", "command=fetch\udcff", "want " + "\udce9" * 40, TWO * 40])
@pytest.mark.parametrize("service", ["upload-pack", "receive-pack"])
def test_a_line_of_git_that_is_no_text_is_refused(rough: Rough, service: str, line: str) -> None:
    kind, path = f"application/x-git-{service}-request", f"/quayline/payments.git/git-{service}"
    for body in (pkt(f"{line}\n") + FLUSH, pkt(f"{ZERO} {ZERO} refs/heads/{line}\0 {line}\n") + FLUSH):
        for version in ("version=2", "version=0"):
            answer = rough.post("github", path, body, kind, **{"Git-Protocol": version})
            assert answer.status_code < 500, (body, answer.text)


def test_a_list_is_a_list_before_anything_prepares_it(rough: Rough) -> None:
    for value in ("true", "7", '"x"', "{}"):
        text = f'{{"messageId": "x", "addLabelIds": {value}}}'
        assert "must be a list" in rough.tool("gmail", "modify_email", text, "/community").text, value
