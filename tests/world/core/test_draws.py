"""Seeded draws: in proportion, complete, and the same again in every process and version."""

import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from world.core.rng import Rng, Stream, digest, process_secret


def test_a_weighted_draw_is_in_proportion_and_never_of_weight_nothing() -> None:
    stream = Stream("weights", 1)
    seen = Counter(stream.weighted("abc", (3, 0, 1)) for _ in range(4_000))
    assert set(seen) == {"a", "c"} and 2_800 < seen["a"] < 3_200
    assert {stream.weighted("ab", (0, 1)) for _ in range(50)} == {"b"}
    assert {stream.weighted("ab", (1, 0)) for _ in range(50)} == {"a"}


def test_a_shuffle_keeps_every_item_and_repeats_with_its_path() -> None:
    first, again, other = (Stream("deck", path).shuffled(range(20)) for path in (1, 1, 2))
    assert sorted(first) == list(range(20)) and first == again != other
    firsts = Counter(Stream("deck", path).shuffled("abc")[0] for path in range(600))
    assert all(150 < firsts[letter] < 250 for letter in "abc"), "each is first in a third of the orders"


def test_a_stream_of_a_path_draws_what_it_drew_in_every_version() -> None:
    """A run that was kept is repeated to the byte, so these values stay."""
    stream = Stream("deck", 1)
    assert [stream.bits(), stream.bits()] == [4337101221577910169, 10299590430063810264]
    assert stream.random() == 0.7023501282611925
    assert (stream.integer(1, 6), stream.choice("abc"), stream.weighted("abc", (1, 1, 1))) == (4, "c", "b")
    assert "".join(stream.shuffled("abcdef")) == "fecabd"
    assert stream.normal() == pytest.approx(-0.5777584857661174, rel=1e-12)
    assert stream.lognormal(10, 0.5) == pytest.approx(6.146030468294208, rel=1e-12)
    assert digest("a", 1).hex() == "b4feb303ba68581ff5140f67114e15e6" and digest("a", 1, size=4).hex() == "057c4949"


def test_a_path_is_its_parts_and_not_their_letters() -> None:
    assert len({digest("ab", "c"), digest("a", "bc"), digest("abc"), digest("c", "ab")}) == 4
    assert digest("a", 1) == digest("a", "1")
    assert Rng(7, ("call", "p_ada")).stream("pick", 2).bits() == Stream(7, "call", "p_ada", "pick", 2).bits()
    assert Rng(7).stream("pick").bits() != Rng(8).stream("pick").bits()


@settings(max_examples=examples(120), database=None)
@given(st.integers(-5, 5), st.integers(0, 4))
def test_an_integer_lies_between_its_bounds_and_takes_each_value(low: int, more: int) -> None:
    stream = Stream("integers", low, more)
    assert {stream.integer(low, low + more) for _ in range(100)} == set(range(low, low + more + 1))


def test_draws_spread_as_they_promise() -> None:
    stream = Stream("spread")
    uniform = [stream.random() for _ in range(4_000)]
    assert 0 <= min(uniform) < 0.01 and 0.99 < max(uniform) < 1 and 0.48 < sum(uniform) / 4_000 < 0.52
    normal = [stream.normal() for _ in range(4_000)]
    mean = sum(normal) / 4_000
    assert abs(mean) < 0.05 and 0.95 < math.fsum((x - mean) ** 2 for x in normal) / 4_000 < 1.05
    logs = sorted(stream.lognormal(10, 0.5) for _ in range(2_001))
    assert 9.5 < logs[1_000] < 10.5 and 0.45 < math.log(logs[1_000 + 683] / logs[1_000]) < 0.55


def test_nothing_cannot_be_chosen_from() -> None:
    with pytest.raises(IndexError, match="nothing to choose from"):
        Stream("none").choice(())


def test_a_process_has_a_secret_of_its_own() -> None:
    one, other = process_secret(), process_secret()
    assert one != other and len(bytes.fromhex(one)) == 32
