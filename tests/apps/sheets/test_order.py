"""The order of lines: a list with the same things done to it is the same list."""

from hypothesis import given, settings
from hypothesis import strategies as st

from apps.sheets.structure.line_order import NATURAL, NEW, LineOrder
from tests.examples import examples

SIZE = 12
STEPS = st.lists(
    st.tuples(st.sampled_from(["insert", "delete", "move"]), st.integers(0, 11), st.integers(1, 4), st.integers(0, 14)),
    max_size=12,
)


def done(steps: list[tuple[str, int, int, int]]) -> tuple[LineOrder, list[int]]:
    """An order after steps, and a plain list of lines after the same."""
    order, plain = NATURAL, list(range(200))
    for kind, start, count, to in steps:
        if kind == "insert":
            order = order.insert_lines(start, count)
            plain[start:start] = [next(order.spans(start, start + 1))[0] + place for place in range(count)]
        elif kind == "delete":
            order = order.delete_lines(start, start + count)
            del plain[start : start + count]
        elif not start <= to <= start + count:
            order = order.move_lines(start, start + count, to)
            taken = plain[start : start + count]
            del plain[start : start + count]
            target = to - count if to > start else to
            plain[target:target] = taken
    return order, plain


@settings(max_examples=examples(60), deadline=None)
@given(STEPS)
def test_like_a_list(steps: list[tuple[str, int, int, int]]) -> None:
    order, plain = done(steps)
    assert [order.line(at) for at in range(40)] == plain[:40]
    assert [order.place(line) for line in plain[:40]] == list(range(40))
    assert len(set(plain)) == len(plain)
    gone = set(range(60)) - set(plain)
    assert all(order.place(line) is None for line in gone)
    read = LineOrder.read(order.to_json())
    assert read.runs == order.runs


@settings(max_examples=examples(60), deadline=None)
@given(STEPS, st.integers(0, 20), st.integers(0, 20))
def test_spans_cover_their_places(steps: list[tuple[str, int, int, int]], start: int, end: int) -> None:
    order, plain = done(steps)
    covered = [(line + offset, line) for first, last, offset in order.spans(start, end) for line in range(first, last)]
    assert covered == [(at, plain[at]) for at in range(start, end)]


def test_what_was_never_moved_is_natural_and_so_is_what_came_back() -> None:
    assert NATURAL.is_natural and NATURAL.to_json() is None and LineOrder.read(None).is_natural
    assert NATURAL.move_lines(2, 4, 9).move_lines(7, 9, 2).is_natural
    assert NATURAL.insert_lines(3, 2).delete_lines(3, 5).is_natural
    assert NATURAL.insert_lines(3, 2).insert_lines(5, 1).to_json() == [[0, 3], [NEW, 3], [3, None]]
