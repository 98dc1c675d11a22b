"""Verdicts of served worlds: the same bytes as beside the world, from another process, in turns with other requests."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import cast
from unittest.mock import patch

import pytest

from world.agents.random_writer import write_at_random
from world.agents.solver import play
from world.agents.steps import DirectDoor, Scene
from world.grading.rows import Rows
from world.grading.verdict import SERVED
from world.run import episode, preparation, sealed_rows
from world.run.episode import Episode
from world.run.host import Host
from world.run.preparation import Preparations, TaskMark, prepare
from world.run.run_evidence import collect_run_record
from world.run.sealed_rows import KeptRows
from world.script import loader
from world.server.grader import Grader

SMALLEST = "flapping_alert"


def started(host: Host, name: str = SMALLEST, seed: int = 0) -> Episode:
    """A world at its first moment."""
    return episode.start(host, loader.find_scenario(name), seed=seed, world="w")


def solved(run: Episode) -> Episode:
    """The same after its solution."""
    assert run.scenario.oracle is not None
    play(run.scenario.oracle, Scene(run), DirectDoor(run), strict=False)
    return run


def beside(run: Episode) -> bytes:
    """The verdict as it was always made: everything again, the whole state counted."""
    run.host.fork(run.actor, "beside")
    copy = episode.of_world(run, "beside")
    try:
        episode.finish(copy)
        return replace(episode.verdict(copy), trust=SERVED).to_json()
    finally:
        run.host.drop("beside")


def test_the_grading_process_says_what_is_said_beside_the_world(firm: Host) -> None:
    run = started(firm)

    async def ask() -> None:
        grader = Grader(firm)
        try:
            assert await grader.grade(run) == beside(run)
            solved(run)
            first = await grader.grade(run)
            assert first == beside(run) and b'"pass":true' in first and b'"trusted":true' in first
            assert grader._process is not None
            grader._process.kill()
            assert await grader.grade(run) == first, "a lost process costs time, no verdict"
            assert await grader.grade(run) == first and grader._process is not None
            assert sorted(firm.actors) == ["w"] and not grader.busy
        finally:
            await grader.close()

    asyncio.run(ask())


def test_other_requests_are_served_while_a_run_is_finished_and_graded(firm: Host) -> None:
    run = started(firm)

    async def ask() -> int:
        grader, turns = Grader(firm), 0
        try:
            grading = asyncio.create_task(grader.grade(run))
            while not grading.done():
                await asyncio.sleep(0)
                assert run.actor.now == run.start
                turns += 1
            await grading
        finally:
            await grader.close()
        return turns

    assert asyncio.run(ask()) > 5


def test_a_world_is_graded_with_the_rubric_it_was_made_with(firm: Host, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    for path in loader.find_scenario(SMALLEST).folder.iterdir():
        if path.is_file():
            (folder / path.name).write_bytes(path.read_bytes())
    run = episode.start(firm, loader.load(folder), seed=0, world="w")
    before = beside(solved(run))
    for name in ("rubric.yaml", "predicates.py", "rubric.lock"):
        (folder / name).write_text("nothing: that can be used\n", encoding="utf-8")
    assert loader.load(folder).revision != run.scenario.revision

    async def ask() -> bytes:
        grader = Grader(firm)
        try:
            return await grader.grade(run)
        finally:
            await grader.close()

    assert asyncio.run(ask()) == beside(run) == before


@pytest.mark.full
@pytest.mark.parametrize("seed", range(4))
def test_the_state_counted_from_changed_rows_is_the_state_counted_whole(firm: Host, seed: int) -> None:
    run = started(firm, "us_east_1_outage", seed)
    write_at_random(firm, Scene(run), DirectDoor(run), seed=seed)
    episode.finish(run)
    assert episode.recount_changed_rows(run) == episode.count_hash(run) == episode.advance_hash(run)


def test_a_journal_that_lies_about_a_row_is_found(firm: Host) -> None:
    run = solved(started(firm))
    raw = run.actor.bound.raw
    last = "(SELECT max(id) FROM _journal WHERE after IS NOT NULL)"
    raw.execute(f"UPDATE _journal SET after = json_set(after, '$.text', 'otherwise') WHERE id = {last}")
    assert episode.recount_changed_rows(run) == episode.count_hash(run) != episode.advance_hash(run)


def test_the_grading_process_refuses_a_run_whose_journal_lies(firm: Host) -> None:
    run = solved(started(firm))
    honest = episode.advance_hash

    async def ask(grader: Grader) -> bytes:
        try:
            return await grader.grade(run)
        finally:
            await grader.close()

    with patch.object(episode, "advance_hash", lambda one: honest(one)[::-1]):
        refused = asyncio.run(ask(Grader(firm)))
    assert b"does not lead from the seed to the final state" in refused and b'"score":null' in refused
    assert b'"pass":true' in asyncio.run(ask(Grader(firm)))


class Counted:
    """Rows of one table that count how often they are read."""

    def __init__(self, rows: Rows) -> None:
        self.inner, self.asked = rows, 0

    def rows(self, table: str):
        self.asked += 1
        return self.inner.rows(table)

    def row(self, table: str, pk):
        self.asked += 1
        return self.inner.row(table, pk)


def test_rows_are_read_once_and_no_more_than_a_number_is_kept(firm: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    run = started(firm)
    counted = Counted(episode.evidence(run, collect_run_record(run.actor), collect_run_record(run.actor)).s0)
    kept = KeptRows(cast(Rows, counted))
    (person, *_) = kept.rows("person")
    assert list(kept.rows("person")) == list(counted.inner.rows("person")) and counted.asked == 1
    key = (person["id"],)
    assert kept.row("person", key) == kept.row("person", key) == person and counted.asked == 2
    monkeypatch.setattr(sealed_rows, "KEPT_ROWS", 0)
    assert list(KeptRows(cast(Rows, counted)).rows("person")) == list(kept.rows("person"))


def test_look_ups_of_all_kinds_share_the_rows_that_are_kept(firm: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    run = started(firm)
    counted = Counted(episode.evidence(run, collect_run_record(run.actor), collect_run_record(run.actor)).s0)
    people = list(counted.inner.rows("person"))
    kept = KeptRows(cast(Rows, counted))
    monkeypatch.setattr(sealed_rows, "KEPT_ROWS", 2 * len(people))
    assert list(kept.rows("person")) == people
    for one in (*people, *people):
        assert kept.row("person", (one["id"],)) == one
    assert counted.asked == 1 + len(people)
    kept.row("person", ("p_none",))  # in place of all the others
    kept.row("person", (people[0]["id"],))
    assert list(kept.rows("person")) == people
    assert counted.asked == 3 + len(people)


def test_a_server_keeps_some_tasks_ready_and_makes_each_once(firm: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparation, "KEPT", 2)
    run, kept, made = started(firm), Preparations(), list[int]()
    ready = prepare(run)

    def get(seed: int) -> None:
        def make() -> preparation.Preparation:
            made.append(seed)
            return ready

        assert kept.get(TaskMark("folder", "", seed, "{}", "image"), make) is ready

    for seed in (1, 1, 2, 1, 3, 1, 2):
        get(seed)
    assert made == [1, 2, 3, 2]
