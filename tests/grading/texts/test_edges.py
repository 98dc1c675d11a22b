"""Markup and phrases to the letter: what just comes off and what just stays, where a phrase just stands alone."""

from world.core.reading.passage import Mark, Passage
from world.grading.answers.form import describe_field
from world.grading.answers.values import is_single, offers_choice, truth
from world.grading.passages import join_passages, to_passage
from world.grading.schema import AnswerField
from world.grading.text import MAX_CHARS, normalise_text, read_text

PLAIN = [
    ("<@U1>", "@U1"),
    ("<@U1|bob>", "@U1"),
    ("<#C1>", "#C1"),
    ("<#C1|general>", "#general"),
    ("<!here>", "@here"),
    ("<!subteam^S1|@crew>", "@crew"),
    ("<https://a.test|the page>", "the page https://a.test"),
    ("<https://a.test>", "https://a.test"),
    ("<https://a.test|https://a.test>", "https://a.test"),
    ("<mailto:a@x.test|a@x.test>", "a@x.test mailto:a@x.test"),
    ("<a@x.test>", "a@x.test"),
    ("<odd>", "<odd>"),
    ("On Mon, 3 Nov Bob wrote:\nx", ""),
    ("a\n> b\n c", "a\nc"),
    ("From: x\nfoo", "From: x\nfoo"),
    ("From: x\nSent: y\nz", ""),
    ("From: x\n\n\nSubject: z\nq", ""),
    ("From: x\n\n\n\nSubject: z\nq", "From: x\nSubject: z\nq"),
    ("x\n--\ny", "x"),
    ("<br>a<p>b", "a\nb"),
    ("<p>a</p><style>x</style>b", "a\nb"),
    ("<b hidden>a</b>c", "c"),
    ("<a href='mailto:x'>q</a>", "q mailto:x"),
    ("<a href='/x'>q</a>", "q"),
    ("<p style='visibility: hidden'>a</p>b", "b"),
    ("<span style='font-size:0'>a</span>b", "b"),
    ("<li>a<li>b", "a\nb"),
    ("<p>a</div>b</p>", "a\nb"),
    (
        '{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"hi"}]},{"type":"paragraph"}]}',
        "hi",
    ),
    ('{"type":"note"}', '{"type":"note"}'),
]
PHRASES = [
    ("a-b c", "b", [(1, 2)], []),
    ("a.b", "b", [], []),
    ("a.b", "a", [], []),
    ("a_b", "b", [], []),
    ("a@b", "a", [], []),
    ("a+b", "a", [], []),
    ("a,b", "a", [(0, 1)], [(0, 1)]),
    ("a,5", "a", [], []),
    ("5,a", "5", [(0, 1)], [(0, 1)]),
    ("a's", "a", [(0, 1)], [(0, 1)]),
    ("a'x", "a", [], []),
    ("x'a", "a", [], []),
    ("it-5", "it", [], []),
    ("it-x", "it", [(0, 1)], []),
    ("a b", "a b", [(0, 2)], [(0, 2)]),
    ("a-b", "a b", [(0, 2)], [(0, 2)]),
    ("a\nb", "a b", [(0, 2)], [(0, 2)]),
    ("a.b", "a b", [], []),
    ("a/b", "a/b", [(0, 2)], [(0, 2)]),
    ("a b", "a/b", [], []),
    ("a  b", "a b", [(0, 2)], [(0, 2)]),
    ("a, b", "a, b", [(0, 2)], [(0, 2)]),
    ("a b", "a, b", [], []),
    ("", "a", [], []),
    ("a", "", [], []),
    ("a b a c", "a c", [(2, 4)], [(2, 4)]),
]


def test_each_piece_of_markup_comes_off_or_stays() -> None:
    assert [(raw, normalise_text(raw)) for raw, _ in PLAIN] == PLAIN


def test_a_phrase_stands_where_nothing_is_glued_to_it() -> None:
    found = [(text, phrase, read_text(text), read_text(phrase)) for text, phrase, _, _ in PHRASES]
    assert [(a, b, list(text.find(one)), list(text.find(one, strict=True))) for a, b, text, one in found] == PHRASES
    assert [text.has(one) for _, _, text, one in found] == [bool(free) for _, _, free, _ in PHRASES]


def test_a_long_text_is_cut_and_says_so() -> None:
    assert [(len(read_text("x" * size).plain), read_text("x" * size).cut) for size in (MAX_CHARS, MAX_CHARS + 1)] == [
        (MAX_CHARS, False),
        (MAX_CHARS, True),
    ]
    assert read_text(None).plain == "" and read_text(["a", {"type": "hardBreak"}]).plain == ""


def test_passages_are_joined_with_their_marks() -> None:
    one, other = Passage("ab c", (Mark(0, 2, "struck"),)), Passage("de", (Mark(1, 2, "quoted"),))
    assert join_passages([one]) is one
    assert join_passages([one, other]) == Passage("ab c\nde", (Mark(0, 2, "struck"), Mark(6, 7, "quoted")))
    third = join_passages([one, other, other])
    assert third.marks[2:] == (Mark(9, 10, "quoted"),) and third.text == "ab c\nde\nde"


def test_a_cell_holds_own_words_then_struck_then_quoted_ones() -> None:
    found = to_passage("a ~~b~~ c ~~d~~\n> e")
    parts = [(found.text[mark.start : mark.end], mark.kind) for mark in found.marks]
    assert (found.text.split("\n")[0], parts) == ("a c", [("b d", "struck"), ("a c\ne", "quoted")])
    document = {"type": "text", "text": "x", "marks": [{"type": "strike"}]}
    struck = to_passage({"type": "doc", "content": [document, {"type": "text", "text": "y"}]})
    assert [(struck.text[mark.start : mark.end], mark.kind) for mark in struck.marks] == [("x", "struck")]
    assert to_passage("plain").marks == to_passage("a~b~c").marks == ()


def test_a_field_of_an_answer_holds_one_value() -> None:
    single = [
        (True, True),
        (0, True),
        (1.5, True),
        ("x", True),
        ("", False),
        ("  ", False),
        (None, False),
        ([1], False),
    ]
    single += [("x" * 300, True), ("x" * 301, False), (f" {'x' * 300} ", True)]
    assert [(given, is_single(given)) for given, _ in single] == single
    says = [(True, True), (False, False), ("Yes!", True), (" no. ", False), ("maybe", None), (1, None), ("", None)]
    assert [(given, truth(given)) for given, _ in says] == says
    offers = [("5 or 6", True), ("not 5", True), ("5", False), ("norm", False), (5, False)]
    assert [(given, offers_choice(given)) for given, _ in offers] == offers


FORMS = [
    ("took_minutes", {"type": "number"}, 'a number in minutes, such as 12 or "12 minutes"'),
    ("took_m", {"type": "number"}, 'a number, such as 12 or "twelve"'),
    ("share_percent", {"type": "number"}, 'a number in percent, such as 12 or "12 percent"'),
    ("weight_kg", {"type": "number"}, 'a number, such as 12 or "twelve"'),
    ("weight", {"type": "number", "unit": "kg"}, 'a number in kg, such as 12 or "12 kg"'),
    ("sum", {"type": "money"}, 'an amount in USD, such as "USD 1,234.50" or "1.234,50 USD"'),
    ("sum", {"type": "money", "currency": "eur"}, 'an amount in EUR, such as "EUR 1,234.50" or "1.234,50 EUR"'),
    ("kind", {"type": "choice", "options": ["1", "b"]}, "one of 1, b"),
    ("who", {"type": "person"}, "a person: full name, handle or mail address"),
]


def test_a_task_tells_what_each_field_accepts() -> None:
    found = [(name, spec, describe_field(name, AnswerField(value="1", **spec))) for name, spec, _ in FORMS]
    assert found == FORMS
