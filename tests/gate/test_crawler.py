"""V17, V18, V22: what code asks of the machine, what can be had too early, what was recorded of live runs."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, blocks
from world.gate.leaks import Secret, exclude_known_texts, hits, read_everything, secrets
from world.gate.process_independence import surroundings
from world.gate.recorded_runs import compare_recorded_runs
from world.gate.variant_runner import VariantRunner
from world.run.home import Home
from world.run.host import open_host
from world.run.images import get_image
from world.script import loader
from world.script.errors import ScenarioError

Build = Callable[[Mapping[str, str]], VariantRunner]
CARD = """version: 1
runs:
  - {who: a person, door: ui, seed: 0, passed: true, score: 1.0}
  - {who: model, door: mcp, seed: 1, passed: false, score: 0.4, read_by: mia}
"""


@pytest.fixture
def build(home: Home, tmp_path: Path) -> Iterator[Build]:
    """A workbench over the scenario of the manual with some files replaced."""
    host = open_host(get_image(home, "XS", 7), tmp_path / "worlds")
    folder = tmp_path / "thanks"
    folder.mkdir()

    def make(files: Mapping[str, str]) -> VariantRunner:
        manual = {b.file.removeprefix("thanks/"): b.text for b in blocks(ROOT / "docs" / "scenarios.md") if b.file}
        for name, text in {**manual, **files}.items():
            (folder / name).write_text(text, encoding="utf-8")
        return VariantRunner(host, loader.load(folder), 0)

    yield make
    host.store.close()


def script(old: str, new: str) -> dict[str, str]:
    """The manual's scenario.py with something else in it."""
    text = next(b.text for b in blocks(ROOT / "docs" / "scenarios.md") if b.file and b.file.endswith("scenario.py"))
    assert old in text
    return {"scenario.py": text.replace(old, new)}


def test_what_code_asks_of_the_machine_is_named_by_line(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_text(
        "import os\nfrom random import choice\nimport time, json\na = os.environ\nb = scene.now\nc = datetime.now()\nd"
        " = id(a)\n"
    )
    assert list(surroundings(path)) == ["x.py:2 random", "x.py:3 time", "x.py:4 environ", "x.py:6 now", "x.py:7 id()"]
    path.write_text("def cell(id, hash=hash):\n    return id\n")
    assert list(surroundings(path)) == []


def test_a_text_said_too_early_is_a_leak(build: Build) -> None:
    early = '    s.at("+0s", lambda w: ask(w, job), name="early")\n'
    bench = build(script('    s.at("+10m"', early + '    s.at("+10m"'))
    hidden = secrets(bench)
    found = [secret for secret, _ in hits(bench, hidden, list(read_everything(bench)))]
    assert "is stuck again. Who takes it?" in " ".join(secret.text for secret in found if secret.kind == "future")


def test_what_the_task_names_as_to_come_is_no_secret(build: Build) -> None:
    first = build({})
    kept = [secret.text for secret in secrets(first) if "stuck again" in secret.text]
    first.host.drop(first.root.world)
    task = next(b.text for b in blocks(ROOT / "docs" / "scenarios.md") if b.file and b.file.endswith("task.md"))
    told = secrets(build({"task.md": f"{task}\nYou will be told: {kept[0]}"}))
    assert kept and not [secret for secret in told if "stuck again" in secret.text and secret.kind == "future"]


def test_nothing_of_the_manuals_scenario_can_be_read_before_its_time(build: Build) -> None:
    bench = build({})
    hidden = secrets(bench)
    assert len(hidden) > 4 and not hits(bench, hidden, list(read_everything(bench)))


def test_what_a_file_of_the_companys_repositories_says_is_a_source(build: Build) -> None:
    new = Secret("# Nobody wrote this line yet", "solution")
    assert exclude_known_texts(build({}), [Secret("# Changes of regions.toml", "solution"), new]) == [new]


def test_what_was_recorded_of_live_runs_is_said(build: Build) -> None:
    bench = build({})
    (absent,) = compare_recorded_runs(bench)
    assert absent.ok and "not recorded" in absent.why
    before = loader.load(bench.scenario.folder).revision
    (bench.scenario.folder / "card.yaml").write_text(CARD, encoding="utf-8")
    (said,) = compare_recorded_runs(bench)
    assert said.ok and said.why == "recorded: 1 passed, 1 failed and read; wanted are 1 and 3"
    assert loader.load(bench.scenario.folder).revision == before


def test_a_verdict_that_a_fair_reading_does_not_share_is_caught(build: Build) -> None:
    shared = CARD.replace("score: 1.0}", "score: 1.0, fair: true}")
    bench = build({"card.yaml": shared})
    assert all(one.ok for one in compare_recorded_runs(bench))
    unfair = CARD.replace("score: 0.4", "score: 0.4, fair: true, note: it thanked somebody")
    (bench.scenario.folder / "card.yaml").write_text(unfair, encoding="utf-8")
    bad = [one for one in compare_recorded_runs(bench) if not one.ok]
    assert [(one.what, one.why) for one in bad] == [("run 2, model, seed 1", "should pass: it thanked somebody")]


@pytest.mark.parametrize("wrong", ["score: 7", "extra: 1", "door: smoke"])
def test_a_card_that_cannot_be_read_is_refused_with_its_line(build: Build, wrong: str) -> None:
    bench = build(
        {"card.yaml": f"version: 1\nruns:\n  - {{who: x, door: ui, seed: 0, passed: true, score: 1, {wrong}}}\n"}
    )
    with pytest.raises(ScenarioError, match=r"card.yaml:3"):
        list(compare_recorded_runs(bench))
