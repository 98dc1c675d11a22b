"""Stances: what messages assert or deny, by the grammar of their sentences, and how well over both halves of the corpus."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
import yaml

from tests.grading.test_corpus import read_sentences
from tests.grading.test_messages_corpus import read_messages
from world.core.reading.passage import Mark, Passage
from world.grading.stance import Proposition, can_decide, judge_stance, list_propositions, load_proposition

PROPOSITIONS = Path(__file__).parent / "corpus" / "stance" / "propositions"
OFFICE = Path(__file__).parent / "corpus" / "stance" / "office"
OWN = Path(__file__).parent / "stance_sentences.yaml"
PHRASINGS_RIGHT, PHRASINGS_WRONG = 0.88, 0.015
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
        ("events_sent", "You received no order events for 57 minutes.", "denied"),
        ("events_sent", "We have delivered none of the missed events.", "denied"),
        ("events_sent", "We have sent the missed events no later than 19:30.", "asserted"),
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
        ("outage_over", "No, we cannot call it: one good order does not mean that it is over.", "denied"),
        ("outage_over", "The incident is not resolved. It was not an AWS failure in us-east-1.", "denied"),
        ("payments_degraded", "The incident has never been over.", "asserted"),
        ("outage_over", ":white_check_mark: The outage is over.", "asserted"),
        ("outage_over", "The outage(see #incidents) is over.", "asserted"),
        ("outage_over", "// The outage is over.", "asserted"),
        ("outage_over", "outage_over: true", "absent"),
        ("outage_over", "set_state(outage, over)", "absent"),
        ("outage_over", "INFO The outage is over", "absent"),
        (
            "payments_degraded",
            ":rotating_light: *SEV1* Card payments: part of all authorisations fails (5xx).",
            "asserted",
        ),
        ("outage_over", "One alert has cleared, another one is still firing.", "unclear"),
        ("outage_over", "All alerts have cleared, the outage is over.", "asserted"),
        ("rollback_now", "Rolling back would only add a change.", "unclear"),
        ("rollback_now", "I would ask you to hold the rollback until we know more, please.", "denied"),
        ("rollback_now", "Rolling back would fix it, do it now.", "asserted"),
    ],
)
def test_a_sentence_is_judged_by_its_grammar(proposition: str, text: str, outcome: str) -> None:
    assert outcome_of(proposition, text) == outcome


def test_a_message_that_decides_is_not_passed_over() -> None:
    """The cheap question before the stance: never no for a message that has one, and no for most that have none."""
    written: dict[str, dict[str, list[str]]] = yaml.safe_load(OWN.read_text(encoding="utf-8"))
    pairs = [
        (load_proposition(name), Passage(text))
        for name, said in written.items()
        for kind in CLEAR
        for text in said.get(kind, ())
    ]
    decided = [(one, text) for one, text in pairs if judge_stance([text], one).outcome in CLEAR]
    missed = [text.text for one, text in decided if not can_decide(text, one, answers=False)]
    assert len(decided) > 100
    assert missed == []
    payments = load_proposition("payments_degraded")
    assert not can_decide(Passage("Note 12."), payments, answers=False)
    assert not can_decide(Passage("Lunch is at one, who joins?"), payments, answers=True)
    assert can_decide(Passage("Nope."), payments, answers=True)
    assert not can_decide(Passage("Nope."), payments, answers=False)


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


def test_every_proposition_can_be_said_and_denied_in_its_own_phrasings() -> None:
    """Its own phrasings are never read as their opposite; most are read as what they say."""
    right = wrong = every = 0
    for name in list_propositions():
        phrasings = load_proposition(name).phrasings
        for outcome, texts in (("asserted", phrasings.proposition), ("denied", phrasings.opposite)):
            outcomes = [outcome_of(name, text) for text in texts]
            right += outcomes.count(outcome)
            wrong += sum(one in CLEAR and one != outcome for one in outcomes)
            every += len(texts)
    print(f"phrasings: n {every}, right {right}, wrong {wrong}")
    assert right / every >= PHRASINGS_RIGHT and wrong / every <= PHRASINGS_WRONG


def test_a_proposition_is_bound_to_values() -> None:
    source = load_proposition("checkout_degraded").model_dump_json()
    template = Proposition.model_validate_json(source.replace("checkout-api", "{service}"))
    assert "billing" in template.bind({"service": "billing"}).names


def test_a_contrast_stands_against_what_is_before_it_in_its_sentence() -> None:
    guilty = load_proposition("pull_guilty").bind({"number": "2"})
    assert judge_stance([Passage("It was #2. The revert is open, not merged.")], guilty).outcome == "asserted"


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("I've mailed Henrik just now.", "unclear"),
        ("Henrik decides, I have emailed him.", "unclear"),
        ("Henrik has been mailed.", "unclear"),
        ("I sent Q-7 to Henrik for his approval.", "unclear"),
        ("I've sent him a request.", "unclear"),
        ("I've mailed Siobhán.", "asserted"),
        ("I've mailed her the quote.", "asserted"),
        ("Q-7 was mailed, Henrik knows.", "asserted"),
        ("The customer has the quote, with Henrik's approval.", "asserted"),
        ("Q-7 has gone out to Henrik Lorenz.", "unclear"),
        ("I forwarded the quote to Henrik, not to the customer.", "unclear"),
        ("Thanks to Henrik's approval the quote went out.", "asserted"),
        ("I sent the quote to the customer with a copy to Henrik.", "asserted"),
        ("The quote was sent to the customer right after I spoke to Henrik.", "asserted"),
        ("The quote went out to the customer, thanks to Henrik.", "asserted"),
        ("I mailed the quote to Henrik's customer.", "asserted"),
    ],
)
def test_what_goes_to_somebody_else_is_not_with_those_a_proposition_is_about(text: str, outcome: str) -> None:
    sent = load_proposition("quote_sent").bind({"quote": "Q-7", "approver": "Henrik Lorenz"})
    assert judge_stance([Passage(text)], sent).outcome == outcome


def test_long_texts_are_bounded() -> None:
    assert outcome_of("incident_over", "The incident is over. " * 5_000) == "unclear"
    assert outcome_of("incident_over", "the incident is over and " * 500) == "unclear"


def rates(pairs: Iterable[tuple[str, str, str]]) -> tuple[float, float]:
    """Precision of what is asserted or denied, and the share left unclear, of (proposition, label, text)."""
    counts = Counter[tuple[str, str]]()
    for name, label, text in pairs:
        outcome = outcome_of(name, text)
        counts[label, outcome if outcome in CLEAR else "unclear"] += 1
    given = sum(n for (_, outcome), n in counts.items() if outcome in CLEAR)
    stated = sum(n for (label, _), n in counts.items() if label in CLEAR)
    held = sum(counts[label, "unclear"] for label in CLEAR)
    precision = sum(counts[label, label] for label in CLEAR) / given
    print(f"\nn {sum(counts.values())}, precision {precision:.3f}, unclear {held / stated:.3f}, {dict(counts)}")
    return precision, held / stated


@pytest.mark.parametrize(
    ("text", "yes", "outcome"),
    [
        ("Yes.", 1, "asserted"),
        ("Yes.", -1, "denied"),
        ("Right!", -1, "denied"),
        ("Nope.", 1, "denied"),
        (":+1:", 1, "asserted"),
        (":thumbsup::skin-tone-3:", 1, "asserted"),
        ("You do. All of it.", 1, "asserted"),
        ("Hi Stefan, yes it is.", 1, "asserted"),
        ("No objections.", 0, "asserted"),
        ("Fine by me, do it.", 0, "asserted"),
        ("All right, you have convinced me, do it.", 0, "asserted"),
        ("It is your call.", 0, "asserted"),
        ("Yes, I object.", 0, "denied"),
        ("Please don't.", 0, "denied"),
        ("No, it's AWS.", 0, "absent"),
        ("Yes, but do not do that now.", 0, "denied"),
        ("You do not see it yet.", 1, "absent"),
    ],
)
def test_a_short_answer_says_what_was_asked(text: str, yes: int, outcome: str) -> None:
    assert judge_stance([Passage(text)], load_proposition("rollback_now"), yes).outcome == outcome


@pytest.mark.parametrize(
    "text", ["That is good to hear, thank you for trying.", "Ok, thanks, I keep watching.", "Right, so we wait."]
)
def test_a_courtesy_is_no_yes(text: str) -> None:
    assert judge_stance([Passage(text)], load_proposition("outage_over"), 1).outcome == "absent"


def test_without_a_question_a_yes_says_nothing() -> None:
    assert outcome_of("rollback_now", "Yes.") == "absent"


def test_a_denial_holds_for_what_explains_the_denied() -> None:
    assert outcome_of("slack_down", "It is not true that Slack is down: nobody can post") == "denied"


@pytest.mark.parametrize(
    ("after", "outcome"),
    [
        ("Please do not post in the thread.", "denied"),
        ("No time for more right now.", "denied"),
        ("None of that is right.", "unclear"),
        ("Not so.", "unclear"),
    ],
)
def test_only_what_points_back_leaves_a_statement_open(after: str, outcome: str) -> None:
    assert outcome_of("incident_over", f"The incident is not over. {after}") == outcome


@pytest.mark.parametrize(("half", "precision", "unclear"), [("development", 0.985, 0.28), ("test", 0.935, 0.325)])
def test_stances_on_the_corpus_hold_their_rates(half: str, precision: float, unclear: float) -> None:
    source = read_sentences(half).items()
    reached = rates((name, one.label, one.text) for name, sentences in source for one in sentences.sentences)
    assert reached[0] >= precision and reached[1] <= unclear


@pytest.mark.parametrize(("half", "precision", "unclear"), [("development", 0.71, 0.52), ("test", 0.76, 0.63)])
def test_stances_of_whole_messages_hold_their_rates(half: str, precision: float, unclear: float) -> None:
    known = set(list_propositions())
    source = read_messages(half)
    stances = ((one, name, label) for one in source for name, label in one.stances.items() if name in known)
    reached = rates((name, "unclear" if label == "absent" else label, one.text) for one, name, label in stances)
    assert reached[0] >= precision and reached[1] <= unclear


def test_stances_on_what_offices_write_hold_their_rates() -> None:
    """Propositions of chores, bound to values, on at least fifty sentences each."""
    pairs: list[tuple[str, str]] = []
    for path in sorted(OFFICE.glob("*.yaml")):
        source = yaml.safe_load(path.read_text(encoding="utf-8"))
        proposition = load_proposition(path.stem).bind(source.get("with", {}))
        labels = Counter(one["label"] for one in source["sentences"])
        assert labels.total() >= 50 and len(labels) == 3 and min(labels.values()) >= 14, path.stem
        outcomes = [judge_stance([Passage(one["text"])], proposition).outcome for one in source["sentences"]]
        pairs += zip((one["label"] for one in source["sentences"]), outcomes, strict=True)
    counts = Counter((label, outcome if outcome in CLEAR else "unclear") for label, outcome in pairs)
    given = sum(n for (_, outcome), n in counts.items() if outcome in CLEAR)
    stated = sum(n for (label, _), n in counts.items() if label in CLEAR)
    precision = sum(counts[label, label] for label in CLEAR) / given
    held = sum(counts[label, "unclear"] for label in CLEAR) / stated
    print(f"\noffice: n {counts.total()}, precision {precision:.3f}, unclear {held:.3f}")
    assert precision >= 0.955 and held <= 0.1


def test_stances_on_sentences_of_other_words_hold_their_rates() -> None:
    source: dict[str, dict[str, list[str]]] = yaml.safe_load(OWN.read_text(encoding="utf-8"))
    reached = rates((name, label, text) for name, one in source.items() for label in one for text in one[label])
    assert reached[0] >= 0.94 and reached[1] <= 0.22
