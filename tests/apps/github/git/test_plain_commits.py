"""Commits of the usual form are read in one step, as the slow reading has them; pushes of too much are refused."""

import random

import pytest

from apps.github.git.check import check_object
from apps.github.git.store import COMMIT, SAMPLE, _read_commit, choose_level, read_plain_commit

NAMES = (b"A", b"A B ", b"", b" x", b"\xc3\xa9\xff", b"a\tb")
MAILS = (b"a@b", b"", b"a b", b"\xff@x")
DATES = (b"0", b"1772438400", b"01", b"999999999999", b"-1")
BODIES = (b"m", b"", b"a\n\nb\xff", b"x\0y", b"\nm")


def draw_commit(chance: random.Random) -> bytes:
    """A commit, odd in some place more often than not."""

    def who() -> bytes:
        zone = chance.choice((b"+", b"-", b"")) + b"%02d%02d" % (chance.randrange(24), chance.randrange(60))
        return b"%s <%s> %s %s" % (chance.choice(NAMES), chance.choice(MAILS), chance.choice(DATES), zone)

    parents = b"".join(b"parent %040x\n" % chance.getrandbits(160) for _ in range(chance.randrange(3)))
    head = b"tree %040x\n%bauthor %b\ncommitter %b\n" % (chance.getrandbits(160), parents, who(), who())
    return head + chance.choice((b"", b"", b"encoding x\n")) + b"\n" + chance.choice(BODIES)


def test_a_plain_commit_is_one_that_git_accepts_with_the_same_columns() -> None:
    chance, plain = random.Random(3), 0
    for _ in range(4_000):
        raw = draw_commit(chance)
        columns = read_plain_commit(raw)
        if columns is not None:
            assert check_object(COMMIT, raw) is None and columns == _read_commit(raw), raw
            plain += 1
    assert plain > 200


@pytest.mark.parametrize(
    ("raw", "level"),
    [
        (b"x" * SAMPLE, 6),
        (b"x" * (SAMPLE + 1), 1),
        (random.Random(1).randbytes(SAMPLE + 1), 0),
    ],
    ids=("small", "large", "large and random"),
)
def test_large_objects_are_packed_as_fast_as_they_are_large(raw: bytes, level: int) -> None:
    assert choose_level(raw) == level
