"""Searches by fixed cases: pages, conversations, counts, blind copies, hostile text, and the indexes they are answered
from.
"""

from pathlib import Path

import pytest

import apps.gmail
from apps.gmail.mail_search import search
from apps.gmail.mailbox import Mailbox
from tests.apps.gmail.conftest import Say, eml
from tests.apps.gmail.search.search_box import fill, opened
from world.core.access import Tokens
from world.core.errors import OperationError
from world.core.settings import Settings
from world.run.host import Host
from world.store import Base, Store


@pytest.fixture(scope="module")
def box(sealed: Path, tmp_path_factory: pytest.TempPathFactory) -> Mailbox:
    """Ada's mailbox with a variety of mail."""
    host = Host(
        Store(tmp_path_factory.mktemp("search") / "worlds", Base(sealed)), [apps.gmail.app], Tokens("test secret")
    )
    host.create("w", Settings(limits="off"))
    fill(host, 120)
    return opened(host, "ada")


def subjects(say: Say, who: str, query: str) -> list[str]:
    """The subjects a search finds, through the API."""
    listed = say("users.messages.list", who, q=query).get("messages", [])
    mails = [
        say("users.messages.get", who, id=one["id"], format="metadata", metadataHeaders=["Subject"]) for one in listed
    ]
    return [mail["payload"]["headers"][0]["value"] for mail in mails]


def pages(find: object, box: Mailbox, query: str, size: int) -> list[search.Hit]:
    """All pages of a search."""
    out: list[search.Hit] = []
    after = None
    while found := find(box, query, after=after, limit=size):  # type: ignore[operator]
        out += found
        after = (found[-1].internal_at, found[-1].id)
    return out


QUERIES = [
    "",
    "plan",
    "-plan",
    "from:me",
    "is:unread",
    "in:inbox plan",
    "plan AROUND 9 surprise",
    "larger:20K",
    "label:work-big-clients OR x",
    "in:anywhere",
]


@pytest.mark.parametrize("query", QUERIES)
def test_pages_put_together_are_the_whole_list(box: Mailbox, query: str) -> None:
    for find in (search.find_messages, search.find_threads):
        whole = find(box, query, limit=1_000)
        assert whole and pages(find, box, query, 3) == whole


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize(
    "limits", [{}, {"FEW": 0, "FEW_OF_THREADS": 0}, {"FEW": 0, "FEW_OF_THREADS": 0, "MANY": 0, "STRETCH": 8, "MET": 5}]
)
def test_a_conversation_is_found_once_by_any_message_and_stands_at_its_latest(
    box: Mailbox, query: str, limits: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = {hit.thread_id for hit in search.find_messages(box, query, limit=1_000)}
    shown = {hit.id for hit in search.find_messages(box, "in:anywhere" if query == "in:anywhere" else "", limit=1_000)}
    for name, value in limits.items():
        monkeypatch.setattr(search, name, value)
    found = search.find_threads(box, query, limit=1_000)
    assert {hit.thread_id for hit in found} == whole and len(found) == len(whole)
    for hit in found:
        assert hit.id == [one.id for one in box.thread(hit.thread_id) if one.id in shown][-1]
    assert [(hit.internal_at, hit.id) for hit in found] == sorted(
        ((hit.internal_at, hit.id) for hit in found), reverse=True
    )
    assert search.count_found(box, query, most=1_000, of_threads=True) == len(found)


@pytest.mark.parametrize("query", QUERIES)
def test_every_way_of_searching_finds_the_same(box: Mailbox, query: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = search.find_messages(box, query, limit=1_000)
    for limits in ({"FEW": 0}, {"FEW": 0, "MANY": 0, "STRETCH": 8}, {"FEW": 0, "MANY": 0, "STRETCH": 4_000}):
        for name, value in limits.items():
            monkeypatch.setattr(search, name, value)
        assert search.find_messages(box, query, limit=1_000) == whole


@pytest.mark.parametrize("label", ["INBOX", "SENT", "UNREAD", "STARRED", "TRASH", "SPAM", "Label_1", "Label_4"])
def test_a_label_alone_is_counted_in_full(box: Mailbox, label: str) -> None:
    listed = search.find_messages(box, "", [label], limit=1_000)
    assert search.count_found(box, "", [label], most=1) == len(listed)
    assert search.count_found(box, "", [label], of_threads=True) == len({hit.thread_id for hit in listed})
    assert {box.labels(box.messages([hit.id]))[hit.id].count(label) for hit in listed} <= {1}


def test_a_search_is_counted_up_to_a_bound(box: Mailbox) -> None:
    whole = len(search.find_messages(box, "plan", limit=1_000))
    assert [search.count_found(box, "plan", most=most) for most in (5, 1_000)] == [5, whole] and whole > 5


def test_labels_asked_for_by_id_are_all_wanted(box: Mailbox) -> None:
    both = search.find_messages(box, "", ["INBOX", "UNREAD"], limit=1_000)
    assert both == search.find_messages(box, "in:inbox is:unread", limit=1_000) and both
    for unknown in ("Label_99", "nonsense", "SNOOZED"):
        with pytest.raises(OperationError, match="invalid_label"):
            search.find_messages(box, "", ["INBOX", unknown])


def test_a_blind_copy_is_found_by_who_wrote_it_only(say: Say) -> None:
    raw = eml("bo@tiny.example", "Quokka", Bcc="Wilhelmina Secret <wilhelmina@acme.example>, cyrus@tiny.example")
    say("users.messages.send", raw=raw)
    for query in (
        "wilhelmina",
        "bcc:secret",
        "to:wilhelmina@acme.example",
        "bcc:cyrus",
        "quokka -nothing",
        "-bcc:bo quokka",
    ):
        assert subjects(say, "ada", query) == ["Quokka"], query
    for who in ("bo", "cyrus"):
        for query in (
            "wilhelmina",
            "bcc:secret",
            "to:wilhelmina",
            "bcc:cyrus",
            "bcc:me",
            "quokka -(-bcc:cyrus)",
            "wilhelmina OR bcc:secret",
            "quokka AROUND 90 secret",
        ):
            assert subjects(say, who, query) == [], (who, query)
        for query in ("quokka -wilhelmina", "-bcc:cyrus", "-bcc:me", "-to:wilhelmina", "-(quokka wilhelmina)"):
            assert subjects(say, who, query) == ["Quokka"], (who, query)
    assert subjects(say, "cyrus", "to:me") == [] and subjects(say, "cyrus", "deliveredto:me") == ["Quokka"]


HOSTILE = [
    '"',
    "\0",
    'a"b',
    '"* NEAR( col: ^x',
    "words : plan",
    "mark:blind",
    "x*",
    "plan*",
    "{words bcc} : a",
    "(((((",
    "a OR",
    "' OR 1=1 --",
    ":p0",
    "\ue000",
    "-",
    "\ue201ada",
    '"a" AND NOT "b"',
    "larger:999999999999G",
    "smaller:999999999999G",
    "after:999999999999",
    "newer_than:999999y",
    "rfc822msgid:<>",
    "label:%",
    "in:" + "x" * 5_000,
    "z" * 30_000,
    "".join(f"(a{n} {{b{n} c{n} " for n in range(31)),
    "".join(f"(a{n} -{{b{n} c{n} " for n in range(31)),
    *(sign.join(f"{form}{n}" for n in range(1_000)) for sign in (" ", " OR ") for form in ("w", "-w", "from:w")),
    " OR ".join(f"(plan -w{n})" for n in range(490)),
    " ".join(f"a{n} AROUND 5 b{n}" for n in range(300)),
]


@pytest.mark.parametrize("query", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_is_answered(box: Mailbox, query: str) -> None:
    assert len(search.find_messages(box, query, limit=5)) <= 5
    assert len(search.find_threads(box, query, limit=5)) <= 5


@pytest.mark.parametrize(
    "query", ["x" * 100_000, "a " * 1_001, "(" * 65 + "a" + ")" * 65], ids=["long", "many", "deep"]
)
def test_what_is_over_a_limit_is_refused(box: Mailbox, query: str) -> None:
    for find in (search.find_messages, search.find_threads, search.count_found):
        with pytest.raises(OperationError, match="invalid_query"):
            find(box, query)


PLANS = {
    "": "m USING INDEX gmail_message_by_time",
    "in:inbox": "l USING COVERING INDEX gmail_message_label_by_time",
    "is:unread": "m USING INDEX gmail_message_unread",
    "in:trash": "m USING INDEX gmail_message_trash",
    "in:spam -plan": "m USING INDEX gmail_message_spam",
    "dinner": "m USING INDEX gmail_message_by_mail",
    "rfc822msgid:a@b": "m USING INDEX gmail_message_by_mail",
}


@pytest.mark.parametrize("query", PLANS)
def test_a_search_walks_the_index_made_for_it(box: Mailbox, query: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, object]] = []
    real = box.call.all
    monkeypatch.setattr(
        type(box.call), "all", lambda self, sql, values=None: (asked.append((sql, values)), real(sql, values))[1]
    )
    search.find_messages(box, query, limit=5)
    sql, values = asked[-1]
    plan = [row[3] for row in real(f"EXPLAIN QUERY PLAN {sql}", values)]
    assert any(PLANS[query] in step for step in plan), plan
    assert not any(step.startswith("SCAN") and "gmail_mail_fts VIRTUAL TABLE" not in step for step in plan), plan
    if "by_mail" not in PLANS[query]:
        assert not any("TEMP B-TREE" in step for step in plan), plan
