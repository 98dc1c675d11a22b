"""Laws of the search language that hold for any text: it is read, printed and read again; words agree with FTS5."""

import apsw
from hypothesis import example, given, settings
from hypothesis import strategies as st

from apps.gmail.query import Document, Node, Person, bind_dates, is_found, matches, parse, print_query, search_scope
from apps.gmail.query.lexer import NAMES
from apps.gmail.query.normal_form import conjunction, disjunction, map_leaves
from apps.gmail.query.tokens import SEPARATOR, fold_text, join_index_entries, label_key, tokens
from tests.examples import examples
from world.core.boolean_tree import And, Not, Or, negate

VALUES = [
    "amy",
    "me",
    "Me@",
    "inbox",
    "trash",
    "anywhere",
    "unread",
    "read",
    "attachment",
    "nouserlabels",
    "2004/04/16",
    "04/16/2004",
    "17",
    "2d",
    "3m",
    "10M",
    "primary",
    "<a@b>",
    "a-b",
    '"a b"',
    '"a AROUND 2 b"',
    "*",
    "İ",
    "ﬁ",
    "x/y",
    "-x",
    "+x",
    "",
    "OR",
    "from:",
    "５",
    "¨a",
]
PIECES = st.one_of(
    st.sampled_from(
        [
            *VALUES,
            " ",
            " ",
            " ",
            "(",
            ")",
            "{",
            "}",
            '"',
            "-",
            "+",
            "|",
            " OR ",
            " AND ",
            " AROUND 3 ",
            "AROUND",
            "\u201c",
        ]
    ),
    st.builds("{}:{}".format, st.sampled_from(NAMES), st.sampled_from(VALUES)),
    st.text(max_size=3),
)
QUERIES = st.one_of(
    st.lists(PIECES, max_size=25).map("".join), st.lists(PIECES, max_size=25).map(" ".join), st.text(max_size=60)
)
TEXTS = st.one_of(
    st.text(max_size=40),
    st.lists(st.sampled_from(["Amy", "amy@x.example", "a", "b", "Ａ", "é", "-", "会議"]), max_size=12).map(" ".join),
)
MAILS = st.builds(
    Document,
    sender=st.tuples(st.builds(Person, TEXTS, TEXTS)),
    subject=TEXTS,
    body=TEXTS,
    filenames=st.lists(TEXTS, max_size=2).map(tuple),
    labels=st.frozensets(st.sampled_from(["x/y", "a b", "Label"]), max_size=2),
    system=st.frozensets(st.sampled_from(["INBOX", "UNREAD", "TRASH", "SPAM", "CHAT"]), max_size=3),
    at_us=st.integers(0, 2**52),
    size_bytes=st.integers(0, 20 << 20),
)


@settings(max_examples=examples(600), deadline=None)
@given(QUERIES)
@example('("a{b" -(c} OR | from:(to:"x')
@example("(a AROUND) 5 b")
@example("from:me@ from:me")
def test_every_text_is_a_query_and_its_print_is_the_same_query(query: str) -> None:
    meaning = parse(query)
    assert parse(print_query(meaning)) == meaning
    assert print_query(parse(print_query(meaning))) == print_query(meaning)


@settings(max_examples=examples(200), deadline=None)
@given(QUERIES)
def test_the_normal_form_is_normal(query: str) -> None:
    meaning = parse(query)
    assert map_leaves(meaning, lambda leaf: leaf) == meaning
    assert_normal(meaning)


def assert_normal(node: Node) -> None:
    if isinstance(node, Not):
        assert not isinstance(node.part, Not)
        assert_normal(node.part)
    elif isinstance(node, (And, Or)):
        assert len(node.parts) != 1
        assert len(set(node.parts)) == len(node.parts)
        assert not any(isinstance(part, type(node)) for part in node.parts)
        for part in node.parts:
            assert_normal(part)


@settings(max_examples=examples(200), deadline=None)
@given(QUERIES, QUERIES, MAILS)
def test_joining_and_negating_are_what_logic_says(one: str, other: str, mail: Document) -> None:
    a, b = (bind_dates(parse(query), 10**15, "Europe/Berlin") for query in (one, other))
    assert matches(negate(a), mail) is not matches(a, mail)
    assert matches(conjunction([a, b]), mail) is (matches(a, mail) and matches(b, mail))
    assert matches(disjunction([a, b]), mail) is (matches(a, mail) or matches(b, mail))


@settings(max_examples=examples(200), deadline=None)
@given(QUERIES, MAILS)
def test_what_is_found_matches_and_is_in_scope(query: str, mail: Document) -> None:
    meaning = bind_dates(parse(query), 10**15, "UTC")
    asked = search_scope(meaning)
    shown = ("TRASH" not in mail.system or asked.trash) and ("SPAM" not in mail.system or asked.spam)
    assert is_found(meaning, mail) is (shown and matches(meaning, mail))


@settings(max_examples=examples(300), deadline=None)
@given(st.text(max_size=60))
@example("İstanbul ﬁne Ⅷ ǅ ᾳ ß \u1d2c \u0345")
def test_folding_twice_is_folding_once(text: str) -> None:
    assert tokens(" ".join(tokens(text))) == tokens(text)
    assert tokens(fold_text(text)) == tokens(text)
    assert label_key(label_key(text)) == label_key(text)


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.one_of(TEXTS, st.text(st.characters(min_codepoint=128), max_size=12)), max_size=4))
def test_an_index_has_exactly_these_words(texts: list[str]) -> None:
    with apsw.Connection(":memory:") as db:
        db.execute("CREATE VIRTUAL TABLE mail USING fts5(words, tokenize = 'ascii')")
        db.execute("CREATE VIRTUAL TABLE term USING fts5vocab(mail, instance)")
        db.execute("INSERT INTO mail VALUES (?)", (join_index_entries(texts),))
        listed = [word for (word,) in db.execute("SELECT term FROM term ORDER BY offset")]
    db.close()
    assert [word for word in listed if word != SEPARATOR] == [word for text in texts for word in tokens(text)]
    assert SEPARATOR not in tokens(f"a {SEPARATOR} b{SEPARATOR}c")
