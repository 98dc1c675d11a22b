"""HTML as lines of text: what stands where, to the blank, and which of it is marked."""

import pytest

from world.core.reading.html import MAX_DEPTH, SHORT, find_alt_texts, from_html, tidy_html
from world.core.reading.passage import MarkKind, Passage


def marked(passage: Passage, kind: MarkKind) -> list[str]:
    return [passage.text[start:end] for start, end in passage.marked(kind)]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        # Blocks, and breaks
        ("<div>a</div><div>b</div>", "a\nb"),
        ("<p>a</p><p>b</p>c", "a\n\nb\n\nc"),
        ("<p>a<p>b<div>c</div>", "a\n\nb\n\nc"),
        ("<p>a<div>b</div>c</p>", "a\n\nb\nc"),
        ("<h2>a</h2>b<hr>c", "a\n\nb\nc"),
        ("a<br>b<br><br>c<br><br><br>d", "a\nb\n\nc\n\nd"),
        ("</b>a</div>b", "a\nb"),
        # Blanks
        ("<span> a </span> <b> b</b>c\n\t<i>d</i>", "a bc d"),
        ("<b>a</b><b>b</b> c", "ab c"),
        ("a<wbr>b<img>c", "abc"),
        ("x&amp;y &lt;b&gt;", "x&y <b>"),
        ("<pre>a\n  b</pre>c", "a\n  b\n\nc"),
        ("<div style='white-space:pre-wrap'>a  <b>b </b></div>", "a  b "),
        # Lists
        ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>d", "- a\n- b\n- c\n\nd"),
        ("<ol><li>a<ol start=7><li>b</ol><li>c</ol>", "1. a\n7. b\n2. c"),
        ("<ol start=x><li>a<li>b</ol>", "1. a\n2. b"),
        ("<ol start=0><li>a<li>b</ol>", "0. a\n1. b"),
        ("<li>a", "- a"),
        ("a<ul><li>b<p>c</p></ul><p>d", "a\n\n- b\nc\n\nd"),
        ("<input type=checkbox checked>a<br><input type=checkbox> b<input type=text>", "\u2611 a\n\u2610 b"),
        # Tables and definitions
        ("<table><tr><th>A<th>B<tr><td>1<td>2</table>c", "A B\n1 2\n\nc"),
        ("<table><tr><td>1</td><td><table><tr><td>2<td>3</table></td></tr></table>", "1\n\n2 3"),
        ("<dl><dt>t<dd>d<dt>u<dd>e</dl>", "t\nd\nu\ne"),
        # What is not drawn
        ("<title>t</title><style>p{}</style>a<select><option>b</select><svg>c</svg>", "a"),
        ("<textarea><input type=checkbox><b>x</b></textarea>a", "a"),
        ("a<!--[if mso]>b<![endif]--><!--  -->c", "ac"),
        ("a<!-- b\n c -->d", "a b c d"),
    ],
)
def test_a_page_is_laid_out_in_lines(html: str, text: str) -> None:
    assert from_html(html).text == text


@pytest.mark.parametrize(
    ("html", "text", "links"),
    [
        ('<a href="https://x.test/a">b</a>.', "b https://x.test/a.", ["b https://x.test/a"]),
        ('<a href="https://x.test/a">b </a>c', "b https://x.test/a c", ["b https://x.test/a"]),
        ('<a href="https://x.test/a"><div>b</div></a>c', "b https://x.test/a\nc", ["b https://x.test/a"]),
        ('a<a href="https://x.test/a"> b</a>', "a b https://x.test/a", ["b https://x.test/a"]),
        ('<a href="mailto:a@x.test">Ann</a>', "Ann a@x.test", ["Ann a@x.test"]),
        ('<a href="mailto:a@x.test">a@x.test</a>', "a@x.test", ["a@x.test"]),
        ('<a href="HTTP://WWW.x.test/">x.test</a>', "x.test", ["x.test"]),
        ('<a href="https://x.test">www.x.test/</a>', "www.x.test/", ["www.x.test/"]),
        ('<a href="https://x.test/a">x.test</a>', "x.test https://x.test/a", ["x.test https://x.test/a"]),
        ('<a href="ftp://x.test">f</a>', "f", ["f"]),
        ('<a href="https://x.test/a"><img></a>b', "b", []),
        ('<a href="https://x.test/a"><script>b</script></a>c', "c", []),
        ('<a>b</a><b href="https://x.test/a">c</b>', "bc", []),
        (
            '<a href="https://x.test/a">b<a href="https://y.test">c</a></a>',
            "bc https://y.test https://x.test/a",
            ["bc https://y.test https://x.test/a", "c https://y.test"],
        ),
        ('<a href="https://x.test/a">b <i>c</a>d', "b c https://x.test/ad", ["b c https://x.test/a"]),
    ],
)
def test_a_link_ends_where_its_address_ends(html: str, text: str, links: list[str]) -> None:
    made = from_html(html)
    assert made.text == text and marked(made, "link") == links


@pytest.mark.parametrize(
    ("html", "kind", "parts"),
    [
        ("<s>a <b>b</b></s><del>c</del> <strike>d</strike>e", "struck", ["a bc d"]),
        ("a<s>b</s>c<s>d</s>", "struck", ["b", "d"]),
        ("<i style='text-decoration-line:line-through'>a</i>b", "struck", ["a"]),
        ("<i style='text-decoration:underline'>a</i>", "struck", []),
        ("<table><tr style='text-decoration:line-through'><td>a<tr><td>b</table>", "struck", ["a"]),
        ("<kbd>a</kbd><samp>b</samp><tt>c</tt>d", "code", ["abc"]),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>c", "quoted", ["a\n\nb"]),
        ("<div class='A GMAIL_QUOTE'>a</div>b", "quoted", ["a"]),
        ("<div id=appendOnSend>a</div><div id=other>b</div>", "quoted", ["a"]),
        ("<p style='display:none'><a href='https://x.test/a'>b</a></p>c", "hidden", ["b https://x.test/a"]),
        ("a<b hidden>b</b>c<!--d-->e", "hidden", ["b", "d"]),
        ("<b hidden>a</b> <i>b</i> <b hidden>c</b>", "hidden", ["a", "c"]),
        ("<b hidden>a</b> <b hidden>b</b>", "hidden", ["a b"]),
    ],
)
def test_marks_hold_from_the_first_letter_to_the_last(html: str, kind: MarkKind, parts: list[str]) -> None:
    assert marked(from_html(html), kind) == parts


def test_elements_below_a_depth_are_read_without_a_style_of_their_own() -> None:
    outer = "<b>" * (MAX_DEPTH - 2)
    assert marked(from_html(f"{outer}<s>a</s>"), "struck") == ["a"]
    assert marked(from_html(f"{outer}<i><s>a</s>"), "struck") == []
    assert from_html("<div>" * 600 + "a" + "</div>" * 600 + "b").text == "a\nb"


def test_a_long_page_is_read_as_a_short_one() -> None:
    unit = "<p>a <s>b</s></p>"
    count = SHORT // len(unit) + 1
    made = from_html(unit * count)
    assert made.text == "\n\n".join(["a b"] * count) and len(marked(made, "struck")) == count
    assert from_html(unit) is from_html(unit), "a short one is kept"


def test_tidied_markup_keeps_what_decides_what_is_seen() -> None:
    html = (
        "<style>.x{display:none}</style><p class=x>a<p style='color:#fff' onclick=x>b <script>c</script>"
        "<a href='javascript:d'>e</a> <a href='https://x.test' rel=y>f</a><ol start=3><li>g</ol><div hidden>h</div>"
        "<font color=red bgcolor=blue>i</font> <marquee>j</marquee>"
    )
    made = from_html(tidy_html(html))
    assert made.text == "a\n\nb e f https://x.test\n\n3. g\n\nh\ni j"
    assert marked(made, "hidden") == ["a\n\nb e f https://x.test", "h"]


def test_alternative_texts_are_those_of_pictures_that_have_one() -> None:
    html = "<img alt='a &lt; b' src=x><IMG src=x ALT = \"c\"><img alt=''><img src=x><p alt='d'><img alt=' '>"
    assert find_alt_texts(html) == ["a < b", "c"]
