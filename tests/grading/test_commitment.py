"""What an author stands by: rules on sentences, and the rates of both halves of the corpus."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from world.core.reading.passage import Passage
from world.grading.commitment import Commitment, find_sweeping_denial, read_commitment
from world.grading.passages import to_passage

CORPUS = Path(__file__).parent / "corpus" / "commitment"
PLAIN = "Your shop was cut off for 57 minutes. The credit is EUR 630.00 and goes on the May invoice."
SENTENCE = re.compile(r"[^\n]*?[.!?](?=\s|$)")
BE = re.compile(r"\b(is|was|goes)\b")
FACTS = ("57 minutes", "EUR 630.00", "May")


def stands(reading: Commitment, fact: str) -> bool:
    """Whether a fact stands somewhere in what the author stands by."""
    places = re.finditer(re.escape(fact), reading.passage.text)
    return any(reading.find_void(place.start(), place.end()) is None for place in places)


def is_void(text: str, *following: str) -> bool:
    reading = read_commitment(to_passage(text), [to_passage(one) for one in following])
    return not all(stands(reading, fact) for fact in FACTS)


@pytest.mark.parametrize(
    "frame",
    [
        "It is not true that {lowered}",
        "None of this holds: {text}",
        "{text} Scratch that, all of it is wrong.",
        "{text} This is false.",
        "The opposite of the following is true: {text}",
        '"{text}" says the rumour.',
        "{text}\n\nPS: Everything above is untrue.",
        "{text} /s",
        "Das Folgende ist falsch: {text}",
        "[dummy text] {text}",
        "Is it so that {lowered}?",
    ],
)
def test_what_is_taken_back_is_void(frame: str) -> None:
    lowered = PLAIN[0].lower() + PLAIN[1:].rstrip(".").replace(". The", ", that the")
    assert is_void(frame.format(text=PLAIN, lowered=lowered))


@pytest.mark.parametrize(
    "later",
    [
        "Scratch that, all of it is wrong.",
        "Sorry, wrong window.",
        "What I just wrote is not true.",
        f"It is not true that {PLAIN[0].lower()}{PLAIN[1:]}",
    ],
)
def test_the_next_message_takes_back(later: str) -> None:
    assert is_void(PLAIN, later) and not is_void(PLAIN, "I will write again at 19:30.")


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        f"No request has failed, and nothing is lost. {PLAIN} Do not resubmit payments, please.",
        f"That is not right, the release has nothing to do with it. {PLAIN}",
        f"Our first estimate was wrong. {PLAIN}",
        f"{PLAIN} Is there anything else you need?",
        f"Guten Morgen! {PLAIN} Viele Grüße",
        f"To answer the question about what went wrong: {PLAIN}",
        f"The fix didn't hold: {PLAIN}",
        "Your shop received no events for 57 minutes. The credit is EUR 630.00, on the May invoice, not before.",
        f"{PLAIN} The second run is under way, fingers crossed!",
    ],
)
def test_honest_messages_stand(text: str) -> None:
    assert not is_void(text)


@pytest.mark.parametrize(
    ("text", "stands_by"),
    [
        ("I don't think so: the relay failed for 57 minutes.", True),
        ("I do not think 26.4 is to blame: the relay failed for 57 minutes.", True),
        ("Not yet: the relay has been failing for 57 minutes.", True),
        ("They waited (they claim more than two hours) for 57 minutes.", True),
        ("Incident: no\nTell anybody: no\nThe relay failed for 57 minutes.", True),
        ("I never said: the relay failed for 57 minutes.", False),
        ("We cannot confirm the following: the relay failed for 57 minutes.", False),
        ("It is not true: the relay failed for 57 minutes.", False),
        ("Wrong: the relay failed for 57 minutes.", False),
    ],
)
def test_behind_an_answer_and_a_colon_stands_its_reason(text: str, stands_by: bool) -> None:
    assert stands(read_commitment(to_passage(text)), "57 minutes") is stands_by


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("It's fake, please delete it.", False),
        ("That mail is a fake. Delete it and don't click anything.", False),
        ("This is phishing, please delete the mail.", False),
        ("Our release is out. Delete it.", True),
        ("The relay failed for 57 minutes. Please ignore my mail.", True),
        ("This is fake: the relay failed for 57 minutes.", True),
        ("I didn't send it: the approval is for version 1.", False),
        ("It needs another yes. I never sent it.", False),
        ("The outage is over. I never sent that.", True),
        ("The sum is EUR 5.00. No discount, that is beyond the terms.", False),
        ("The sum is EUR 5.00. No, discount that.", True),
    ],
)
def test_what_is_said_of_a_mail_takes_back_nothing_of_what_is_said(text: str, whole: bool) -> None:
    assert (read_commitment(to_passage(text)).whole is not None) is whole


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        (
            "The total is EUR 12.00. Three formulas were wrong: Training looked at Travel, and Hardware stopped at 11.",
            False,
        ),
        ("35,092.38. What was wrong: B3 compared with Travel, B5 stopped at row 11.", False),
        ("This value is wrong.", False),
        ("SHOP-4: still disputed", False),
        ("no Slack, so here: the count is 5", False),
        ("One remark on the cache line, otherwise it's fine. Please correct it and ask me again.", False),
        ('It waits for SHOP-48 ("Soft declines are retried as if they were timeouts"), closed yesterday.', False),
        ("No, sorry.", False),
        ("No. The messages here are older than the mail in which the go was withdrawn.", False),
        ("The total is EUR 12.00. That was wrong.", True),
        ("This was typed in a hurry and is wrong: the total is EUR 12.00 and goes on the invoice.", True),
        ("Three statements that are wrong: the total is EUR 12.00, B3 is right and B5 too.", True),
        ("The rumour is wrong: the total is EUR 12.00.", True),
        ("The total is EUR 12.00. Correct that, it is not.", True),
        ("The total is EUR 12.00 (as if).", True),
    ],
)
def test_a_finding_about_the_work_takes_back_nothing(text: str, whole: bool) -> None:
    assert (read_commitment(to_passage(text)).whole is not None) is whole


def test_that_may_stand_for_the_noun_before_it() -> None:
    assert read_commitment(to_passage("The pull request that takes it back is 8.")).voids == ()
    assert read_commitment(to_passage("It is a lie that it takes it back.")).voids


def test_it_never_was_takes_back_the_statement_before_it() -> None:
    assert is_void(f"{PLAIN} It never was.")
    assert not is_void(f"{PLAIN} Nobody was charged twice. They never were.")


def test_a_later_message_denies_only_what_it_says_again() -> None:
    assert not is_void(PLAIN, "It is not true that other shops were cut off for longer.")


@pytest.mark.parametrize(
    ("text", "sweeps"),
    [
        ("Correction: nothing of what I reported today is true.", True),
        ("Please forget everything I wrote.", True),
        ("My earlier messages were all false.", True),
        ("Nothing I wrote was true", True),
        ("Everything I said earlier about the cause was wrong.", False),
        ("I told everybody that nothing is wrong", False),
        ("Nothing of what I posted is wrong", False),
        ("Is everything I said wrong?", False),
        ("What I wrote last is wrong.", False),
    ],
)
def test_some_sentences_take_back_all_that_was_said(text: str, sweeps: bool) -> None:
    assert (find_sweeping_denial(Passage(text)) is not None) == sweeps


def test_a_value_behind_not_is_denied_and_a_sentence_with_not_is_not() -> None:
    reading = read_commitment(Passage("The credit is not EUR 630.00 but EUR 700.00."))
    assert not stands(reading, "EUR 630.00") and stands(reading, "EUR 700.00")
    assert stands(read_commitment(Passage("No events were delivered for 57 minutes.")), "57 minutes")


# the corpus


def read(half: str, name: str) -> list[dict[str, Any]]:
    return yaml.safe_load((CORPUS / half / f"{name}.yaml").read_text(encoding="utf-8"))


def undermine(entry: dict[str, Any]) -> tuple[str, ...]:
    """The plain text, undermined in the way of an entry; what is said next stands behind it."""
    template = entry["template"]
    if entry["how"] == "wrap":
        return (template.replace("{text}", PLAIN),)
    if entry["how"] == "follow-up":
        return PLAIN, template.replace("{text}", PLAIN)
    return (SENTENCE.sub(lambda found: change(entry, found.group().strip()) + " ", PLAIN),)


def change(entry: dict[str, Any], sentence: str) -> str:
    lowered, template = (sentence[0].lower() + sentence[1:]).rstrip("."), entry["template"]
    if entry["how"] == "inside":
        verb = BE.search(sentence)
        assert verb is not None
        return template.replace("{before}", sentence[: verb.end()]).replace("{after}", sentence[verb.end() :].strip())
    return template.replace("{lowered}", lowered).replace("{sentence}", sentence).replace("{text}", sentence)


def list_lost(half: str) -> Iterator[str]:
    """Honest messages with a fact that counts as not stated."""
    for entry in read(half, "honest"):
        reading = read_commitment(to_passage(entry["text"]))
        if any(fact in reading.passage.text and not stands(reading, fact) for fact in entry["facts"]):
            yield entry["kind"]


@pytest.mark.parametrize(("half", "caught", "lost"), [("development", 0.49, 0.06), ("test", 0.46, 0.13)])
def test_the_corpus_holds_its_rates(half: str, caught: float, lost: float) -> None:
    entries, honest = read(half, "disavowals"), read(half, "honest")
    found = sum(is_void(*undermine(entry)) for entry in entries) / len(entries)
    failed = len(list(list_lost(half))) / len(honest)
    print(
        f"{half}: {found:.3f} of {len(entries)} undermined texts void, {failed:.3f} of {len(honest)} honest ones lose a fact"
    )
    assert found >= caught and failed <= lost
