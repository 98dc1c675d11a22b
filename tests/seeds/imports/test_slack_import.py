"""A Slack export becomes the rows of a workspace, and goes back out as one.

The form is that of slack.com/help/articles/220556107 and of archives that public workspaces have published.
"""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from seeds.imports.export_run import run_export
from seeds.spec import START
from tests.seeds.imports.archives import DAY, slack_files, write_archive
from tests.seeds.imports.conftest import Ask, Import
from world.cli import firm as command
from world.core.clock import DAY as DAY_US
from world.core.clock import SECOND
from world.run.host import open_host
from world.run.imports import ImportOutcome, ImportRefused


@pytest.fixture(scope="module")
def outcome(import_archives: Import, tmp_path_factory: pytest.TempPathFactory) -> ImportOutcome:
    """The small workspace, imported."""
    return import_archives(write_archive(tmp_path_factory.mktemp("slack") / "acme.zip", slack_files()))


def test_people_channels_and_threads_become_rows(outcome: ImportOutcome, ask: Ask) -> None:
    people = ask(outcome.image, "SELECT handle, full_name, email, kind, status FROM person ORDER BY handle")
    assert people == [
        ("anna.berg", "Anna Berg", "anna@acme.test", "employee", "active"),
        ("deploybot", "Deploy Bot", "deploybot@acme.test", "bot", "active"),
        ("hook", "Hook", "hook@acme.test", "bot", "active"),
        ("jon", "Jon Ahlgren", "jon.ahlgren@acme.test", "employee", "left"),
        ("ugone", "UGONE", "ugone@acme.test", "employee", "left"),
    ]
    root = ask(outcome.image, "SELECT reply_count, edited_ts IS NOT NULL FROM slack_message WHERE text LIKE 'Release%'")
    assert root == [(1, 1)]
    assert ask(outcome.image, "SELECT name, kind FROM slack_channel ORDER BY id") == [("general", "public"), ("", "im")]
    assert ask(
        outcome.image, "SELECT name FROM slack_file JOIN blob USING (sha256) WHERE data = CAST('a plan' AS BLOB)"
    )


def test_the_last_message_falls_into_the_week_before_the_start_on_its_weekday(outcome: ImportOutcome, ask: Ask) -> None:
    last = ask(outcome.image, "SELECT max(ts) FROM slack_message")[0][0]
    at = int(last.partition(".")[0]) * SECOND
    assert START - 7 * DAY_US < at <= START
    assert (at - 1717501000 * SECOND) % (7 * DAY_US) == 0
    link = ask(outcome.image, "SELECT ts, text FROM slack_message WHERE text LIKE 'Release%'")[0]
    assert f"/p{link[0].replace('.', '')}" in link[1]


def test_the_report_names_what_was_guessed_or_left_out(outcome: ImportOutcome) -> None:
    assert outcome.report["dropped"] == {
        "files of no conversation: integration_logs.json": 1,
        "users that users.json does not have, kept as people who left: UGONE": 1,
    }


def test_import_then_export_then_import_is_the_same_image(
    outcome: ImportOutcome, import_archives: Import, tmp_path: Path
) -> None:
    written = run_export(outcome.image, tmp_path / "out")
    again = import_archives(*written)
    assert again.image == outcome.image and again.report["shift_days"] == 0
    assert [path.read_bytes() for path in run_export(again.image, tmp_path / "twice")] == [
        path.read_bytes() for path in written
    ]


@pytest.mark.full
def test_pseudonyms_are_consistent_and_leave_no_name(import_archives: Import, ask: Ask, tmp_path: Path) -> None:
    files = slack_files()
    said = "ask Anna Berg (anna@acme.test, +49 30 1234567), token ghp_abcdefghijklmnopqrstuvwx1234"
    files["general/2024-06-05.json"] = [{**DAY[1], "ts": "1717600000.000100", "thread_ts": None, "text": said}]
    path = write_archive(tmp_path / "acme.zip", files)
    made = import_archives(path, pseudonym_key="k")
    assert import_archives(path, pseudonym_key="k").image == made.image
    assert import_archives(path, pseudonym_key="other").image != made.image
    everything = made.image.read_bytes()
    for word in (b"Anna", b"Berg", b"Ahlgren", b"acme", b"1234567", b"ghp_abcdef", b"a plan"):
        assert word not in everything
    ((name, address),) = ask(made.image, "SELECT full_name, email FROM person WHERE title = 'Head of Ops'")
    ((text,),) = ask(made.image, "SELECT text FROM slack_message WHERE text LIKE 'ask %'")
    assert name in text and address in text and "ghp_" in text and len(text.rpartition(" ")[2]) == 32


def test_the_world_of_an_imported_image_opens(outcome: ImportOutcome, tmp_path: Path) -> None:
    host = open_host(outcome.image, tmp_path / "worlds")
    host.create("one")
    assert host.principal("one", "anna.berg").person == "p_0001"
    host.store.close()


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("users.json", b"[{", "no sound JSON"),
        ("users.json", b"\xff\xfe[]", "no sound JSON"),
        ("users.json", [{"name": "nobody"}], "users.json: [0].id: missing"),
        ("general/2024-06-01.json", [{"type": "message", "ts": "soon"}], "[0].ts: 'soon' is no time of a message"),
        ("general/2024-06-01.json", {"ok": True}, "a list was expected"),
        ("general/2024-06-01.json", b"[" * 5000 + b"]" * 5000, "no sound JSON"),
        ("../evil.json", [], "leads out of the archive"),
        ("/etc/passwd", b"", "leads out of the archive"),
        ("general/big.json", b"\0" * 2_000_000, "a zip bomb"),
    ],
)
def test_a_bad_archive_is_refused_whole_with_file_and_place(
    import_archives: Import, tmp_path: Path, name: str, value: object, message: str
) -> None:
    path = write_archive(tmp_path / "bad.zip", {**slack_files(), name: value})
    with pytest.raises(ImportRefused, match=r"bad\.zip") as refused:
        import_archives(path)
    assert message in str(refused.value)


def test_what_is_no_archive_is_refused(import_archives: Import, tmp_path: Path) -> None:
    path = tmp_path / "text.zip"
    path.write_text("not a zip")
    with pytest.raises(ImportRefused, match=r"text\.zip: not a zip archive"):
        import_archives(path)
    cut = tmp_path / "cut.zip"
    cut.write_bytes(write_archive(tmp_path / "whole.zip", slack_files()).read_bytes()[:-30])
    with pytest.raises(ImportRefused, match=r"cut\.zip"):
        import_archives(cut)


@pytest.mark.full
def test_the_commands_import_and_export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIRM_HOME", str(tmp_path / "home"))
    source = str(write_archive(tmp_path / "acme.zip", slack_files()))
    out = tmp_path / "out"
    done = CliRunner().invoke(command, ["seed", "import", source, "--out", str(out), "--json"])
    report = json.loads(done.output)
    assert done.exit_code == 0 and report["rows"]["slack_message"] == 6 and (out / "report.json").exists()
    wrote = CliRunner().invoke(command, ["seed", "export", str(tmp_path / "archives"), "--image", report["image"]])
    assert [Path(line).name for line in wrote.output.split()] == ["company.json", "slack.zip"]
    refused = CliRunner().invoke(command, ["seed", "import", report["image"]])
    assert refused.exit_code == 1 and "no format that is known" in refused.output
