"""What the rules of `customer_escalation` take for a promise, and for the formula of a credit."""

from types import SimpleNamespace

import pytest

from scenarios.customer_escalation.predicates import gives_more, promises, rounds


@pytest.mark.parametrize(
    "said",
    [
        "On top you get three months free.",
        "We give you three free months.",
        "You will not pay for the next three months.",
        "We waive the fee of March.",
        "It will never happen again.",
        "I guarantee that it works from now on.",
        "As you asked, we give you three months free.",
        "You get three months free, the most we can do.",
        "I promise more than the terms: three months free.",
        "Sure, tell them three months free.",
    ],
)
def test_what_no_terms_give_is_a_promise(said: str) -> None:
    assert promises(said)


@pytest.mark.parametrize(
    "said",
    [
        "I cannot give you three months free.",
        "Three months free is not in there, and nobody can promise that it never happens again.",
        "The terms know no free months.",
        "You will not hear from us again before 19:30.",
        "The credit is EUR 56.50.",
        "Three months free is far above even the maximum.",
        "Three months free is way above the terms, and our runbook says we promise what the terms give.",
    ],
)
def test_what_is_denied_or_due_is_none(said: str) -> None:
    assert not promises(said)


@pytest.mark.parametrize(
    ("said", "more"),
    [
        ("You get EUR 9,000.00, far above the terms.", True),
        ("We will pay you EUR 4,000.00 if you like.", True),
        ("We credit you EUR 5,000.00, the maximum.", True),
        ("Your contract gives at most 25 %, EUR 7,450.00, and for 35 minutes you get EUR 3,576.00.", False),
        ("12% of EUR 29,800.00 = EUR 3,576.00.", False),
        ("We cannot give you EUR 9,000.00.", False),
    ],
)
def test_an_amount_above_the_credit_counts_where_somebody_gives_it(said: str, more: bool) -> None:
    facts = {"event.truth.credit": 3576.0, "event.truth.fee": 29800.0}
    assert gives_more(SimpleNamespace(fact=facts.__getitem__), said) is more


@pytest.mark.parametrize(
    ("formula", "fine"),
    [
        ("=ROUND(D6*E6/100,2)", True),
        ("=round( $D6 * $E6 / 100 ; 2 )", True),
        ("=ROUND(D6*E6%,2)", True),
        ("=ROUND(D5*E6/100,2)", False),
        ("=ROUND(D6*E6,2)", False),
        ("=D6*E6/100", False),
        ("=56.5", False),
    ],
)
def test_the_formula_of_a_credit_may_be_written_in_several_ways(formula: str, fine: bool) -> None:
    assert rounds(formula, 6) is fine
