"""A mistake in a scenario's files is told by the command before anything is done: file, line, mend."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.docs.pages import ROOT, blocks
from world.commands.run import command
from world.gate.seed_independence import row_ids
from world.run.home import Home
from world.script.errors import ScenarioError
from world.script.loader import load

FILES = {b.file.removeprefix("thanks/"): b.text for b in blocks(ROOT / "docs" / "scenarios.md") if b.file}
AT = '    s.at("+10m", lambda w: ask(w, job), name="question")'
ON = f'{AT}\n    s.on(row(%s), lambda w: None, deadline=None, otherwise=None, name="late")'


def line(file: str, text: str) -> int:
    """Where a text stands in a file of the manual's scenario."""
    return FILES[file][: FILES[file].index(text)].count("\n") + 1


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("scenario.py", 'w.find("slack_channel"', 'w.find("slack_chanel"', "no table 'slack_chanel'"),
        ("scenario.py", 'name="incidents")["id"]', 'nam="incidents")["id"]', "slack_channel has no column 'nam'"),
        ("scenario.py", '"chat.postMessage"', '"chat.postMesage"', "no operation 'chat.postMesage'"),
        ("scenario.py", 'w.person("sweber")', 'w.person("sweberr")', "nobody has the handle 'sweberr'"),
        (
            "scenario.py",
            'name="incidents")["id"]',
            'name=w.person("sweber"))["id"]',
            "name of slack_channel is compared with a Person",
        ),
        (
            "scenario.py",
            'w.person("sweber")',
            'w.fact("bug", "key")',
            "event 'bug' has not happened yet; ask w.fired first",
        ),
        ("scenario.py", 'w.person("sweber")', "1 // 0", "integer division or modulo by zero"),
        ("scenario.py", AT, AT.replace("s.at", "s.att"), "no attribute 'att'"),
        ("scenario.py", AT, f'{AT}; s._event(ask, "never")', "nothing ever fires 'never'"),
        ("scenario.py", AT, AT.replace("+10m", "+5h"), "after the horizon, so never seen: 'question'"),
        (
            "scenario.py",
            AT,
            f"{AT}.follows.append((0, 0))",
            "event 'question' (line {line}) follows itself without delay",
        ),
        (
            "scenario.py",
            AT,
            ON % '"slack_mesage"',
            "event 'late' (line {next}): unknown table 'slack_mesage'; did you mean 'slack_message'?",
        ),
        (
            "scenario.py",
            AT,
            ON % '"slack_message", txt="a"',
            "(line {next}): unknown column of slack_message 'txt'; did you mean 'text'?",
        ),
        (
            "scenario.py",
            AT,
            ON % '"slack_message", "updated"',
            "(line {next}): unknown change 'updated'; did you mean 'update'?",
        ),
        (
            "rubric.yaml",
            "thread_ts_from: event.question.ts",
            "thread_ts_from: event.quesion.ts",
            "unknown event 'quesion'; did you mean 'question'?",
        ),
        ("rubric.yaml", "{ref: me}", "{ref: m}", "unknown ref 'm'; did you mean 'me'?"),
        (
            "rubric.yaml",
            "delete: slack_message",
            "delete: slack_mesage",
            "unknown table 'slack_mesage'; did you mean 'slack_message'?",
        ),
        ("rubric.yaml", "issue_type: Bug", "issue_type: {equals: Bug}", "unknown operator 'equals'"),
        ("rubric.yaml", "project: SHOP", "project_id: 10001", "10001 is a literal row id"),
        ("rubric.yaml", "gate: true", "gat: true", "unknown key 'gat'; did you mean 'gate'?"),
    ],
)
def test_a_mistake_is_told_with_its_line_before_anything_is_done(
    home: Home, tmp_path: Path, file: str, old: str, new: str, said: str
) -> None:
    folder = tmp_path / "thanks"
    folder.mkdir()
    for name, text in FILES.items():
        whole = text.replace(old, new, 1) if name == file else text
        (folder / name).write_text(
            whole.replace("import Script", "import Script, row") if name == "scenario.py" else whole, encoding="utf-8"
        )
    at = line(file, old)
    done = CliRunner().invoke(command, [f"{folder}/", "--agent", "null", "--door", "rest"])
    assert done.exit_code == 1 and "FAIL" not in done.output
    assert said.format(line=at, next=at + 1) in done.output
    assert f"{file}:{at}:" in done.output or f"(line {at})" in done.output or f"(line {at + 1})" in done.output


def test_a_mistake_while_the_solution_plays_is_told_with_its_line(
    home: Home, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text.replace('w.person("sweber")', 'w.person("sweberr")'), encoding="utf-8")
    done = CliRunner().invoke(command, [f"{tmp_path}/", "--door", "rest"])
    asked = line("oracle.py", '{"channel": question["channel"]')
    assert done.exit_code == 1 and f"oracle.py:{asked}: KeyError: 'channel'" in done.output
    (told,) = [record for record in caplog.records if record.name == "firmament"]
    assert (
        "nobody has the handle 'sweberr'" in told.getMessage()
        and f"scenario.py:{line('scenario.py', 'w.person(')}:" in told.getMessage()
    )
    assert told.exc_info is None


def test_ids_of_rows_in_code_are_named_by_line(tmp_path: Path) -> None:
    (tmp_path / "scenario.py").write_text('a = "INC"\nb = w.find("slack_channel", id="C00000003X")\n', encoding="utf-8")
    assert list(row_ids(tmp_path / "scenario.py")) == [(2, "C00000003X")]


def parted(folder: Path, people: str) -> Path:
    """The scenario of the manual, whose card's title stands in a module of its own."""
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    story = (folder / "scenario.py").read_text(encoding="utf-8")
    title = next(line for line in story.splitlines() if "title=" in line)
    story = story.replace(title, "    title=TITLE,").replace("card = ", "from .people import TITLE\n\ncard = ", 1)
    (folder / "scenario.py").write_text(story, encoding="utf-8")
    (folder / "people.py").write_text(people, encoding="utf-8")
    return folder


def test_modules_of_a_folder_import_each_other_and_are_read_anew(tmp_path: Path) -> None:
    first = load(parted(tmp_path, 'TITLE = "One"\n'))
    revision = first.revision
    second = load(parted(tmp_path, 'TITLE = "Another"\n'))
    assert (first.card.title, second.card.title) == ("One", "Another") and second.revision != revision


@pytest.mark.parametrize(
    ("people", "said"),
    [
        ("TITLE = 1\nTITLE.upper()\n", "people.py:2: 'int' object has no attribute 'upper'"),
        ("TITLE =\n", "people.py:1: invalid syntax"),
        ("from .places import ROOM\n", "people.py:1: No module named 'places'"),
    ],
)
def test_a_mistake_in_a_further_module_is_told_with_its_line(tmp_path: Path, people: str, said: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        load(parted(tmp_path, people))
    assert said in str(caught.value)
