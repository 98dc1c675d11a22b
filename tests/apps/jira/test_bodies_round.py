"""Round trips: an ADF document written as wiki markup or Markdown and read again is the same document."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.jira.bodies import (
    dumps,
    from_markdown,
    from_text,
    from_wiki,
    loads,
    to_html,
    to_markdown,
    to_text,
    to_wiki,
    validate,
)
from apps.jira.bodies.adf import Node, block, doc, leaf, link_mark, mark, merge_text_nodes, text
from apps.jira.bodies.emoji import CHARACTERS, emoji_node
from tests.examples import examples

CHARACTERS_OF_TEXT = "ab Zz09é.,:;!?-*_+^~{}[]()|\\/#&<>@='\"%$`ü漢"
HREFS = ["https://example.com/a?b=c&d", "http://x.y/z-1_2", "mailto:ada@example.com", "/browse/SHOP-1"]
SETTINGS = settings(
    max_examples=examples(150),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def sound(words: str) -> bool:
    """Text that both notations can hold: no space at the ends, no address that reading would link."""
    return (
        bool(words.strip())
        and words == words.strip()
        and not any(sign in words for sign in ("://", "mailto:", "~accountid:", "  "))
    )


WORDS = st.text(CHARACTERS_OF_TEXT, min_size=1, max_size=12).filter(sound)
PLAIN = st.lists(
    st.sampled_from(["alpha", "beta", "x1", "well-known", "snake_case", "3.5", "don't", "a*b", "#1"]),
    min_size=1,
    max_size=3,
).map(" ".join)
LINKS = st.sampled_from(HREFS).map(link_mark)
WIKI_MARKS = ["strong", "em", "strike", "underline"]


@st.composite
def wiki_text(draw: st.DrawFn) -> Node:
    kinds = draw(
        st.lists(st.sampled_from([*WIKI_MARKS, "subsup", "textColor", "link", "code"]), max_size=3, unique=True)
    )
    if "code" in kinds:
        kinds = [kind for kind in kinds if kind in ("code", "link")]
    made = {
        "subsup": mark("subsup", type=draw(st.sampled_from(["sub", "sup"]))),
        "textColor": mark("textColor", color="#ff5630"),
        "link": draw(LINKS),
    }
    return text(draw(WORDS), [made.get(kind) or mark(kind) for kind in kinds])


@st.composite
def inline(draw: st.DrawFn, kinds: st.SearchStrategy[Node], *, breaks: bool) -> list[Node]:
    """Inline nodes that neither begin nor end with a break, with no two breaks together."""
    lines = draw(st.lists(st.lists(kinds, min_size=1, max_size=4), min_size=1, max_size=3 if breaks else 1))
    out: list[Node] = []
    for index, line in enumerate(lines):
        out += [leaf("hardBreak")] if index else []
        out += line
    return merge_text_nodes(out)


WIKI_LEAVES = st.one_of(
    wiki_text(),
    WORDS.map(text),
    st.sampled_from(["557058:0a-1b", "5b10ac8d82e05b22cc7d4ef5"]).map(lambda account: leaf("mention", id=account)),
    st.sampled_from(HREFS[:2]).map(lambda href: leaf("inlineCard", url=href)),
)
WIKI_INLINE = inline(WIKI_LEAVES, breaks=True)
CODE = st.text("ab {}[]*|\\\n\t<>&é`~", max_size=30).filter(lambda words: "\r" not in words)


@st.composite
def code_blocks(draw: st.DrawFn) -> Node:
    words, language = draw(CODE), draw(st.sampled_from(["", "python", "c++"]))
    return block("codeBlock", [text(words)] if words else [], **({"language": language} if language else {}))


def lists(item: st.SearchStrategy[list[Node]], depth: int) -> st.SearchStrategy[Node]:
    kind = st.sampled_from(["bulletList", "orderedList"])
    inner = st.lists(lists(item, depth - 1), max_size=1) if depth else st.just([])
    items = st.tuples(item, inner).map(lambda parts: block("listItem", [block("paragraph", parts[0]), *parts[1]]))
    return st.tuples(kind, st.lists(items, min_size=1, max_size=3)).map(lambda parts: block(parts[0], parts[1]))


@st.composite
def tables(draw: st.DrawFn, cell: st.SearchStrategy[list[Node]], *, heads: bool) -> Node:
    width = draw(st.integers(1, 3))
    rows = []
    for index in range(draw(st.integers(1, 3))):
        head = index == 0 if heads else draw(st.booleans())
        cells = [block("tableHeader" if head else "tableCell", [block("paragraph", draw(cell))]) for _ in range(width)]
        rows.append(block("tableRow", cells))
    return block("table", rows)


WIKI_SIMPLE = st.one_of(
    WIKI_INLINE.map(lambda nodes: block("paragraph", nodes)),
    st.tuples(st.integers(1, 6), WIKI_INLINE).map(lambda parts: block("heading", parts[1], level=parts[0])),
    lists(WIKI_INLINE, 2),
    code_blocks(),
    st.just(leaf("rule")),
)
PANELS = [{"panelType": kind} for kind in ("info", "note", "success", "warning", "error")] + [
    {"panelType": "custom", "panelColor": "#abcdef"}
]
WIKI_BLOCKS = st.one_of(
    WIKI_SIMPLE,
    st.lists(
        WIKI_INLINE.map(lambda nodes: block("paragraph", nodes)) | lists(WIKI_INLINE, 1), min_size=1, max_size=2
    ).map(lambda n: block("blockquote", n)),
    st.tuples(st.sampled_from(PANELS), st.lists(WIKI_SIMPLE, min_size=1, max_size=2)).map(
        lambda p: block("panel", p[1], **p[0])
    ),
    tables(WIKI_INLINE, heads=False),
    st.just(
        block("mediaSingle", [leaf("media", type="file", id="shot 1.png", collection="", width=20)], layout="center")
    ),
    st.just(block("mediaSingle", [leaf("media", type="external", url="https://x.y/z.png")], layout="center")),
    st.just(block("taskList", [block("taskItem", [text("a {adf} b")], localId="2", state="DONE")], localId="1")),
    st.just(block("expand", [block("paragraph", [text("hidden")])], title="More")),
)
WIKI_BODIES = st.lists(WIKI_BLOCKS, max_size=4).map(doc)


@given(WIKI_BODIES)
@SETTINGS
def test_wiki_markup_gives_the_same_body_back(body: dict) -> None:
    validate(body)
    assert from_wiki(to_wiki(body)) == body


@st.composite
def markdown_text(draw: st.DrawFn) -> Node:
    kinds = draw(st.lists(st.sampled_from(["strong", "em", "strike", "link", "code"]), max_size=2, unique=True))
    if "code" in kinds:
        kinds = [kind for kind in kinds if kind in ("code", "link")]
        return text(draw(WORDS), [draw(LINKS) if kind == "link" else mark(kind) for kind in kinds])
    return text(draw(PLAIN), [draw(LINKS) if kind == "link" else mark(kind) for kind in kinds])


@st.composite
def markdown_inline(draw: st.DrawFn, *, breaks: bool) -> list[Node]:
    """Runs of marked text with plain words between them, as emphasis needs."""
    lines = []
    for _ in range(draw(st.integers(1, 3 if breaks else 1))):
        line = [text(f"{draw(WORDS)} ")] if draw(st.booleans()) else []
        line.append(draw(markdown_text()))
        if draw(st.booleans()):
            line += [text(f" {draw(WORDS)} "), draw(markdown_text())]
        lines.append(line)
    out: list[Node] = []
    for index, line in enumerate(lines):
        out += [leaf("hardBreak")] if index else []
        out += line
    return merge_text_nodes(out)


MARKDOWN_SIMPLE = st.one_of(
    markdown_inline(breaks=True).map(lambda nodes: block("paragraph", nodes)),
    st.tuples(st.integers(1, 6), markdown_inline(breaks=False)).map(
        lambda parts: block("heading", parts[1], level=parts[0])
    ),
    lists(markdown_inline(breaks=True), 2),
    code_blocks(),
    st.just(leaf("rule")),
)
MARKDOWN_BLOCKS = st.one_of(
    MARKDOWN_SIMPLE,
    st.lists(
        markdown_inline(breaks=True).map(lambda nodes: block("paragraph", nodes))
        | lists(PLAIN.map(lambda w: [text(w)]), 1),
        min_size=1,
        max_size=2,
    ).map(lambda nodes: block("blockquote", nodes)),
    tables(markdown_inline(breaks=False), heads=True),
    st.just(
        block("mediaSingle", [leaf("media", type="file", id="10007", collection="", alt="a shot")], layout="center")
    ),
    st.just(
        block(
            "taskList",
            [
                block("taskItem", [text("a")], localId="1", state="TODO"),
                block("taskItem", [text("b")], localId="2", state="DONE"),
            ],
            localId="3",
        )
    ),
)


def once(blocks: list[Node]) -> list[Node]:
    """At most one task list, whose ids count from one."""
    seen = False
    out = []
    for node in blocks:
        if node["type"] != "taskList" or not seen:
            out.append(node)
        seen = seen or node["type"] == "taskList"
    return out


@given(st.lists(MARKDOWN_BLOCKS, max_size=4).map(once).map(doc))
@SETTINGS
def test_markdown_gives_the_same_body_back(body: dict) -> None:
    validate(body)
    assert from_markdown(to_markdown(body)) == body


@given(st.lists(st.lists(WORDS, min_size=1, max_size=3).map("\n".join), max_size=4).map("\n\n".join))
@SETTINGS
def test_plain_text_gives_its_words_back(words: str) -> None:
    assert to_text(from_text(words)) == words.replace("\n\n", "\n")


@given(WIKI_BODIES)
@SETTINGS
def test_every_rendering_of_a_body_is_sound(body: dict) -> None:
    assert loads(dumps(body)) == body
    assert "<script" not in to_html(body)
    for read_again in (from_markdown(to_markdown(body)), from_wiki(to_markdown(body)), from_text(to_wiki(body))):
        validate(read_again)


@given(st.sampled_from(sorted(CHARACTERS)), st.sampled_from(["{} done", "see {}", "({})", "{}"]))
@SETTINGS
def test_emoji_with_a_notation_survive_wiki_markup(name: str, frame: str) -> None:
    before, after = frame.split("{}")
    nodes = [*([text(before)] if before else []), emoji_node(name), *([text(after)] if after else [])]
    body = doc([block("paragraph", nodes)])
    assert from_wiki(to_wiki(body)) == body
