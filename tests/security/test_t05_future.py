"""T4, T5: nothing of what will happen, of how runs are made or graded, or of this machine is to be had at any door."""

import ast
import http.client
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import re2

import scenarios.us_east_1_outage.scenario as outage
from tests.conftest import Server
from tests.security.reach import Employee
from world.core.operation import Operation
from world.run import episode
from world.run.actor import Actor
from world.run.episode import Episode
from world.script import loader

SCENARIO = "us_east_1_outage"
WORDS = re.compile(
    r"\b(scenarios?|rubrics?|graders?|grading|seeds?|faults?|oracles?|mutants?|firmament)\b", re.IGNORECASE
)
STARTS = ("/", "/slack/", "/jira/", "/status/", "/gmail/", "/github/", "/sheets/")
MOMENT = 180 * 10**6  # us; the first thing of the scenario happens a minute later


def texts(path: Path) -> set[str]:
    """The pieces of text a Python file holds, without its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    described = {
        id(n.body[0].value)
        for n in ast.walk(tree)
        if isinstance(n, (ast.Module, ast.FunctionDef, ast.ClassDef)) and isinstance(n.body[0], ast.Expr)
    }
    found = [
        n.value
        for n in ast.walk(tree)
        if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in described
    ]
    return {
        piece.strip()
        for text in found
        for piece in re.split(r"[{}\n]|<@", text)
        if len(piece.strip()) >= 16 and " " in piece.strip()
    }


FOLDER = Path(outage.__file__).parent
SOLUTION = set(FOLDER.glob("oracle*.py"))
SAID = {text for path in set(FOLDER.glob("*.py")) - SOLUTION - {FOLDER / "predicates.py"} for text in texts(path)} - {
    outage.card.title
}
ANSWERS = {text for path in SOLUTION for text in texts(path)} | {
    line.strip() for line in (FOLDER / "rubric.yaml").read_text(encoding="utf-8").splitlines() if len(line.strip()) > 20
}


@pytest.fixture(scope="module")
def run(served: Server) -> Episode:
    """The first moment of a scenario."""
    return served.do(lambda: episode.start(served.up.host, loader.find_scenario(SCENARIO), seed=3, world="t5"))


@pytest.fixture(scope="module")
def future(company: Path, served: Server, run: Episode) -> set[str]:
    """What the scenario's people have yet to say: neither in the sealed company nor said by the first moment."""
    sql = "SELECT group_concat(text || coalesce(blocks, '') || coalesce(attachments, '')) FROM slack_message"
    said = served.do(lambda: run.actor.bound.raw.execute(sql).fetchone()[0])
    known = company.read_bytes()
    return {text for text in SAID if text.encode() not in known and text not in said}


@pytest.fixture(scope="module")
def agent(served: Server, run: Episode) -> Iterator[Employee]:
    """The agent in a fork, whose clock may run on."""
    served.do(lambda: served.up.host.fork(run.actor, "t5-agent"))
    with Employee(served, "t5-agent", run.agent) as made:
        yield made


@contextmanager
def first_moment(served: Server, run: Episode, name: str) -> Iterator[Employee]:
    """The agent in a fork of its own, since calls take time; all that is asked must be asked before anything happens."""
    actor = served.do(lambda: served.up.host.fork(run.actor, name))
    with Employee(served, name, run.agent) as made:
        yield made
    assert actor.now < run.actor.now + MOMENT, (name, actor.now - run.actor.now)


def shares(agent: Employee, size: int = 80) -> Iterator[tuple[int, list[tuple[Operation, dict[str, Any]]]]]:
    """Reading operations with arguments, so many at a time as fit the first moment."""
    examples = agent.examples()
    for first in range(0, len(examples), size):
        yield first, examples[first : first + size]


@pytest.fixture(scope="module")
def answers(served: Server, run: Episode, agent: Employee) -> list[tuple[str, str]]:
    """Everything the agent can get at the first moment: headers and bodies."""
    found: list[tuple[str, httpx.Response]] = []
    for first, share in shares(agent):
        with first_moment(served, run, f"t5-reads-{first}") as one:
            found += [(operation.id, one.rest(operation, arguments)) for operation, arguments in share]
    for start in STARTS:
        with first_moment(served, run, f"t5-walk{start.replace('/', '-')}") as one:
            found += one.walk(start, most=60)
    return [(what, f"{answer.headers}\n{answer.text}") for what, answer in found]


def log_of(served: Server, world: str) -> bytes:
    """What the disk holds of a world, without what it was forked from."""
    log = served.do(lambda: served.up.host.actors[world].world.log)
    assert log is not None
    return Path(log.path).read_bytes()


def test_no_answer_at_the_first_moment_holds_a_text_of_the_future(
    answers: list[tuple[str, str]], future: set[str], company: Path
) -> None:
    assert len(future) > 30 and len(answers) > 250
    known = company.read_bytes()
    secret = future | {text for text in ANSWERS if text.encode() not in known}
    any_of = re2.compile("|".join(re2.escape(text) for text in sorted(secret)))
    hits = [(what, found.group()) for what, answer in answers if (found := any_of.search(answer))]
    assert any_of.search("so " + min(future)) and not hits, hits[:5]


def test_the_worlds_file_holds_no_text_of_the_future_until_it_happens(
    served: Server, run: Episode, future: set[str]
) -> None:
    before = log_of(served, run.world)
    assert before and not [text for text in future if text.encode() in before]

    def on() -> None:
        actor = served.up.host.fork(run.actor, "t5-later")
        actor.advance(actor.now + 4 * 3600 * 10**6)

    served.do(on)
    later = log_of(served, "t5-later")
    assert sum(text.encode() in later for text in future) > 15, "the scan would not find a text that is there"


def test_reading_answers_as_if_nothing_were_to_come(served: Server, run: Episode, agent: Employee) -> None:
    def quiet() -> Actor:
        actor = served.up.host.fork(run.actor, "t5-quiet")
        with actor.transactions.open() as bound:
            assert bound.raw.execute("DELETE FROM _queue RETURNING seq").fetchall()
        return actor

    nothing = replace(run, actor=served.do(quiet))
    for first, share in shares(agent):
        with (
            first_moment(served, run, f"t5-same-{first}") as same,
            first_moment(served, nothing, f"t5-other-{first}") as other,
        ):
            for operation, arguments in share:
                mine, theirs = same.rest(operation, arguments), other.rest(operation, arguments)
                assert mine.status_code == theirs.status_code and mine.content == theirs.content, operation.id


def test_no_answer_names_how_worlds_are_made(answers: list[tuple[str, str]], served: Server, agent: Employee) -> None:
    def company() -> str:
        raw = served.up.host.actors[agent.world].bound.raw
        said = [
            row[0] for row in raw.execute("SELECT text FROM slack_message UNION ALL SELECT body_text FROM jira_comment")
        ]
        said += [row[0] for row in raw.execute("SELECT subject || ' ' || text FROM gmail_mail")]
        return " ".join(
            [*said, *(row[0] for row in raw.execute("SELECT summary || ' ' || description_text FROM jira_issue"))]
        )

    theirs = {word.lower() for word in WORDS.findall(served.do(company))}
    hits = {
        (word.lower(), what) for what, text in answers for word in WORDS.findall(text) if word.lower() not in theirs
    }
    assert not hits, sorted(hits)[:10]


TRAVERSALS = (
    "/../../etc/passwd",
    "/..%2f..%2fetc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/..;/etc/passwd",
    "/....//etc/passwd",
    "/.git/config",
    "/.env",
    "/pyproject.toml",
    "/world/host.py",
    "/main.js.map",
    "/htmx.min.js.map",
    "/slack.css~",
    "/slack.css.bak",
    "/",
    "/%00",
    "/..%5c..%5cx",
    "/proc/self/environ",
    "/..%252f..%252fetc/passwd",
    "//etc/passwd",
    "/file:///etc/passwd",
    "/C:/Windows",
    "/%c0%ae%c0%ae/etc/passwd",
)
BASES = (
    "",
    "/web/static/x",
    "/slack/static/x",
    "/jira/static/x",
    "/status",
    "/slack/files-pri/T-F",
    "/slack/upload/v1",
    "/jira/rest/api/3",
    "/slack/avatars",
    "/jira/secure/attachment/1",
    "/mcp/slack",
    "/login",
    "/gmail/static/x",
    "/gmail/file/1/2",
    "/gmail/image/1",
    "/gmail/body",
    "/gmail/gmail/v1/users/me/messages",
    "/gmail/sync",
    "/sheets/static/x",
    "/sheets/d/1/edit",
    "/sheets/v4/spreadsheets",
    "/sheets/drive/v3/files",
)


def is_index(body: str) -> bool:
    """Whether this is the list of what is where."""
    return body.startswith('{"login"') and set(json.loads(body)) == {"login", "tools", "apps"}


def test_no_path_leads_to_a_file_of_this_machine(served: Server, agent: Employee) -> None:
    address = urlsplit(served.url)
    connection = http.client.HTTPConnection(str(address.hostname), address.port, timeout=30)
    try:
        for base in BASES:
            for path in TRAVERSALS:
                connection.request("GET", base + path, headers={"Cookie": f"firm_session={agent.cookie}"})
                answer = connection.getresponse()
                body = answer.read().decode("utf-8", "replace")
                assert answer.status < 500, (base + path, answer.status)
                for mark in (
                    "root:x:",
                    "[project]",
                    "Index of",
                    "Directory listing",
                    "sourceMappingURL",
                    str(served.folder),
                ):
                    assert mark not in body, (base + path, mark)
                if answer.status == 200:
                    assert "html" in str(answer.getheader("content-type")) or path == "/%00" or is_index(body), (
                        base + path,
                        body[:200],
                    )
    finally:
        connection.close()


def test_error_answers_hold_no_path_and_no_stack(agent: Employee) -> None:
    for address in (
        "/slack/api/chat.postMessage",
        "/jira/rest/api/3/issue/NOPE-1",
        "/jira/rest/nope",
        "/nope",
        "/slack/nope",
        "/world/nope",
        "/gmail/gmail/v1/users/me/messages",
        "/gmail/sync/mail.send",
        "/gmail/upload/gmail/v1/users/me/messages/send",
        "/gmail/batch",
        "/gmail/token",
        "/gmail/nope",
    ):
        for method in ("GET", "POST", "PUT", "DELETE", "PATCH"):
            answer = agent.http.request(
                method, address, content=b"\xff\xfe{", headers={"Authorization": f"Bearer {agent.bearer['jira']}"}
            )
            assert "Traceback" not in answer.text and "site-packages" not in answer.text and ".py" not in answer.text, (
                method,
                address,
            )
