"""Searches through SQL and full text find what a plain reading of every message finds."""

from functools import cache
from pathlib import Path

import pytest

import apps.gmail
from apps.gmail.mail_search import search
from apps.gmail.mailbox import Mailbox
from apps.gmail.query import Document, bind_dates, is_found, parse, print_query
from apps.gmail.query.tokens import tokens
from tests.apps.gmail.search.search_box import everything, fill, opened
from world.core.access import Tokens
from world.core.rng import Stream
from world.core.settings import Settings
from world.run.host import Host
from world.store import Base, Store

WORDS = (
    "plan",
    "the",
    "deploy",
    "launch",
    "dinner",
    "café",
    "cafe",
    "zoe",
    "müller",
    "会議",
    "室",
    "ada",
    "tiny",
    "example",
    "nowhere",
    "12.50",
    "secret",
    "friday",
    '"dinner on friday"',
    '"the plan"',
    '"ada tiny example"',
    "well-known",
    "x",
    "taro",
    "ops@tiny.example",
    "pdf",
    "core",
    '"plan AROUND 3 surprise"',
    "surprise AROUND 9 plan",
    "plan AROUND 1 surprise",
    "launch AROUND 0 launch",
    "ada AROUND 4 bo",
    '"secret plan" AROUND 2 surprise',
    "+report",
    "NEAR",
    "words",
)
PEOPLE = (
    "me",
    "ada",
    "bo",
    "ada@tiny.example",
    "b.lindqvist@tiny.example",
    "x-y.example",
    "zoë",
    "taro",
    "会議",
    "(ada OR zoe)",
    "{taro cyrus}",
    "core@tiny.example",
    "ada.tiny@example",
    "nobody",
    '"bo lindqvist"',
    "(bo lindqvist)",
    "(tiny -ada)",
    "(bo AROUND 1 lindqvist)",
)
GIVEN = {
    "from": PEOPLE,
    "to": PEOPLE,
    "cc": PEOPLE,
    "bcc": PEOPLE,
    "deliveredto": (*PEOPLE, "core"),
    "subject": (
        "dinner",
        "(dinner friday)",
        '"on friday"',
        "{plan report}",
        "会議",
        "(dinner AROUND 2 café)",
        "nothing",
        "re",
    ),
    "filename": ("pdf", "report", "notes.txt", "png", "写真", '"q1 report"', "doc"),
    "list": ("core.tiny.example", "core@tiny.example", "team", "x"),
    "label": ("inbox", "work-big-clients", "empty", "Reisen-Café", "unknown", "starred", "trash", "unread"),
    "in": (
        "inbox",
        "sent",
        "trash",
        "spam",
        "anywhere",
        "draft",
        "snoozed",
        "scheduled",
        "chats",
        "work-big-clients",
        "(inbox OR sent)",
    ),
    "is": ("unread", "read", "starred", "unstarred", "important", "snoozed", "muted", "green"),
    "has": (
        "attachment",
        "userlabels",
        "nouserlabels",
        "drive",
        "document",
        "spreadsheet",
        "presentation",
        "youtube",
        "yellow-star",
        "red-star",
        "blue-info",
    ),
    "category": ("primary", "social", "updates", "forums", "promotions", "reservations"),
    "after": ("2026/03/01", "2026-03-08", "12/31/2025", "1772323200", "2026/02/29"),
    "newer_than": ("1d", "20h", "2m", "1y", "999999d"),
    "before": ("2026/03/01", "2026-03-08", "12/31/2025", "1772323200", "9999/12/31"),
    "older_than": ("1d", "20h", "2m", "1y", "0d"),
    "larger": ("1K", "20000", "40K", "999999999999G"),
    "smaller": ("1K", "2K", "40K", "999999999999G"),
    "size": ("30000",),
    "rfc822msgid": ("m7.Id@x.example", "<m8.Id@x.example>", "m7.id@x.example", "m7"),
}
TIMES = 400


@pytest.fixture(scope="module")
def filled(sealed: Path, tmp_path_factory: pytest.TempPathFactory) -> Host:
    """A world with both mailboxes filled."""
    host = Host(
        Store(tmp_path_factory.mktemp("search") / "worlds", Base(sealed)), [apps.gmail.app], Tokens("test secret")
    )
    host.create("w", Settings(limits="off"))
    fill(host, 150)
    return host


@pytest.fixture(scope="module")
def boxes(filled: Host) -> list[tuple[Mailbox, dict[str, Document], str]]:
    """Both mailboxes, what lies in them, and the zone of each."""
    opens = [(opened(filled, "ada"), "America/New_York"), (opened(filled, "bo"), "Europe/Berlin")]
    return [(box, everything(box), zone) for box, zone in opens]


def written(draw: Stream, depth: int = 0) -> str:
    """Some query."""
    kind = draw.integer(0, 9)
    if kind < 2 and depth < 3:
        inner = [written(draw, depth + 1) for _ in range(draw.integer(1, 3))]
        return draw.choice(["({})", "{{{}}}", "-({})", "-{{{}}}"]).format(draw.choice([" ", " OR ", " "]).join(inner))
    if kind < 5:
        name = draw.choice(list(GIVEN))
        return draw.choice(["", "", "-"]) + f"{name}:{draw.choice(GIVEN[name])}"
    return draw.choice(["", "", "", "-"]) + draw.choice(WORDS)


def query(draw: Stream) -> str:
    """Some query of a few parts."""
    return draw.choice([" ", " ", " OR "]).join(written(draw) for _ in range(draw.integer(1, 3)))


def expected(box: Mailbox, mails: dict[str, Document], zone: str, text: str) -> list[str]:
    """What a plain reading finds, the latest first."""
    node = bind_dates(parse(text), box.call.now, zone)
    ids = [id for id, mail in mails.items() if is_found(node, mail)]
    return sorted(ids, key=lambda id: (mails[id].at_us, id), reverse=True)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plain reading cuts each text once."""
    monkeypatch.setattr("apps.gmail.query.matcher.tokens", cache(tokens))


@pytest.mark.full
@pytest.mark.usefixtures("quick")
def test_a_compiled_search_finds_what_a_plain_reading_finds(
    boxes: list[tuple[Mailbox, dict[str, Document], str]],
) -> None:
    draw = Stream("search agreement", 7)
    some = 0
    for _ in range(TIMES):
        text = query(draw)
        for box, mails, zone in boxes:
            plain = expected(box, mails, zone, text)
            assert [hit.id for hit in search.find_messages(box, text, limit=1_000)] == plain, (
                text,
                print_query(parse(text)),
                box.person,
            )
            some += bool(plain)
    assert some > TIMES // 3
