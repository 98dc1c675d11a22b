"""What keys, people and other names are: labels around them, lists, headings, exceptions and negations."""

import re

import pytest

from world.grading.facts.name_roles import NameLabels

POINTS = NameLabels(
    {
        "open": ["open", "not settled", "no agreement", "left open", "empty", "disputed", "not agreed"],
        "agreed": ["agreed", "agree", "agreement", "settled", "entered", "are in", "is in", "all in", "fine"],
    }
)
DECIDED = NameLabels(
    {
        "decider": ["decided", "decision", "decider", "decided it"],
        "proposer": ["proposed", "proposal", "suggested"],
        "clerk": ["noted", "minutes", "wrote it down"],
    }
)
KEY = re.compile(r"[A-Z]{2,5}-\d+")
PERSON = re.compile(r"\b(?:Anna|Ben|Carl)\b")

READ = [
    # one key
    ("Started: SHOP-7; SHOP-4 is still open.", " open"),
    ("I looked at SHOP-4; SHOP-7 is still open.", " open"),
    ("SHOP-4; SHOP-7; SHOP-9 are open.", "open open open"),
    ("They did not agree on SHOP-4.", "open"),
    ("SHOP-4 is still open.", "open"),
    ("Open: SHOP-4", "open"),
    ("SHOP-4", ""),
    ("It is SHOP-4, please bring it up.", ""),
    ("Still open: SHOP-4. All other points are in.", "open"),
    ("All in but SHOP-4, where there was no agreement.", "open"),
    ("They agreed on everything except SHOP-4.", "open"),
    ("Except for SHOP-4 all are agreed.", "open"),
    ("Everything is entered, only SHOP-4 is missing a number.", "open"),
    ("Nothing is open but SHOP-4.", "open"),
    ("The rest is agreed, SHOP-4 needs a call.", ""),
    ("SHOP-4 needs a call, all others are entered.", ""),
    ("SHOP-4 needs a call; the points of the other ones are in.", ""),
    ("SHOP-4: no agreement", "open"),
    ("SHOP-4 (not settled)", "open"),
    ("| SHOP-4 | open |", "open"),
    ("For SHOP-4 they never agreed on a number.", "open"),
    ("SHOP-4 could not be settled.", "open"),
    ("The one they did not agree on is SHOP-4.", "open"),
    ("Nobody agreed on SHOP-4, I left it empty.", "open"),
    ("On SHOP-4 they agreed in the end.", "agreed"),
    ("SHOP-4 was disputed, but in the end they agreed.", "open"),
    ("All points are in, SHOP-4 too.", "agreed"),
    ("All are agreed, including SHOP-4.", "agreed"),
    ("SHOP-4 is no longer open.", "agreed"),
    ("SHOP-4 is fine.", "agreed"),
    # lists
    ("SHOP-4 and SHOP-9 stay open, all others are entered.", "open open"),
    ("SHOP-4, SHOP-9 and SHOP-2 are agreed.", "agreed agreed agreed"),
    ("Open: SHOP-4, SHOP-9", "open open"),
    ("Open:\n- SHOP-4\n- SHOP-9\n\nAgreed:\n- SHOP-2", "open open agreed"),
    ("*Open*\nSHOP-4\nSHOP-9", "open open"),
    ("Open: SHOP-4; agreed: SHOP-9", "open agreed"),
    ("SHOP-4 is open and SHOP-9 is agreed.", "open agreed"),
    ("SHOP-4 (open), SHOP-9 (agreed)", "open agreed"),
    ("I entered SHOP-2, SHOP-4 is open.", "agreed open"),
    ("I entered SHOP-2 and SHOP-4 is open.", "agreed open"),
    ("SHOP-9 was not settled. SHOP-4 and all others are in.", "open agreed"),
    ("They agreed on SHOP-2, not on SHOP-4.", "agreed open"),
    ("Open: SHOP-4 Login page, SHOP-9 Mail", "open open"),
    ("SHOP-4 Login page and SHOP-9 Mail are open", "open open"),
    ("Neither SHOP-4 nor SHOP-9 was agreed.", "open open"),
    ("| Open | Agreed |\n|---|---|\n| SHOP-4 | SHOP-2 |", "open agreed"),
    ("SHOP-2: 5, agreed\nSHOP-4: 3 or 5, not agreed", "agreed open"),
    ("Entered, except for SHOP-4, which is disputed.", "open"),
    ("They agreed on nothing for SHOP-4.", "open"),
    ("Open: SHOP-4 (others agreed)", "open"),
    ("All tickets except SHOP-4 are agreed.", "open"),
    ("Entered:\n- SHOP-2\n\nPlease bring SHOP-4 up at four.", "agreed "),
]
PEOPLE = [
    ("Anna decided it on 3 March.", "decider"),
    ("It was Anna who decided that.", "decider"),
    ("Decided by Anna.", "decider"),
    ("Anna.", ""),
    ("Anna decided it, Ben only proposed it.", "decider proposer"),
    ("Ben only proposed it, the decision came from Anna.", "proposer decider"),
    ("Ben proposed it and Anna decided it.", "proposer decider"),
    ("Anna decided what Ben had proposed.", "decider proposer"),
    ("Decided by Anna after Ben proposed it.", "decider proposer"),
    ("Ben's proposal was decided by Anna.", "proposer decider"),
    ("The decision is Anna's, the proposal was Ben's.", "decider proposer"),
    ("Proposed by Ben, decided by Anna, minutes by Carl.", "proposer decider clerk"),
    ("Ben did not decide it, it was decided by Anna.", " decider"),
    ("Anna took the decision; Carl only noted it.", "decider clerk"),
    ("Proposer: Ben\nDecision: Anna", " decider"),
    ("Ben noted it, but it was Anna who decided.", "clerk decider"),
    ("The decider is Anna, not the one of the minutes.", "decider"),
    ("Anna has not decided it.", "!decider"),
    ("Hi Carl, Anna decided it.", " decider"),
    ("@Carl, Anna decided it. Thanks, Ben", " decider "),
    ("Decided by nobody, Anna only proposed it.", "proposer"),
    ("Anna would have decided, but it was Ben who took the decision.", "!decider decider"),
]


@pytest.mark.parametrize(("text", "wanted"), READ)
def test_a_key_is_called_by_the_label_of_its_clause(text: str, wanted: str) -> None:
    names = [match.span() for match in KEY.finditer(text)]
    found = POINTS.assign(text, names)
    assert " ".join(found.get(one, ("",))[0] for one in names) == wanted


@pytest.mark.parametrize(("text", "wanted"), PEOPLE)
def test_a_person_is_called_by_the_label_of_their_clause(text: str, wanted: str) -> None:
    names = [match.span() for match in PERSON.finditer(text)]
    found = DECIDED.assign(text, names)
    assert " ".join(found.get(one, ("",))[0] for one in names) == wanted
