"""Texts: markup off, whole words only, people by any name, times in any format, bounds against dumping."""

from typing import Any

import pytest
from grading_company import BOB, START, Bench, Desk, json_text

from world.grading.text import normalise_text, read_text

PLAIN = [
    ("**Bold** and _it_ with `code`", "Bold and it with code"),
    ("# Head\n- one\n* two\n1 three", "Head\none\ntwo\n1 three"),
    ("[INC-12](https://x.test/browse/INC-12)", "INC-12 https://x.test/browse/INC-12"),
    ("snake_case stays, a*b goes", "snake_case stays, ab goes"),
    (
        "<@U123|bob> in <#C1|general> see <https://a.test/b|the page> &amp; <!here>",
        "@U123 in #general see the page https://a.test/b & @here",
    ),
    ("<p>One</p><p>Two <b>bold</b></p>", "One\nTwo bold"),
    ("<div>Hi<div style='display: none'>secret</div><script>x()</script></div>", "Hi"),
    ("<p>New</p><blockquote>old</blockquote>", "New"),
    ("<p>New</p><div class='gmail_quote'>old</div>", "New"),
    ('<p>See <a href="https://a.test/x">this</a></p>', "See this https://a.test/x"),
    ("mine\n> quoted\nmore", "mine\nmore"),
    ("mine\n\nOn Mon, 3 Nov 2025 at 10:00 Bob wrote:\n> theirs\n", "mine"),
    ("mine\n-----Original Message-----\ntheirs", "mine"),
    ("mine\nFrom: Bob <b@x.test>\nSent: Monday\nSubject: re\ntheirs", "mine"),
    ("From: here on it is fine", "From: here on it is fine"),
    ("mine\n-- \nMia\nPayments", "mine"),
    ("\uff26\uff35\uff2c\uff2c width", "FULL width"),
    ("zero\u200bwidth", "zerowidth"),
    ("\u201ccurly\u201d \u2019s \u2013 dash", '"curly" \'s - dash'),
    ("{quote}theirs{quote}mine {code:java}x{code}", "mine x"),
    ("[label|https://a.test] [~accountid:712020:ab]", "label https://a.test @712020:ab"),
    ("```\ncode\n```", "code"),
    ("a  b\t c \n\n d", "a b c\nd"),
]
ADF = {
    "type": "doc",
    "content": [
        {
            "type": "paragraph",
            "content": [
                {"type": "text", "text": "See "},
                {"type": "mention", "attrs": {"id": "T00000003X"}},
                {"type": "text", "text": "here", "marks": [{"type": "link", "attrs": {"href": "https://a.test"}}]},
                {"type": "hardBreak"},
                {"type": "inlineCard", "attrs": {"url": "https://b.test"}},
                {"type": "date", "attrs": {"timestamp": "1760918400000"}},
            ],
        },
        {"type": "blockquote", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "old"}]}]},
    ],
}


@pytest.mark.parametrize(("raw", "wanted"), PLAIN)
def test_markup_quotes_and_odd_characters_come_off(raw: str, wanted: str) -> None:
    assert normalise_text(raw) == wanted


def test_an_adf_document_reads_as_its_text() -> None:
    wanted = "See @T00000003X here https://a.test\nhttps://b.test 2025-10-20"
    assert read_text(ADF).plain == wanted == read_text(json_text(ADF)).plain
    assert "old" in read_text(ADF, quoted=True).plain
    assert read_text('{"type": "odd"').plain == '{"type": "odd"'


RULE = """
refs:
  agent: {{employee: self}}
  oncall: {{employee: {{schedule: payments, at: event.outage.start}}}}
  pay: {{table: ticket, where: {{title: Payments time out}}}}
  old: {{table: chat_message, where: {{channel: general}}}}
expect:
  - id: post
    insert: chat_message
    text: {{field: text, {predicate}}}
"""
SAYS: list[tuple[str, list[str], list[str]]] = [
    (
        "mentions: DynamoDB",
        ["dynamodb is down", "DynamoDB's table", "DynamoDB-related", "(DynamoDB)", "x/DynamoDB"],
        ["DynamoDBs", "MyDynamoDB", "DynamoDB2", "dynamo db"],
    ),
    (
        "mentions: us-east-1",
        ["in us-east-1.", "us-east-1/us-west-2", "US-EAST-1"],
        ["us-east-11", "us-east-1.2", "us-east"],
    ),
    ("mentions: Ann", ["Ann will do it", "ask Ann."], ["Annual review", "Joann"]),
    ("mentions: [DNS, record]", ["the DNS record"], ["the DNS"]),
    (
        "mentions: {ref: oncall}",
        [
            "Bob, please",
            "thanks bob",
            "robert hill",
            "<@U00000003X> hi",
            "@robert look",
            "bob@acme.test",
            "Robert's turn",
            "T00000003X",
        ],
        ["Bobby, please", "bob@acme.testing.org", "Roberta", "x.bob@acme.test", "hill"],
    ),
    (
        "mentions: {ref: pay}",
        ["PAY-1 is next", "https://t.test/browse/PAY-1", "pay-1", "re PAY-1-hotfix"],
        ["PAY-12", "XPAY-1", "PAY 2"],
    ),
    ("mentions: {ref: pay, field: title}", ["the 'Payments time out' ticket"], ["Payments time"]),
    ("mentions: {ref: agent}", ["Mia here", "Mia Novak"], ["Mial"]),
    (
        "mentions: event.outage.start",
        [
            "at 06:41",
            "since 6:41 AM",
            "2025-10-20 06:41 UTC",
            "08:41 CEST",
            "2:41 AM ET",
            "2025-10-20T06:41:00Z",
            "6.41 no, 06:41",
        ],
        ["at 06:42", "at 06:41 PM", "2025-10-21 06:41", "06:41 CEST"],
    ),
    ("mentions: event.outage.code", ["code 4471 it is", "4,471", "4471.0"], ["44710", "447", "v4471.2"]),
    ("mentions: event.outage.word", ["a red flag"], ["redder"]),
    ("mentions: 172", ["172 minutes", "took 172."], ["1720", "172.5", "INC-172", "#172", "01:72"]),
    ("mentions: '15:00'", ["3:00 PM", "15:00", "3 pm", "15h"], ["3:00 AM", "15:01"]),
    (
        "mentions: '2025-10-21'",
        ["21 October", "Oct 21, 2025", "10/21/2025", "21.10.2025", "October 21st"],
        ["20 October", "21 November"],
    ),
    ("mentions: {number: 170, tol: 5}", ["175 min", "170"], ["176"]),
    ("number: {value: 3, unit: h}", ["180 minutes", "3 h", "3 hours"], ["3", "3 days", "181 min"]),
    ("number: 12", ["12 of them"], ["1", "0.12"]),
    (
        "money: {value: 1200, currency: USD}",
        ["$1,200", "1200 USD", "$1.2k", "US$1200.00"],
        ["€1,200", "$1,200.50", "1200"],
    ),
    ("money: {value: 1200, currency: EUR, tol: 1}", ["€1,201", "1199 EUR"], ["€1,202"]),
    ("date: event.outage.start", ["on 20 October", "2025-10-20 at 23:00"], ["21 October"]),
    ("date: {value: event.outage.start, tol: 1d}", ["21 October"], ["22 October"]),
    ("time: {value: event.outage.start, tol: 5m}", ["06:46"], ["06:47"]),
    (
        "quotes: {ref: old}",
        [
            "as said: the quarterly planning meeting moved to the big room on",
            "> quarterly planning meeting moved to the big room on the second floor",
        ],
        ["the quarterly planning meeting moved to the", "meeting quarterly planning moved to big the room on"],
    ),
    ("max_chars: 5", ["12345", "**12345**"], ["123456"]),
    ("min_chars: 5", ["12345"], ["1234", "**34**"]),
    (
        "max_entities: 2",
        ["Bob and Mia", "PAY-1 and #4", "5 and 6", "Bob, Bob, Robert Hill and Mia"],
        [
            "Bob, Mia and Ada",
            "PAY-1, PAY-2, PAY-3",
            "1 2 3",
            "Bob PAY-1 $5",
            "06:00, 06:01 or 06:02",
            "a@x.test https://a.test/1 https://a.test/2 https://a.test/3",
        ],
    ),
    (
        "all_of: [{mentions: a1}, {any_of: [{mentions: b1}, {mentions: c1}]}], none_of: [{mentions: d1}]",
        ["a1 c1", "b1 a1"],
        ["a1", "b1", "a1 b1 d1"],
    ),
    (
        "claims: {subject: outage, state: resolved}",
        ["The outage is resolved."],
        ["Is the outage resolved?", "The outage is not resolved."],
    ),
    ("none_of: [{claims: {subject: outage, state: resolved}}]", ["The outage is ongoing."], ["The outage is over."]),
    ("claims: {subject: {ref: pay}, state: closed}", ["PAY-1 is closed."], ["PAY-2 is closed.", "PAY-1 is open."]),
]


def _passes(bench: Bench, predicate: str, text: str) -> bool:
    desk = Desk()
    desk.now = START
    desk.event("outage", code=4471, word="red flag")
    desk.say(text)
    return bench.grade(RULE.format(predicate=predicate), desk).passed


@pytest.mark.parametrize(("predicate", "good", "bad"), SAYS, ids=[predicate[:50] for predicate, _, _ in SAYS])
def test_a_text_predicate_accepts_and_refuses(bench: Bench, predicate: str, good: list[str], bad: list[str]) -> None:
    assert [text for text in good if not _passes(bench, predicate, text)] == []
    assert [text for text in bad if _passes(bench, predicate, text)] == []


SAID_IN_TWO = "facts: {must: [{count: 7}, {text: Kiwi}]}, none_of: [{mentions: Mango}]"


@pytest.mark.parametrize(
    ("first", "second", "passed"),
    [
        ("Kiwi has won.", "With 7 votes, by the way.", True),
        ("Kiwi has won.", "Mango had 6 votes, Kiwi 7.", False),
        ("Kiwi has won.", "It is not true that there were 7 votes.", False),
        ("Kiwi has won.", "It was close.", False),
    ],
)
def test_an_answer_may_be_told_in_two_messages(bench: Bench, first: str, second: str, *, passed: bool) -> None:
    desk = Desk()
    desk.now = START
    desk.event("outage", code=4471, word="red flag")
    desk.say(first)
    desk.say(second)
    verdict = bench.grade(RULE.format(predicate=SAID_IN_TWO), desk)
    assert (verdict.items[0].met == 1) is passed


def test_mentions_without_a_bound_gets_one(bench: Bench) -> None:
    filler = "word " * 500
    assert _passes(bench, "mentions: DNS", "DNS")
    assert not _passes(bench, "mentions: DNS", "DNS " + filler)
    assert _passes(bench, "mentions: DNS, max_chars: 9000", "DNS " + filler)
    crowd = " ".join(f"PAY-{n}" for n in range(30))
    assert not _passes(bench, "mentions: DNS", "DNS " + crowd)
    assert not _passes(bench, "any_of: [{mentions: DNS}, {mentions: BGP}]", "DNS " + crowd)
    assert _passes(bench, "claims: {subject: outage, state: resolved}", "The outage is resolved. " + filler)


def test_a_first_name_two_people_share_names_neither(bench: Bench) -> None:
    rule = RULE.replace("agent: {{employee: self}}", "agent: {{employee: {{lead_of: Payments}}}}")
    for text, passes in (
        ("Ann, please", False),
        ("Ann Lee, please", True),
        ("Ann Moore, please", False),
        ("@ann", True),
    ):
        desk = Desk()
        desk.event("outage")
        desk.say(text)
        assert bench.grade(rule.format(predicate="mentions: {ref: agent}"), desk).passed is passes, text


def test_a_name_that_is_also_a_word_needs_its_capital(bench: Bench) -> None:
    desk = Desk()
    person = next(p for p in desk.content["person"] if p["id"] == BOB)
    person |= {"full_name": "Will Hill", "display_name": "Will", "first_name": "Will", "handle": "whill"}
    desk.__post_init__()
    desk.event("outage")
    desk.say("we will look")
    rule = RULE.format(predicate="mentions: {ref: oncall}")
    assert not bench.grade(rule, desk).passed
    desk.edit("chat_message", desk.changes[-1].pk[0], text="asking Will to look")
    assert bench.grade(rule, desk).passed


def test_the_text_may_stand_in_several_fields(bench: Bench) -> None:
    rubric = (
        "expect: [{id: mail, insert: mail_message, text: {field: [subject, body], all_of: [{mentions: DNS}, {mentions:"
        " outage}]}}]"
    )
    desk = Desk()
    desk.call()
    desk.put("mail_message", id=1, sender="mia@acme.test", to="[]", cc="[]", bcc="[]", subject="DNS", body="the outage")
    assert bench.grade(rubric, desk).passed


def test_a_json_body_is_read_as_a_document(bench: Bench) -> None:
    rubric = (
        "refs: {pay: {table: ticket, where: {title: Payments time out}}}\n"
        "expect: [{id: word, update: {ref: pay}, text: {field: body, mentions: here}}]"
    )
    desk = Desk()
    desk.set_ticket(body=json_text(ADF))
    assert bench.grade(rubric, desk).passed


def test_a_text_of_a_million_characters_is_read_quickly_and_cut(bench: Bench) -> None:
    nasty: list[Any] = [
        "<" * 300_000,
        "[" * 300_000,
        "a@" * 200_000,
        "1," * 300_000,
        "(" * 100_000 + "*" * 100_000,
        "\n>" * 100_000,
    ]
    for text in nasty:
        assert len(normalise_text(text)) <= 200_000
