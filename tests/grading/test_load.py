"""A rubric that is wrong does not load, and the error names file, line and mend."""

import pytest
from grading_company import TABLES, Bench

from world.grading import RubricError, load_rubric

GOOD = """refs:
  agent: {employee: self}
  pay: {table: ticket, where: {title: Payments time out}}
expect:
  - id: fix
    update: {ref: pay}
    set: {status: Done}
"""
BROKEN = [
    ("expected: []", "unknown key 'expected'; did you mean 'expect'?", 3),
    (GOOD + "    weigth: 2\n", "unknown key 'weigth'; did you mean 'weight'?", 10),
    (GOOD.replace("update: {ref: pay}", "update: tickt"), "unknown table 'tickt'; did you mean 'ticket'?", 8),
    (GOOD.replace("ref: pay", "ref: pya"), "unknown ref 'pya'; did you mean 'pay'?", 8),
    (GOOD.replace("set: {status", "set: {stauts"), "unknown column of ticket 'stauts'; did you mean 'status'?", 9),
    (GOOD.replace("Done}", "{neq: Done}}"), "unknown operator 'neq'; did you mean 'ne'?", 9),
    (GOOD.replace("Done}", "{is_null: true}}"), "unknown operator 'is_null'", 9),
    (GOOD.replace("Done}", "{}}"), "an empty predicate says nothing", 9),
    (GOOD.replace("status: Done", "status_id: 2"), "2 is a literal row id", 9),
    (GOOD.replace("status: Done", "assignee: p_0003"), "'p_0003' is a literal row id", 9),
    (GOOD.replace("status: Done", "assignee: U00000003X"), "literal row id", 9),
    (GOOD.replace("title: Payments time out", "key: PAY-1"), "'PAY-1' is a literal row id", 5),
    (GOOD.replace("title: Payments time out", "id: 11"), "11 is a literal row id", 5),
    (GOOD.replace("title: Payments time out", "id: {in: [11, 12]}"), "11 is a literal row id", 5),
    (GOOD.replace("{employee: self}", "{employe: self}"), "a ref has exactly one of", 4),
    (GOOD.replace("{employee: self}", "{employee: {schedule: payments}}"), "a schedule needs `at`", 4),
    (GOOD.replace("{employee: self}", "{time: '2025-10-20'}"), "a time comes from an event or a ref", 4),
    (GOOD.replace("{employee: self}", "{alias: agent}"), "the aliases run in a circle", 4),
    (GOOD.replace("{employee: self}", "{company: domian}"), "did you mean 'domain'?", 4),
    (GOOD + "  - {id: fix, insert: chat_message}\n", "the id 'fix' is taken", 10),
    (
        GOOD + "  - {id: two, insert: chat_message, update: ticket, set: {title: a}}\n",
        "needs exactly one of insert, update, delete",
        10,
    ),
    (GOOD + "  - {id: two, update: ticket}\n", "an update needs set, text or only", 10),
    (GOOD + "  - {id: two, insert: chat_message, count: {min: 1}}\n", "the key 'max' is missing", 10),
    (GOOD + "  - {id: two, insert: chat_message, count: 0}\n", "greater than or equal to 1", 10),
    (GOOD + "  - {id: two, insert: chat_message, weight: 0}\n", "greater than 0", 10),
    (GOOD + "  - {id: two, insert: chat_message, within: 5m}\n", "within counts from after", 10),
    (
        GOOD + "  - {id: two, insert: chat_message, after: '2025-10-20T06:00Z'}\n",
        "a written time means another moment",
        10,
    ),
    (GOOD + "  - {id: two, insert: chat_message, text: {field: txt, mentions: a}}\n", "did you mean 'text'?", 10),
    (GOOD + "  - {id: two, insert: chat_message, text: {field: text, mention: a}}\n", "did you mean 'mentions'?", 10),
    (GOOD + "  - {id: two, insert: chat_message, text: {field: text}}\n", "no predicate", 10),
    (GOOD + "  - {id: two, insert: chat_message, text: {field: text, claims: {subject: a}}}\n", "claims takes", 10),
    (
        GOOD + "  - {id: two, insert: chat_message, text: {field: text, mentions: PAY-1}}\n",
        "'PAY-1' is a literal row id",
        10,
    ),
    (GOOD + "  - {id: two, insert: chat_message, where: {text: {matches: '(a'}}}\n", "missing )", 10),
    (GOOD + "  - {id: two, insert: chat_message, where: {text: {matches: '(?=a)'}}}\n", "no look-around", 10),
    (GOOD + "allow:\n  - {insert: chat_message}\n", "an allowance needs max", 11),
    (GOOD + "allow:\n  - {insert: chat_mesage, max: 1}\n", "did you mean 'chat_message'?", 11),
    (GOOD + "allow:\n  - {benign: [tiket]}\n", "did you mean 'ticket'?", 11),
    (GOOD + "allow:\n  - {update: ticket, max: 1}\n", "an allowed update needs set or only", 11),
    (GOOD + "never:\n  - {id: n, write: tikket}\n", "did you mean 'ticket'?", 11),
    (GOOD + "never:\n  - {id: n, write: any, where: {a: b}}\n", "need a table", 11),
    (
        GOOD + "never:\n  - {id: n, insert: ticket, sequence: [{insert: ticket}, {delete: ticket}]}\n",
        "needs exactly one of write",
        11,
    ),
    (GOOD + "never:\n  - {id: n, sequence: [{insert: ticket}]}\n", "at least 2 items", 11),
    (GOOD + "never:\n  - {id: n, write: story_ref}\n", "unknown table 'story_ref'", 11),
    (GOOD + "one_of:\n  - [fix]\n", "a group of alternatives has at least two sets", 10),
    (GOOD + "one_of:\n  - [fix]\n  - [fx]\n", "unknown item 'fx'; did you mean 'fix'?", 12),
    (GOOD + "answer: {status: impossible}\n", "impossible needs reason, reasons and evidence", 10),
    (GOOD + "answer: {status: done, fields: {a: {type: text}}}\n", "needs exactly one of value, eq_any, matches", 10),
    (GOOD + "answer: {status: done, fields: {a: {type: txt, value: b}}}\n", "Input should be", 10),
    (GOOD + "judge: [{id: tone, on: fix.title, rubric: Kind., weight: 0.2}]\n", "judge items weigh 17%", 10),
    (GOOD + "judge: [{id: tone, on: fix.title, rubric: Kind., weight: 0.1, gate: true}]\n", "unknown key 'gate'", 10),
    (GOOD + "judge: [{id: tone, on: fx.title, rubric: Kind.}]\n", "did you mean 'fix'?", 10),
    (GOOD + "judge: [{id: tone, on: fix.titel, rubric: Kind.}]\n", "did you mean 'title'?", 10),
    (GOOD + "python: [{id: p, call: predicates.nope}]\n", "unknown predicate 'nope'", 10),
    (GOOD + "score: {partial: some}\n", "Input should be 'weights' or 'none'", 10),
    (GOOD + "score: {threshold: 0}\n", "greater than 0", 10),
    ("refs: {agent: {employee: self}}\n", "nothing earns credit", None),
    ("answer: {status: done}\n", "nothing earns credit", None),
    ("expect: [{id: a, insert: chat_message, count: {min: 0, max: 3}}]\n", "every expected count may be 0", 3),
    ("expect: [\n", "not YAML", 4),
    ("expect: []\nexpect: []\n", "the key 'expect' stands twice", 4),
    (GOOD.replace("{ref: pay}", "{rif: pay}"), "takes a table name or {ref: name}", 8),
    (GOOD.replace("{ref: pay}", "{ref: agent}"), "the ref 'agent' names no row", 8),
    (GOOD.replace("{ref: pay}", "{ref: pay, feld: a}"), "did you mean 'field'?", 8),
    (
        GOOD.replace("status: Done", "assignee: {ref: words, field: x}").replace(
            "agent:", "words: {text: hi}\n  agent:"
        ),
        "is a text; it has no fields",
        10,
    ),
    (GOOD.replace("{status: Done}", "[status]"), "Input should be a valid dictionary", 9),
    (GOOD.replace("{title: Payments time out}", "[title]"), "takes a mapping of columns", 5),
    (GOOD.replace("title: Payments", "title_from: Payments"), "title_from takes a fact", 5),
    (GOOD.replace("title: Payments time out", "any_of: []"), "any_of takes a list of at least one mapping", 5),
    (GOOD.replace("where: {title: Payments time out}", "where: {}"), "a table ref needs a where", 5),
    (GOOD.replace("out}}", "out}, many: 2}"), "takes true or false", 5),
    (GOOD.replace("out}}", "out}, mny: true}"), "did you mean 'many'?", 5),
    (GOOD.replace("{employee: self}", "5"), "a ref is a mapping", 4),
    (GOOD.replace("{employee: self}", "{employee: me}"), "takes self, or a mapping", 4),
    (GOOD.replace("{employee: self}", "{employee: {shedule: a}}"), "did you mean 'schedule'?", 4),
    (
        GOOD.replace("{employee: self}", "{employee: {schedule: a, at: '06:00'}}"),
        "takes an event's time or a ref to one",
        4,
    ),
    (GOOD.replace("{employee: self}", "{fact: plain}"), "takes a fact like event.outage.ticket", 4),
    (GOOD.replace("{employee: self}", "{alias: agnt}"), "did you mean 'agent'?", 4),
    (GOOD.replace("{employee: self}", "{time: event.a.at, plus: soon}"), "not a duration", 4),
    ("refs: []\n", "Input should be a valid dictionary", 3),
    (GOOD.replace("Done}", "{eq: 1, tol: x}}").replace("status", "points"), "is not a tolerance", 9),
    (GOOD.replace("Done}", "{tol: 1}}").replace("status", "points"), "tol belongs beside one of eq, set_eq", 9),
    (GOOD.replace("status: Done", "due_at: soon"), "'soon' is not a time", 9),
    (GOOD.replace("status: Done", "due_at: {gt: soon}"), "'soon' is not a time", 9),
    (GOOD.replace("status: Done", "due_at: {eq: event.a.at, tol: soon}"), "is not a duration", 9),
    (GOOD.replace("status: Done", "title: {null: 1}"), "null takes true or false", 9),
    (GOOD.replace("status: Done", "title: {in: []}"), "takes a list of at least one value", 9),
    (GOOD.replace("status: Done", "title: {between: [1]}"), "between takes [low, high]", 9),
    (GOOD.replace("status: Done", "title: {story: 5}"), "story takes a handle", 9),
    (GOOD.replace("status: Done", "title: {number: {vale: 5}}"), "did you mean 'value'?", 9),
    (GOOD.replace("status: Done", "title: {number: {tol: 5}}"), "needs a value", 9),
    (GOOD.replace("status: Done", "title: {all_of: []}"), "all_of takes a list of at least one predicate", 9),
    (GOOD + "  - {id: two, insert: chat_message, set: {text: a}}\n", "set and only belong to update", 10),
    (GOOD + "  - {id: two, insert: chat_message, count: {min: 3, max: 2}}\n", "min is above max", 10),
    (GOOD + "  - {id: two, insert: chat_message, within: soon, after: event.a.at}\n", "not a duration", 10),
    (GOOD + "  - {id: two, insert: chat_message, text: {mentions: a}}\n", "text takes a mapping with `field`", 10),
    (
        GOOD + "  - {id: two, insert: chat_message, text: {field: channel, mentions: a}}\n",
        "a column of the table itself",
        10,
    ),
    (
        GOOD + "  - {id: two, insert: chat_message, text: {field: text, all_of: [5]}}\n",
        "takes a mapping with one of",
        10,
    ),
    (
        GOOD + "  - {id: two, insert: chat_message, text: {field: text, any_of: []}}\n",
        "any_of takes a list of at least one predicate",
        10,
    ),
    (
        GOOD + "  - {id: two, insert: chat_message, text: {field: text, mentions: true}}\n",
        "mentions takes a text, a number",
        10,
    ),
    (
        GOOD + "  - {id: two, insert: chat_message, text: {field: text, mentions: {tim: 5}}}\n",
        "or one of number, date, time, money",
        10,
    ),
    (GOOD + "  - {id: two, insert: chat_message, text: {field: text, quotes: hello}}\n", "quotes takes a ref", 10),
    (GOOD + "  - {id: two, insert: chat_message, text: {field: text, time: soon}}\n", "'soon' is not a time", 10),
    (
        GOOD + "  - {id: two, insert: chat_message, text: {field: text, time: {value: event.a.at, tol: soon}}}\n",
        "is not a duration",
        10,
    ),
    (
        GOOD + "  - {id: two, insert: chat_message, text: {field: text, max_chars: -1}}\n",
        "max_chars takes a whole number",
        10,
    ),
    (GOOD + "allow:\n  - {benign: all, max: 3}\n", "benign stands alone", 11),
    (GOOD + "allow:\n  - {delete: ticket, max: 1, gone_by_end: true}\n", "gone_by_end belongs to insert", 11),
    (GOOD + "never:\n  - {id: n, write: ticket, table: ticket}\n", "table belongs to write: any", 11),
    (GOOD + "never:\n  - {id: n, delete: any}\n", "unknown table 'any'", 11),
    (GOOD + "never:\n  - {id: n, early_retry: any, where: {a: b}}\n", "where and text belong to a write", 11),
    (GOOD + "answer: {status: done, reason: a}\n", "belong to status impossible", 10),
    (GOOD + "answer: {status: impossible, reason: a, reasons: [a], evidence: {ref: pay}}\n", "at least two codes", 10),
    (GOOD + "answer: {status: done, fields: {a: {type: number, matches: b}}}\n", "matches belongs to type text", 10),
    (GOOD + "answer: {status: done, fields: {a: {type: choice, value: b}}}\n", "a choice lists its options", 10),
    (GOOD + "answer: {status: done, fields: {a: {type: choice, options: [c], value: b}}}\n", "none of the options", 10),
    (GOOD + "answer: {status: done, fields: {a: {type: text, matches: '('}}}\n", "missing )", 10),
    (GOOD + "answer: {status: done, fields: {a: {type: number, value: 5, tol: -1}}}\n", "is not a tolerance", 10),
    (
        GOOD + "answer: {status: done, fields: {a: {type: date, value: event.a.at, tol: soon}}}\n",
        "is not a duration",
        10,
    ),
    (GOOD + "expext: " + "[" * 40 + "]" * 40 + "\n", "nested deeper than 32", 10),
    (GOOD + "score: {unclaimed: {penalty: 2}}\n", "less than or equal to 1", 10),
    (GOOD + "score: {weights: {penalty: 2}}\n", "unknown key 'weights'; known: threshold, partial, unclaimed", 10),
]


@pytest.mark.parametrize(("text", "message", "line"), BROKEN, ids=[message[:40] for _, message, _ in BROKEN])
def test_a_wrong_rubric_names_line_and_mend(bench: Bench, text: str, message: str, line: int | None) -> None:
    with pytest.raises(RubricError) as raised:
        bench.rubric(text)
    assert message in str(raised.value)
    assert line is None or raised.value.line == line
    assert str(raised.value).startswith("rubric.yaml")


def test_the_good_rubric_loads(bench: Bench) -> None:
    assert [item.id for item in bench.rubric(GOOD).items] == ["fix"]


def test_version_and_world_are_compulsory(bench: Bench) -> None:
    path = bench.folder / "rubric.yaml"
    for text in (
        "world: closed\n" + GOOD,
        "version: 1\n" + GOOD,
        "version: 2\nworld: closed\n" + GOOD,
        "version: 1\nworld: open\n" + GOOD,
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(RubricError):
            load_rubric(path, TABLES)


def test_names_the_scenario_does_not_know_are_refused(bench: Bench) -> None:
    bench.rubric(GOOD.replace("status: Done", "due_at: event.outage.start"))
    path = bench.folder / "rubric.yaml"
    load_rubric(path, TABLES, events=["outage"])
    with pytest.raises(RubricError, match="unknown event 'outage'; did you mean 'outages'"):
        load_rubric(path, TABLES, events=["outages"])
    bench.rubric(GOOD.replace("set: {status: Done}", "where: {story: payrol}\n    set: {status: Done}"))
    with pytest.raises(RubricError, match="did you mean 'payroll'"):
        load_rubric(path, TABLES, stories=["payroll"])


def test_too_many_combinations_are_refused(bench: Bench) -> None:
    items = "".join(
        f"  - {{id: a{n}, insert: chat_message}}\n  - {{id: b{n}, insert: chat_message}}\n" for n in range(7)
    )
    groups = "".join(f"  - [[a{n}], [b{n}]]\n" for n in range(7))
    with pytest.raises(RubricError, match="128 combinations"):
        bench.rubric("expect:\n" + items + "one_of:\n" + groups)


def test_a_rubric_is_a_mapping(bench: Bench) -> None:
    path = bench.folder / "rubric.yaml"
    path.write_text("[1, 2]", encoding="utf-8")
    with pytest.raises(RubricError, match="a rubric is a mapping of keys"):
        load_rubric(path, TABLES)


def test_yaml_has_no_surprises(bench: Bench) -> None:
    rubric = bench.rubric(GOOD + "judge:\n  - {id: tone, on: fix.title, rubric: yes, weight: 0.1}\n")
    assert (rubric.judges[0].on, rubric.judges[0].rubric) == ("fix.title", "yes")


def test_the_digest_is_of_the_meaning_not_of_the_comments(bench: Bench) -> None:
    first = bench.rubric(GOOD).digest
    assert bench.rubric("# a comment\n" + GOOD).digest == first
    assert bench.rubric(GOOD.replace("Done", "Closed")).digest != first
