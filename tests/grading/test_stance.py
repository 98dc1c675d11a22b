"""Stances: what messages assert or deny, by the grammar of their sentences, and how well over both halves of the corpus."""

from collections import Counter
from pathlib import Path

import pytest
import yaml

from tests.grading.test_corpus import read_sentences
from world.core.reading.passage import Mark, Passage
from world.grading.stance import judge_stance, list_propositions, load_proposition

PROPOSITIONS = Path(__file__).parent / "corpus" / "stance" / "propositions"
CLEAR = ("asserted", "denied")


def outcome_of(proposition: str, *texts: str) -> str:
    """The stance of plain messages on a shipped proposition."""
    return judge_stance([Passage(text) for text in texts], load_proposition(proposition)).outcome


@pytest.mark.parametrize(
    ("proposition", "text", "outcome"),
    [
        ("checkout_degraded", "Checkout is slow for everybody.", "asserted"),
        ("checkout_degraded", "Checkout is not slow.", "denied"),
        ("checkout_degraded", "Nothing is wrong with checkout.", "denied"),
        ("checkout_degraded", "Checkout is far from healthy.", "asserted"),
        ("checkout_degraded", "Is checkout slow?", "unclear"),
        ("checkout_degraded", "If checkout is slow, page me.", "unclear"),
        ("checkout_degraded", "Checkout might be slow.", "unclear"),
        ("checkout_degraded", "Let's hope checkout is not slow.", "unclear"),
        ("checkout_degraded", "Apparently checkout is slow.", "unclear"),
        ("checkout_degraded", "Yesterday checkout was slow.", "unclear"),
        ("checkout_degraded", "The warehouse printer is slow.", "unclear"),
        ("checkout_degraded", "Le checkout est en panne.", "unclear"),
        ("checkout_degraded", "Oh sure, checkout is slow /s", "unclear"),
        ("checkout_degraded", "Kim says checkout is slow.", "unclear"),
        ("incident_over", "It is not true that the incident has ended.", "denied"),
        ("incident_over", "Stop saying the incident is over.", "denied"),
        ("incident_over", "Contrary to the banner, the incident is over.", "asserted"),
        ("incident_over", "The incident will be closed tomorrow.", "unclear"),
        ("fix_deployed", "The patch is neither released nor tested.", "denied"),
        ("fix_deployed", "We shut the queue instead of shipping the fix.", "denied"),
        ("person_on_call", "Oleg has the pager instead of Marisol.", "denied"),
        ("person_on_call", "Marisol has the pager instead of Oleg.", "asserted"),
        ("date_moved", "The migration was moved to 21 June.", "denied"),
        ("credit_amount", "Halvorsen gets a credit of 300 EUR.", "denied"),
        ("no_data_lost", "Not a single record is missing.", "asserted"),
        ("total_right", "Lunch is at one.", "absent"),
    ],
)
def test_a_sentence_is_judged_by_its_grammar(proposition: str, text: str, outcome: str) -> None:
    assert outcome_of(proposition, text) == outcome


def test_a_later_message_takes_an_earlier_one_back() -> None:
    assert outcome_of("incident_over", "The incident is over.", "Scratch that.") == "unclear"
    assert outcome_of("incident_over", "The incident is over.", "Scratch that, the incident is still open.") == "denied"


def test_marked_text_states_nothing() -> None:
    text = "The incident is over."
    for kind in ("struck", "quoted", "code", "hidden"):
        passage = Passage(text, (Mark(0, len(text), kind),))
        assert judge_stance([passage], load_proposition("incident_over")).outcome in ("unclear", "absent")


def test_a_stance_names_the_sentence_that_decided() -> None:
    stance = judge_stance([Passage("Hi all. The incident is not over. Bye.")], load_proposition("incident_over"))
    assert (stance.outcome, stance.sentence) == ("denied", "The incident is not over.")


def test_shipped_propositions_are_those_of_the_corpus() -> None:
    for name in (path.stem for path in PROPOSITIONS.glob("*.yaml")):
        source = yaml.safe_load((PROPOSITIONS / f"{name}.yaml").read_text(encoding="utf-8"))
        phrasings = load_proposition(name).phrasings.model_dump(mode="json")
        assert phrasings == source["phrasings"], name
    assert set(list_propositions()) >= {path.stem for path in PROPOSITIONS.glob("*.yaml")}


def count_outcomes(half: str) -> Counter[tuple[str, str]]:
    """How often sentences of a label get an outcome."""
    counts = Counter[tuple[str, str]]()
    for name, one in read_sentences(half).items():
        for sentence in one.sentences:
            outcome = outcome_of(name, sentence.text)
            counts[sentence.label, outcome if outcome in CLEAR else "unclear"] += 1
    return counts


@pytest.mark.parametrize(("half", "precision", "unclear"), [("development", 0.985, 0.28), ("test", 0.93, 0.33)])
def test_stances_on_the_corpus_hold_their_rates(half: str, precision: float, unclear: float) -> None:
    counts = count_outcomes(half)
    given = sum(n for (_, outcome), n in counts.items() if outcome in CLEAR)
    right = sum(counts[label, label] for label in CLEAR)
    held = sum(n for (label, outcome), n in counts.items() if label in CLEAR and outcome == "unclear")
    stated = sum(n for (label, _), n in counts.items() if label in CLEAR)
    print(f"{half}: n {sum(counts.values())}, precision {right / given:.3f}, unclear {held / stated:.3f}")
    assert right / given >= precision and held / stated <= unclear
