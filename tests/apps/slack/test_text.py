"""mrkdwn: escaping, entities, rich_text and HTML. Grammar: docs.slack.dev/messaging/formatting-message-text."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.slack.markdown import to_mrkdwn
from apps.slack.markup import Names, render_attachments, render_blocks, render_text
from apps.slack.text import (
    escape,
    find_mentions,
    from_rich_text,
    link_names,
    normalise,
    parse,
    to_plain,
    to_rich_text,
    unescape,
)
from tests.examples import examples

NOBODY = Names(users={"U1": "Ada"}, channels={"C1": "general"}, groups={"S1": "oncall"}, me=frozenset({"U1"}))
SCRAPS = [
    "*",
    "_",
    "~",
    "`",
    "```",
    "<",
    ">",
    "&",
    "|",
    "@",
    "#",
    ":",
    "\n",
    " ",
    "a",
    "bold",
    "<@U1>",
    "<#C1|general>",
    "<!here>",
    "<https://x.test|t>",
    "&amp;",
    "- ",
    "1. ",
    "&gt; ",
    ":eyes:",
    "javascript:x",
    "http://x.test/a?b=1&c=2",
    '"',
    "'",
]
texts = st.lists(st.sampled_from(SCRAPS), max_size=25).map("".join)


def inline(text: str) -> list[tuple[str, str, list[str]]]:
    return [(p.kind, p.value, sorted(p.style)) for block in parse(text) for line in block.lines for p in line]


def test_the_three_control_characters_are_escaped_and_come_back() -> None:
    assert escape("a < b & c > d") == "a &lt; b &amp; c &gt; d"
    assert unescape(escape("&lt; <&>")) == "&lt; <&>"


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("R&D <3", "R&amp;D &lt;3"),
        ("already &amp; escaped", "already &amp; escaped"),
        ("hi <@U1> in <#C1|general>", "hi <@U1> in <#C1|general>"),
        ("<!channel> look", "<!channel> look"),
        ("<b>x</b>", "&lt;b&gt;x&lt;/b&gt;"),
        ("see https://x.test/a?b=1&c=2.", "see <https://x.test/a?b=1&amp;c=2>."),
        ("(https://x.test)", "(<https://x.test>)"),
        ("mail ada@x.test now", "mail <mailto:ada@x.test|ada@x.test> now"),
        ("`https://x.test`", "`https://x.test`"),
        ("<https://x.test|https://x.test>", "<https://x.test|https://x.test>"),
        ("<javascript:alert(1)|x>", "&lt;javascript:alert(1)|x&gt;"),
    ],
)
def test_text_is_normalised_as_the_service_keeps_it(written: str, stored: str) -> None:
    assert normalise(written) == stored
    assert normalise(stored) == stored


def test_marks_make_styles_only_at_the_edges_of_words() -> None:
    assert inline("*bold* _it_ ~no~ `code`") == [
        ("text", "bold", ["bold"]),
        ("text", " ", []),
        ("text", "it", ["italic"]),
        ("text", " ", []),
        ("text", "no", ["strike"]),
        ("text", " ", []),
        ("text", "code", ["code"]),
    ]
    assert inline("snake_case_name 2*3*4") == [("text", "snake_case_name 2*3*4", [])]
    assert inline("*bold _both_*") == [("text", "bold ", ["bold"]), ("text", "both", ["bold", "italic"])]
    assert inline("* not bold * nor ** this") == [("text", "* not bold * nor ** this", [])]


def test_times_are_not_emoji() -> None:
    assert inline("at 10:30:45 :eyes: :+1::skin-tone-3:") == [
        ("text", "at 10:30:45 ", []),
        ("emoji", "eyes", []),
        ("text", " ", []),
        ("emoji", "+1::skin-tone-3", []),
    ]


def test_blocks_of_lines_are_quotes_lists_and_code() -> None:
    kinds = [(b.kind, len(b.lines)) for b in parse("a\nb\n&gt; q\n• one\n• two\n1. x\n```y\nz```\nend")]
    assert kinds == [("section", 2), ("quote", 1), ("bullet", 2), ("ordered", 1), ("preformatted", 1), ("section", 1)]


def test_text_yields_the_rich_text_block_of_the_documentation() -> None:
    assert to_rich_text("Hello <@U1>, *see* <https://x.test|this> :tada:", "b1") == {
        "type": "rich_text",
        "block_id": "b1",
        "elements": [
            {
                "type": "rich_text_section",
                "elements": [
                    {"type": "text", "text": "Hello "},
                    {"type": "user", "user_id": "U1"},
                    {"type": "text", "text": ", "},
                    {"type": "text", "text": "see", "style": {"bold": True}},
                    {"type": "text", "text": " "},
                    {"type": "link", "url": "https://x.test", "text": "this"},
                    {"type": "text", "text": " "},
                    {"type": "emoji", "name": "tada"},
                ],
            }
        ],
    }


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "*bold _it_* ~s~",
        "&gt; quoted\n&gt; twice",
        "• a\n• b",
        "3. c\n4. d",
        "```x &lt; y```",
        "<!subteam^S1> <!here>",
        "a\n\nb",
    ],
)
def test_rich_text_and_text_say_the_same(text: str) -> None:
    assert from_rich_text(to_rich_text(text, "b")) == text


@settings(max_examples=examples(300), deadline=None)
@given(texts)
def test_going_through_rich_text_twice_changes_nothing_more(text: str) -> None:
    once = from_rich_text(to_rich_text(normalise(text), "b"))
    twice = from_rich_text(to_rich_text(once, "b"))
    assert from_rich_text(to_rich_text(twice, "b")) == twice


@settings(max_examples=examples(400), deadline=None)
@given(texts)
def test_html_holds_only_the_tags_and_addresses_of_the_renderer(text: str) -> None:
    html = render_text(normalise(text), NOBODY)
    tags = set(re.findall(r"</?([a-z0-9]+)", html))
    assert tags <= {"p", "br", "strong", "em", "del", "code", "pre", "blockquote", "ul", "ol", "li", "a", "span"}
    assert all(found.startswith(("/", "http", "mailto:")) for found in re.findall(r'href="([^"]*)"', html))
    assert html.count("<p>") == html.count("</p>")


@settings(max_examples=examples(300), deadline=None)
@given(texts)
def test_normalising_twice_is_normalising_once_outside_links(text: str) -> None:
    once = normalise(text, links=False)
    assert normalise(once, links=False) == once


def test_html_names_people_channels_and_marks_the_reader() -> None:
    html = render_text("<@U1> <#C1> <!subteam^S1> <@U9|gus> &lt;script&gt;", NOBODY)
    assert '<a class="mention mention-me" href="/team/U1">@Ada</a>' in html
    assert ">#general</a>" in html and "@oncall" in html and "@gus" in html
    assert "&lt;script&gt;" in html and "<script>" not in html


def test_blocks_and_attachments_become_html_without_raw_input() -> None:
    evil = '<img src=x onerror="alert(1)">'
    blocks = [
        {"type": "header", "text": {"type": "plain_text", "text": evil}},
        {"type": "divider"},
        {"type": "section", "fields": [{"type": "mrkdwn", "text": "*a*"}, {"type": "plain_text", "text": evil}]},
        {
            "type": "actions",
            "elements": [{"type": "button", "text": {"type": "plain_text", "text": evil}, "url": "javascript:1"}],
        },
        {"type": "image", "alt_text": evil, "image_url": "https://x.test/i.png"},
    ]
    html = render_blocks(blocks, NOBODY) + render_attachments(
        [{"title": evil, "title_link": "javascript:1", "text": "*b*"}], NOBODY
    )
    assert "<img" not in html and "javascript:" not in html
    assert "<strong>a</strong>" in html and "<strong>b</strong>" in html


def test_mentions_are_found_outside_code_each_once() -> None:
    found = find_mentions("<@U1> <@U2|bo> <@U1> `<@U3>` <!subteam^S1|@x> <!here>")
    assert (found.users, found.groups, found.broadcasts) == (("U1", "U2"), ("S1",), ("!here",))


def test_names_are_linked_only_when_somebody_has_them() -> None:
    people, rooms = {"ada": "<@U1>"}, {"general": "<#C1|general>"}
    linked = link_names("@ada, #general. @nobody a@ada.x `@ada` @here", people.get, rooms.get)
    assert linked == "<@U1>, <#C1|general>. @nobody a@ada.x `@ada` <!here>"


def test_plain_text_uses_names() -> None:
    assert to_plain("*hi* <@U1>\n• x <https://x.test|site>", NOBODY.of) == "hi @Ada\nx site"


@pytest.mark.parametrize(
    ("markdown", "mrkdwn"),
    [
        ("**bold** and *it*", "*bold* and _it_"),
        ("# Title\ntext", "*Title*\ntext"),
        ("- a\n- b", "• a\n• b"),
        ("[site](https://x.test)", "<https://x.test|site>"),
        ("~~old~~ `**code**`", "~old~ `**code**`"),
        ("```python\nx = 1\n```", "```\nx = 1\n```"),
    ],
)
def test_markdown_becomes_mrkdwn(markdown: str, mrkdwn: str) -> None:
    assert to_mrkdwn(markdown) == mrkdwn
