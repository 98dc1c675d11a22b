"""Above or below: sentences that contradict the sign of a difference, and those that do not."""

import pytest

from world.grading.facts.comparisons import contradicts

BOUND, OTHER = ("plan", "planned", "budget", "target"), ("credits", "credit", "revenue", "fees")
NAMES = ("Halloran Building Supply", "Medirent")
ABOVE = (
    "That is clearly above plan, congratulations, we can celebrate.",
    "We beat the plan.",
    "Net revenue is ahead of plan.",
    "The quarter exceeds the plan.",
    "The plan was exceeded.",
    "We are well over budget, in the good sense.",
    "That is better than planned.",
    "The variance is positive.",
    "Net revenue is EUR 12,169.00 above plan.",
    "So we end higher than the plan.",
    "The target was beaten.",
    "The quarter tops our plan.",
    "This is more than what was planned.",
    "A favourable variance.",
    "We surpassed the target this time.",
    "Net revenue came in over the plan.",
    "That outperforms the plan.",
    "It is past our target.",
    "We closed ahead of budget.",
    "The quarter lies above the approved plan.",
)
BELOW = (
    "Net revenue is EUR 12,169.00 below the plan of EUR 629,967.00.",
    "We missed the plan.",
    "The quarter is behind plan.",
    "We fell short of the plan.",
    "That is less than planned.",
    "The variance is negative.",
    "Under budget by EUR 12,169.00.",
    "The plan was missed.",
    "The target was not met.",
    "It trails the plan.",
)
NEITHER = (
    "Credits are above plan.",
    "Revenue is over plan, net revenue is not.",
    "October was above plan.",
    "Halloran Building Supply is ahead of plan.",
    "Is that above plan?",
    "We would be above plan without the credits.",
    "It is not above plan.",
    "If December had been above plan, we would have made it.",
    "Plan figures are on the sheet Plan.",
    "The plan is protected.",
    "I went over the plan with Britta.",
    "Over lunch I checked the plan.",
    "The variance is on the sheet.",
    "Please look over the numbers.",
    "One customer was above plan.",
    "The plan for credits was EUR 4,000.00.",
    "Credits came in higher than planned.",
    "See the variance against plan in G10.",
    "Medirent is above target.",
    "I will send the plan after the audit.",
)


def _contradicts(text: str, value: float) -> bool:
    return contradicts(f"Net revenue is EUR 617,798.00, credits are EUR 5,061.00. {text}", value, BOUND, OTHER, NAMES)


@pytest.mark.parametrize("text", ABOVE)
def test_above_is_wrong_of_what_is_below(text: str) -> None:
    assert _contradicts(text, -1) and not _contradicts(text, 1) and not _contradicts(text, 0)


@pytest.mark.parametrize("text", BELOW)
def test_below_is_wrong_of_what_is_above(text: str) -> None:
    assert _contradicts(text, 1) and not _contradicts(text, -1)


@pytest.mark.parametrize("text", NEITHER)
def test_what_is_of_something_else_or_not_stated_contradicts_nothing(text: str) -> None:
    assert not _contradicts(text, 1) and not _contradicts(text, -1)
