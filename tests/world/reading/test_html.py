"""HTML as a person sees it."""

import pytest

from world.core.reading.html import find_alt_texts, from_html, tidy_html
from world.core.reading.passage import MarkKind, Passage


def _marked(passage: Passage, kind: MarkKind) -> list[str]:
    return [passage.text[start:end] for start, end in passage.marked(kind)]


def test_blocks_are_lines_and_lists_have_their_signs() -> None:
    html = "<h1>Plan</h1><p>We <b>go</b>\n on.</p><ul><li>one<li>two</ul><ol start=3><li>x<li>y</ol>a<br>b<table><tr><td>1<td>2</table>"
    assert from_html(html).text == "Plan\n\nWe go on.\n\n- one\n- two\n\n3. x\n4. y\n\na\nb\n\n1 2"


@pytest.mark.parametrize(
    "html",
    [
        '<p style="display:none">HID</p>',
        '<p style="visibility: hidden">HID</p>',
        '<span style="opacity:0.01">HID</span>',
        '<span style="font-size:0px">HID</span>',
        '<div style="font-size:1px;color:#000">HID</div>',
        '<span style="color:#fff">HID</span>',
        '<font color="#fefefe">HID</font>',
        '<td bgcolor="#102030"><span style="color:rgb(16, 32, 48)">HID</span></td>',
        '<span style="color:transparent">HID</span>',
        '<div style="position:absolute;left:-9999px">HID</div>',
        '<div style="text-indent:-9999px">HID</div>',
        '<div style="max-height:0;overflow:hidden">HID</div>',
        '<div style="clip-path:inset(100%)">HID</div>',
        "<div hidden>HID</div>",
        "<style>.x { display: none }</style><p class='a x'>HID</p>",
        "<div style='display:none'><p style='color:red'>HID</p></div>",
        "<!-- HID -->",
    ],
)
def test_what_a_page_does_not_show_is_hidden(html: str) -> None:
    made = from_html(f"<p>seen</p>{html}<p>tail</p>")
    assert _marked(made, "hidden") == ["HID"]
    assert made.without("hidden").split() == ["seen", "tail"]


@pytest.mark.parametrize(
    "html",
    [
        '<td bgcolor="#102030"><a style="color:#fff">SEEN</a></td>',
        '<a style="background:#1a73e8;color:white">SEEN</a>',
        '<div style="background:url(cid:1);color:#fff">SEEN</div>',
        '<div style="color:#fff"><p style="color:#000">SEEN</p></div>',
        '<p style="font: 14px/1.5 Arial; margin:0">SEEN</p>',
        '<p style="font-size:12px;height:0">SEEN</p>',
        '<div style="display:block;opacity:1;visibility:visible">SEEN</div>',
    ],
)
def test_what_a_page_shows_is_not_hidden(html: str) -> None:
    assert _marked(from_html(html), "hidden") == []
    assert from_html(html).text == "SEEN"


def test_quotation_strikethrough_and_code_are_marked() -> None:
    made = from_html(
        'mine<s>old</s> <code>x = 1</code><div class="gmail_quote"><div class="gmail_attr">On Monday Ann wrote:</div>'
        "<blockquote>theirs</blockquote></div>"
    )
    assert _marked(made, "struck") == ["old"]
    assert _marked(made, "code") == ["x = 1"]
    assert _marked(made, "quoted") == ["On Monday Ann wrote:\n\ntheirs"]
    assert _marked(from_html('<span style="text-decoration:line-through">gone</span>'), "struck") == ["gone"]


def test_a_link_shows_where_it_leads_unless_its_words_say_so() -> None:
    made = from_html(
        '<a href="https://a.example/x">here</a> <a href="https://b.example">b.example</a> <a href="/team/U1">@Ann</a>'
    )
    assert made.text == "here https://a.example/x b.example @Ann"
    assert _marked(made, "link") == ["here https://a.example/x", "b.example", "@Ann"]


def test_scripts_and_forms_say_nothing() -> None:
    html = "<title>t</title><script>var a</script><textarea>x</textarea>said<template>y</template>"
    assert from_html(html).text == "said"


def test_markup_that_is_not_closed_is_read_as_a_page_reads_it() -> None:
    html = "<div style=display:none><p>HID</div><p>seen<li>item"
    assert from_html(tidy_html(html)).without("hidden").split() == ["seen", "-", "item"]
    assert _marked(from_html(tidy_html(html)), "hidden") == ["HID"]


def test_alternative_texts_of_pictures_are_listed() -> None:
    assert find_alt_texts("<img src=x alt=\"A &amp; B\"><img alt=''>") == ["A & B"]
