"""Bodies: what each notation means, what is refused, and what hostile text becomes.

Wiki notation: jira.atlassian.com/secure/WikiRendererHelpAction.jspa?section=all.
ADF: developer.atlassian.com/cloud/jira/platform/apis/document/structure/.
"""

import pytest

from apps.jira.bodies import (
    dumps,
    from_markdown,
    from_text,
    from_wiki,
    to_html,
    to_markdown,
    to_text,
    to_wiki,
    validate,
)
from apps.jira.bodies.adf import Node, block, doc, iter_nodes, leaf, link_mark, mark, text

NOT_A_DOCUMENT = "Operation value must be an Atlassian Document (see the Atlassian Document Format)"


def paragraph(*nodes: Node) -> Node:
    return block("paragraph", nodes)


def strong(words: str) -> Node:
    return text(words, [mark("strong")])


@pytest.mark.parametrize(
    ("wiki", "nodes"),
    [
        ("*strong* _em_", [strong("strong"), text(" "), text("em", [mark("em")])]),
        ("-gone- +new+", [text("gone", [mark("strike")]), text(" "), text("new", [mark("underline")])]),
        ("x^2^ H~2~O", [text("x^2^ H~2~O")]),
        ("x{^}2{^}", [text("x"), text("2", [mark("subsup", type="sup")])]),
        ("{{code *raw*}}", [text("code *raw*", [mark("code")])]),
        ("??cited??", [text("cited", [mark("em")])]),
        ("{color:red}hot{color}", [text("hot", [mark("textColor", color="#ff0000")])]),
        ("*bold _both_*", [strong("bold "), text("both", [mark("em"), mark("strong")])]),
        ("2026-01-31 well-known snake_case 3*4*5", [text("2026-01-31 well-known snake_case 3*4*5")]),
        ("*not closed and * alone", [text("*not closed and * alone")]),
        (r"\*literal\* \{code}", [text("*literal* {code}")]),
        (r"a\\b", [text("a"), leaf("hardBreak"), text("b")]),
        ("a\nb", [text("a"), leaf("hardBreak"), text("b")]),
        ("so -- then --- now", [text("so – then — now")]),
        ("[Docs|https://a.b/c]", [text("Docs", [link_mark("https://a.b/c")])]),
        ("[https://a.b/c]", [text("https://a.b/c", [link_mark("https://a.b/c")])]),
        ("[mailto:ada@x.y]", [text("ada@x.y", [link_mark("mailto:ada@x.y")])]),
        ("see https://a.b/c.", [text("see "), text("https://a.b/c", [link_mark("https://a.b/c")]), text(".")]),
        ("[https://a.b|https://a.b|smart-link]", [leaf("inlineCard", url="https://a.b")]),
        ("[not a link] [x|javascript:alert(1)]", [text("[not a link] [x|javascript:alert(1)]")]),
        ("[~accountid:5b10ac] hi", [leaf("mention", id="5b10ac"), text(" hi")]),
        ("see [^log.txt]", [text("see "), leaf("mediaInline", type="file", id="log.txt", collection="")]),
        ("done (/)", [text("done "), leaf("emoji", shortName=":check_mark:", text="✅")]),
        ("f(x) at 10:30", [text("f(x) at 10:30")]),
        ("wow!", [text("wow!")]),
    ],
)
def test_wiki_phrases(wiki: str, nodes: list[Node]) -> None:
    assert from_wiki(wiki) == doc([paragraph(*nodes)])


@pytest.mark.parametrize(
    ("wiki", "blocks"),
    [
        ("h2. Title", [block("heading", [text("Title")], level=2)]),
        ("one\n\ntwo", [paragraph(text("one")), paragraph(text("two"))]),
        ("----", [leaf("rule")]),
        ("bq. said", [block("blockquote", [paragraph(text("said"))])]),
        ("{code:java}\nint x;\n{code}", [block("codeBlock", [text("int x;")], language="java")]),
        ("{code:title=Foo.py|python}\nx\n{code}", [block("codeBlock", [text("x")], language="python")]),
        ("{noformat}a *b*{noformat}", [block("codeBlock", [text("a *b*")])]),
        ("{quote}\nq\n{quote}", [block("blockquote", [paragraph(text("q"))])]),
        ("{info}hi{info}", [block("panel", [paragraph(text("hi"))], panelType="info")]),
        ("{panel:title=T}x{panel}", [block("panel", [paragraph(strong("T")), paragraph(text("x"))], panelType="info")]),
        ("{panel:bgColor=#ffebe6}x{panel}", [block("panel", [paragraph(text("x"))], panelType="error")]),
        ("{code}never closed", [paragraph(text("{code}never closed"))]),
        (
            "!a.png|width=20,height=10!",
            [
                block(
                    "mediaSingle",
                    [leaf("media", type="file", id="a.png", collection="", width=20, height=10)],
                    layout="center",
                )
            ],
        ),
    ],
)
def test_wiki_blocks(wiki: str, blocks: list[Node]) -> None:
    assert from_wiki(wiki) == doc(blocks)


def item(words: str, *inner: Node) -> Node:
    return block("listItem", [paragraph(text(words)), *inner])


def test_wiki_lists_nest_by_their_markers() -> None:
    nested = block("bulletList", [item("a", block("orderedList", [item("b")])), item("c")])
    assert from_wiki("* a\n*# b\n* c\n- d") == doc([block("bulletList", [*nested["content"], item("d")])])
    assert from_wiki("# a\n* b") == doc([block("orderedList", [item("a")]), block("bulletList", [item("b")])])


def test_wiki_tables_have_heads_and_may_hold_links() -> None:
    (table,) = from_wiki("||A||B||\n|[x|http://y]|{{p|q}} \\| r|")["content"]
    assert [cell["type"] for cell in table["content"][0]["content"]] == ["tableHeader", "tableHeader"]
    first, second = (cell["content"][0]["content"] for cell in table["content"][1]["content"])
    assert first == [text("x", [link_mark("http://y")])]
    assert second == [text("p|q", [mark("code")]), text(" | r")]


def test_a_mention_carries_the_name_when_it_is_known() -> None:
    names = {"5b10ac": "Ada Byron"}
    for read in (from_wiki, from_markdown):
        body = read("[~accountid:5b10ac] hi", names.get)
        assert body["content"][0]["content"][0] == leaf("mention", id="5b10ac", text="@Ada Byron")
    assert to_wiki(body) == "[~accountid:5b10ac] hi"
    assert to_markdown(body) == "@Ada Byron hi"
    assert to_text(body) == "@Ada Byron hi"


def test_markdown_as_agents_write_it() -> None:
    body = from_markdown(
        "# T\n\nSome **bold**, *em*, ~~no~~, `x` and [l](http://y).\n\n- [ ] a\n- [x] b\n\n> q\n\n```py\nx\n```\n\n| a"
        " |\n| - |\n| 1 |\n"
    )
    assert [node["type"] for node in body["content"]] == [
        "heading",
        "paragraph",
        "taskList",
        "blockquote",
        "codeBlock",
        "table",
    ]
    validate(body)
    assert [node["attrs"]["state"] for node in iter_nodes(body["content"]) if node["type"] == "taskItem"] == [
        "TODO",
        "DONE",
    ]
    marks = [[m["type"] for m in node.get("marks", ())] for node in body["content"][1]["content"]]
    assert marks == [[], ["strong"], [], ["em"], [], ["strike"], [], ["code"], [], ["link"], []]


def test_markdown_html_is_text() -> None:
    assert to_text(from_markdown("<b>x</b> <script>alert(1)</script>")) == "<b>x</b> <script>alert(1)</script>"


def test_what_markdown_cannot_say_is_still_readable() -> None:
    body = doc(
        [
            block("panel", [paragraph(text("careful"))], panelType="warning"),
            block("expand", [paragraph(text("inside"))], title="More"),
            paragraph(
                leaf("status", text="DONE", color="green"),
                text(" "),
                leaf("date", timestamp="1769817600000"),
                text(" "),
                leaf("emoji", shortName=":x:"),
            ),
        ]
    )
    validate(body)
    assert to_markdown(body) == "> careful\n\n**More**\n\ninside\n\n**DONE** 2026-01-31 :x:"
    assert to_text(body) == "careful\nMore\ninside\nDONE 2026-01-31 :x:"


def test_text_becomes_paragraphs_and_breaks() -> None:
    assert from_text("a\r\nb\n\n\nc") == doc([paragraph(text("a"), leaf("hardBreak"), text("b")), paragraph(text("c"))])
    assert from_text("") == from_wiki("") == from_markdown("") == doc([])


@pytest.mark.parametrize(
    "value",
    [
        None,
        "text",
        5,
        [],
        {},
        {"type": "doc"},
        {"type": "paragraph", "content": []},
        {"type": "doc", "version": 2, "content": []},
        {"type": "doc", "version": True, "content": []},
        {"type": "doc", "version": 1, "content": {}},
    ],
)
def test_what_is_no_document_is_refused_in_the_vendors_words(value: object) -> None:
    with pytest.raises(ValueError) as refused:
        validate(value)
    assert str(refused.value) == NOT_A_DOCUMENT


def deep(levels: int) -> Node:
    node = block("bulletList", [block("listItem", [paragraph(text("x"))])])
    for _ in range(levels):
        node = block("bulletList", [block("listItem", [paragraph(text("x")), node])])
    return node


@pytest.mark.parametrize(
    "node",
    [
        {"type": "bogus"},
        {"type": "paragraph", "content": [{"type": "text", "text": ""}]},
        {"type": "paragraph", "content": [{"type": "text"}]},
        {"type": "paragraph", "content": [{"type": "text", "text": "a", "marks": [{"type": "blink"}]}]},
        {"type": "paragraph", "content": [{"type": "text", "text": "a", "marks": [{"type": "link"}]}]},
        {
            "type": "paragraph",
            "content": [{"type": "text", "text": "a", "marks": [{"type": "code"}, {"type": "strong"}]}],
        },
        {"type": "paragraph", "content": [{"type": "text", "text": "a", "marks": [{"type": "em"}, {"type": "em"}]}]},
        {"type": "paragraph", "content": [{"type": "paragraph"}]},
        {"type": "paragraph", "text": "a"},
        {"type": "paragraph", "content": "a"},
        {"type": "heading", "attrs": {"level": 7}},
        {"type": "heading", "attrs": {"level": True}},
        {"type": "heading", "content": []},
        {"type": "bulletList", "content": []},
        {"type": "bulletList", "content": [{"type": "paragraph"}]},
        {"type": "codeBlock", "attrs": {"language": 1}},
        {
            "type": "orderedList",
            "attrs": {"order": float("inf")},
            "content": [{"type": "listItem", "content": [{"type": "paragraph"}]}],
        },
        {"type": "codeBlock", "attrs": {"extraAttribute": "foo"}},
        {"type": "codeBlock", "content": [{"type": "hardBreak"}]},
        {"type": "panel", "attrs": {"panelType": "loud"}, "content": [{"type": "paragraph"}]},
        {"type": "rule", "content": [{"type": "text", "text": "a"}]},
        {"type": "mediaSingle", "content": [{"type": "media", "attrs": {"id": "1"}}]},
        deep(40),
        "text",
        None,
    ],
)
def test_a_node_the_format_does_not_know_is_refused(node: object) -> None:
    with pytest.raises(ValueError) as refused:
        validate({"type": "doc", "version": 1, "content": [node]})
    assert str(refused.value) == "INVALID_INPUT"


def test_a_document_is_stored_compact_and_sorted() -> None:
    assert (
        dumps(doc([paragraph(strong("é"))]))
        == '{"content":[{"content":[{"marks":[{"type":"strong"}],"text":"é","type":"text"}],"type":"paragraph"}],"type":"doc","version":1}'
    )


def address(target: str, value: str) -> str | None:
    return f"/{target}/{value}" if value != "OTHER-1" else None


def test_html_links_issues_people_and_files() -> None:
    body = from_wiki("See SHOP-12, OTHER-1 and xSHOP-3 {{SHOP-4}} [~accountid:5b]\n\n!a.png!")
    html = to_html(body, address)
    assert (
        '<a href="/issue/SHOP-12" class="issue-link" rel="noopener nofollow">SHOP-12</a>, OTHER-1 and xSHOP-3' in html
    )
    assert "<code>SHOP-4</code>" in html
    assert '<a href="/user/5b" class="user-hover" data-account-id="5b" rel="noopener nofollow">@5b</a>' in html
    assert '<a href="/media/a.png" rel="noopener nofollow"><span class="attachment">a.png</span></a>' in html


def test_html_of_every_block() -> None:
    html = to_html(
        from_wiki("h1. T\n\n* a\n## b\n\n{code:py}x < y{code}\n\n{note}n{note}\n\n||H||\n|c|\n\nbq. q\n\n----")
    )
    for piece in (
        "<h1>T</h1>",
        "<ul><li><p>a</p>",
        '<pre class="code-py" data-language="py">x &lt; y</pre>',
        '<div class="panel panel-note">',
        '<th class="confluenceTH">H</th>',
        '<td class="confluenceTD">c</td>',
        "<blockquote><p>q</p></blockquote>",
        "<hr>",
    ):
        assert piece in html


@pytest.mark.parametrize(
    "body",
    [
        from_text("<script>alert(1)</script> <img src=x onerror=alert(1)>"),
        from_markdown("[x](javascript:alert(1)) <svg/onload=alert(1)> ![a](javascript:alert(1))"),
        from_wiki("[x|javascript:alert(1)] !javascript:alert(1)! {color:red;background:url(x)}y{color}"),
        doc([paragraph(text("x", [link_mark("javascript:alert(1)")]))]),
        doc([paragraph(text("x", [link_mark(' "><script>alert(1)</script>')]))]),
        doc([paragraph(text("x", [mark("textColor", color="red;background:url(javascript:1)")]))]),
        doc([block("codeBlock", [text("</pre><script>")], language='"><script>')]),
        doc(
            [
                paragraph(
                    leaf("mention", id='"><script>', text="<script>"), leaf("inlineCard", url="javascript:alert(1)")
                )
            ]
        ),
        doc([block("mediaSingle", [leaf("media", type="external", url="javascript:alert(1)", alt="<script>")])]),
        doc([block("expand", [paragraph(leaf("status", text="<script>", color='"><script>'))], title="<script>")]),
    ],
)
def test_hostile_bodies_render_as_harmless_text(body: dict) -> None:
    html = to_html(validate(body), lambda target, value: f"/{target}/{value}").lower()
    assert "<script" not in html and "<img" not in html and "<svg" not in html
    assert 'href="javascript' not in html and "url(" not in html.replace("background:url(x)}", "").replace(
        "y{color}", ""
    )


HOSTILE = [
    "*",
    "_",
    "{",
    "[",
    "!",
    "{{",
    "mailto:",
    "http",
    "{color:red}",
    "{quote}",
    "{panel}",
    "{code}",
    "|",
    "||a",
    "* a\n",
    "*" * 50 + " a\n",
    "> ",
    "- ",
    "`",
    "**",
    "*a ",
    "[a](",
    "![",
    "\\",
    "&#1;",
    "h1. a\n",
    "??",
    "(/)",
    "~~",
    "bq. ",
    "[~accountid:",
    "!a.png!",
    "{*}a",
    "{adf}",
    "{color:red}a{color}",
    "|a|\nb\n",
    "```\n",
    "\x00",
    "SHOP-1 ",
]


@pytest.mark.full
@pytest.mark.parametrize("piece", HOSTILE)
def test_thirty_kilobytes_of_anything_become_a_valid_body(piece: str) -> None:
    words = piece * (32_767 // len(piece))
    for read in (from_wiki, from_markdown, from_text):
        body = validate(read(words))
        for write in (to_html, to_wiki, to_markdown, to_text):
            assert isinstance(write(body), str)


def test_a_megabyte_of_prose_is_read_and_written() -> None:
    words = "word *bold* and [a|http://b] {{code}} more words here.\n\n" * 18_000
    body = from_wiki(words)
    assert len(body["content"]) == 18_000
    assert to_wiki(body).count("*bold*") == 18_000


def test_markup_nested_beyond_reason_is_flattened_into_a_valid_body() -> None:
    for read, words in (
        (from_wiki, "*" * 5000 + " x"),
        (from_markdown, "> " * 5000 + "x"),
        (from_markdown, "- " * 5000 + "x"),
    ):
        body = validate(read(words))
        assert "x" in to_text(body)


def test_blocks_in_the_wrong_place_are_unwrapped() -> None:
    body = validate(from_markdown("> # head\n>\n> | a |\n> | - |\n> | b |\n>\n> > inner\n\n- # in a list"))
    assert to_text(body) == "head\na\nb\ninner\nin a list"
    assert {node["type"] for node in iter_nodes(body["content"])} <= {
        "blockquote",
        "paragraph",
        "text",
        "bulletList",
        "listItem",
    }
