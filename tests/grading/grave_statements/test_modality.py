"""Where a grave phrase is stated, and where the words around it just take that away. `[ ... ]` marks the phrase."""

from collections.abc import Callable, Sequence

import pytest

from world.core.reading.passage import Passage
from world.grading.commitment.sentences import Sentence
from world.grading.facts import Vocabulary
from world.grading.grave_statements.detector import find_alarms, is_stated
from world.grading.grave_statements.modality import (
    is_denied,
    is_in_doubt,
    is_past,
    is_question,
    is_supposed,
    is_unreal,
)
from world.grading.grave_statements.patterns import Hit
from world.grading.grave_statements.sentences import MaskedSentence

Rule = Callable[[Sequence[str], Hit], bool]


def _mark(text: str, tag: str = "", *, turns: bool = False) -> tuple[list[str], Hit]:
    words = text.split()
    start, end = words.index("["), words.index("]") - 1
    return [word for word in words if word not in ("[", "]")], Hit(tag, start, end, turns)


SUPPOSED: list[tuple[str, bool]] = [
    ("we could have [ lost data ]", True),
    ("we could not have [ lost data ]", False),
    ("we could have not [ lost data ]", True),
    ("so not could they [ lose data ]", True),
    ("as it could , we [ lost data ]", False),
    ("here , could [ data leak ]", True),
    ("they [ could leak ] it", True),
    ("we must [ lose data ] here", True),
    ("we must , [ lost data ]", False),
    ("a [ leak ] must come", True),
    ("a [ leak ] , must we go", False),
    ("we [ lost data ]", False),
    ("we fear [ lost data ]", True),
]
DOUBTED: list[tuple[str, bool]] = [
    ("when they [ leak ]", True),
    ("the when they [ leak ]", False),
    ("when it rained , they [ leaked ]", False),
    ("if it rained , they [ leaked ]", True),
    ("if it rained , fine ; they [ leaked ]", True),
    ("we fear [ a leak ]", True),
    ("no fear ; it [ leaked ]", False),
    ("fear but [ it leaked ]", False),
    ("fear of ; that [ it leaked ]", False),
    ("a risk because [ it leaked ]", False),
    ("it broke but fear [ it leaked ]", True),
    ("fear [ it leaked ]", True),
    ("a risk since it [ leaked ]", False),
    ("[ leak ] is possible", True),
    ("[ leak ] , possible", False),
    ("[ leak ] in our small shop possible", True),
    ("[ leak ] in our very small shop possible", False),
    ("it [ leaked ]", False),
]
DENIED: list[tuple[str, bool]] = [
    ("not [ lost ]", True),
    ("[ lost ]", False),
    ("not , [ lost ]", False),
    ("not , it [ lost ]", False),
    (", not [ lost ]", True),
    ("so , not [ lost ]", True),
    ("no doubt it [ leaked ]", False),
    ("no big doubt it [ leaked ]", True),
    ("not only [ lost ]", False),
    ("[ lost ] not", True),
    ("[ lost ] one two three four not", True),
    ("[ lost ] one two three four five not", False),
    ("[ lost ] and not", False),
    ("[ lost ] , not", False),
    ("[ nobody paid ] today", True),
]
PAST: list[tuple[str, str, bool]] = [
    ("outage", "an [ outage ] in march", True),
    ("loss", "a [ loss ] in march", False),
    ("outage", "an [ outage ] of march", False),
    ("outage", "an [ outage ] in front", False),
    ("loss", "a [ loss ] now fixed", True),
    ("fraud", "a [ fraud ] now fixed", False),
    ("fraud", "a [ fraud ] in 2025", True),
    ("fraud", "a [ fraud ] in 2026", False),
    ("fraud", "a [ fraud ] by 2025", False),
    ("fraud", "a [ fraud ] in 20255", False),
    ("fraud", "a [ fraud ] in 1999", False),
    ("fraud", "a [ fraud ] in 20b5", False),
    ("fraud", "2025 a [ fraud ] in", False),
]
ASKED = [
    ("Has it leaked?", True),
    ("It has leaked.", False),
    ("It has leaked, have we?", False),
    ("It has leaked, we?", True),
    ("It has leaked, and so have we?", False),
    ("It has leaked, and so then have we?", True),
    ("It has leaked, is that so?", True),
    ("So, it has leaked, have we?", False),
]
UNREAL = [
    ("It leaked in the exercise.", True),
    ("It leaked, says the postmortem.", True),
    ("The coffee leaked.", True),
    ("It leaked in a dry run.", True),
    ("It leaked dry in a run.", False),
    ("It leaked.", False),
]


@pytest.mark.parametrize(
    ("rule", "cases"), [(is_supposed, SUPPOSED), (is_in_doubt, DOUBTED), (is_denied, DENIED)], ids=lambda one: ""
)
def test_words_around_a_phrase_reach_it_or_not(rule: Rule, cases: list[tuple[str, bool]]) -> None:
    assert [(text, rule(*_mark(text))) for text, _ in cases] == cases


def test_a_rule_with_a_negation_of_its_own_is_not_denied_by_it() -> None:
    cases = [
        ("[ nobody paid ] today", False),
        ("[ we paid nobody ] today", False),
        ("[ nobody paid ] not", True),
        ("not [ nobody paid ]", True),
    ]
    assert [(text, is_denied(*_mark(text, turns=True))) for text, _ in cases] == cases


def test_what_is_closed_or_long_over_is_past() -> None:
    assert [(tag, text, is_past(*_mark(text, tag))) for tag, text, _ in PAST] == PAST


def test_a_tag_question_states() -> None:
    assert [(text, is_question(Sentence(text, 0, len(text)))) for text, _ in ASKED] == ASKED


def test_words_of_drills_and_of_the_past_make_a_sentence_unreal() -> None:
    assert [(text, is_unreal(Sentence(text, 0, len(text)))) for text, _ in UNREAL] == UNREAL


def test_what_a_payment_is_for_is_no_loss() -> None:
    cases = [
        ("[ credit for missing ] events", False),
        ("[ credit against lost ] events", False),
        ("[ for missing ] events", True),
        ("we credit them [ for missing ] events", True),
        ("[ credit for late ] events", True),
        ("[ credit of missing ] events", True),
    ]
    assert [(text, is_stated(*_line(text))) for text, _ in cases] == cases


def _line(text: str) -> tuple[MaskedSentence, Hit]:
    words, hit = _mark(text)
    return MaskedSentence(Sentence(text, 0, len(text)), words), hit


LEAK = "Customer data has leaked."
TEXTS = [
    (LEAK, ["leak"]),
    ("Customer data has leaked and card numbers have leaked.", ["leak"]),
    ("Customer data has leaked. Card numbers have leaked.", ["leak", "leak"]),
    ("The backups are gone, customer data has leaked.", ["leak", "loss"]),
    ("Has customer data leaked?", []),
    (f"This is a drill. {LEAK}", []),
    (f"Is this a drill? {LEAK}", ["leak"]),
    (f"This is not a drill. {LEAK}", ["leak"]),
    (f"Never mind. {LEAK}", []),
    ("Credit of EUR 87.50 for events missing.", ["loss"]),
    ("The phone was taken over.", ["intrusion"]),
    ("Phone taken over by strangers.", ["intrusion"]),
    ("Phone of the second row taken over.", []),
]


def test_a_matter_is_stated_once_a_sentence_unless_all_is_a_drill_or_called_off() -> None:
    found = [(text, [one.matter for one in find_alarms(Passage(text), Vocabulary())]) for text, _ in TEXTS]
    assert found == TEXTS
    assert find_alarms(Passage(f"This is a drill. {LEAK}"), Vocabulary()) == ()
    assert find_alarms(Passage(f"Never mind. {LEAK}"), Vocabulary()) == ()
