"""Which mail a search finds: words, persons, marks, dates and sizes, mail by mail."""

from datetime import UTC, datetime

import pytest

from apps.gmail.query import Document, Person, bind_dates, is_found, list_entries, matches, parse
from apps.gmail.query.normal_form import TextField
from world.core.clock import DAY, HOUR, SECOND, from_datetime

NOW = from_datetime(datetime(2026, 3, 31, 12, tzinfo=UTC))
ZONE = "America/New_York"
MAIL = Document(
    sender=(Person("Amy Smith", "amy.smith@x.example"),),
    to=(Person("Bob Jones", "bob@y.example"), Person("", "team+ops@x.example")),
    cc=(Person("José Müller", "jose@z.example"),),
    bcc=(Person("Zoë", "zoe@z.example"),),
    subject="Re: Dinner on Friday (café)",
    body="The well-known secret plan: a big surprise for the birthday.\nhttp://x.example/menu_2026 costs 12.50 – 会議室で",
    filenames=("Q1 report.final.PDF", "notes.txt"),
    labels=frozenset({"Work/Big clients"}),
    system=frozenset({"INBOX", "UNREAD", "CATEGORY_UPDATES"}),
    features=frozenset({"drive", "document", "red-star"}),
    lists=("Info list <info.example.com>", "info@example.com"),
    delivered_to=("bob@y.example",),
    message_id="<Id.1@x.example>",
    at_us=NOW - 2 * DAY,
    size_bytes=1 << 20,
    owner=("bob@y.example", "b.jones@y.example"),
)

FINDS = """
dinner | DINNER | cafe | café | friday dinner | "dinner on friday" | "re dinner" | well-known | "well known" | wellknown OR known
plan AROUND 1 surprise OR plan AROUND 2 surprise | surprise AROUND 9 plan | "plan AROUND 2 surprise" | plan AROUND 2 surprise
"secret plan" AROUND 1 "big surprise" | subject:(friday AROUND 1 dinner) | +dinner | menu | 2026 | 12.50 | 会議 | 室
from:amy | from:smith | from:"amy smith" | from:amy.smith | from:amy.smith@x.example | from:@x.example | from:x.example | from:AMY
from:(amy smith) | from:(bob OR amy) | from:{bob amy} | -from:bob | amy | jones | jose | "jose muller" | Müller | zoe | team
to:bob | to:jones | to:team | to:ops | to:jose | to:zoe | to:me | cc:jose | bcc:zoe | -cc:bob | -from:me | cc:josé
subject:dinner | subject:(dinner friday) | subject:"on friday" | -subject:secret | subject:{secret dinner}
filename:pdf | filename:report.final.pdf | filename:notes.txt | filename:txt | filename:"q1 report" | report | has:attachment
list:info@example.com | list:info | deliveredto:bob@y.example | deliveredto:me | rfc822msgid:Id.1@x.example | rfc822msgid:<Id.1@x.example>
in:inbox | is:unread | -is:read | label:inbox | -in:sent | category:updates | label:work-big-clients | label:"Work/Big Clients"
label:work/big-clients | in:work-big-clients | has:userlabels | -has:nouserlabels | has:drive | has:document | -has:youtube | has:red-star
is:unstarred | -is:starred | in:anywhere | after:2026/03/29 | before:2026/03/30 | after:03/29/2026 before:03/30/2026 | newer_than:3d
newer_than:48h | newer_than:2d | older_than:47h | newer_than:1m | newer_than:1y | -older_than:2d | newer:2026/3/1 | older:2026/4/1
larger:1000K | smaller:2M | larger:1048575 | smaller:1048577 | size:1000000 | -larger:1M | -smaller:1M
| * | a OR nothing | nothing OR dinner | -(nothing here) | -{nothing here} | is:(unread -starred)
"""
MISSES = """
din | inner | dinners | "friday dinner" | "dinner friday" | wellknown | surp | secret-birthday | "plan AROUND 1 surprise"
"surprise AROUND 9 plan" | plan AROUND 1 surprise | dinner AROUND 99 secret | dinner AROUND 5 dinner | "secret plan" AROUND 5 plan
議会 | menus | "friday the"
from:am | from:bob | from:jose | from:"smith amy" | from:(amy bob) | from:me | from:"smith amy smith" | from:y.example | -from:amy
to:amy | to:bo | to:"jones team" | cc:bob | bcc:jose | cc:me | to:smith | bob@x.example
subject:secret | subject:"dinner friday" | subject:(dinner secret) | subject:din | subject:amy
filename:doc | filename:repo | filename:"txt notes" | filename:"pdf notes" | list:news | deliveredto:amy | rfc822msgid:id.1@x.example
rfc822msgid:Id.1 | in:sent | is:read | is:starred | category:social | label:work | label:big-clients | label:clients | label:work-big
has:nouserlabels | has:youtube | has:yellow-star | has:blue-star | -has:attachment | -in:anywhere | in:trash | in:snoozed | is:muted
after:2026/03/30 | before:2026/03/29 | after:03/29/2026 before:03/29/2026 | newer_than:47h | older_than:2d | older_than:1m
newer_than:1d | older:2026/3/29 | larger:1M | smaller:1M | size:1048576 | smaller:500k | larger:1g
-dinner | dinner -friday | -(dinner friday) | -{nothing dinner} | nothing | nothing here | foo:dinner | is:green | after:soon
"""


def queries(text: str) -> list[str]:
    """The searches of a table; | stands between them with a space on both sides."""
    return [query for line in text.strip().splitlines() for query in line.split(" | ")]


@pytest.mark.parametrize("query", queries(FINDS))
def test_a_search_finds_the_mail(query: str) -> None:
    assert is_found(bind_dates(parse(query), NOW, ZONE), MAIL)


@pytest.mark.parametrize("query", queries(MISSES))
def test_a_search_misses_the_mail(query: str) -> None:
    assert not is_found(bind_dates(parse(query), NOW, ZONE), MAIL)


@pytest.mark.parametrize(
    ("query", "where"),
    [
        ("", {"inbox"}),
        ("in:trash", {"trash"}),
        ("label:trash", {"trash"}),
        ("in:spam", {"spam"}),
        ("in:(trash OR spam)", {"trash", "spam"}),
        ("in:anywhere", {"inbox", "trash", "spam"}),
        ("in:anywhere -in:trash", {"inbox", "spam"}),
        ("-in:trash", {"inbox"}),
        ("-in:inbox", set()),
        ("in:inbox OR in:spam", {"inbox", "spam"}),
    ],
)
def test_trash_and_spam_are_left_out_by_default(query: str, where: set[str]) -> None:
    mails = {name: Document(system=frozenset({name.upper()})) for name in ("inbox", "trash", "spam")}
    assert {name for name, mail in mails.items() if is_found(parse(query), mail)} == where
    assert matches(parse(""), mails["trash"])


def at(text: str) -> int:
    return from_datetime(datetime.fromisoformat(text))


@pytest.mark.parametrize(
    ("query", "zone", "first", "last"),
    [
        ("after:2026/03/04 before:2026/03/05", "UTC", "2026-03-04T00:00:00Z", "2026-03-04T23:59:59.999999Z"),
        (
            "after:2026/03/04 before:2026/03/05",
            "Asia/Tokyo",
            "2026-03-04T00:00:00+09:00",
            "2026-03-04T23:59:59.999999+09:00",
        ),
        (
            "newer:2026/03/08 older:2026/03/09",
            "America/New_York",
            "2026-03-08T00:00:00-05:00",
            "2026-03-08T23:59:59.999999-04:00",
        ),
        # midnight does not exist in Santiago on 6 September 2026, and 00:00-00:59 on 1 November 2026 comes twice in
        # Havana
        (
            "after:2026/09/06 before:2026/09/07",
            "America/Santiago",
            "2026-09-06T01:00:00-03:00",
            "2026-09-06T23:59:59.999999-03:00",
        ),
        (
            "after:2026/11/01 before:2026/11/02",
            "America/Havana",
            "2026-11-01T00:00:00-04:00",
            "2026-11-01T23:59:59.999999-05:00",
        ),
        ("after:1388552400 before:1388552401", "Asia/Tokyo", "2014-01-01T05:00:00Z", "2014-01-01T05:00:00.999999Z"),
        ("newer_than:2d older_than:1d", "UTC", "2026-03-29T12:00:00Z", "2026-03-30T11:59:59.999999Z"),
        ("newer_than:3h older_than:2h", "UTC", "2026-03-31T09:00:00Z", "2026-03-31T09:59:59.999999Z"),
        ("newer_than:1m older_than:1d", "UTC", "2026-02-28T12:00:00Z", "2026-03-30T11:59:59.999999Z"),
        ("newer_than:1m older_than:1d", "America/New_York", "2026-02-28T08:00:00-05:00", "2026-03-30T11:59:59.999999Z"),
        ("newer_than:15m older_than:1y", "UTC", "2024-12-31T12:00:00Z", "2025-03-31T11:59:59.999999Z"),
    ],
)
def test_dates_are_midnights_of_the_account(query: str, zone: str, first: str, last: str) -> None:
    search = bind_dates(parse(query), NOW, zone)
    moments = (at(first) - 1, at(first), at(last), at(last) + 1)
    assert [matches(search, Document(at_us=moment)) for moment in moments] == [False, True, True, False]


@pytest.mark.parametrize(
    "query",
    [
        "after:0001/01/01",
        "newer_than:2026y",
        "newer_than:999999y",
        "newer_than:999999d",
        "before:9999/12/31",
        "before:999999999999",
    ],
)
@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_far_dates_have_bounds(query: str, zone: str) -> None:
    assert matches(bind_dates(parse(query), NOW, zone), Document(at_us=NOW))


def test_a_search_with_dates_is_matched_only_when_bounded() -> None:
    with pytest.raises(TypeError, match="bounded"):
        matches(parse("newer_than:1d"), MAIL)


def test_an_hour_is_an_hour_where_the_clocks_change() -> None:
    spring = at("2026-03-08T12:00:00-04:00")
    search = bind_dates(parse("newer_than:1d"), spring, "America/New_York")
    assert matches(search, Document(at_us=spring - 24 * HOUR))
    assert not matches(search, Document(at_us=spring - 24 * HOUR - SECOND))


@pytest.mark.parametrize(
    ("field", "texts"),
    [
        ("from", ("Amy Smith", "amy.smith@x.example")),
        ("cc", ("José Müller", "jose@z.example")),
        (
            "to",
            (
                "Bob Jones",
                "bob@y.example",
                "",
                "team+ops@x.example",
                "José Müller",
                "jose@z.example",
                "Zoë",
                "zoe@z.example",
            ),
        ),
        ("filename", ("Q1 report.final.PDF", "notes.txt")),
        ("deliveredto", ("bob@y.example",)),
    ],
)
def test_a_text_operator_looks_in_these_entries(field: TextField, texts: tuple[str, ...]) -> None:
    assert list_entries(MAIL, field) == texts


def test_a_word_without_operator_is_not_looked_for_in_lists_labels_or_ids() -> None:
    mail = Document(
        lists=("news",), delivered_to=("amy@x.example",), message_id="<word@x.example>", labels=frozenset({"word"})
    )
    assert not any(matches(parse(query), mail) for query in ("news", "amy", "word", "example"))
