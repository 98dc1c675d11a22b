"""T3: who sees what, for every reading operation: a matrix against an oracle that is one line per kind of object."""

import base64
import re
from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from websockets.sync.client import connect

from tests.conftest import Server
from tests.security.reach import STRIDE, Employee
from tests.security.rooms import MEMBER, OUTSIDER, OWNER, ROOMS, THIRD, Office, Room
from world.core.operation import Operation
from world.core.settings import Settings
from world.run.host import Host

MUST_SHOW = {
    "conversations.history",
    "conversations.replies",
    "search.messages",
    "search.all",
    "search.files",
    "files.info",
    "files.content",
    "files.list",
    "pins.list",
    "bookmarks.list",
    "reactions.get",
    "canvases.read",
    "conversations.info",
}


def shows(text: str, operation: Operation, room: Room) -> bool:
    """Whether an answer tells anything of a room."""
    if operation.id == "files.content" and '"content"' in text:
        return True
    return room.word in text or (room.kind != "public" and f'"{room.ids["channel"]}"' in text)


def test_every_reading_operation_shows_a_room_to_those_in_it_and_to_nobody_else(office: Office) -> None:
    wrong: list[str] = []
    cases = 0
    reads = [o for o in office.host.apps["slack"].operations.values() if not o.writes]
    for person in office.people:
        for operation in reads:
            for room in office.rooms:
                seen = shows(office.look(person, operation.id, office.probe(operation, room)), operation, room)
                allowed = room.open_to(person)
                cases += 1
                if (seen and not allowed) or (
                    allowed and not seen and operation.id in MUST_SHOW and not exempt(operation, room)
                ):
                    wrong.append(f"{person} {operation.id} {room.kind}: {'sees' if seen else 'does not see'}")
    assert not wrong, "\n".join(wrong[:20])
    assert cases >= 5000


def exempt(operation: Operation, room: Room) -> bool:
    """A direct message has no name or topic, so its information holds no word of it."""
    return operation.id == "conversations.info" and room.kind in ("im", "mpim")


@pytest.mark.parametrize(
    "form", ["{}", '"{}"', "{}*", "in:#room-{}", "has:pin {}", "from:me {}", "from:@{} ", "-nothing {}", "{} OR {}"]
)
def test_search_in_every_form_keeps_to_ones_rooms(office: Office, form: str) -> None:
    for person in office.people:
        for room in office.rooms:
            query = form.replace("{}", room.word)
            text = office.look(person, "search.all", {"query": query, "count": 100})
            assert room.open_to(person) or room.word not in text, (person, room.kind, query)


def test_counts_and_activity_do_not_change_for_those_outside(office: Office) -> None:
    outside = [p for p in office.people if p not in ROOMS["mpim"]]
    quiet = (
        "client.counts",
        "conversations.unreads",
        "activity.feed",
        "users.conversations",
        "search.all",
        "subscriptions.thread.getView",
    )

    def glance() -> list[str]:
        return [
            office.look(p, name, {"query": "said"} if name == "search.all" else {}) for p in outside for name in quiet
        ]

    before = glance()
    for room in office.rooms:
        if room.kind != "public":
            office.do(OWNER, "chat.postMessage", channel=room.ids["channel"], text="<!channel> said once more")
    assert glance() == before


def test_drafts_reminders_and_scheduled_messages_are_their_authors(office: Office) -> None:
    at = next(r for r in office.rooms if r.kind == "public").ids["channel"]
    office.do(OWNER, "drafts.create", channel=at, text="qzdraftzq")
    office.do(OWNER, "reminders.add", text="qzremindzq", time="in 3 hours")
    office.do(
        OWNER,
        "chat.scheduleMessage",
        channel=at,
        text="qzlaterzq",
        post_at=office.host.actors["t3"].now // 10**6 + 7200,
    )
    for person in office.people:
        for name, word in (
            ("drafts.list", "qzdraftzq"),
            ("reminders.list", "qzremindzq"),
            ("chat.scheduledMessages.list", "qzlaterzq"),
        ):
            assert (word in office.look(person, name, {})) == (person == OWNER), (person, name)


class Desk:
    """The tracker of the same world: canaries in the private project, in a role's comment, and in private filters."""

    def __init__(self, office: Office) -> None:
        self.office, self.raw = office, office.host.actors["t3"].bound.raw
        self.lead = self.raw.execute("SELECT lead_id FROM jira_project WHERE key = 'SEC'").fetchone()[0]
        fields = {
            "project": {"key": "SEC"},
            "issuetype": {"name": "Task"},
            "summary": "qzsecretzq summary",
            "labels": ["qzsecretzq"],
        }
        self.key = office.do(self.lead, "createIssue", fields=fields)["key"]
        self.id = self.raw.execute("SELECT id FROM jira_issue WHERE key = ?", (self.key,)).fetchone()[0]
        self.comment = office.do(self.lead, "addComment", issueIdOrKey=self.key, body="qzsecretzq comment")["id"]
        self.worklog = office.do(
            self.lead, "addWorklog", issueIdOrKey=self.key, timeSpent="1h", comment="qzsecretzq work"
        )["id"]
        files = [{"filename": "qzsecretzq.txt", "content": "eA=="}]
        self.attachment = office.do(self.lead, "addAttachment", issueIdOrKey=self.key, files=files)[0]["id"]
        office.do(
            self.lead,
            "linkIssues",
            type={"name": "Relates"},
            inwardIssue={"key": "SHOP-1"},
            outwardIssue={"key": self.key},
        )
        self.filter = office.do(self.lead, "createFilter", name="qzsecretzq filter", jql="project = SEC")["id"]
        self.members = {
            r[0]
            for r in self.raw.execute(
                "SELECT a.actor FROM jira_role_actor a JOIN jira_project p ON p.id = a.project_id WHERE p.key = 'SEC'"
                " AND a.kind = 'person' UNION SELECT m.person_id FROM jira_role_actor a JOIN jira_project p ON p.id ="
                " a.project_id JOIN jira_group g ON g.name = a.actor OR g.id = a.actor JOIN jira_group_member m ON"
                " m.group_id = g.id WHERE p.key = 'SEC' AND a.kind = 'group'"
            )
        }

    def probes(self, operation: Operation) -> Iterator[dict[str, Any]]:
        fixed: dict[str, Any] = {
            "issueIdOrKey": self.key,
            "issueIdsOrKeys": [self.key, str(self.id)],
            "projectIdOrKey": "SEC",
            "projectKeys": ["SEC"],
            "project": "SEC",
            "projectKey": "SEC",
            "issueKey": self.key,
            "keys": ["SEC"],
            "query": "qzsecretzq",
            "maxResults": 100,
            "boardId": "1",
            "epicIdOrKey": "none",
            "linkId": "1",
            "propertyKey": "x",
            "fieldName": "labels",
            "fieldValue": "qz",
            "filterName": "qzsecretzq",
            "fields": ["*all"],
            "currentJQL": "project = SEC",
            "queries": [f"key = {self.key}"],
        }
        names = operation.params.model_fields
        base = {name: fixed[name] for name in names if name in fixed}
        for jql in JQL if "jql" in names else ("",):
            for id in (
                (self.comment, self.worklog, self.attachment, self.filter, str(self.id)) if "id" in names else ("",)
            ):
                more = {"jql": jql.replace("KEY", self.key)} if jql else {}
                yield {**base, **more, **({"id": id} if id else {})}


ECHO = frozenset({"parseJqlQueries", "getFieldAutoCompleteForQueryString"})
JQL = (
    "project = SEC",
    "key = KEY",
    'text ~ "qzsecretzq"',
    'summary ~ "qzsecretzq"',
    'comment ~ "qzsecretzq"',
    "labels = qzsecretzq",
    'issue in linkedIssues("SHOP-1")',
    "ORDER BY created DESC",
    "key = KEY OR created > 1970-01-01",
    "attachments is not EMPTY",
    'worklogComment ~ "qzsecretzq"',
    "status was 'To Do' AND key = KEY",
    "parent = KEY OR NOT key = SHOP-1",
)


def judge_project(office: Office, desk: Desk, stride: int = 1) -> Iterator[tuple[str, str, str]]:
    """Every reading operation of the tracker by everybody, at the private project: operation, case, and what is wrong
    about it. The operation is empty where the answer tells nothing. Of `stride` cases one is tried, but all by one person
    inside and one outside.
    """
    cases = [
        (o, probe) for o in office.host.apps["jira"].operations.values() if not o.writes for probe in desk.probes(o)
    ]
    everything = {min(desk.members), min(set(office.people) - desk.members)}
    for at, person in enumerate(office.people):
        for operation, probe in cases if person in everything else cases[at % stride :: stride]:
            text = office.look(person, operation.id, probe)
            told = "qzsecretzq" in (text.replace("qzsecretzq", "") if operation.id in ECHO else text)
            wrong = text[:500] if told and person not in desk.members else ""
            yield operation.id if told else "", f"{person} {operation.id} {probe}", wrong


@pytest.mark.full
def test_a_private_project_exists_for_its_members_only(office: Office) -> None:
    judged = list(judge_project(office, desk := Desk(office), STRIDE))
    assert not [(case, wrong) for _, case, wrong in judged if wrong]
    assert len(judged) * STRIDE > 2500
    seen = {operation for operation, _, _ in judged}
    assert {
        "getIssue",
        "getComment",
        "getAttachment",
        "getWorklog",
        "searchAndReconsileIssuesUsingJql",
        "getIssuePickerResource",
    } <= seen
    for person in office.people:
        counted = office.look(person, "countIssues", {"jql": 'text ~ "qzsecretzq"'})
        assert ('"count":0' in counted) == (person not in desk.members), (person, counted)


def mail(host: Host, world: str, word: str) -> list[str]:
    """Mail from the owner to the member with a word everywhere it can stand, and what else there is in the owner's
    mailbox; all ids.
    """
    owner, raw = host.principal(world, OWNER), host.actor(world).bound.raw
    address = dict(raw.execute("SELECT id, email FROM person").fetchall())
    files = [{"filename": f"{word}.txt", "data": "eA=="}]
    given = {"to": [address[MEMBER]], "subject": f"{word} subject", "text": f"{word} text", "attachments": files}
    local, _, domain = str(address[THIRD]).partition("@")
    sent = host.call(owner, "rest", "mail.send", {**given, "bcc": [f"{local}+{word}blind@{domain}"]})
    draft = host.call(owner, "rest", "mail.saveDraft", given)
    planned = host.call(
        owner, "rest", "mail.schedule", {**given, "to": [address[MEMBER], address[OUTSIDER]], "sendAt": 1_800_000_000}
    )
    label = host.call(owner, "rest", "users.labels.create", {"name": word})["id"]
    rule = host.call(
        owner,
        "rest",
        "users.settings.filters.create",
        {"criteria": {"subject": word}, "action": {"addLabelIds": [label]}},
    )["id"]
    host.call(
        owner, "rest", "users.settings.sendAs.create", {"sendAsEmail": f"{word}@partner.example", "displayName": word}
    )
    host.actor(world).events.fire_until(host.actor(world).now)
    mine = raw.execute(
        "SELECT id FROM gmail_message WHERE mail_id IN (SELECT id FROM gmail_mail WHERE subject = ?)",
        (given["subject"],),
    ).fetchall()
    return [sent["id"], draft["id"], draft["messageId"], planned["id"], rule, *(row[0] for row in mine)]


def probes(operation: Operation, ids: list[str], word: str) -> Iterator[dict[str, Any]]:
    """Arguments that point an operation at mail as hard as its params allow."""
    fixed: dict[str, Any] = {
        "q": f"{word} OR subject:{word} OR filename:{word} OR bcc:{word} in:anywhere",
        "includeSpamTrash": True,
        "maxResults": 500,
        "label": word,
        "ids": ids,
        "folder": "all",
        "startHistoryId": "1",
        "sendAsEmail": f"{word}@partner.example",
        "delegateEmail": "x",
        "forwardingEmail": "x",
    }
    base = {name: value for name, value in fixed.items() if name in operation.params.model_fields}
    if operation.id == "mail.people":
        base["q"] = word
    if operation.id == "mail.threads":
        yield {"q": base["q"]}
    shapes = ({}, {"format": "raw"}, {"format": "minimal"}) if "format" in operation.params.model_fields else ({},)
    for id in ids if "id" in operation.params.model_fields else ("",):
        for shape in shapes:
            yield {
                **base,
                **shape,
                **({"id": id} if id else {}),
                **({"messageId": id} if "messageId" in operation.params.model_fields else {}),
            }


def shown_bytes(text: str) -> str:
    """An answer with the mail that it carries in base64url."""
    return text + "".join(
        base64.urlsafe_b64decode(found + "==").decode("utf-8", "replace")
        for found in re.findall(r'"(?:raw|data)":"([^"]+)"', text)
    )


def judge_mail(office: Office) -> Iterator[tuple[str, str, str, str]]:
    """Every reading operation of the mail service by everybody, at one letter and what is around it: operation, person,
    case, and what is wrong about it. The operation is empty where the answer tells nothing.
    """
    ids = mail(office.host, "t3", "qzmailzq")
    for person in office.people:
        for operation in (one for one in office.host.apps["gmail"].operations.values() if not one.writes):
            for probe in probes(operation, ids, "qzmailzq"):
                text = shown_bytes(office.look(person, operation.id, probe))
                told = "qzmailzq" in text
                foreign = told and person not in (OWNER, MEMBER, THIRD)
                blind = "qzmailzqblind" in text and person not in (OWNER, THIRD)
                wrong = text[:300] if foreign or blind else ""
                yield operation.id if told else "", person, f"{person} {operation.id} {probe}", wrong


def test_a_mail_is_its_writers_and_receivers_whatever_is_asked(office: Office) -> None:
    judged = list(judge_mail(office))
    assert not [(case, wrong) for _, _, case, wrong in judged if wrong]
    assert len(judged) > 2500
    seen: dict[str, set[str]] = {}
    for operation, person, _, _ in judged:
        seen.setdefault(operation, set()).add(person)
    for name in (
        "users.messages.get",
        "users.threads.get",
        "mail.conversation",
        "mail.threads",
        "mail.message",
        "mail.prepare",
    ):
        assert seen[name] == {OWNER, MEMBER, THIRD}, name
    for name in (
        "users.drafts.get",
        "users.labels.list",
        "mail.counts",
        "users.settings.filters.get",
        "users.settings.sendAs.list",
    ):
        assert seen[name] == {OWNER}, name


@pytest.fixture(scope="module")
def outsider(served: Server) -> Iterator[Employee]:
    """Somebody in finance, in a world where a private channel, the private project and a private folder hold canaries."""

    def prepare() -> None:
        host = served.up.host
        host.create("t3-pages", Settings(limits="off"))
        owner, lead = host.principal("t3-pages", OWNER), host.principal("t3-pages", "p_0012")
        made = host.call(owner, "rest", "conversations.create", {"name": "qzroomzq", "is_private": True})["channel"][
            "id"
        ]
        host.call(owner, "rest", "chat.postMessage", {"channel": made, "text": "qzroomzq said"})
        fields = {"project": {"key": "SEC"}, "issuetype": {"name": "Task"}, "summary": "qzroomzq"}
        key = host.call(lead, "rest", "createIssue", {"fields": fields})["key"]
        named = {"type": {"name": "Relates"}, "inwardIssue": {"key": "SHOP-1"}, "outwardIssue": {"key": key}}
        host.call(lead, "rest", "linkIssues", named)
        mail(host, "t3-pages", "qzroomzq")
        place = host.call(
            owner, "rest", "drive.files.create", {"name": "qzroomzq", "mimeType": "application/vnd.google-apps.folder"}
        )["id"]
        key = host.call(
            owner, "rest", "web.create", {"title": "qzroomzq", "sheetNames": ["qzroomzq"], "folderId": place}
        )["spreadsheetId"]
        host.call(owner, "rest", "web.enter", {"spreadsheetId": key, "cells": [[0, 0, "qzroomzq"]]})

    served.do(prepare)
    with Employee(served, "t3-pages", OUTSIDER) as made:
        yield made


@pytest.mark.full
def test_no_page_that_a_link_leads_to_shows_what_is_private(outsider: Employee) -> None:
    starts = (
        "/slack/",
        "/jira/",
        "/status/",
        "/gmail/",
        "/gmail/mail/search?q=qzroomzq",
        "/sheets/",
        "/sheets/search?q=qzroomzq",
        "/slack/search?q=qzroomz*",
        "/jira/issues?jql=text~qzroomzq",
        "/jira/browse/SHOP-1",
    )
    shown = [
        (address, answer.text.replace("qzroomz*", "").replace("text~qzroomzq", ""))
        for address, answer in outsider.walk(*starts, most=260)
    ]
    shown = [(address, text.replace("q=qzroomzq", "").replace('value="qzroomzq"', "")) for address, text in shown]
    assert len(shown) > 100
    assert not [address for address, text in shown if "qzroomzq" in text and "qzroomzq" not in address]


def test_suggestions_and_the_switcher_know_nothing_private(outsider: Employee) -> None:
    for address in (
        "/slack/jump?q=qzroom",
        "/slack/complete?kind=channel&q=qzroom",
        "/jira/complete?kind=issue&q=qzroom",
        "/gmail/people?q=qzroomz",
        "/sheets/people?q=qzroom",
    ):
        answer = outsider.page(address, **{"HX-Request": "true", "HX-Target": "suggestions"})
        assert answer.status_code < 500 and "qzroomzq" not in answer.text, address


def test_the_live_socket_says_that_something_changed_and_never_what(served: Server, outsider: Employee) -> None:
    headers = {"Cookie": f"firm_session={outsider.cookie}", "Origin": served.url}
    with connect(f"{served.url.replace('http', 'ws')}/socket", additional_headers=headers) as socket:

        def post() -> None:
            host = served.up.host
            channel = (
                host.actors["t3-pages"]
                .bound.raw.execute("SELECT id FROM slack_channel WHERE name = 'qzroomzq'")
                .fetchone()[0]
            )
            host.call(
                host.principal("t3-pages", OWNER), "rest", "chat.postMessage", {"channel": channel, "text": "qzroomzq"}
            )

        served.do(post)
        told = orjson.loads(socket.recv(timeout=10))
    assert set(told) == {"topic", "version"} and told["topic"] == "slack" and isinstance(told["version"], int)
