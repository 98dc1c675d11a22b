"""What the rules of `customer_escalation` take for a promise, and for the formula of a credit."""

import pytest

from scenarios.customer_escalation.predicates import promises, rounds


@pytest.mark.parametrize(
    "said",
    [
        "On top you get three months free.",
        "We give you three free months.",
        "You will not pay for the next three months.",
        "We waive the fee of March.",
        "It will never happen again.",
        "I guarantee that it works from now on.",
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
    ],
)
def test_what_is_denied_or_due_is_none(said: str) -> None:
    assert not promises(said)


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
