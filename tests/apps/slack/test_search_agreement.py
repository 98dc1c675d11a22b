"""Search through SQL and full text finds what a plain reading of every message finds."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import apps.slack
from apps.slack.query import parse
from tests.apps.slack.rows import EVERYBODY
from tests.apps.slack.search_plain import Plain, Said
from tests.company import as_person
from tests.examples import examples
from world.core.access import Tokens
from world.core.clock import DAY
from world.core.settings import Settings
from world.run.host import Host
from world.store import Base, Store

TEXTS = (
    "deploy of checkout is done",
    "the DEPLOY failed again",
    "deployment plan",
    "R&amp;D and out of office &lt;today&gt;",
    "see <https://wiki.tiny.example/deploy|the plan>",
    "<@U0BO> can you deploy checkout?",
    "out office of",
    "Grüsse aus Berlin, café",
    "nothing to say",
    "snake_case_word and 2026",
    "office-hours are off",
    "<!here> checkout",
)
WORDS = (
    "deploy",
    "checkout",
    "dep*",
    '"out of"',
    '"of checkout"',
    "office",
    "office-hours",
    "R&D",
    "cafe",
    "grusse*",
    "snake",
    "2026",
    "the",
    "@bo",
    "-deploy",
    '-"the plan"',
    "!!!",
    "today",
)
FILTERS = (
    "from:ada",
    "from:@bo",
    "from:me",
    "from:nobody",
    "-from:ada",
    "in:#core",
    "in:general",
    "in:@bo",
    "in:reorg-plans",
    "-in:core",
    "to:me",
    "to:@bo",
    "with:@dee",
    "with:bo",
    "has:link",
    "has:file",
    "has:reaction",
    "has:pin",
    "has::eyes:",
    "-has:reaction",
    "hasmy::eyes:",
    "is:thread",
    "is:dm",
    "is:saved",
    "-is:thread",
    "before:2026-03-01",
    "after:2026-02-27",
    "on:yesterday",
    "during:february",
    "-on:2026-03-01",
    "on:someday",
)
QUERIES = st.lists(st.sampled_from(WORDS + FILTERS), min_size=1, max_size=4).map(" ".join)
CHANNELS = (
    ("C0CORE0001", "core", "public", ("p_ada", "p_bo", "p_dee", "p_bot")),
    ("C0GENERAL1", "general", "public", (*EVERYBODY, "p_bot")),
    ("C0SECRET01", "reorg-plans", "private", ("p_ada", "p_dee")),
    ("D0ADABO001", "", "im", ("p_ada", "p_bo")),
)


@pytest.fixture(scope="module")
def searched(sealed: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Host, Plain]:
    host = Host(
        Store(tmp_path_factory.mktemp("search") / "worlds", Base(sealed)), [apps.slack.app], Tokens("test secret")
    )
    host.create("w", Settings(limits="off"))
    raw = host.actor("w").bound.raw
    for table in (
        "slack_message",
        "slack_mention",
        "slack_reaction",
        "slack_pin",
        "slack_saved",
        "slack_thread_follower",
    ):
        raw.execute(f"DELETE FROM {table}")
    messages = [_message(n, host) for n in range(160)]
    for message in messages:
        _store(raw, message)
    handles = {"ada": "p_ada", "bo": "p_bo", "cyrus": "p_cy", "dee": "p_dee", "eve": "p_eve"}
    users = {person: f"U0{handle.upper()}" for handle, person in handles.items()}
    return host, Plain(messages, handles, users)


def _message(n: int, host: Host) -> Said:
    """The n-th of a fixed variety of messages over five days."""
    channel, name, kind, members = CHANNELS[n * 7 % 4]
    at = host.actor("w").now - 5 * DAY + n * (5 * DAY // 170)
    root = n - n % 5 if n % 5 and n % 3 == 0 and CHANNELS[(n - n % 5) * 7 % 4][0] == channel else None
    text = TEXTS[n * 5 % len(TEXTS)]
    return Said(
        id=1000 + n,
        channel=channel,
        channel_name=name,
        kind=kind,
        members=frozenset(members),
        people=frozenset(members) if kind == "im" else frozenset(),
        author=members[n % len(members)],
        at=at,
        ts=_ts(at),
        text=text,
        thread_ts=None if root is None else _ts(host.actor("w").now - 5 * DAY + root * (5 * DAY // 170)),
        has_files=n % 11 == 0,
        deleted=n % 17 == 0,
        reactions=frozenset(
            {("eyes", "p_ada"), ("tada", "p_bo")} if n % 6 == 0 else {("eyes", "p_bo")} if n % 7 == 0 else ()
        ),
        pinned=n % 13 == 0,
        saved_by=frozenset({"p_ada"}) if n % 9 == 0 else frozenset(),
        targets=frozenset({"p_bo"}) if "<@U0BO>" in text else frozenset(),
    )


def _ts(at: int) -> str:
    return f"{at // 1_000_000}.{at % 1_000_000:06d}"


def _store(raw: Any, m: Said) -> None:
    raw.execute(
        "INSERT INTO slack_message(id, channel_id, ts, person_id, text, thread_ts, is_broadcast, reply_count,"
        " has_files, deleted_at) VALUES (?, ?, ?, ?, ?, ?, 0, 0, ?, ?)",
        (m.id, m.channel, m.ts, m.author, m.text, m.thread_ts, m.has_files, m.at if m.deleted else None),
    )
    if m.thread_ts:
        raw.execute(
            "UPDATE slack_message SET reply_count = reply_count + 1 WHERE channel_id = ? AND ts = ?",
            (m.channel, m.thread_ts),
        )
    for name, person in sorted(m.reactions):
        raw.execute("INSERT INTO slack_reaction VALUES (?, ?, ?, ?)", (m.id, name, person, m.at))
    for target in sorted(m.targets):
        raw.execute("INSERT INTO slack_mention VALUES (?, ?, ?, ?)", (m.id, target, m.channel, m.ts))
    for person in sorted(m.saved_by):
        raw.execute(
            "INSERT INTO slack_saved(person_id, message_id, state, created_at) VALUES (?, ?, 'in_progress', ?)",
            (person, m.id, m.at),
        )
    if m.pinned:
        raw.execute("INSERT INTO slack_pin VALUES (?, ?, ?, ?)", (m.channel, m.id, m.author, m.at))


def found(host: Host, who: str, query: str, **more: Any) -> list[str]:
    principal, out = as_person(host, who), []
    for page in range(1, 10):
        answer = host.peek(principal, "rest", "search.messages", {"query": query, "count": 100, "page": page, **more})[
            "messages"
        ]
        out += [f"{match['channel']['id']} {match['ts']}" for match in answer["matches"]]
        if page >= answer["paging"]["pages"]:
            assert len(out) == answer["total"]
            return out
    raise AssertionError("too many pages")


@settings(max_examples=examples(250), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=QUERIES, who=st.sampled_from(["ada", "bo", "eve"]))
def test_sql_and_plain_reading_find_the_same(searched: tuple[Host, Plain], query: str, who: str) -> None:
    host, plain = searched
    person = as_person(host, who).person
    terms = [term for term in parse(query)]
    if not any(not hasattr(term, "prefix") or term.negated or plain._tokens(term) for term in terms):
        return
    replies: dict[tuple[str, str], int] = {}
    for m in plain.messages:
        if m.thread_ts:
            replies[m.channel, m.thread_ts] = replies.get((m.channel, m.thread_ts), 0) + 1
    for m in plain.messages:
        m.reply_count = replies.get((m.channel, m.ts), 0)
    expected = plain.search(terms, person, host.actor("w").now, "Europe/Berlin")
    names = {m.id: f"{m.channel} {m.ts}" for m in plain.messages}
    assert sorted(found(host, who, query)) == sorted(names[one] for one in expected)


@pytest.mark.parametrize("query", ["deploy", "office", "from:bo", "in:general"])
def test_sorting_by_time_runs_both_ways(searched: tuple[Host, Plain], query: str) -> None:
    host, _ = searched
    newest = [line.split()[1] for line in found(host, "ada", query, sort="timestamp")]
    oldest = [line.split()[1] for line in found(host, "ada", query, sort="timestamp", sort_dir="asc")]
    assert newest == sorted(newest, reverse=True) and oldest == newest[::-1] and len(newest) > 3
