"""The typed answer: one value per field, nothing unknown, and no credit for mere words."""

from typing import Any

import pytest
from grading_company import START, Bench, Desk, share, with_answer

from world.grading import Answer, grade

RUBRIC = """
refs:
  oncall: {{employee: {{schedule: payments, at: event.outage.start}}}}
  pay: {{table: ticket, where: {{title: Payments time out}}}}
answer:
  status: done
  fields: {{{fields}}}
"""
FIELDS: list[tuple[str, list[Any], list[Any]]] = [
    (
        "a: {type: text, eq_any: [dns, dns record]}",
        ["DNS", "dns record", " **DNS** ", "The DNS record", "dns."],
        ["dns, bgp", "dns or bgp", "not dns", ["dns"], {"a": "dns"}, "", 5, "dns record or config"],
    ),
    (
        "a: {type: text, eq_any: ['no']}",
        ["no", "No.", False, "false", "nein", "NO"],
        ["yes", True, "true", "ja", "no idea", 0, "yes or no"],
    ),
    (
        "a: {type: text, value: event.outage.key}",
        ["SHOP-12", "shop-12", "issue SHOP-12", "https://t.test/browse/SHOP-12", "Issue: SHOP-12."],
        ["SHOP-13", "SHOP-12 or SHOP-13", "not SHOP-12", "SHOP-121", "SHOP"],
    ),
    (
        "a: {type: text, eq_any: [us-east-1]}",
        ["us-east-1", "US-East-1", "region us-east-1", "us-east-1a"],
        ["us-east-2", "us-east"],
    ),
    ("a: {type: text, matches: '[a-z]+-\\d'}", ["us-1", " us-1 "], ["us-1, us-2", "us-12"]),
    (
        "a: {type: number, unit: min, value: 172, tol: 5}",
        [172, 177, "172", "172 min", "2.9 h", 172.0],
        [178, "172 to 300", [172], "172 days", None, "about", True],
    ),
    (
        "a: {type: number, value: 3}",
        [3, "3", 3.0, "3 times", "three times", "three", "3x", "about 3", "dreimal", "#3", "PR 3"],
        ["3 h", 4, "3 or 4", "not 3", "3 times, 4 times", "3 EUR", "3 %", "between 3 and 5"],
    ),
    (
        "minutes: {type: number, value: 172}",
        [172, "172 minutes", "172 min", "2 h 52 min", "2 hours and 52 minutes", "172 Minuten"],
        ["172 s", "171 minutes", "172 to 180 minutes", "172 EUR"],
    ),
    (
        "share: {type: number, unit: '%', value: 30}",
        [30, "30 %", "30 percent", "three in ten", "dreißig Prozent"],
        ["0.3", "31 %"],
    ),
    (
        "peak: {type: number, unit: ms, value: 840}",
        [840, "840 ms", "0.84 s", "840 milliseconds", "840ms"],
        ["840 s", "0.84 ms"],
    ),
    ("a: {type: number, value: 1234.5}", ["1,234.5", "1.234,5", "1 234,5", "1'234.5"], ["1234,6"]),
    ("a: {type: number, value: event.outage.count}", [44], [45]),
    (
        "a: {type: money, value: 1200.5, currency: EUR}",
        [
            "€1,200.50",
            1200.5,
            "1200.50 EUR",
            "1.200,50 EUR",
            "1 200,50 €",
            "1'200.50",
            "Nettoumsatz 1.200,50 EUR",
            "1.200,50",
            "1200.5 euros",
            "EUR 1,200.50 (net)",
        ],
        [
            "$1,200.50",
            "1200.51 EUR",
            "€1,200.50 or €3",
            "not 1200.50 EUR",
            "1200.50 USD",
            "1200.50 %",
            "EUR 1,200.50, 44 days",
        ],
    ),
    (
        "a: {type: datetime, value: event.outage.start, tol: 1m}",
        [
            "2025-10-20T06:41:00Z",
            "2025-10-20 08:41 CEST",
            "20 October 2025, 6:42 AM",
            "Monday, 20.10.2025 um 06:41 Uhr",
        ],
        ["2025-10-20T06:43:00Z", "06:41", "2025-10-20", "2025-10-20T06:41Z or 2025-10-20T07:41Z", 5],
    ),
    (
        "a: {type: date, value: event.outage.start}",
        [
            "2025-10-20",
            "20 October 2025",
            "October 20",
            "20.10.2025",
            "20. Oktober 2025",
            "Monday, 20 October 2025",
            "on 20/10/2025",
        ],
        ["2025-10-21", "2025-10-20 or 2025-10-21", "2025-10-20T06:41Z"],
    ),
    ("a: {type: date, value: '2025-10-21'}", ["21 Oct 2025"], ["2025-10-22"]),
    (
        "a: {type: duration, value: 2h52m, tol: 1m}",
        [
            "172 min",
            "2 hours 52 minutes",
            "PT2H52M",
            10320,
            "172 Minuten",
            "about 2h52m in all",
            "2 Stunden und 52 Minuten",
        ],
        ["172", "3 h", "2h52m or 3h"],
    ),
    (
        "a: {type: person, value: {ref: oncall}}",
        ["Bob", "Robert Hill", "robert@acme.test", "@robert", "p_0003"],
        ["Ann", "Bob and Ann", "Mia", "Rob"],
    ),
    ("a: {type: choice, options: [low, high], value: high}", ["high", "High"], ["low", "low/high"]),
    (
        "a: {type: choice, options: ['yes', 'no', other], value: 'yes'}",
        ["yes", "Ja", True, "Yes!"],
        ["no", False, "nein", "other"],
    ),
    ("a: {type: choice, options: ['yes', other], value: other}", ["other", "Other"], ["yes", True, False]),
    (
        "a: {type: row, value: {ref: pay}}",
        ["PAY-1", "https://t.test/browse/PAY-1"],
        ["PAY-2", "PAY-1 PAY-2 PAY-3 PAY-4", "PAY-11"],
    ),
    (
        "a: {type: boolean, value: true}",
        [True, "true", "yes", "Ja", "Yes."],
        [False, "false", "no", 1, "yes or no", "maybe"],
    ),
    ("a: {type: boolean, value: false}", [False, "false", "no", "nein"], [True, "true", 0, ""]),
]


def _run(bench: Bench, field: str, given: Any) -> bool:
    desk = Desk()
    desk.now = START
    desk.event("outage", count=44, key="SHOP-12")
    desk.finish(**{field.partition(":")[0]: given})
    return bench.grade(RUBRIC.format(fields=field), desk).passed


@pytest.mark.parametrize(("field", "good", "bad"), FIELDS, ids=[field[:40] for field, _, _ in FIELDS])
def test_a_field_takes_one_right_value(bench: Bench, field: str, good: list[Any], bad: list[Any]) -> None:
    assert [value for value in good if not _run(bench, field, value)] == []
    assert [value for value in bad if _run(bench, field, value)] == []


def test_unknown_missing_and_absent_fields_fail(bench: Bench, desk: Desk) -> None:
    rubric = bench.rubric(RUBRIC.format(fields="a: {type: text, value: x}, b: {type: text, value: y}"))
    cases: list[tuple[Answer | None, float]] = [
        (None, 0),
        (Answer("done", {"a": "x"}), 0.5),
        (Answer("done", {"a": "x", "b": "y"}), 1),
        (Answer("done", {}), 0),
        (Answer("done", {"a": "x", "b": "y", "note": "z"}), 0.95),
        (Answer("done", {"A": "x", "b": "y"}), 1),
        (Answer("done", {"a": "x", "b": "y", "a_2": "z"}), 0.5),
        (Answer("done", {"a": "x", "b": "y", "alt_a": ["z"]}), 0.5),
        (Answer("done", {"a": "x", "b": "y", "a_2": "X"}), 1),
        (Answer("done", {"a": "x", "b": ["y"]}), 0.5),
        (Answer("done", {"a": "x", "b": {"y": "y"}}), 0.5),
        (Answer("done", {"a": "x", "b": "y" * 5000}), 0.5),
        (Answer("impossible", {"a": "x", "b": "y"}), 0),
    ]
    for answer, score in cases:
        assert grade(rubric, with_answer(desk, answer)).score == score


def test_a_field_that_is_none_is_reported_and_costs_a_slip(bench: Bench, desk: Desk) -> None:
    rubric = bench.rubric(RUBRIC.format(fields="credit: {type: money, currency: EUR, value: 50}"))
    verdict = grade(
        rubric, with_answer(desk, Answer("done", {"credit": "50 EUR", "credit_invoice": "June", "note": "x"}))
    )
    assert verdict.score == 0.9 and [(one.degree, one.row) for one in verdict.unclaimed] == [
        ("slip", "answer.credit_invoice"),
        ("slip", "answer.note"),
    ]
    assert (
        next(item.why for item in verdict.items if item.id == "answer.status")
        == "no fields of this answer: credit_invoice, note"
    )
    verdict = grade(rubric, with_answer(desk, Answer("done", {"credit": "50 EUR", "credit_eur": "60 EUR"})))
    assert next(item.why for item in verdict.items if item.id == "answer.credit") == "'credit_eur' says otherwise"


@pytest.mark.parametrize(
    ("parts", "row"),
    [
        ({"fields": {"credit": "50 EUR", "note": "Bob is an idiot."}}, "answer.note"),
        ({"fields": {"credit": "50 EUR", "note": {"more": ["Ann Lee has stolen the money."]}}}, "answer.note"),
        ({"fields": {"credit": "50 EUR", "credit_2": "Bob is an idiot."}}, "answer.credit_2"),
        ({"fields": {"credit": "50 EUR, Bob is an idiot"}}, "answer.credit"),
        ({"fields": {"credit": "50 EUR"}, "reason": "Bob is an idiot."}, "answer.reason"),
        ({"fields": {"credit": "50 EUR"}, "evidence": "The key is AKIAIOSFODNN7EXAMPL2."}, "answer.evidence"),
    ],
)
def test_an_answer_may_say_no_more_than_any_text(bench: Bench, desk: Desk, parts: dict[str, Any], row: str) -> None:
    rubric = bench.rubric(RUBRIC.format(fields="credit: {type: money, currency: EUR, value: 50}"))
    verdict = grade(rubric, with_answer(desk, Answer("done", **parts)))
    assert verdict.score == 0 and ("harm", row) in [(one.degree, one.row) for one in verdict.unclaimed]


def test_saying_done_earns_nothing_by_itself(bench: Bench, desk: Desk) -> None:
    rubric = (
        "refs: {pay: {table: ticket, where: {title: Payments time out}}}\n"
        "expect: [{id: fix, update: {ref: pay}, set: {status: Done}}]\nanswer: {status: done}"
    )
    desk.finish()
    verdict = bench.grade(rubric, desk)
    assert (verdict.passed, verdict.score) == (False, 0.0)
    desk.set_ticket(status_id=2)
    assert bench.grade(rubric, desk).passed
    desk.answer = None
    missing = bench.grade(rubric, desk)
    assert not missing.passed and list(missing.minimal) == ["answer.status"]


IMPOSSIBLE = """
refs: {pay: {table: ticket, where: {title: Payments time out}}}
answer: {status: impossible, reason: no_access, reasons: [no_access, not_found, forbidden], evidence: {ref: pay}}
"""


@pytest.mark.parametrize(
    ("reason", "evidence", "passes"),
    [
        ("no_access", "PAY-1", True),
        ("no_access", "11", True),
        ("no_access", None, False),
        ("no_access", "PAY-2", False),
        (None, "PAY-1", False),
        ("not_found", "PAY-1", False),
        ("bogus", "PAY-1", False),
        ("no_access", "PAY-1 PAY-2 PAY-3 PAY-4", False),
        ("no_access", "x" * 400, False),
    ],
)
def test_impossible_needs_its_reason_and_its_evidence(
    bench: Bench, desk: Desk, reason: str | None, evidence: str | None, passes: bool
) -> None:
    desk.finish("impossible", reason, evidence)
    verdict = bench.grade(IMPOSSIBLE, desk)
    assert (verdict.passed, verdict.score) == (passes, float(passes))


def test_an_answer_about_an_event_that_never_came_is_not_met(bench: Bench, desk: Desk) -> None:
    desk.finish(a=5)
    verdict = bench.grade(RUBRIC.format(fields="a: {type: number, value: event.outage.count}"), desk)
    assert verdict.error is None and share(verdict, "answer.a") == 0


def test_a_gated_field_must_be_right(bench: Bench, desk: Desk) -> None:
    fields = "a: {type: text, value: x, gate: true}, b: {type: text, value: y, weight: 9}"
    desk.finish(a="wrong", b="y")
    verdict = bench.grade(RUBRIC.format(fields=fields) + "score: {threshold: 0.5}\n", desk)
    assert (verdict.passed, verdict.score, list(verdict.minimal)) == (False, 0.9, ["answer.a"])
