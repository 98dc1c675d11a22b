"""A real `firm serve`: killed while it writes, refused a second time on one folder, and out of room. What was
acknowledged stays.
"""

import base64
import os
import random
import re
import resource
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from world.run.home import Home
from world.run.host import open_host
from world.run.images import get_image

KILLS = int(os.environ.get("FIRMAMENT_KILLS", "0")) // 50 or 2
HALF = (  # a mail without its bytes, words, copy under SENT, or anything that brings it on its way
    (
        "SELECT 1 FROM gmail_mail c WHERE subject LIKE 'load %' AND NOT EXISTS (SELECT 1 FROM blob WHERE sha256 ="
        " c.sha256)"
    ),
    (
        "SELECT 1 FROM gmail_mail c WHERE subject LIKE 'load %' AND NOT EXISTS (SELECT 1 FROM gmail_mail_fts WHERE"
        " rowid = c.id)"
    ),
    (
        "SELECT 1 FROM gmail_mail c WHERE subject LIKE 'load %' AND NOT EXISTS (SELECT 1 FROM gmail_message m JOIN"
        " gmail_message_label l ON l.message_id = m.id AND l.label_id = 'SENT' WHERE m.mail_id = c.id)"
    ),
    (
        "SELECT 1 FROM gmail_mail c WHERE subject LIKE 'load %' AND CASE WHEN queued IS NULL THEN NOT EXISTS (SELECT 1"
        " FROM gmail_outbound WHERE mail_id = c.id) ELSE NOT EXISTS (SELECT 1 FROM _queue WHERE seq = c.queued) END"
    ),
    "SELECT 1 FROM gmail_message m WHERE mail_id > 0 AND NOT EXISTS (SELECT 1 FROM gmail_mail WHERE id = m.mail_id)",
    "SELECT 1 FROM gmail_message_label l WHERE NOT EXISTS (SELECT 1 FROM gmail_message WHERE id = l.message_id)",
)
COMMAND = [sys.executable, "-m", "world", "serve", "--listen", "127.0.0.1:0"]
WRITERS = 3


@pytest.fixture(scope="module")
def place(home: Home, company: Path, tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home of its own around the image that is built already."""
    made = Home(tmp_path_factory.mktemp("killed"))
    (made.path / "images").symlink_to(home.images, target_is_directory=True)
    assert get_image(made, "S", 7).samefile(company)
    return made


class Served:
    """The command as a user starts it, and what it printed."""

    def __init__(self, place: Home) -> None:
        environment = {**os.environ, "FIRM_HOME": str(place.path), "NO_COLOR": "1", "COLUMNS": "300"}
        self.process = subprocess.Popen(
            COMMAND, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert self.process.stdout is not None
        self.said = ""
        for line in self.process.stdout:
            self.said += line
            if "control " in line:
                break
        self.world = self.found(r"world (\S+),")
        self.url = self.found(r"(http://[\d.:]+)/login/")
        self.bearer = {
            app: {"Authorization": "Bearer " + self.found(rf"{app} token (\S+)")} for app in ("slack", "jira", "gmail")
        }

    def found(self, pattern: str) -> str:
        match = re.search(pattern, self.said)
        assert match, self.said
        return match[1]

    def end(self, number: int) -> int:
        self.process.send_signal(number)
        status = self.process.wait(60)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return status


@contextmanager
def serving(place: Home) -> Iterator[Served]:
    served = Served(place)
    try:
        yield served
    finally:
        if served.process.poll() is None:
            served.end(signal.SIGKILL)


def write(served: Served, client: httpx.Client, text: str) -> bool:
    """A message, a mail and an issue in turn; whether it was acknowledged."""
    if text.endswith(("0", "2", "4", "6", "8")):
        said = client.post(
            f"{served.url}/slack/api/chat.postMessage",
            json={"channel": "#random", "text": text},
            headers=served.bearer["slack"],
        )
        return said.json()["ok"]
    if text.endswith(("1", "9")):
        raw = base64.urlsafe_b64encode(f"To: nobody@partner.example\r\nSubject: {text}\r\n\r\n{text}".encode()).decode()
        mail = f"{served.url}/gmail/gmail/v1/users/me/messages/send"
        return client.post(mail, json={"raw": raw}, headers=served.bearer["gmail"]).status_code == 200
    fields = {"project": {"key": "SHOP"}, "issuetype": {"name": "Task"}, "summary": text}
    return (
        client.post(
            f"{served.url}/jira/rest/api/3/issue", json={"fields": fields}, headers=served.bearer["jira"]
        ).status_code
        == 201
    )


def load(served: Served, calls: int) -> tuple[list[str], list[str]]:
    """Writers at work until the server is killed after so many acknowledged calls: what was sent, what was
    acknowledged.
    """
    sent, kept, enough = list[str](), list[str](), threading.Event()

    def work(number: int) -> None:
        with httpx.Client(timeout=30) as client, suppress(httpx.TransportError):
            for turn in range(10_000):
                sent.append(text := f"load {number} {turn}")
                if write(served, client, text):
                    kept.append(text)
                if len(kept) >= calls:
                    enough.set()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(WRITERS)]
    for thread in threads:
        thread.start()
    assert enough.wait(120)
    assert served.end(signal.SIGKILL) == -signal.SIGKILL
    for thread in threads:
        thread.join(60)
    return sent, kept


@pytest.mark.full
def test_a_killed_server_keeps_every_acknowledged_call_and_no_half_one(place: Home, company: Path) -> None:
    chance, image = random.Random(5), company.read_bytes()
    for _ in range(KILLS):
        with serving(place) as served:
            sent, kept = load(served, chance.randint(20, 120))
        is_whole(place, company, served.world, sent, kept)
    assert company.read_bytes() == image


def is_whole(place: Home, company: Path, world: str, sent: list[str], kept: list[str]) -> None:
    host = open_host(company, place.folder("worlds"))
    try:
        raw = host.open(world).bound.raw
        sql = (
            "SELECT text FROM slack_message WHERE text LIKE 'load %' UNION ALL SELECT summary FROM jira_issue WHERE"
            " summary LIKE 'load %' UNION ALL SELECT subject FROM gmail_mail WHERE subject LIKE 'load %'"
        )
        there = Counter(row[0] for row in raw.execute(sql))
        assert not Counter(kept) - there, "an acknowledged call is lost"
        assert not there - Counter(sent) and max(there.values()) == 1 and there.total() - len(kept) <= WRITERS
        assert not [sql for sql in HALF if raw.execute(sql).fetchall()], "half a mail"
        calls = raw.execute("SELECT seq, status, actor FROM _call ORDER BY seq").fetchall()
        assert [seq for seq, *_ in calls] == list(range(1, len(calls) + 1)) and "running" not in {
            status for _, status, _ in calls
        }
        assert raw.execute("SELECT count(*) FROM _journal WHERE call_seq > (SELECT call_seq FROM _now)").fetchall() == [
            (0,)
        ]
        written = raw.execute("SELECT count(DISTINCT call_seq) FROM _journal").fetchone()[0]
        assert (
            written
            >= there.total()
            == sum(status == "ok" and not str(actor).startswith("system:") for _, status, actor in calls)
        )
    finally:
        host.store.close()


@pytest.mark.full
def test_a_second_server_of_one_home_is_refused_and_one_without_room_goes_on_later(place: Home) -> None:
    with serving(place) as served, httpx.Client(timeout=30) as client:
        environment = {**os.environ, "FIRM_HOME": str(place.path)}
        second = subprocess.run(COMMAND, env=environment, capture_output=True, text=True, timeout=120)
        assert (
            second.returncode == 1 and "in use by another process" in second.stderr and "Traceback" not in second.stderr
        )
        assert write(served, client, "room 2") and write(served, client, "room 3")
        hard = resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE)[1]
        resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE, (64, hard))
        said = client.post(
            f"{served.url}/slack/api/chat.postMessage",
            json={"channel": "#random", "text": "x"},
            headers=served.bearer["slack"],
        )
        assert said.json() == {"ok": False, "error": "internal_error"}
        assert (
            client.get(f"{served.url}/jira/rest/api/3/issue/SHOP-1", headers=served.bearer["jira"]).status_code == 500
        )
        assert not write(served, client, "room 1")
        resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE, (hard, hard))
        assert write(served, client, "room 4") and write(served, client, "room 5") and write(served, client, "room 9")
        sought = client.get(
            f"{served.url}/jira/rest/api/3/search?jql=summary~room&fields=summary", headers=served.bearer["jira"]
        )
        mails = client.get(
            f"{served.url}/gmail/gmail/v1/users/me/messages?q=subject:room", headers=served.bearer["gmail"]
        ).json()["messages"]
        assert len(mails) == 1, "what there was no room for was not sent"
        assert {one["fields"]["summary"] for one in sought.json()["issues"]} >= {"room 3", "room 5"}
        assert served.end(signal.SIGTERM) == 0


@pytest.mark.full
def test_tokens_and_log_ins_outlast_a_kill_and_names_never_meet(place: Home) -> None:
    with serving(place) as served, httpx.Client(timeout=60) as client:
        assert write(served, client, "before 2")
        login = client.get(served.found(r"(http://\S+/login/\S+)"), follow_redirects=True)
        assert login.status_code == 200
        cookies, old = dict(client.cookies), served
        assert served.end(signal.SIGKILL) == -signal.SIGKILL
    with serving(place) as served, httpx.Client(timeout=60, cookies=cookies) as client:
        assert served.world != old.world and served.bearer != old.bearer
        old.url = served.url
        assert write(old, client, "after 2") and write(served, client, "elsewhere 2")
        ask = {"channel": "#random", "limit": 20}
        said = client.post(
            f"{served.url}/slack/api/conversations.list", json={"limit": 200}, headers=old.bearer["slack"]
        )
        ask["channel"] = next(one["id"] for one in said.json()["channels"] if one["name"] == "random")
        read = client.post(f"{served.url}/slack/api/conversations.history", json=ask, headers=old.bearer["slack"])
        texts = [one["text"] for one in read.json()["messages"]]
        assert texts[:2] == ["after 2", "before 2"] and "elsewhere 2" not in texts
        assert client.get(f"{served.url}/slack/", follow_redirects=True).url.path.startswith("/slack")
