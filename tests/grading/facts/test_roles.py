"""What figures are of: labels around them, the scale and currency of a whole text, the period of a sentence."""

import pytest

from tests.grading.facts.role_writings import (
    AMOUNTS,
    OTHERS_MEASURED,
    OTHERS_PERIODS,
    RIGHT,
    SAME_MEASURE,
    SAME_PERIOD,
    WRONG,
)
from world.core.reading.passage import Passage
from world.grading.facts import extract
from world.grading.facts.fact import Fact
from world.grading.facts.measures import Period, is_measured_otherwise, is_of_another_period, parse_period
from world.grading.facts.role_rules import find_role
from world.grading.facts.roles import UNDONE, Labels

LABELS = Labels(
    {
        "net": ["net revenue", "net sales", "net figure", "net"],
        "credits": ["credits", "credit", "credited", "refunds"],
        "revenue": ["revenue", "gross revenue", "revenue before credits", "total revenue"],
        "plan": ["plan", "budget"],
        "variance": ["variance"],
        "fees": ["fees", "paid"],
    }
)
QUARTER = Period(2025, 4)


def _amounts(text: str) -> list[Fact]:
    return [fact for fact in extract(Passage(text)) if fact.kind == "amount"]


def _roles(text: str) -> dict[str, str | None]:
    """Net and credits as a text calls them."""
    facts = _amounts(text)
    found = LABELS.assign(text, [(one.start, one.end) for one in facts])
    values = {"617798": "net", "5061": "credits"}
    return {values[str(one.value)]: found.get((one.start, one.end)) for one in facts if str(one.value) in values}


@pytest.mark.parametrize("text", RIGHT)
def test_a_figure_is_called_what_it_is_or_nothing(text: str) -> None:
    found = _roles(text.format(**AMOUNTS))
    assert found.keys() == {"net", "credits"}
    assert all(role in (None, wanted) for wanted, role in found.items())


def test_nearly_every_figure_has_a_label() -> None:
    found = [role for text in RIGHT for role in _roles(text.format(**AMOUNTS)).values()]
    assert found.count(None) <= 8 < len(found) / 10


@pytest.mark.parametrize("text", WRONG)
def test_a_figure_under_another_label_is_called_by_it(text: str) -> None:
    assert any(role not in (None, wanted) for wanted, role in _roles(text.format(**AMOUNTS)).items())


COUNTED = Labels({"red": ["red", "failed"], "green": ["green", "passed"], UNDONE: ["weren't", "were not"]})


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("2 builds did not end green.", "red"),
        ("2 of them weren't green.", "red"),
        ("2 were not green.", "red"),
        ("2 never came out green", "red"),
        ("2 builds did not end red.", "green"),
        ("2 were green, none was red.", "green"),
        ("2 weren't started.", UNDONE),
    ],
)
def test_a_figure_with_a_denied_label_is_of_the_other_role(text: str, role: str) -> None:
    assert COUNTED.assign(text, [(0, 1)]) == {(0, 1): role}


OWED = Labels({"owed": ["comes to", "back"], "charged": ["charge of", "charge was"]})


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        ("110 % of EUR 200.00 comes to EUR 220.00.", [None, "owed"]),
        ("A charge of EUR 200.00 comes to EUR 220.00 back.", ["charged", "owed"]),
    ],
)
def test_a_label_that_points_ahead_is_not_of_the_figure_before_it(text: str, roles: list[str | None]) -> None:
    places = [(one.start, one.end) for one in _amounts(text)]
    found = OWED.assign(text, places)
    assert [found.get(one) for one in places] == roles


def test_a_sum_without_its_currency_takes_its_label() -> None:
    passage = Passage("EUR 129.00: the charge was 161.00.")
    facts = extract(passage)
    sum = next(one for one in facts if one.kind == "amount")
    assert find_role(passage, facts, sum, (("owed", ("back",)), ("charged", ("charge was",)))) is None


@pytest.mark.parametrize("text", OTHERS_MEASURED)
def test_another_scale_or_currency_is_said_of_all_amounts(text: str) -> None:
    assert is_measured_otherwise(Passage(f"Net revenue EUR 617,798.00, credits EUR 5,061.00. {text}"), "EUR")


@pytest.mark.parametrize("text", SAME_MEASURE)
def test_thousands_and_dollars_of_other_things_change_nothing(text: str) -> None:
    assert not is_measured_otherwise(Passage(f"Net revenue EUR 617,798.00, credits EUR 5,061.00. {text}"), "EUR")


def _is_of_another(text: str) -> bool:
    text = text.format(**AMOUNTS)
    facts = [fact for fact in _amounts(text) if str(fact.value) in ("617798", "5061")]
    assert facts
    return any(is_of_another_period(Passage(text), fact, QUARTER) for fact in facts)


@pytest.mark.parametrize("text", OTHERS_PERIODS)
def test_a_figure_of_another_quarter_or_part(text: str) -> None:
    assert _is_of_another(text)


@pytest.mark.parametrize("text", SAME_PERIOD)
def test_other_periods_in_a_text_do_not_take_the_figure(text: str) -> None:
    assert not _is_of_another(text)


def test_a_quarter_is_written_with_its_year() -> None:
    assert parse_period("2025-Q4") == QUARTER
    assert parse_period("Q4") is parse_period("2025-Q5") is None
