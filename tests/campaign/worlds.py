"""Many worlds in one process, their operations interleaved: no row and no answer of one ever holds a word of another."""

import math
import re
import shutil
from collections.abc import Callable, Mapping
from typing import Any

import orjson
from sqlmodel import SQLModel

from tests.campaign.callers import ME
from tests.campaign.part import Figures, Ground, Part, Tally, chance_of
from world.core.errors import OperationError
from world.core.settings import Settings
from world.run.host import Host, open_host

CANARY = re.compile(r"canary-(\d+)-canary")
WORLDS, EACH = 1_000, 1_000
Arguments = Callable[[str], Mapping[str, Any]]
WRITES: tuple[tuple[str, Arguments], ...] = (
    ("chat.postMessage", lambda word: {"channel": "#random", "text": word}),
    ("conversations.create", lambda word: {"name": f"{word}-{len(word)}"}),
    (
        "createIssue",
        lambda word: {"fields": {"project": {"key": "SHOP"}, "issuetype": {"name": "Task"}, "summary": word}},
    ),
    ("addComment", lambda word: {"issueIdOrKey": "SHOP-1", "body": word}),
    ("mail.saveDraft", lambda word: {"subject": word, "text": word}),
    ("users.labels.create", lambda word: {"name": word}),
    ("issues/create", lambda word: {"owner": "quayline", "repo": "payments", "title": word, "body": word}),
    ("drive.files.create", lambda word: {"name": word}),
    ("web.create", lambda word: {"title": word, "sheetNames": [word]}),
)
READS: tuple[tuple[str, Arguments], ...] = (
    ("search.all", lambda word: {"query": "canary", "count": 20}),
    ("conversations.list", lambda word: {"limit": 200}),
    (
        "searchAndReconsileIssuesUsingJql",
        lambda word: {"jql": "text ~ canary", "maxResults": 20, "fields": ["summary"]},
    ),
    ("users.messages.list", lambda word: {"q": "in:anywhere subject:canary"}),
    ("users.labels.list", lambda word: {}),
    ("search/issues-and-pull-requests", lambda word: {"q": "canary"}),
    ("drive.files.list", lambda word: {"q": "name contains 'canary'", "pageSize": 20}),
)


def run(ground: Ground) -> Figures:
    """Each turn goes to a world drawn by chance; of every three calls one writes."""
    part = math.sqrt(ground.scale)
    worlds, calls = max(4, round(WORLDS * part)), max(10, round(EACH * part))
    tally, chance, folder = Tally(), chance_of("worlds"), ground.scratch / "worlds"
    host = open_host(ground.company, folder)
    try:
        for number in range(worlds):
            host.create(f"w{number}", Settings(limits="off", seed=number))
        for _ in range(worlds * calls):
            number = chance.randrange(worlds)
            name, arguments = chance.choice(WRITES if chance.random() < 1 / 3 else READS)
            text = call(host, f"w{number}", name, arguments(f"canary-{number}-canary"), tally)
            tally.counts["seen"] += f"canary-{number}-canary" in text
            if set(CANARY.findall(text)) - {str(number)}:
                tally.note("foreign_answers", f"w{number} {name} {text[:300]}")
            tally.counts["calls"] += 1
        foreign = sum(count_foreign_rows(host, f"w{number}", number) for number in range(worlds))
    finally:
        host.store.close()
        shutil.rmtree(folder)
    counts = tally.counts
    return {
        "done": counts["calls"],
        "worlds": worlds,
        "calls_refused": counts["refused"],
        "own_words_seen": counts["seen"],
        "foreign_answers": counts["foreign_answers"],
        "foreign_rows": foreign,
    }


def call(host: Host, world: str, name: str, arguments: Mapping[str, Any], tally: Tally) -> str:
    """The answer of one call as text, empty for a refusal."""
    try:
        return orjson.dumps(host.call(host.principal(world, ME), "rest", name, arguments), default=str).decode()
    except OperationError:
        tally.counts["refused"] += 1
        return ""


def count_foreign_rows(host: Host, world: str, number: int) -> int:
    """Rows of a world's changes that hold the word of another world."""
    raw = host.actor(world).bound.raw
    texts = raw.execute("SELECT coalesce(before, '') || coalesce(after, '') FROM _journal").fetchall()
    journaled = sum(bool(set(CANARY.findall(text)) - {str(number)}) for (text,) in texts)
    tables = {"slack_message": "text", "jira_issue": "summary", "drive_file": "name", "github_issue": "title"}
    known = {name: column for name, column in tables.items() if name in SQLModel.metadata.tables}
    own = f"canary-{number}-canary"
    stored = sum(
        raw.execute(
            f"SELECT count(*) FROM {name} WHERE {column} LIKE 'canary-%' AND instr({column}, ?) = 0", (own,)
        ).fetchone()[0]
        for name, column in known.items()
    )
    return journaled + stored


part = Part("worlds", WORLDS * EACH, "calls in interleaved worlds", ("foreign_answers", "foreign_rows"), run)
