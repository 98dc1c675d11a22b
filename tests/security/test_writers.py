"""Several writers on one world, and a disk that is full: every acknowledged write is there once, and nothing else."""

import base64
import errno
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise

import httpx
import pytest

from tests.conftest import Server
from tests.security.reach import Employee
from tests.security.rough import Rough, tool_refused
from world.core.settings import Settings

MAIL = "/gmail/gmail/v1/users/me"
WRITERS, EACH = 4, 32
CONTROL = {"Authorization": "Bearer control secret"}


def ask(served: Server, world: str, sql: str) -> list[tuple]:
    return served.do(lambda: served.up.host.actors[world].bound.raw.execute(sql).fetchall())


def issue(text: str) -> dict[str, object]:
    return {"fields": {"project": {"key": "SHOP"}, "issuetype": {"name": "Task"}, "summary": text}}


def letter(text: str) -> dict[str, str]:
    return {
        "raw": (
            base64.urlsafe_b64encode(f"To: nobody@partner.example\r\nSubject: {text}\r\n\r\n{text}".encode()).decode()
        )
    }


def mail_is_whole(served: Server, world: str) -> bool:
    """Every mail has its bytes and words, lies under its sender's SENT, and is on its way or has gone out; nothing lies
    about alone.
    """
    broken = (
        "SELECT 1 FROM gmail_mail c WHERE NOT EXISTS (SELECT 1 FROM blob WHERE sha256 = c.sha256)",
        "SELECT 1 FROM gmail_mail c WHERE NOT EXISTS (SELECT 1 FROM gmail_mail_fts WHERE rowid = c.id)",
        (
            "SELECT 1 FROM gmail_message m WHERE mail_id > 0 AND NOT EXISTS (SELECT 1 FROM gmail_mail WHERE id ="
            " m.mail_id)"
        ),
        "SELECT 1 FROM gmail_message_label l WHERE NOT EXISTS (SELECT 1 FROM gmail_message WHERE id = l.message_id)",
        (
            "SELECT 1 FROM gmail_mail c WHERE c.subject IN ('before', 'lost', 'after') AND (NOT EXISTS (SELECT 1 FROM"
            " gmail_message m JOIN gmail_message_label l ON l.message_id = m.id AND l.label_id = 'SENT' WHERE m.mail_id"
            " = c.id AND m.person_id = c.sender_id) OR c.queued IS NULL AND NOT EXISTS (SELECT 1 FROM gmail_outbound"
            " WHERE mail_id = c.id) OR c.queued IS NOT NULL AND NOT EXISTS (SELECT 1 FROM _queue WHERE seq = c.queued))"
        ),
    )
    return not [sql for sql in broken if ask(served, world, sql)]


class Writer:
    """One person's requests at three doors; keeps what was acknowledged."""

    def __init__(self, employee: Employee, number: int, start: threading.Barrier) -> None:
        self.employee, self.number, self.start = employee, number, start
        self.rough, self.texts, self.ts, self.keys, self.mails = (
            Rough(employee),
            list[str](),
            list[str](),
            list[str](),
            list[str](),
        )

    def run(self) -> None:
        self.start.wait(30)
        for turn in range(EACH):
            text = f"writer {self.number} turn {turn}"
            (self.chat, self.tool, self.track, self.mail)[turn % 4](text)
            self.texts.append(text)

    def chat(self, text: str) -> None:
        bearer = {"Authorization": f"Bearer {self.employee.bearer['slack']}"}
        said = self.employee.http.post(
            "/slack/api/chat.postMessage", json={"channel": "#random", "text": text}, headers=bearer
        ).json()
        assert said["ok"], said
        self.ts.append(said["ts"])

    def tool(self, text: str) -> None:
        assert not tool_refused(
            self.rough.tool("slack", "chat_post_message", f'{{"channel":"#random","text":"{text}"}}')
        )

    def track(self, text: str) -> None:
        bearer = {"Authorization": f"Bearer {self.employee.bearer['jira']}"}
        said = self.employee.http.post("/jira/rest/api/3/issue", json=issue(text), headers=bearer)
        assert said.status_code == 201, said.text
        self.keys.append(said.json()["key"])

    def mail(self, text: str) -> None:
        bearer = {"Authorization": f"Bearer {self.employee.bearer['gmail']}"}
        said = self.employee.http.post("/gmail/gmail/v1/users/me/messages/send", json=letter(text), headers=bearer)
        assert said.status_code == 200, said.text
        self.mails.append(said.json()["id"])


def test_writers_at_once_lose_and_double_nothing(served: Server) -> None:
    served.do(lambda: served.up.host.create("crowd", Settings(limits="off")))
    start = threading.Barrier(WRITERS)
    writers = [Writer(Employee(served, "crowd", f"p_000{2 + n // 2}"), n, start) for n in range(WRITERS)]
    with ThreadPoolExecutor(WRITERS) as pool:
        for done in [pool.submit(writer.run) for writer in writers]:
            done.result(120)
    for writer in writers:
        writer.employee.http.close()
    written = ask(
        served,
        "crowd",
        "SELECT text FROM slack_message WHERE text LIKE 'writer %' UNION ALL "
        "SELECT summary FROM jira_issue WHERE summary LIKE 'writer %' UNION ALL "
        "SELECT subject FROM gmail_mail WHERE subject LIKE 'writer %'",
    )
    assert Counter(row[0] for row in written) == Counter(text for writer in writers for text in writer.texts)
    keys, stamps = [key for w in writers for key in w.keys], [ts for w in writers for ts in w.ts]
    assert len(set(keys)) == len(keys) > 20 and len(set(stamps)) == len(stamps) > 20
    mails = [id for w in writers for id in w.mails]
    assert len(set(mails)) == len(mails) > 20 and mail_is_whole(served, "crowd")
    has_no_gaps(served, "crowd")
    turns = [row[0] for row in ask(served, "crowd", "SELECT actor FROM _call WHERE door <> 'world' ORDER BY seq")]
    assert any(a != b for a, b in pairwise(turns)) and len(turns) >= WRITERS * EACH


def has_no_gaps(served: Server, world: str) -> None:
    """Calls and changes are numbered without a gap, and every change belongs to a call that ended well."""
    calls = [row[0] for row in ask(served, world, "SELECT seq FROM _call ORDER BY seq")]
    assert calls == list(range(1, len(calls) + 1))
    changes = [row[0] for row in ask(served, world, "SELECT id FROM _journal ORDER BY id")]
    assert changes == list(range(changes[0], changes[0] + len(changes)))
    assert not ask(
        served, world, "SELECT 1 FROM _journal WHERE call_seq NOT IN (SELECT seq FROM _call WHERE status = 'ok')"
    )
    assert not ask(served, world, "SELECT 1 FROM _call WHERE status = 'running'")
    times = [row[0] for row in ask(served, world, "SELECT at FROM _call ORDER BY seq")]
    assert times == sorted(times)


@contextmanager
def broken_disk(code: int, after: int = 0) -> Iterator[None]:
    """Writes to logs fail once `after` of them went well."""
    real, left = os.pwrite, [after]

    def pwrite(file: int, data: bytes, offset: int) -> int:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(code, os.strerror(code))
        return real(file, data, offset)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "pwrite", pwrite)
        yield


class Doors:
    """A request at each door, as (name, shape of the outage, request)."""

    def __init__(self, rough: Rough) -> None:
        self.rough, self.http, employee = rough, rough.http, rough.employee
        apps = ("slack", "jira", "gmail", "world")
        self.slack, self.jira, self.gmail, self.world = (
            {"Authorization": f"Bearer {employee.bearer[app]}"} for app in apps
        )

    def requests(self, text: str) -> dict[str, Callable[[], httpx.Response]]:
        post, say = self.http.post, f'{{"channel":"#random","text":"{text}"}}'
        jira = '{"fields":{"project":{"key":"SHOP"},"issuetype":{"name":"Task"},"summary":"' + text + '"}}'
        return {
            "slack write": lambda: post(
                "/slack/api/chat.postMessage", content=say, headers={**self.slack, "Content-Type": "application/json"}
            ),
            "slack read": lambda: post("/slack/api/users.list", headers=self.slack),
            "slack refusal": lambda: post(
                "/slack/api/chat.postMessage", json={"channel": "CNONE", "text": text}, headers=self.slack
            ),
            "jira write": lambda: post("/jira/rest/api/3/issue", json=issue(text), headers=self.jira),
            "jira read": lambda: self.http.get("/jira/rest/api/3/issue/SHOP-1", headers=self.jira),
            "gmail write": lambda: post(f"{MAIL}/messages/send", json=letter(text), headers=self.gmail),
            "gmail read": lambda: self.http.get(f"{MAIL}/messages", headers=self.gmail),
            "gmail upload": lambda: post(
                f"/gmail/upload{MAIL[6:]}/messages/send",
                content=f"To: a@partner.example\r\nSubject: {text}\r\n\r\nx",
                headers={**self.gmail, "Content-Type": "message/rfc822"},
            ),
            "gmail tool": lambda: self.rough.tool(
                "gmail", "mail_send", f'{{"to":["a@partner.example"],"subject":"{text}"}}'
            ),
            "gmail page": lambda: self.rough.employee.page("/gmail/mail/inbox"),
            "gmail form": lambda: self.rough.form(
                "gmail", "mail.send", f"to=a%40partner.example&subject={text}".encode()
            ),
            "slack tool": lambda: self.rough.tool("slack", "chat_post_message", say),
            "jira tool": lambda: self.rough.tool("jira", "create_issue", jira),
            "slack page": lambda: self.rough.employee.page("/slack/channels"),
            "jira page": lambda: self.rough.employee.page("/jira/browse/SHOP-1"),
            "slack form": lambda: self.rough.form(
                "slack", "chat.postMessage", f"channel=%23random&text={text}".encode()
            ),
            "jira form": lambda: self.rough.form("jira", "addComment", f"issueIdOrKey=SHOP-1&body={text}".encode()),
            "time": lambda: self.http.get("/world/now", headers=self.world),
            "wait": lambda: post("/world/wait", json={"seconds": 5}, headers=self.world),
        }


def is_outage(name: str, answer: httpx.Response) -> None:
    """The vendor's own kind of server error, with nothing of ours in it."""
    for word in ("Traceback", "No space", "log", "apsw", "sqlite", "Internal Server Error"):
        assert word not in answer.text or "page" in name or "form" in name, (name, answer.text[:300])
    if name in ("slack write", "slack read", "slack refusal"):
        assert answer.json() == {"ok": False, "error": "internal_error"}, answer.text
    elif name in ("jira write", "jira read"):
        assert (answer.status_code, answer.json()) == (500, {"errorMessages": ["Internal server error"], "errors": {}})
    elif name in ("gmail write", "gmail read", "gmail upload"):
        body = answer.json()["error"]
        assert (answer.status_code, body["code"], body["status"], body["message"]) == (
            500,
            500,
            "INTERNAL",
            "Backend Error",
        ), answer.text
    elif "tool" in name:
        assert tool_refused(answer) and "internal" in answer.text.lower()
    else:
        assert answer.status_code == 500, (name, answer.status_code, answer.text[:200])


def state(served: Server, world: str) -> tuple[object, ...]:
    return tuple(
        ask(served, world, sql)[0][0]
        for sql in ("SELECT count(*) FROM _journal", "SELECT call_seq FROM _now", "SELECT at FROM _now")
    )


def whole(served: Server, world: str) -> bool:
    store = served.up.host.store
    private = store.private(served.up.host.actors[world].world)
    private.raw.authorizer = None
    try:
        return private.raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    finally:
        private.close()


@pytest.mark.parametrize(
    "code", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS], ids=errno.errorcode.get
)
def test_a_full_disk_is_an_outage_at_every_door_and_then_the_world_goes_on(served: Server, code: int) -> None:
    name = f"disk-{code}"
    served.do(lambda: served.up.host.create(name, Settings(limits="off")))
    with Employee(served, name, "p_0002") as employee:
        rough = Rough(employee)
        doors = Doors(rough)
        before = {what: send().status_code for what, send in doors.requests("before").items()}
        assert max(before.values()) < 400, before
        stood = state(served, name)
        with broken_disk(code):
            for what, send in doors.requests("lost").items():
                is_outage(what, send())
        assert state(served, name) == stood, "a call that could not be kept left something behind"
        after = {what: send().status_code for what, send in doors.requests("after").items()}
        assert after == before
    sql = (
        "SELECT text FROM slack_message UNION ALL SELECT summary FROM jira_issue UNION ALL SELECT body_text FROM"
        " jira_comment UNION ALL SELECT subject FROM gmail_mail"
    )
    words = Counter(row[0] for row in ask(served, name, sql) if row[0] in ("before", "lost", "after"))
    assert words == {"before": 10, "after": 10}
    assert mail_is_whole(served, name)
    has_no_gaps(served, name)
    assert served.do(lambda: whole(served, name))


def test_the_control_plane_says_that_the_disk_is_full(served: Server) -> None:
    served.do(lambda: served.up.host.create("steered"))
    inject = {"person": "p_0002", "operation": "chat.postMessage", "arguments": {"channel": "#random", "text": "x"}}
    requests = [
        ("/worlds", {"name": "unborn", "seed": 3}),
        ("/worlds", {"name": "unborn.too", "scenario": "us_east_1_outage"}),
        ("/worlds/steered/advance", {"for": "5m"}),
        ("/worlds/steered/inject", inject),
    ]
    for after in (0, 1):
        with broken_disk(errno.ENOSPC, after):
            answers = [
                httpx.post(served.control_url + path, json=body, headers=CONTROL, timeout=60) for path, body in requests
            ]
        for answer in answers[after:]:
            assert answer.status_code == 507 and answer.json()["error"] == "NoRoom", answer.text
            assert "No space left" in answer.json()["message"] and "/" not in answer.json()["message"]
        born = [
            name
            for name in httpx.get(f"{served.control_url}/worlds", headers=CONTROL).json()
            if name.startswith("unborn")
        ]
        assert born == ["unborn"][:after], "a world that could not be written is left behind"
    again = [httpx.post(served.control_url + path, json=body, headers=CONTROL, timeout=60) for path, body in requests]
    assert [answer.status_code for answer in again] == [409, 201, 200, 200], [answer.text for answer in again]
