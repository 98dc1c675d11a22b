"""What searches mean. Operators and examples: support.google.com/mail/answer/7190; the rest is own choice, said where
it is made.
"""

from datetime import date

import pytest

from apps.gmail.query import Criteria, Node, QueryRefused, Scope, criteria_search, parse, print_query, search_scope
from apps.gmail.query.lexer import NAMES
from apps.gmail.query.normal_form import (
    EVERYTHING,
    Age,
    Anywhere,
    At,
    Has,
    Label,
    Larger,
    MessageId,
    NotBefore,
    OwnAddress,
    Proximity,
    Smaller,
    System,
    TextField,
    Until,
    Words,
)
from apps.gmail.query.semantics import CATEGORIES, FEATURES
from apps.gmail.query.tree import MAX_DEPTH, MAX_LENGTH, MAX_LEXEMES, MAX_TERMS
from world.core.boolean_tree import And, Not, Or


def w(text: str, field: TextField = "any") -> Words:
    return Words(field, tuple(text.split()))


A, B, C, D = w("a"), w("b"), w("c"), w("d")

MEANINGS: list[tuple[str, Node]] = [
    # one operator each, with the page's examples
    ("from:amy", w("amy", "from")),
    ("to:david", w("david", "to")),
    ("cc:david", w("david", "cc")),
    ("bcc:david", w("david", "bcc")),
    ("from:me", OwnAddress("from")),
    ("to:ME", OwnAddress("to")),
    ("from:me@x.example", w("me x example", "from")),
    ("subject:dinner", w("dinner", "subject")),
    ("from:amy@x.example", w("amy x example", "from")),
    ("from:@x.example", w("x example", "from")),
    ("label:friends", Label("friends")),
    ("label:my-label", Label("my-label")),
    ('label:"My Label"', Label("my-label")),
    ("label:Work/Clients", Label("work-clients")),
    ('label:"Work/Big clients"', Label("work-big-clients")),
    ("label:Größe", Label("grösse")),
    ("label:inbox", System("INBOX")),
    ("label:trash", System("TRASH")),
    ("label:unread", System("UNREAD")),
    ("label:category_social", System("CATEGORY_SOCIAL")),
    ("in:inbox", System("INBOX")),
    ("in:sent", System("SENT")),
    ("in:trash", System("TRASH")),
    ("in:spam", System("SPAM")),
    ("in:draft", System("DRAFT")),
    ("in:drafts", System("DRAFT")),
    ("in:snoozed", System("SNOOZED")),
    ("in:scheduled", System("SCHEDULED")),
    ("in:chats", System("CHAT")),
    ("in:anywhere", Anywhere()),
    ("in:friends", Label("friends")),
    ("is:unread", System("UNREAD")),
    ("is:read", Not(System("UNREAD"))),
    ("is:starred", System("STARRED")),
    ("is:unstarred", Not(System("STARRED"))),
    ("is:important", System("IMPORTANT")),
    ("is:snoozed", System("SNOOZED")),
    ("is:muted", System("MUTED")),
    ("-is:read", System("UNREAD")),
    ("has:attachment", Has("attachment")),
    ("has:userlabels", Has("userlabels")),
    ("has:nouserlabels", Not(Has("userlabels"))),
    ("filename:pdf", w("pdf", "filename")),
    ("filename:homework.txt", w("homework txt", "filename")),
    ("category:primary", System("CATEGORY_PERSONAL")),
    ("category:Updates", System("CATEGORY_UPDATES")),
    ("list:info@example.com", w("info example com", "list")),
    ("deliveredto:username@example.com", w("username example com", "deliveredto")),
    ("rfc822msgid:200503292@example.com", MessageId("200503292@example.com")),
    ("rfc822msgid:<200503292@Example.com>", MessageId("200503292@Example.com")),
    ("after:2004/04/16", NotBefore(date(2004, 4, 16))),
    ("after:04/16/2004", NotBefore(date(2004, 4, 16))),
    ("newer:2004-4-6", NotBefore(date(2004, 4, 6))),
    ("before:2004/04/18", Until(date(2004, 4, 18))),
    ("older:04/18/2004", Until(date(2004, 4, 18))),
    ("after:1388552400", NotBefore(At(1388552400_000000))),
    ("before:1391230800", Until(At(1391230800_000000))),
    ("older_than:1y", Until(Age(1, "y"))),
    ("newer_than:2d", NotBefore(Age(2, "d"))),
    ("newer_than:36H", NotBefore(Age(36, "h"))),
    ("older_than:3m", Until(Age(3, "m"))),
    ("size:1000000", Larger(1000000)),
    ("larger:10M", Larger(10 << 20)),
    ("larger:500kb", Larger(500 << 10)),
    ("smaller:2g", Smaller(2 << 30)),
    ("smaller:100B", Smaller(100)),
    # joining
    ("", EVERYTHING),
    ("   ", EVERYTHING),
    ("a b", And((A, B))),
    ("a AND b", And((A, B))),
    ("a OR b", Or((A, B))),
    ("a | b", Or((A, B))),
    ("a|b", Or((A, B))),
    ("{a b}", Or((A, B))),
    ("{a OR b c}", Or((A, B, C))),
    ("{a AND b c}", Or((And((A, B)), C))),
    ("a b OR c d", And((A, Or((B, C)), D))),
    ("a b OR c AND d", And((A, Or((B, C)), D))),
    ("(a OR b) OR {c d}", Or((A, B, C, D))),
    ("(a b) OR (c d)", Or((And((A, B)), And((C, D))))),
    ("a or b and c", And((A, w("or"), B, w("and"), C))),
    ("a -b", And((A, Not(B)))),
    ("-(a b)", Not(And((A, B)))),
    ("-{a b} c", And((Not(Or((A, B))), C))),
    ("--a", A),
    ("-a OR b", Or((Not(A), B))),
    ("-from:amy", Not(w("amy", "from"))),
    ('-"a b"', Not(w("a b"))),
    ("a (b (c (d)))", And((A, B, C, D))),
    ("a a A á", A),
    ("{from:amy from:david}", Or((w("amy", "from"), w("david", "from")))),
    # words and phrases
    ("Dinner", w("dinner")),
    ("CAFÉ", w("cafe")),
    ("Straße", w("strasse")),
    ("well-known", w("well known")),
    ("don't", w("don t")),
    ("snake_case", w("snake case")),
    ("会議室", w("会 議 室")),
    ('"dinner and movie tonight"', w("dinner and movie tonight")),
    ("“dinner movie”", w("dinner movie")),
    ("+unicorn", w("unicorn")),
    ("+OR", w("or")),
    ("+from:amy", w("from amy")),
    ("dinner AROUND 5 friday", Proximity("any", ("dinner",), ("friday",), 5)),
    ('"secret AROUND 25 birthday"', Proximity("any", ("secret",), ("birthday",), 25, ordered=True)),
    ('"a AROUND 1 b AROUND 2 c"', w("a around 1 b around 2 c")),
    ('"grand plan" AROUND 3 x', Proximity("any", ("grand", "plan"), ("x",), 3)),
    ("-a AROUND 1 b", Not(Proximity("any", ("a",), ("b",), 1))),
    ("a AROUND 1 b AROUND 2 c", And((Proximity("any", ("a",), ("b",), 1), Proximity("any", ("b",), ("c",), 2)))),
    # values with quotes and groups
    ("from:(a OR b)", Or((w("a", "from"), w("b", "from")))),
    ("from:{a b}", Or((w("a", "from"), w("b", "from")))),
    ("subject:(dinner movie)", And((w("dinner", "subject"), w("movie", "subject")))),
    ("subject:(dinner -movie)", And((w("dinner", "subject"), Not(w("movie", "subject"))))),
    ('subject:"dinner movie"', w("dinner movie", "subject")),
    ("subject:(a AROUND 2 b)", Proximity("subject", ("a",), ("b",), 2)),
    ('subject:"a AROUND 2 b"', Proximity("subject", ("a",), ("b",), 2, ordered=True)),
    ("in:(inbox OR spam)", Or((System("INBOX"), System("SPAM")))),
    ("is:(unread starred)", And((System("UNREAD"), System("STARRED")))),
    ("is:(read unstarred)", And((Not(System("UNREAD")), Not(System("STARRED"))))),
    ("label:(x AROUND 2 y)", And((Label("x"), Label("y")))),
    ("subject:(from:amy dinner)", And((w("amy", "from"), w("dinner", "subject")))),
    ("subject:re:dinner", w("re dinner", "subject")),
    ("from: amy subject: (a b)", And((w("amy", "from"), w("a", "subject"), w("b", "subject")))),
    ("label:-x", Label("-x")),
    ("FROM:amy Subject:b", And((w("amy", "from"), w("b", "subject")))),
    # what is no operator is text
    ("foo:bar", w("foo bar")),
    ("http://x.example/a", w("http x example a")),
    ("into:bob", w("into bob")),
    ("is:green", w("is green")),
    ("has:nothing", w("has nothing")),
    ("category:x", w("category x")),
    ("after:soon", w("after soon")),
    ("after:2004/13/45", w("after 2004 13 45")),
    ("older_than:5", w("older than 5")),
    ("larger:big", w("larger big")),
    ("from:", w("from")),
    ("from: to:bob", And((w("from"), w("bob", "to")))),
    ("from: -b", And((w("from"), Not(B)))),
    ("from: OR a", Or((w("from"), A))),
    ("a NOT b", And((A, w("not"), B))),
    # broken
    ("OR", EVERYTHING),
    ("OR a", A),
    ("a OR", A),
    ("a OR OR b", Or((A, B))),
    ("a OR AND b", Or((A, B))),
    ("a AND", A),
    ("(a OR) b", And((A, B))),
    ("(OR a) b", And((A, B))),
    ("-OR a", And((Not(w("or")), A))),
    ('"a b', w("a b")),
    ('a "', A),
    ('a "" b', And((A, B))),
    ("(a b", And((A, B))),
    ("a b)", And((A, B))),
    (")(", EVERYTHING),
    ("{a b", Or((A, B))),
    ("a} b", And((A, B))),
    ("(a} b", And((A, B))),
    ("{(a} b) c}", Or((And((A, B)), C))),
    ("-()", EVERYTHING),
    ("a -() b", And((A, B))),
    ("from:()", EVERYTHING),
    ("from:(a", w("a", "from")),
    ("- a", A),
    ("-", EVERYTHING),
    ("--", EVERYTHING),
    ("+", EVERYTHING),
    ("* a -? ...", A),
    ('label:"!"', EVERYTHING),
    ("a AROUND b", And((A, w("around"), B))),
    ("a AROUND 5", And((A, w("around"), w("5")))),
    ("AROUND 5 b", And((w("around"), w("5"), B))),
    ("a around 5 b", And((A, w("around"), w("5"), B))),
    ("subject:a AROUND 5 b", And((w("a", "subject"), w("around"), w("5"), B))),
    ('subject:"a" AROUND 5 b', And((w("a", "subject"), w("around"), w("5"), B))),
    ("a AROUND 5 *", A),
    ("a\0b\n c", And((w("a b"), C))),
]


@pytest.mark.parametrize(("query", "meaning"), MEANINGS, ids=[repr(query) for query, _ in MEANINGS])
def test_a_query_means(query: str, meaning: Node) -> None:
    assert parse(query) == meaning
    assert parse(print_query(meaning)) == meaning


@pytest.mark.parametrize("kind", FEATURES)
def test_a_feature_is_asked_for_by_its_name(kind: str) -> None:
    assert parse(f"has:{kind.upper()}") == Has(kind)


@pytest.mark.parametrize("name", NAMES)
def test_every_operator_has_a_meaning_and_ignores_a_value_without_words(name: str) -> None:
    assert parse(f"{name}:!!") == EVERYTHING
    assert parse(f"{name}:x") != parse("x")


@pytest.mark.parametrize("name", CATEGORIES)
def test_a_category_reads_back(name: str) -> None:
    assert parse(print_query(parse(f"category:{name}"))) == System(CATEGORIES[name])


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("amy", Scope()),
        ("", Scope()),
        ("in:trash", Scope(trash=True)),
        ("label:spam", Scope(spam=True)),
        ("in:anywhere amy", Scope(trash=True, spam=True)),
        ("in:(trash OR spam)", Scope(trash=True, spam=True)),
        ("-in:trash", Scope()),
        ("-(a -in:trash)", Scope(trash=True)),
        ("-in:anywhere", Scope()),
        ("amy OR label:trash", Scope(trash=True)),
        ("trash spam", Scope()),
    ],
)
def test_trash_and_spam_are_searched_when_asked_for(query: str, expected: Scope) -> None:
    assert search_scope(parse(query)) == expected


@pytest.mark.parametrize(
    ("query", "reason", "most"),
    [
        ("a " * (MAX_TERMS + 1), "too_many_terms", MAX_TERMS),
        ("a-" * (MAX_TERMS + 1), "too_many_terms", MAX_TERMS),
        ('"' + "a " * (MAX_TERMS + 1), "too_many_terms", MAX_TERMS),
        ("from:a " * (MAX_TERMS + 1), "too_many_terms", MAX_TERMS),
        ("* " * (MAX_TERMS + 1), "too_many_terms", MAX_TERMS),
        ("()" * MAX_LEXEMES, "too_many_terms", MAX_TERMS),
        ("x" * (MAX_LENGTH + 1), "too_long", MAX_LENGTH),
        ("from:(a OR b) " * 75_000, "too_long", MAX_LENGTH),
        ("(" * (MAX_DEPTH + 1) + "a", "too_deep", MAX_DEPTH),
        ("{(" * MAX_DEPTH, "too_deep", MAX_DEPTH),
        ("from:(" * (MAX_DEPTH + 1), "too_deep", MAX_DEPTH),
    ],
)
def test_a_query_over_a_limit_is_refused(query: str, reason: str, most: int) -> None:
    with pytest.raises(QueryRefused) as refused:
        parse(query)
    assert (refused.value.reason, refused.value.most) == (reason, most)
    assert str(most) in str(refused.value)


@pytest.mark.parametrize(
    ("query", "meaning"),
    [
        ("a " * MAX_TERMS, A),
        ("(" * MAX_DEPTH + "a" + ")" * MAX_DEPTH, A),
        ("-(" * MAX_DEPTH + "a", A),
        ("-" * (MAX_LEXEMES - 1) + "a", Not(A)),
        ("()" * (MAX_LEXEMES // 2), EVERYTHING),
        (")" * MAX_LEXEMES, EVERYTHING),
        ("OR " * MAX_LEXEMES, EVERYTHING),
        ("from:" + " " * (MAX_LENGTH - 6) + "a", w("a", "from")),
        ('rfc822msgid:"x' + "> " * (MAX_LENGTH // 2 - 10), MessageId("x")),
    ],
    ids=["words", "brackets", "negated brackets", "negations", "empty groups", "closings", "joiners", "spaces", "id"],
)
def test_a_query_at_a_limit_is_read(query: str, meaning: Node) -> None:
    assert parse(query) == meaning


# developers.google.com/workspace/gmail/api/reference/rest/v1/users.settings.filters#criteria
@pytest.mark.parametrize(
    ("criteria", "query"),
    [
        (Criteria(), ""),
        (Criteria(sender="amy@x.example"), "from:amy@x.example"),
        (Criteria(sender="amy OR bob"), "from:(amy OR bob)"),
        (Criteria(sender="amy) OR bob"), "from:(amy OR bob)"),
        (Criteria(to="example@"), "to:example"),
        (Criteria(to="me"), "to:me"),
        (Criteria(subject="  Weekly   report "), 'subject:"weekly report"'),
        (Criteria(subject="a OR b"), 'subject:"a or b"'),
        (Criteria(query="from:amy OR larger:1M"), "from:amy OR larger:1M"),
        (Criteria(negated_query="a b"), "-(a b)"),
        (Criteria(negated_query="-a"), "a"),
        (Criteria(negated_query=" ** "), ""),
        (Criteria(has_attachment=True, exclude_chats=True), "has:attachment -in:chats"),
        (Criteria(size_bytes=1000, size_comparison="larger"), "larger:1000"),
        (Criteria(size_bytes=1000, size_comparison="smaller"), "smaller:1000"),
        (Criteria(size_bytes=1000), ""),
        (Criteria(sender="amy", to="bob", query="a OR b", negated_query="c"), "from:amy to:bob (a OR b) -c"),
    ],
)
def test_the_criteria_of_a_filter_are_a_search(criteria: Criteria, query: str) -> None:
    assert criteria_search(criteria) == parse(query)
