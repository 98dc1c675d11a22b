"""The `facts` of a text: what must be stated, what else may be, what must never be named."""

import pytest
from grading_company import START, Bench, Desk

from world.grading import RubricError

RULE = """
refs:
  oncall: {{employee: {{schedule: payments, at: event.outage.start}}}}
  pay: {{table: ticket, where: {{title: Payments time out}}}}
  customer: {{table: organisation, where: {{name: Harbor Light Dental}}}}
expect:
  - {{id: post, insert: chat_message, where: {{channel: incidents}}, text: {{field: text, facts: {{{facts}}}, max_chars: 2000}}}}
"""
FACTS: list[tuple[str, list[str], list[str]]] = [
    (
        "must: [35 min]",
        [
            "35 minutes",
            "thirty-five minutes",
            "It took 35min.",
            "PT35M",
            "fünfunddreißig Minuten",
            "from 06:41, 35 m, all in all",
        ],
        ["36 min", "35", "35 hours", "~~35 min~~", "> 35 min\nno", "3 5 min", "<del>35 min</del> 36 min"],
    ),
    (
        "must: [1234.56 EUR]",
        ["1.234,56 EUR", "EUR 1,234.56", "€1234.56", "1 234,56 €", "1'234.56 euros"],
        ["1234.56", "$1,234.56", "1.234,57 EUR", "11,234.56 EUR", "~1.234,56 EUR~"],
    ),
    (
        "must: [1234.00 EUR], only: [amount]",
        [
            "1.234 EUR",
            "1,234 EUR",
            "1.234,00 EUR, as 50 % of the fee",
            "1.234 EUR. ~~99 EUR~~",
            "it is 1.234 EUR, i.e. 1,234.00 EUR",
        ],
        ["1.234 EUR and 99 EUR", "1.234 EUR or 1.234 USD", "99 EUR", "1.234 EUR or €99"],
    ),
    (
        "must: [1.5 h, 2250 EUR], only: [amount, duration]",
        ["90 minutes: 2.250 EUR"],
        ["90 minutes: 2.250 EUR, within 2 h"],
    ),
    (
        "must: [{amount: event.outage.credit, currency: EUR}], only: [amount]",
        ["we credit €312.40", "312,40 EUR it is"],
        ["312.40", "€312.41", "€312.40 and €5 on top"],
    ),
    (
        "must: [{duration: event.outage.count, unit: min, tol: 1}]",
        ["44 min", "45 minutes", "three quarters of an hour"],
        ["46 min", "44"],
    ),
    (
        "must: [{amount: 312.40, currency: EUR, called: credit}], labels: {credit: [credit, credited], fee: [fee, fees]}, period: 2025-Q4",
        [
            "we credited €312.40",
            "€312.40",
            "fee: €900, credit: €312.40",
            "credit of €312.40 on the fee of Q4",
            "Q4 2025: credit €312.40",
        ],
        [
            "your fee is €312.40",
            "credit: €900, fee: €312.40",
            "we credited €312.40. All amounts in thousands.",
            "we credited €312.40. All amounts are in USD.",
            "credit of Q3: €312.40",
        ],
    ),
    (
        "must: [312.40 EUR], labels: {fee: [fee], plan: [plan]}, sides: [{of: fee, by: plan, value: event.outage.count}]",
        ["€312.40", "€312.40, above plan", "€312.40. Is it below plan?"],
        ["€312.40, below plan", "€312.40. We missed the plan."],
    ),
    (
        "must: [{ref: pay, called: open}], only: [{kind: key, called: open}], labels: {open: 'open, no agreement', agreed: [agreed, in]}",
        [
            "PAY-1 is open",
            "PAY-1",
            "Agreed: PAY-9. No agreement on PAY-1.",
            "all agreed but PAY-1",
            "PAY-1 was never agreed",
            "Open:\n- PAY-1\n\nAgreed:\n- PAY-9",
        ],
        [
            "PAY-1 is agreed",
            "PAY-1 and PAY-9 are open",
            "PAY-9 is open, PAY-1",
            "PAY-1 is not open",
            "PAY-1, PAY-9",
            "all are in, PAY-1 too",
            "Open: none. PAY-1: it is PAY-1 that they agreed on.",
        ],
    ),
    (
        "must: [{ref: oncall, called: caller}], never: [{ref: oncall, called: gone}],"
        " labels: {caller: [called], asker: [asked], gone: [took it back]}",
        ["Bob called", "Ann asked, Bob called", "it was Bob who called", "called by Bob after Ann asked"],
        [
            "Ann called, Bob asked",
            "Bob asked",
            "Bob called, but took it back",
            "not Bob called",
            "Bob did not call, he asked",
        ],
    ),
    (
        "must: [{text: Blue Bowl, called: won}], never: [{text: [Green, Red], called: won}], labels: {won: [won, winner], lost: [lost]}",
        ["Blue Bowl won", "blue  bowl is the winner, Red lost", "Blue Bowl", "Green did not win, Blue Bowl won"],
        ["Blue Bowl lost", "Blue Bowl and Red won", "Blue", "Red won, then Blue Bowl", "Blue Bowling won"],
    ),
    ("must: [30 %]", ["30 %", "three in ten", "3/10 of the buyers", "3 out of 10"], ["3 %", "30", "4/10", "30 EUR"]),
    (
        "must: [{count: 4}]",
        ["4 of 9 rows", "Of 9 rows only 4 fit", "either way it is 4"],
        ["Of 4 rows only two fit", "between 4 and 7 rows", "either 4 or 5", "either 4 rows or so"],
    ),
    (
        "must: [{text: [event.outage.test, Red]}]",
        ["test_keys and Red", "Red, test_keys"],
        ["test_keys", "Red", "test_keys or test_other, and Red", "either test_keys or another one, and Red"],
    ),
    ("must: [{amount: 500, currency: EUR}]", ["EUR 500", "EUR 500 (USD 540)"], ["EUR 500 or EUR 510"]),
    (
        "must: [{text: Blue Bowl, called: theirs}], labels: {ours: [our team's, ours], theirs: [their team's, theirs]}",
        ["Blue Bowl is their team's", "Blue Bowl is theirs"],
        ["Blue Bowl is our team's", "Blue Bowl is ours"],
    ),
    ("must: [event.outage.count]", ["44 minutes", "44 orders", "forty-four"], ["440", "4.4"]),
    ("must: [event.outage.start]", ["06:41", "6:41 AM", "08:41 CEST", "2025-10-20 06:41 UTC"], ["06:42", "06:41 CEST"]),
    ("must: [{date: event.outage.start}]", ["20 October", "20.10.2025", "Oct 20 at 15:00"], ["21 October", "06:41"]),
    (
        "must: [{ref: oncall}]",
        ["Bob has it", "@robert has it", "Robert Hill", "robert@acme.test"],
        ["Ann has it", "> Bob"],
    ),
    ("must: [{ref: pay}]", ["see PAY-1", "https://t.test/browse/PAY-1"], ["PAY-11", "PAY-2", "> PAY-1"]),
    (
        "must: [{ref: customer}]",
        ["Harbor Light Dental", "harbor light", "HLD", "at hldental.test", "Harbor-Light-Dental", "HARBOR LIGHT"],
        ["Harbor", "Dental", "hld", "H\u0430rbor Light"],
    ),
    ("must: [event.outage.customer]", ["HLD is affected", "Harbor Light is affected"], ["a harbor"]),
    (
        "never: [{ref: customer}]",
        ["two customers", "a safe harbor, light", "dental"],
        [
            "Harbor Light",
            "HLD",
            "> Harbor Light Dental",
            "~~HLD~~",
            "Otto Krantz",
            "ok@hldental.test",
            "https://hldental.test/x",
            "Harb\u200bor Light",
            "Ηarbor Light",
        ],
    ),
    ("never: [amount, percentage]", ["44 minutes"], ["44 EUR", "30 %", "three in ten", "> 44 EUR"]),
    ("never: [44 min]", ["45 min", "44"], ["forty-four minutes", "44m"]),
]


def _passes(bench: Bench, facts: str, text: str) -> bool:
    desk = Desk()
    desk.now = START
    desk.event("outage", count=44, credit="312.40", customer="Harbor Light Dental", test="test_keys")
    desk.say(text)
    return bench.grade(RULE.format(facts=facts), desk).passed


@pytest.mark.parametrize(("facts", "good", "bad"), FACTS, ids=[facts[:50] for facts, _, _ in FACTS])
def test_facts_are_told_however_they_are_written(bench: Bench, facts: str, good: list[str], bad: list[str]) -> None:
    assert [text for text in good if not _passes(bench, facts, text)] == []
    assert [text for text in bad if _passes(bench, facts, text)] == []


WRONG = [
    ("must: []", "must takes a list"),
    ("must: [soon]", "'soon' states no fact"),
    ("must: [PAY-1]", "literal row id"),
    ("most: [35 min]", "did you mean 'must'?"),
    ("only: [amounts]", "did you mean 'amount'?"),
    ("must: [{amount: 5}]", "unknown currency"),
    ("must: [{duration: 5, unit: minuets}]", "did you mean 'minutes'?"),
    ("must: [{amount: 5, currency: EUR, unit: x}]", "unknown key 'unit'"),
    ("must: [{duration: 5, unit: min, tol: -1}]", "is not a tolerance"),
    ("must: [{amount: 5, currency: EUR, called: fee}], labels: {fees: [fee]}", "did you mean 'fees'?"),
    ("must: [5 EUR], labels: {fees: [7]}", "labels takes a mapping"),
    ("must: [5 EUR], sides: [{of: fee}]", "sides takes a list"),
    ("must: [5 EUR], labels: {fee: [fee]}, sides: [{of: fee, by: fees, value: 3}]", "did you mean 'fee'?"),
    ("must: [5 EUR], period: Q4", "'Q4' is no quarter such as 2025-Q4"),
    ("must: [{price: 5}]", "a mapping with one of amount"),
    ("must: [true]", "a fact is a text"),
    ("must: [{ref: nobody}]", "unknown ref 'nobody'"),
]


@pytest.mark.parametrize(("facts", "said"), WRONG, ids=[facts for facts, _ in WRONG])
def test_a_rubric_with_wrong_facts_says_where_and_how_to_mend_it(bench: Bench, facts: str, said: str) -> None:
    with pytest.raises(RubricError, match=r"rubric.yaml:\d+: expect.*facts") as error:
        bench.rubric(RULE.format(facts=facts))
    assert said in str(error.value)


def test_an_explanation_names_the_clause_that_failed(bench: Bench) -> None:
    desk = Desk()
    desk.event("outage", count=44)
    desk.say("35 min, and 99 EUR")
    verdict = bench.grade(RULE.format(facts="must: [35 min, 5 EUR], only: [amount]"), desk)
    (why,) = [item.why for item in verdict.items if item.id == "post"]
    assert "states '5 EUR'" in why and "states no other amount" in why and "35 min" not in why


def test_another_amount_told_later_to_the_same_readers_takes_the_first_away(bench: Bench) -> None:
    facts = "must: [{amount: 5, currency: EUR, called: fee}], labels: {fee: [fee], credit: [credit]}"
    for later, passes in {
        "the fee is EUR 6": False,
        "the fee is EUR 5": True,
        "the credit is EUR 6": True,
        "the fee is EUR 6 above plan": True,
        "fee: EUR 6, not EUR 5": False,
        "it was EUR 6 in the end": False,
        "For the board: it is EUR 6.": False,
        "it was EUR 6 last year": True,
        "there are EUR 6 coins in the box": True,
        "it is EUR 6 more than planned": True,
    }.items():
        desk = Desk()
        desk.now = START
        desk.event("outage", count=44)
        desk.say("the fee is EUR 5")
        desk.now += 3_600_000_000
        desk.say(later)
        verdict = bench.grade(RULE.format(facts=facts), desk)
        assert (verdict.items[0].share == 1) is passes, later


def test_another_person_named_later_in_the_same_role_takes_the_first_away(bench: Bench) -> None:
    facts = "must: [{ref: oncall, called: caller}], labels: {caller: [called], asker: [asked]}"
    for later, passes in {
        "Ann called": False,
        "Bob asked, nobody called": False,
        "I mixed up the names, it is Ann": False,
        "Please write Ann instead": False,
        "Ann asked": True,
        "Bob called at noon": True,
        "Did Ann call?": True,
        "It took 5 minutes": True,
    }.items():
        desk = Desk()
        desk.now = START
        desk.event("outage", count=44)
        desk.say("Bob called")
        desk.now += 3_600_000_000
        desk.say(later)
        verdict = bench.grade(RULE.format(facts=facts), desk)
        assert (verdict.items[0].share == 1) is passes, later


def test_a_list_may_not_go_on_later_with_what_does_not_belong_to_it(bench: Bench) -> None:
    facts = (
        "must: [{ref: pay, called: open}], never: [{text: PAY-9, called: open}], labels: {open: [open], shut: [closed]}"
    )
    for later, passes in {
        "And PAY-9 too.": False,
        "Oh, and also PAY-9": False,
        "And PAY-9 is closed.": True,
        "And PAY-9, what about it?": True,
        "PAY-9 belongs to Ann": True,
    }.items():
        desk = Desk()
        desk.event("outage", count=44)
        desk.say("open: PAY-1")
        desk.now += 3_600_000_000
        desk.say(later)
        verdict = bench.grade(RULE.format(facts=facts), desk)
        assert (verdict.items[0].share == 1) is passes, later
