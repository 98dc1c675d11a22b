"""Which stretch of a text its author does not stand by, and the wordings just beside it: `reason [stretch]` for each."""

from pathlib import Path

from world.core.reading.passage import Passage
from world.grading.commitment import Commitment, find_sweeping_denial, read_commitment

LINES = (Path(__file__).parent / "voids.tsv").read_text(encoding="utf-8").splitlines()
CASES = [(text.replace("⏎", "\n"), voids) for text, _, voids in (line.partition("\t") for line in LINES)]


def _describe(reading: Commitment, text: str) -> str:
    parts = [
        f"{one.reason}{' part' if one.part else ''} [{text[one.start : one.end].strip()}]".replace("\n", "⏎")
        for one in reading.voids
    ]
    return "; ".join([*parts, *([f"whole {reading.whole.reason}"] if reading.whole else [])]) or "-"


def test_each_text_has_its_void_stretches() -> None:
    assert [(text, _describe(read_commitment(Passage(text)), text)) for text, _ in CASES] == CASES


SAID = "The outage is over at 15:00 for all."
FOLLOWING = [
    ("Scratch that.", "taken back"),
    ("Sorry, that is wrong.", "denied"),
    ("It is not true that the outage is over at 15:00.", "denied"),
    ("It is not true that the moon is green.", None),
    ("The following is wrong: we are slow.", None),
    ("Is the outage over at 15:00?", None),
    ("Thanks, all.", None),
]


def test_a_later_message_takes_back_what_it_speaks_of() -> None:
    found = [(text, read_commitment(Passage(SAID), [Passage(text)])) for text, _ in FOLLOWING]
    assert [(text, reading.whole and reading.whole.reason) for text, reading in found] == FOLLOWING
    assert all((one.start, one.end) == (0, len(SAID)) for _, reading in found for one in reading.voids)


SWEEPING = [
    ("Nothing of what I reported is true.", True),
    ("Forget everything I wrote.", True),
    ("Forget what I wrote about it.", False),
    ("All my messages are wrong.", True),
    ("All I have said is false.", True),
    ("All that I have ever once said is false.", True),
    ("What I said is false.", False),
    ("Is all I said false?", False),
    ("Nothing is true.", False),
    ("Everything we told you is wrong.", True),
    ("Everything they told you is wrong.", False),
    ("Ignore all my comments.", True),
    ("Do not ignore all my comments.", False),
]


def test_only_all_that_somebody_said_is_taken_back_everywhere() -> None:
    assert [(text, find_sweeping_denial(Passage(text)) == text) for text, _ in SWEEPING] == SWEEPING
    assert find_sweeping_denial(Passage("Hello all. Forget everything I wrote. ")) == "Forget everything I wrote."


def test_a_text_too_long_to_be_read_is_void() -> None:
    long = "Ignore all my comments. " * 900
    assert [one.reason for one in read_commitment(Passage(long)).voids] == ["too long to be read"]
    assert find_sweeping_denial(Passage(long)) is None
    assert find_sweeping_denial(Passage(long[:20_000])) is not None
    assert read_commitment(Passage("It is over. " * 1_666)).voids == ()


def test_a_stretch_is_void_where_it_touches_a_void_one() -> None:
    reading = read_commitment(Passage("It was not EUR 630. Is it 5?"))
    assert [reading.find_void(*span) is not None for span in ((0, 11), (10, 12), (17, 18), (18, 19))] == [
        False,
        True,
        True,
        False,
    ]
    assert reading.find_void(20, 22) is not None and reading.find_void(20, 22, asked=True) is None


def test_withdrawals_are_struck_out_and_parts_are_not() -> None:
    kept = read_commitment(Passage("It was not EUR 630.")).strike_withdrawals()
    assert kept.marks == ()
    struck = read_commitment(Passage("It is over. Scratch that.")).strike_withdrawals()
    assert [(one.start, one.end, one.kind) for one in struck.marks] == [(0, 25, "struck")]


OPEN = [
    "We can neither confirm nor deny that there is a hole. Your mail has arrived.",
    "I cannot say whether it was the disk. The outage is over.",
    "I was wrong this morning, sorry. The outage is over.",
]


def test_what_leaves_a_matter_open_takes_back_nothing() -> None:
    assert [text for text in OPEN if read_commitment(Passage(text)).whole] == []
    assert read_commitment(Passage("I was wrong, sorry.")).whole
