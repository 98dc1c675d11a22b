"""The sampler: reproducible, stratified, within its split, and led by weights and measured rates."""

from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.suite.office import install_chores, write_chore
from world.suite.sampler import FIRST_SEED, tasks
from world.suite.suite_files import SuiteError, TaskSpec

KNOBS = ', knobs={"noise": (1, 2, 3)}'


@pytest.fixture(autouse=True)
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = install_chores(tmp_path, monkeypatch)
    for number in range(4):
        write_chore(place, f"plan_trip_{number}", "train")
    return place


def take(number: int, **asked: Any) -> list[TaskSpec]:
    return list(islice(tasks(**asked), number))


def count(found: list[TaskSpec]) -> Counter[str]:
    return Counter(task.scenario for task in found)


def test_the_same_seed_gives_the_same_tasks_and_another_other_ones() -> None:
    first = take(40, seed=3)
    assert first == take(40, seed=3) and len({task.id for task in first}) == 40
    assert not {task.id for task in first} & {task.id for task in take(40, seed=4)}


def test_only_families_of_the_split_are_drawn_on_seeds_that_no_suite_uses() -> None:
    found = take(60)
    assert set(count(found)) == {"book_room", *(f"plan_trip_{number}" for number in range(4))}
    assert {task.split for task in found} == {"train"} and min(task.seed for task in found) >= FIRST_SEED
    assert set(count(take(5, split="test"))) == {"undo_deploy"}


def test_every_family_comes_as_often_as_the_others() -> None:
    counts = count(take(200))
    assert len(counts) == 5 and max(counts.values()) - min(counts.values()) <= 2


def test_the_order_of_families_changes_from_round_to_round() -> None:
    found = [task.scenario for task in take(100)]
    assert len({tuple(found[at : at + 5]) for at in range(0, 100, 5)}) > 5


def test_a_new_family_moves_no_other_familys_tasks(office: Path) -> None:
    before = [task for task in take(60) if task.scenario == "book_room"]
    write_chore(office, "zip_files", "train")
    after = [task for task in take(80) if task.scenario == "book_room"]
    assert after[:8] == before[:8]


def test_weights_decide_how_often_a_family_comes_and_may_change() -> None:
    weights = {"book_room": 4.0, "plan_trip_0": 0.0}
    stream = tasks(weights=weights)
    counts = count(list(islice(stream, 140)))
    assert "plan_trip_0" not in counts and abs(counts["book_room"] - 80) <= 3
    weights.update({"book_room": 0.0, "plan_trip_0": 1.0})
    counts = count(list(islice(stream, 40)))
    assert "book_room" not in counts and abs(counts["plan_trip_0"] - 10) <= 2


def test_a_difficulty_is_that_of_every_family_that_has_it() -> None:
    assert {task.difficulty for task in take(10, families=["book_room"], difficulty="hard")} == {"hard"}
    assert {task.difficulty for task in take(10, families=["book_room"])} == {"medium"}
    mixed = take(20, difficulty="easy")
    assert {task.difficulty for task in mixed if task.scenario != "book_room"} == {"medium"} and len(count(mixed)) == 5


def test_a_band_draws_what_was_measured_within_it() -> None:
    rates = {"book_room.easy.000": 0.9, "book_room.hard.000": 0.1, "book_room.hard.001": 0.5, "plan_trip_1.medium": 0.2}
    found = take(40, difficulty=(0.2, 0.5), rates=rates)
    assert {(task.scenario, task.difficulty) for task in found} == {("book_room", "hard"), ("plan_trip_1", "medium")}


def test_rates_may_change_as_training_goes_on() -> None:
    rates = {"book_room.easy": 0.3, "book_room.hard": 0.0}
    stream = tasks(difficulty=(0.2, 0.5), rates=rates)
    assert {task.difficulty for task in islice(stream, 5)} == {"easy"}
    rates.update({"book_room.easy": 0.8, "book_room.hard": 0.2})
    assert {task.difficulty for task in islice(stream, 5)} == {"hard"}
    rates["book_room.hard"] = 0.7
    with pytest.raises(SuiteError, match="nothing is left to draw"):
        next(stream)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"families": ["book_rooms"]}, "unknown family 'book_rooms'; did you mean 'book_room'?"),
        ({"families": ["undo_deploy"]}, "undo_deploy is of the split test, not train"),
        ({"families": []}, "no family of the split train is installed"),
        ({"difficulty": "odd"}, "unknown difficulty 'odd'; known: easy, hard, medium"),
        ({"difficulty": (0.2, 0.5)}, "a band of pass rates needs `rates`"),
    ],
)
def test_what_cannot_be_drawn_is_said_at_once(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(SuiteError) as refused:
        tasks(**asked)
    assert said in str(refused.value)


@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf")])
def test_a_weight_that_is_none_is_refused(weight: float) -> None:
    with pytest.raises(SuiteError, match="the weight of book_room is"):
        next(tasks(weights={"book_room": weight}))
