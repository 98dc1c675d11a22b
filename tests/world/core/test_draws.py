"""Seeded draws: in proportion, complete, and the same again."""

from collections import Counter

from world.core.rng import Stream


def test_a_weighted_draw_is_in_proportion_and_never_of_weight_nothing() -> None:
    stream = Stream("weights", 1)
    seen = Counter(stream.weighted("abc", (3, 0, 1)) for _ in range(4_000))
    assert set(seen) == {"a", "c"} and 2_800 < seen["a"] < 3_200
    assert {stream.weighted("ab", (0, 1)) for _ in range(50)} == {"b"}


def test_a_shuffle_keeps_every_item_and_repeats_with_its_path() -> None:
    first, again, other = (Stream("deck", path).shuffled(range(20)) for path in (1, 1, 2))
    assert sorted(first) == list(range(20)) and first == again != other
