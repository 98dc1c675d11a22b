"""JQL as text: what parses, and the sentence and position of each refusal.

Sentences and positions: Jira's own parser tests, the /jql/parse examples of
developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-jql/ and messages people quote in public trackers.
"""

import pytest

from apps.jira.query import JqlError, parse
from apps.jira.query.lexer import RESERVED
from apps.jira.query.tree import And, Clause, Empty, FieldName, Function, Not, OperandList, Or, Predicate, Sort, Value

OPERATORS = "The valid operators are '=', '!=', '<', '>', '<=', '>=', '~', '!~', 'IN', 'NOT IN', 'IS' and 'IS NOT'."
SEQUENCES = r"""The valid escape sequences are \', \", \t, \n, \r, \\, '\ ' and \uXXXX."""
NUMBERS = "Numbers must be between -9,223,372,036,854,775,808 and 9,223,372,036,854,775,807."


def reserved(character: str, code: str, at: int) -> str:
    advice = f"You must enclose it in a string or use the escape '\\u{code}' instead."
    return f"The character '{character}' is a reserved JQL character. {advice} (line 1, character {at})"


def illegal(code: str, at: int) -> str:
    advice = f"must be escaped. Use the escape '\\u{code.lower()}' instead."
    return f"The character 'U+{code}' on line 1 at position {at} {advice} (line 1, character {at})"


def too_big(digits: str, at: int) -> str:
    return f"'{digits}' is not a valid number. {NUMBERS} (line 1, character {at})"


def reserved_word(word: str, at: int) -> str:
    advice = "You must surround it in quotation marks to use it in a query."
    return f"'{word}' is a reserved JQL word. {advice} (line 1, character {at})"


def instead(got: str, use: str, at: int) -> str:
    return f"but got '{got}'. You must surround '{got}' in quotation marks to use it as {use}. (line 1, character {at})"


def refusal(jql: str) -> str:
    with pytest.raises(JqlError) as refused:
        parse(jql)
    assert len(refused.value.messages) == 1
    return refused.value.messages[0]


@pytest.mark.parametrize(
    ("jql", "sentence"),
    [
        ("comment ~ 'test", "The quoted string 'test' has not been completed. (line 1, character 11)"),
        ("comment ~ 'test\n", "The quoted string 'test ' has not been completed. (line 1, character 11)"),
        ('priority="test\nword', "The quoted string 'test word' has not been completed. (line 1, character 10)"),
        ("comment ~ '", "The quoted string has not been completed. (line 1, character 11)"),
        ("what = hrejw'ewjrhejkw", "The quoted string 'ewjrhejkw' has not been completed. (line 1, character 13)"),
        (
            'wh"at = hrejwewjrhejkw',
            "The quoted string 'at = hrejwewjrhejkw' has not been completed. (line 1, character 3)",
        ),
        (r"comme\unt ~ 'test", rf"'\un' is an illegal JQL escape sequence. {SEQUENCES} (line 1, character 6)"),
        ("status =\n\n\n\n\n\n \\c", rf"'\c' is an illegal JQL escape sequence. {SEQUENCES} (line 7, character 2)"),
        ("status =\n\n\n\n \\csss", rf"'\c' is an illegal JQL escape sequence. {SEQUENCES} (line 5, character 2)"),
        ("status =\n\n\n\n\\", f"The escape sequence has not been completed. {SEQUENCES} (line 5, character 1)"),
        ("status =\n\n\n\n\\u", rf"'\u' is an illegal JQL escape sequence. {SEQUENCES} (line 5, character 1)"),
        ("status =\n\n\n\n'\\u'", rf"'\u'' is an illegal JQL escape sequence. {SEQUENCES} (line 5, character 2)"),
        (r"summary \!~ 'x'", rf"'\!' is an illegal JQL escape sequence. {SEQUENCES} (line 1, character 9)"),
        ("mine{www = qwwr", reserved("{", "007b", 5)),
        ("minewww# = qwwr", reserved("#", "0023", 8)),
        ("minewww = qwwr}", reserved("}", "007d", 15)),
        ("pri ^ empty", reserved("^", "005e", 5)),
        ("assignee = @me", reserved("@", "0040", 12)),
        ("minewww =\x7fqwwr", illegal("007F", 10)),
        ('mqwwr="\x7f this is broken"', illegal("007F", 8)),
        ("control = 'char\t'", illegal("0009", 16)),
        ("aaaaa=-3482094382084092840932809482", too_big("-3482094382084092840932809482", 7)),
        ("cf[1002020202002020202020202020020202822]=a", too_big("1002020202002020202020202020020202822", 4)),
        ("project = SET", reserved_word("SET", 11)),
        ("pri notin (x)", reserved_word("notin", 5)),
    ],
)
def test_text_that_is_no_word_of_the_language_is_refused_where_it_stands(jql: str, sentence: str) -> None:
    assert refusal(jql) == f"Error in the JQL Query: {sentence}"


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_a_reserved_word_must_be_quoted(word: str) -> None:
    assert refusal(f"summary ~ {word}") == f"Error in the JQL Query: {reserved_word(word, 11)}"
    assert parse(f"summary ~ '{word}'").where == Clause(FieldName("summary"), "~", Value(word))


@pytest.mark.parametrize(
    ("jql", "sentence"),
    [
        ("a =b order", "Expecting 'by' before the end of the query."),
        ("a =b order summary", "Expecting 'by' but got 'summary'. (line 1, character 12)"),
        ("a =b order by", "Expecting a field name at the end of the query."),
        ("a =b order by asc", "Expecting a field name " + instead("asc", "a field name", 15)),
        ("a =b order by ajsks blah", "Expecting either 'ASC' or 'DESC' but got 'blah'. (line 1, character 21)"),
        ("order by a desc d", "Expecting ',' but got 'd'. (line 1, character 17)"),
        (
            'comment !~ "brenden" and cf[1000] = jill order by a desc b',
            "Expecting ',' but got 'b'. (line 1, character 58)",
        ),
        ('a =b order by "" desc', "A field name cannot be empty. (line 1, character 15)"),
        ("'' = c", "A field name cannot be empty. (line 1, character 1)"),
        ("summary ~ bad and \n\\  ~ cool", "A field name cannot be empty. (line 2, character 1)"),
        ("a = ''()", "A function name cannot be empty. (line 1, character 5)"),
        ("a", f"Expecting operator before the end of the query. {OPERATORS}"),
        ("a blah >", f"Expecting operator but got 'blah'. {OPERATORS} (line 1, character 3)"),
        ("invalid query", f"Expecting operator but got 'query'. {OPERATORS} (line 1, character 9)"),
        ("pri ! in (test)", f"Expecting operator but got '!'. {OPERATORS} (line 1, character 5)"),
        ("a =a and j not is empty", "Expecting 'IN' but got 'is'. (line 1, character 16)"),
        ("a =a and j is ! empty", "Expecting 'NOT' but got '!'. (line 1, character 15)"),
        ('a not was "Open"', "Expecting 'IN' but got 'was'. (line 1, character 7)"),
        ("cf", "Expecting '[' before the end of the query."),
        ("a = b and not (cf = 6)", "Expecting '[' but got '='. (line 1, character 19)"),
        ("cf[", "Expecting a custom field id (a positive number) before the end of the query."),
        ("cf[ = 9", "Expecting a custom field id (a positive number) but got '='. (line 1, character 5)"),
        ("cf[] = 1", "Expecting a custom field id (a positive number) but got ']'. (line 1, character 4)"),
        ("cf[29829k] = ", "Expecting a custom field id (a positive number) but got '29829k'. (line 1, character 4)"),
        ("cf[-29829] = 1", "Expecting a custom field id (a positive number) but got '-29829'. (line 1, character 4)"),
        ("cf[29829 = world", "Expecting ']' but got '='. (line 1, character 10)"),
        ("cf[29829", "Expecting ']' before the end of the query."),
        ("a = func(", "Expecting ')' before the end of the query."),
        ("a = func(, and not (a = x)", "Expecting ')' but got ','. (line 1, character 10)"),
        ("b=func(bad", "Expecting ')' before the end of the query."),
        ("bas=func(bad,)", "Function argument must be specified. (line 1, character 14)"),
        ("bas=func(bad,", "Expecting a function argument at the end of the query."),
        ("k = func(!", "Expecting a function argument " + instead("!", "an argument", 10)),
        ("k = func(abc, jk!)", "Expecting ')' or ',' but got '!'. (line 1, character 17)"),
        ("(a=b and c = d", "Expecting ')' before the end of the query."),
        ("a=b or (c=d and not l ~ kate", "Expecting ')' before the end of the query."),
        ("b in ((12, (288)", "Expecting ')' before the end of the query."),
        ("abc IN ((foo) abc = a", "Expecting ')' but got 'abc'. (line 1, character 15)"),
        ("(project = A ORDER BY key)", "Expecting ')' but got 'ORDER'. (line 1, character 14)"),
        ("a=b c=d", "Expecting either 'OR' or 'AND' but got 'c'. (line 1, character 5)"),
        ("a=b !c=d", "Expecting either 'OR' or 'AND' but got '!'. (line 1, character 5)"),
        ("reporter was (fred, bob) at '10:55'", "Expecting either 'OR' or 'AND' but got 'at'. (line 1, character 26)"),
        ("a = ((c,d), d, e, f, yyy) and", "Expecting a field name at the end of the query."),
        ("not not", "Expecting a field name at the end of the query."),
        (", a = b", "Expecting a field name " + instead(",", "a field name", 1)),
        ("[brenden] = a", "Expecting a field name but got '['. Did you mean 'cf['? (line 1, character 1)"),
        ("a = brenden and [78] = q", "Expecting a field name but got '['. Did you mean 'cf['? (line 1, character 17)"),
    ],
)
def test_words_in_the_wrong_order_are_refused_with_what_was_expected(jql: str, sentence: str) -> None:
    assert refusal(jql) == f"Error in the JQL Query: {sentence}"


@pytest.mark.parametrize(
    ("jql", "sentence"),
    [
        ("a=", "Expecting either a value, list or function before the end of the query."),
        ("a was", "Expecting either a value, list or function before the end of the query."),
        ("a=(a,", "Expecting either a value, list or function before the end of the query."),
        ("a=!", "Expecting either a value, list or function " + instead("!", "a value", 3)),
        ("a=(a,(,bad))", "Expecting either a value, list or function " + instead(",", "a value", 7)),
        ("project = IN", "Expecting either a value, list or function " + instead("IN", "a value", 11)),
        ("project= CF", "Expecting either a value, list or function " + instead("CF", "a value", 10)),
    ],
)
def test_a_missing_value_is_refused_in_the_sentence_that_lacks_the_article(jql: str, sentence: str) -> None:
    assert refusal(jql) == f"Error in JQL Query: {sentence}"


@pytest.mark.parametrize(
    ("jql", "sentence"),
    [
        ('status = "Open" by admin', 'The EQUALS operator does not support the use of the by "admin" predicate.'),
        (
            'fixVersion changed 4 by "I can type complete rubbish here"',
            (
                "The CHANGED operator does not support the use of values without predicates. You must prefix the 4"
                " value with a suitable predicate."
            ),
        ),
    ],
)
def test_predicates_belong_to_history_operators(jql: str, sentence: str) -> None:
    assert refusal(jql) == sentence


def test_and_binds_tighter_than_or_and_not_tighter_than_both() -> None:
    a, b, c = (Clause(FieldName(name), "=", Value("1", number=True)) for name in "abc")
    assert parse("a=1 or b=1 and not c=1").where == Or((a, And((b, Not(c, 2)), 3)), 4)
    assert parse("(a=1 || b=1) && !c=1").where == And((Or((a, b), 2), Not(c, 2)), 3)


def test_every_form_of_operand_is_read() -> None:
    where = parse(r"""cf[10001] not in ("In Progress", 'it\'s', -5, EMPTY, membersOf("a b", c), (null))""").where
    items = (
        Value("In Progress"),
        Value("it's"),
        Value("-5", number=True),
        Empty("EMPTY"),
        Function("membersOf", ("a b", "c")),
    )
    assert where == Clause(
        FieldName("cf[10001]", 10001), "not in", OperandList((*items, OperandList((Empty("null"),), 1)), 2)
    )


def test_history_clauses_keep_their_predicates_in_order() -> None:
    where = parse('status WAS NOT IN (a, b) BEFORE "2026/01/31 10:00" BY currentUser()').where
    predicates = (Predicate("before", Value("2026/01/31 10:00")), Predicate("by", Function("currentUser")))
    assert where == Clause(FieldName("status"), "was not in", OperandList((Value("a"), Value("b"))), predicates)


def test_order_by_alone_is_a_query_and_so_is_nothing() -> None:
    assert parse("order by Rank, 'Story Points' desc").order_by == (
        Sort(FieldName("Rank")),
        Sort(FieldName("Story Points"), True),
    )
    assert parse("  \n").where is None


def test_escapes_and_unicode_reach_the_value() -> None:
    where = parse(r"""summary ~ "tab\tquote\" \u0041 \ud83d\ude00 é" """).where
    assert where == Clause(FieldName("summary"), "~", Value('tab\tquote" A 😀 é'))
    assert parse(r"labels = a\ b\u002e").where == Clause(FieldName("labels"), "=", Value("a b."))


def test_dots_dashes_and_colons_need_no_quotes() -> None:
    assert parse("assignee = 557058:0a-1b.c").where == Clause(FieldName("assignee"), "=", Value("557058:0a-1b.c"))
    assert parse("updated >= -2w").where == Clause(FieldName("updated"), ">=", Value("-2w"))


@pytest.mark.parametrize("depth", [64, 20_000])
def test_nesting_is_refused_past_sixty_four_levels(depth: int) -> None:
    sentence = "The JQL query is nested too deeply: at most 64 levels are supported."
    assert refusal("not " * depth + "a = b") == sentence
    assert refusal(f"a in {'(' * (depth + 1)}b{')' * (depth + 1)}") == sentence
    assert parse("not " * 63 + "a = b").where is not None


def test_a_query_over_a_hundred_thousand_characters_is_refused() -> None:
    assert refusal("a = b or " * 12_000) == "The JQL query is too long: it may have at most 100000 characters."
