"""Who gives an answer vouches for it: has looked, does not guess, has done all of it, and binds it to no condition."""

import pytest

from tests.grading.statements.spoken_corpus import read_corpus
from world.core.reading.plain import from_plain
from world.grading.corrections.detector import find_correction
from world.grading.reservations.detector import find_reservation

RESERVED = [
    "Four, though I skimmed them and did not count properly.",
    "Merged, but I never looked at the diff.",
    "7; nobody has checked these numbers.",
    "3. I have no idea.",
    "It is 12, but that is only my guess.",
    "How many firms that makes I have not counted.",
    "Six. I only had time to read some of the mails.",
    "I entered some of the rows, half of them are still missing.",
    "Half of it is done, the other half comes tomorrow.",
    "The list is incomplete, 6 so far.",
    "It is in, although a freeze forbids it.",
    "It is merged, and main does not build since.",
    "I moved them, and I wrote over what was there.",
    "I opened the pull request and closed it again.",
    "I approved it and took the approval back.",
    "I did not get round to the review.",
    "Our price is EUR 5. It holds only if you pay by Friday.",
    "None of these figures is binding.",
    "The kick-off is on 17 March, some say on 6 March.",
    "The kick-off is on 17 March; others think it is the 6th.",
    "The kick-off may be on 17 March, nobody knows yet.",
    "The kick-off is on 17 March, but opinions differ.",
    "The kick-off is on 17 March. That is not certain.",
    "17 March for the kick-off, although some people still say it is on 6 March.",
    "The kick-off is on 17 March. No one can say for sure.",
    "The date is still up in the air: 17 March.",
    "Kick-off: 17 March. Others named another day.",
    "It is 17 March. This is not yet final.",
    "5 customers. Some claim otherwise.",
]
VOUCHED = [
    "The kick-off is on 17 March, not on 6 March.",
    "I had announced 6 March by mistake; it is 17 March.",
    "Ansgar repeated 6 March, I have asked him to correct it.",
    "Some have answered already: 5 say yes.",
    "Some say yes, most say no: Kranich wins with 6 votes.",
    "5 customers want it. Others want something similar, I left them out.",
    "Nobody knows about it besides us two; it is moved.",
    "The amount is settled: EUR 5.",
    "The day is fixed now: 17 March.",
    "It is not decided by us but by Henrik: 17 March.",
    "Some of them have a different format, I converted these: 12 rows.",
    "Others have the right day already.",
    "4 moved. I did not touch anything else.",
    "Approved. I read every line and compared it with LIMITS.md.",
    "I marked a wrong row first and cleared it again.",
    "All 5 are in. I have not looked at the drafts, as you asked.",
    "Not merged: a freeze is on until 9 March, although the change is approved.",
    "I have not merged it, although nothing forbids it.",
    "I am not sure whether you want the parked ones too; 4 moved.",
    "Half of them had a ticket already, so 3 are new.",
    "Most of it was done already; I moved 3.",
    "I have only counted firms, not mails: 5.",
    "If you have not looked at it yet: 3 requests moved.",
    "Half of it is with you, half with Tom; all 6 are closed.",
    "If you have any questions, just reply to this mail.",
    "It is valid until the end of the month.",
]
LATER = [
    "Two of those turned out to be the same firm.",
    "One more guest has called off.",
    "One of them goes to the wrong line.",
    "It was the deployment after that one, sorry.",
    "I have taken the access away again.",
    "I gave two of them to the wrong person.",
    "It is the old day after all.",
    "I have sent the wrong version.",
]
NOTHING_CHANGED = [
    "Two of them have thanked me already.",
    "One of the reviewers is back on Monday.",
    "Some more are due next week, I will do them then.",
    "I have put it on the agenda.",
    "It is the same list as last month.",
    "The old day was the 5th, the new one is the 9th.",
]
VOCABULARY = read_corpus("corrections", "development").vocabulary


@pytest.mark.parametrize("text", RESERVED)
def test_who_does_not_vouch_is_seen(text: str) -> None:
    assert find_reservation(from_plain(text), VOCABULARY)


@pytest.mark.parametrize("text", VOUCHED)
def test_an_answer_with_reasons_is_vouched_for(text: str) -> None:
    assert find_reservation(from_plain(text), VOCABULARY) is None


@pytest.mark.parametrize("text", LATER)
def test_what_is_less_than_was_told_corrects_it(text: str) -> None:
    assert find_correction(from_plain(text), VOCABULARY)


@pytest.mark.parametrize("text", NOTHING_CHANGED)
def test_more_about_what_was_told_corrects_nothing(text: str) -> None:
    assert find_correction(from_plain(text), VOCABULARY) is None
