"""Splits: a suite keeps to those of its scenarios, and an entry may name all chores of one."""

from pathlib import Path

import pytest

from tests.suite.office import install_chores, write_chore
from world.script import catalogue, loader
from world.script.errors import ScenarioError
from world.script.loader import Card
from world.suite import suite_files
from world.suite.suite_files import Suite, SuiteError


@pytest.fixture(autouse=True)
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return install_chores(tmp_path, monkeypatch)


def load(tmp_path: Path, *entries: str) -> Suite:
    path = tmp_path / "mixed.yaml"
    listed = "".join(f"  - {entry}\n" for entry in entries)
    path.write_text(f"version: 1\ntitle: Mixed\nentries:\n{listed}", encoding="utf-8")
    return suite_files.load(path)


def test_a_task_has_the_split_of_its_scenario(tmp_path: Path) -> None:
    suite = load(tmp_path, "{scenario: book_room}", "{scenario: count_votes}", "{scenario: undo_deploy}")
    assert [task.split for task in suite.tasks] == ["train", "dev", "test"]


def test_other_seeds_of_a_training_family_may_be_held_out(tmp_path: Path) -> None:
    suite = load(tmp_path, "{scenario: book_room, seeds: [0]}", "{scenario: book_room, seeds: [1], split: dev}")
    assert [(task.id, task.split) for task in suite.tasks] == [
        ("book_room.medium.000", "train"),
        ("book_room.medium.001", "dev"),
    ]


@pytest.mark.parametrize(
    ("name", "split", "allowed"),
    [
        ("undo_deploy", "train", "test"),
        ("undo_deploy", "dev", "test"),
        ("count_votes", "train", "dev"),
        ("count_votes", "test", "dev"),
        ("book_room", "test", "train or dev"),
    ],
)
def test_a_split_that_would_mix_them_is_refused_with_its_line(
    tmp_path: Path, name: str, split: str, allowed: str
) -> None:
    own = loader.find_scenario(name).card.split
    with pytest.raises(SuiteError) as refused:
        load(tmp_path, "{scenario: book_room}", f"{{scenario: {name}, seeds: [1], split: {split}}}")
    said = f"mixed.yaml:5: entries[1].split: {name} is of the split {own}; its tasks may be {allowed}, not {split}"
    assert str(refused.value) == said


def test_a_seed_is_in_one_split_only(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match=r"the task book_room\.medium\.000 stands twice"):
        load(tmp_path, "{scenario: book_room}", "{scenario: book_room, split: dev}")


@pytest.mark.parametrize(
    ("entry", "tasks"),
    [
        ("{chores: all}", ["book_room.medium.000", "count_votes.medium.000", "undo_deploy.medium.000"]),
        ("{chores: train, seeds: [4, 5]}", ["book_room.medium.004", "book_room.medium.005"]),
        ("{chores: test}", ["undo_deploy.medium.000"]),
        (
            "{chores: all, difficulties: [easy, hard]}",
            ["book_room.easy.000", "book_room.hard.000", "count_votes.medium.000", "undo_deploy.medium.000"],
        ),
    ],
)
def test_an_entry_may_name_all_chores_of_a_split(tmp_path: Path, entry: str, tasks: list[str]) -> None:
    suite = load(tmp_path, entry)
    assert [task.id for task in suite.tasks] == tasks
    assert suite_files.count_tasks(suite.path) == (len(tasks), "Mixed")
    assert catalogue.list_suite_scenarios(str(suite.path)) == list(dict.fromkeys(task.scenario for task in suite.tasks))


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("{chores: some}", "mixed.yaml:4: entries[0].chores"),
        ("{chores: all, scenario: book_room}", "mixed.yaml:4: entries[0]: an entry names either"),
        ("{seeds: [1]}", "mixed.yaml:4: entries[0]: an entry names either"),
        ("{chores: all, split: dev}", "undo_deploy is of the split test"),
        ("{chores: all, difficulties: [odd]}", "entries[0].difficulties: unknown difficulty 'odd'; known: easy, hard"),
    ],
)
def test_an_entry_that_says_too_much_or_too_little_is_refused(tmp_path: Path, entry: str, said: str) -> None:
    with pytest.raises(SuiteError) as refused:
        load(tmp_path, entry)
    assert said in str(refused.value)


def test_an_entry_for_a_split_without_chores_is_refused(tmp_path: Path, office: Path) -> None:
    (office / "count_votes.py").unlink()
    with pytest.raises(SuiteError, match="no chore of the split dev is installed"):
        load(tmp_path, "{chores: dev}")


def test_a_split_must_stand_in_the_file_as_a_text(tmp_path: Path, office: Path) -> None:
    path = write_chore(office, "plan_trip", "test")
    path.write_text(path.read_text().replace('split="test"', 'split="te" + "st"'), encoding="utf-8")
    with pytest.raises(SuiteError, match="write the split of plan_trip as a plain text: split='test'"):
        load(tmp_path, "{chores: train}")


def test_only_one_split_of_a_suite_may_be_run(tmp_path: Path) -> None:
    suite = load(tmp_path, "{chores: all}")
    part = suite.select("dev")
    assert [task.id for task in part.tasks] == ["count_votes.medium.000"] and part.digest == suite.digest
    assert suite.select(None) is suite
    with pytest.raises(SuiteError, match="mixed has no task of the split train"):
        load(tmp_path, "{chores: test}").select("train")


def test_a_chore_by_its_path_has_the_name_of_its_file(tmp_path: Path, office: Path) -> None:
    assert load(tmp_path, "{scenario: ./content/chores/book_room.py}").tasks[0].id == "book_room.medium.000"


def test_a_card_names_a_known_split() -> None:
    with pytest.raises(ScenarioError, match="split 'exam' is none of train, dev, test"):
        Card(title="x", agent={"handle": "mia"}, apps=(), horizon="1h", split="exam")
