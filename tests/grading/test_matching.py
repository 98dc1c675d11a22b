"""The assignment is exact: as good as trying everything, where taking the first fit fails."""

from itertools import product

from grading_company import Bench, Desk
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from world.grading.matching import Slot, assign

PRIORITIES = [(5, 1.0), (4, 2.0), (4, 1.0), (4, 0.5), (3, 0.0), (1, 0.0)]


@st.composite
def boards(draw: st.DrawFn) -> tuple[int, list[Slot], dict[int, list[int]]]:
    """Up to five rows and five slots with any edges between them."""
    rows, count = draw(st.integers(0, 5)), draw(st.integers(0, 5))
    slots = [Slot(f"s{n}", draw(st.sampled_from(PRIORITIES))) for n in range(count)]
    edges = {row: sorted(draw(st.sets(st.integers(0, count - 1)))) if count else [] for row in range(rows)}
    return rows, slots, edges


def value(slots: list[Slot], filled: list[int]) -> tuple[int, ...]:
    """How many slots of each priority are filled, highest first."""
    return tuple(sum(slots[slot].priority == priority for slot in filled) for priority in PRIORITIES)


def brute_force(rows: int, slots: list[Slot], edges: dict[int, list[int]]) -> tuple[int, ...]:
    """The best value of all assignments."""
    best = value(slots, [])
    for chosen in product(*([None, *edges[row]] for row in range(rows))):
        filled = [slot for slot in chosen if slot is not None]
        if len(set(filled)) == len(filled):
            best = max(best, value(slots, filled))
    return best


@settings(max_examples=examples(400), deadline=None)
@given(boards())
def test_the_assignment_is_as_good_as_trying_everything(context: tuple[int, list[Slot], dict[int, list[int]]]) -> None:
    rows, slots, edges = context
    placed = assign(rows, slots, edges)
    assert all(slot in edges[row] for row, slot in placed.items())
    assert len(set(placed.values())) == len(placed)
    assert value(slots, list(placed.values())) == brute_force(rows, slots, edges)
    assert assign(rows, slots, edges) == placed


def test_first_fit_would_fail_here() -> None:
    slots = [Slot("wide", (4, 1.0)), Slot("narrow", (4, 1.0))]
    assert assign(2, slots, {0: [0, 1], 1: [0]}) == {0: 1, 1: 0}


def test_a_gated_slot_goes_before_weight_and_weight_before_allowances() -> None:
    slots = [Slot("allowed", (1, 0.0)), Slot("heavy", (4, 9.0)), Slot("gated", (5, 1.0))]
    assert assign(1, slots, {0: [0, 1, 2]}) == {0: 2}
    assert assign(2, slots, {0: [0, 1, 2], 1: [1, 0]}) == {0: 2, 1: 1}


def test_a_big_component_is_solved_exactly() -> None:
    slots = [Slot(f"s{n}", (4, 1.0)) for n in range(200)]
    edges = {row: sorted({row, (row + 1) % 200, (row * 7) % 200}) for row in range(200)}
    assert len(assign(200, slots, edges)) == 200


CHAIN = """
refs: {agent: {employee: self}}
expect:
  - {id: any, insert: chat_message}
  - {id: dns, insert: chat_message, where: {text: {matches: '.*dns.*'}}}
  - {id: exact, insert: chat_message, where: {text: dns it is}}
"""


def test_rows_in_any_order_fill_the_items_that_need_them(bench: Bench) -> None:
    texts = ("dns it is", "maybe dns", "hello")
    rubric = bench.rubric(CHAIN)
    for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
        desk = Desk()
        for index in order:
            desk.say(texts[index])
        assert bench.grade(CHAIN, desk).passed, order
    assert len(rubric.items) == 3
