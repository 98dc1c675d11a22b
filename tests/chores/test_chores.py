"""Chores: the draw, the request, and every installed family won by its solution and by nothing less."""

import os
import re
from collections.abc import Iterator
from contextlib import closing
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from scenarios.office.books import write
from tests.docs.pages import ROOT, blocks
from world.commands.new import TEMPLATES
from world.gate.variant_runner import VariantRunner
from world.run import episode
from world.run.home import Home
from world.run.host import Host, open_host
from world.run.images import get_image
from world.run.run_evidence import collect_run_record
from world.script import catalogue, loader
from world.script.errors import ScenarioError

NAMES = sorted(catalogue.chores())
SEEDS = 10 if "FIRM_LONG" in os.environ else 5  # of which each draw must differ from every earlier one
DIFFERENT = 3  # facts, numbers aside
NUMBER = re.compile(r"(?<![A-Z]-)\b\d[\d.:]*\b")


@pytest.fixture(scope="module")
def host(home: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A host over the small company."""
    made = open_host(get_image(home, "S"), tmp_path_factory.mktemp("chores"))
    yield made
    made.store.close()


def play(host: Host, name: str, seed: int, level: str | None = None) -> VariantRunner:
    """A bench of one draw."""
    return VariantRunner(host, loader.find_scenario(name), seed, level)


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_the_solution_of_a_chore_earns_full_marks_and_doing_nothing_none(host: Host, name: str) -> None:
    for level in loader.find_scenario(name).card.levels:
        for seed in (0, 1):
            with closing(play(host, name, seed, level)) as bench:
                run, played = bench.play_solution()
                verdict, idle = bench.grade_and_drop(run), bench.idle()
            assert [step.refusal for step in played if step.refusal] == [], (level, seed)
            assert (verdict.passed, verdict.score) == (True, 1.0), (level, seed, [i.why for i in verdict.items])
            assert (idle.passed, idle.raw_score) == (False, 0.0), (level, seed)


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_draws_differ_in_people_objects_places_and_words(host: Host, name: str) -> None:
    facts = [draw_facts(host, name, seed) for seed in range(SEEDS)]
    for number, one in enumerate(facts):
        for other in facts[:number]:
            assert sum(one.get(key) != other.get(key) for key in one) >= DIFFERENT, (number, one)


def draw_facts(host: Host, name: str, seed: int) -> dict[str, str]:
    """The facts of a draw as texts, their numbers masked."""
    run = episode.start(host, loader.find_scenario(name), seed=seed, world="draw")
    facts = collect_run_record(run.actor).events["truth"].facts
    host.drop(run.world)
    return {key: NUMBER.sub("#", str(value)) for key, value in facts.items()}


@pytest.mark.parametrize("name", NAMES)
def test_a_chore_says_what_it_is(name: str) -> None:
    found = loader.find_scenario(name)
    assert found.card.title == catalogue.read_title(catalogue.chores()[name])
    assert {"chore"} < set(found.card.tags) and found.card.apps
    assert found.files[0].name == f"{name}.py" and len(found.files) > 1  # helpers belong to the revision


def test_the_task_holds_the_request_and_where_it_was_made(host: Host) -> None:
    bench = play(host, "hand_over_tickets", 3)
    facts, request = bench.quiet.events["truth"].facts, bench.quiet.events["request"].facts
    assert f"> {facts['request']}" in bench.root.task and str(request["where"]) in bench.root.task
    assert "{" not in bench.root.task
    bench.close()


def test_the_request_is_in_the_world_for_the_agent_to_answer(host: Host) -> None:
    places = set[str]()
    for seed in range(8):
        bench = play(host, "hand_over_tickets", seed)
        request = bench.quiet.events["request"].facts
        scene, text = bench.make_scene(), str(bench.quiet.events["truth"].facts["request"])
        if request["app"] == "slack":
            said = scene.find("slack_message", channel_id=request["channel"], ts=request["ts"])["text"]
        else:
            said = scene.find("gmail_mail", message_id=request["message_id"])["text"]
        assert text in unescape(said)
        places.add(str(bench.quiet.events["truth"].facts["place"]))
        bench.close()
    assert places == {"dm", "channel", "mail"}


def test_a_rota_that_changes_before_the_other_person_has_agreed_is_seen(host: Host) -> None:
    with closing(VariantRunner(host, loader.find_scenario("duty_swap"), 1, None)) as bench:
        truth: Any = bench.quiet.events["truth"].facts
        cell = truth["cells"]["mine"]
        early = write("early", truth["book"], f"Rota!C{cell['row'] + 1}", cell["who"])
        run, _ = bench.play_solution(lambda step: (early, step) if step.id == "asked" else (step,))
        agreed = next(item for item in bench.grade_and_drop(run).items if item.id == "agreed")
    assert (agreed.share, agreed.why) == (0.0, "the rota was changed before the other person answered")


def test_a_new_chore_is_the_one_of_the_documentation() -> None:
    documented = [block.text for block in blocks(ROOT / "docs" / "chores.md") if block.file == "late_label.py"]
    assert documented == [(TEMPLATES / "chore" / "chore.py").read_text(encoding="utf-8")]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("chore = Chore(", "card = Chore(", "must define `chore`"),
        ("def rubric(", "def wanted(", "must define `rubric`"),
        ("chore = Chore(", 'chore = "late"\ncard = Chore(', "must be a world.script.chore.Chore"),
        (
            '"rubric", "solution"]',
            '"rubric", "solution"]\nChore("", (), (1, 2), split="exam")',
            "split 'exam' is none of",
        ),
        ("calls=(4, 8),", "", "calls"),
    ],
)
def test_a_file_that_is_no_chore_is_refused_with_its_name(tmp_path: Path, old: str, new: str, said: str) -> None:
    text = (TEMPLATES / "chore" / "chore.py").read_text(encoding="utf-8")
    path = tmp_path / "late_label.py"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ScenarioError, match=rf"late_label\.py.*{re.escape(said)}"):
        loader.load(path)


def test_a_draw_that_fails_says_where(tmp_path: Path, home: Home) -> None:
    text = (TEMPLATES / "chore" / "chore.py").read_text(encoding="utf-8")
    path = tmp_path / "late_label.py"
    path.write_text(text.replace('kind="customer"', 'kind="nobody"'), encoding="utf-8")
    made = open_host(get_image(home, "S"), tmp_path / "worlds")
    with pytest.raises(ScenarioError, match=r"late_label\.py:\d+: the company has no customer to draw from"):
        VariantRunner(made, loader.load(path), 0)
    made.store.close()
