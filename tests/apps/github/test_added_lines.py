"""What commits add to files, as far as a branch or a tag leads there: of the run alone, and the same from a stored record."""

from pathlib import Path

import pytest

from apps.github import added_lines
from apps.github.added_lines import list_added_lines
from tests.apps.github.conftest import APP, SECRET, SITE, Say
from tests.apps.github.pushes import push
from tests.apps.reader import Reader
from world.core.conduct import AddedLines
from world.run.host import Host
from world.run.run_evidence import RunRecord, collect_run_record, read_past, write_past

README = "# app\n\nIt counts.\n"


@pytest.fixture
def reader(host: Host) -> Reader:
    return Reader(host)


def list_files(reader: Reader, ref: str, record: RunRecord | None = None) -> list[AddedLines]:
    found = record or collect_run_record(reader.actor)
    state, lookup = reader.look(found)
    rows = [row for row in state.rows("github_ref") if (row["repo_id"], row["name"]) == (APP, ref)]
    return list(list_added_lines(rows[-1], lookup))


def list_lines(reader: Reader, ref: str, record: RunRecord | None = None) -> list[tuple[str, str]]:
    return [(one.path, one.text) for one in list_files(reader, ref, record)]


def test_new_lines_of_changed_and_new_files_are_read(host: Host, reader: Reader) -> None:
    push(host, "main", {"README.md": f"{README}It also sums.\n", "docs/sums.md": "Sums\n"})
    assert list_lines(reader, "refs/heads/main") == [("README.md", "It also sums."), ("docs/sums.md", "Sums")]
    assert [one.is_new for one in list_files(reader, "refs/heads/main")] == [False, True]


def test_a_branch_without_new_commits_brings_nothing(host: Host, reader: Reader) -> None:
    assert list_lines(reader, "refs/heads/main") == []
    push(host, "side", start="main")
    assert list_lines(reader, "refs/heads/side") == []


def test_what_a_later_commit_takes_away_was_added_all_the_same(host: Host, reader: Reader) -> None:
    push(host, "main", {"key.txt": "open sesame\n"})
    push(host, "main", {"key.txt": None})
    assert ("key.txt", "open sesame") in list_lines(reader, "refs/heads/main")


def test_a_merge_adds_only_what_no_parent_has(host: Host, reader: Reader) -> None:
    theirs = push(host, "side", {"src/side.py": "side = 1\n"}, start="main")
    push(host, "main", {"README.md": f"{README}Ours\n"})
    push(host, "main", {"README.md": f"{README}Ours, both\n", "src/side.py": "side = 1\n"}, merging=theirs)
    assert list_lines(reader, "refs/heads/main")[0] == ("README.md", "Ours, both")
    assert sorted(list_lines(reader, "refs/heads/main")[1:]) == [("README.md", "Ours"), ("src/side.py", "side = 1")]


def test_bytes_that_are_no_text_say_nothing(say: Say, host: Host, reader: Reader) -> None:
    content = "AAECAwQ="
    say("repos/create-or-update-file-contents", owner="tiny", repo="app", path="a.bin", message="m", content=content)
    assert list_lines(reader, "refs/heads/main") == [("a.bin", "")]


def test_an_annotated_tag_is_read_with_the_commits_behind_it(say: Say, host: Host, reader: Reader) -> None:
    sha = push(host, "gone", {"a.md": "Left behind\n"}, start="main")
    tag = say(
        "git/create-tag", owner="tiny", repo="app", tag="v1", message="Said by the tag", object=sha, type="commit"
    )
    say("git/create-ref", owner="tiny", repo="app", ref="refs/tags/v1", sha=tag["sha"])
    assert list_lines(reader, "refs/tags/v1") == [("", "Said by the tag"), ("a.md", "Left behind")]


def test_a_fork_brings_nothing_of_what_it_copies(say: Say, reader: Reader) -> None:
    say("repos/create-fork", "bo", owner="tiny", repo="app")
    state, lookup = reader.look(collect_run_record(reader.actor))
    forks = [row for row in state.rows("github_ref") if row["repo_id"] not in (APP, SITE, SECRET)]
    brought: list[AddedLines] = [one for row in forks for one in list_added_lines(row, lookup)]
    assert forks and brought == []


def test_a_stored_record_reads_the_same(host: Host, reader: Reader, tmp_path: Path) -> None:
    push(host, "main", {"README.md": f"{README}It also sums.\n"})
    record = collect_run_record(reader.actor)
    write_past(record, tmp_path / "past")
    again = read_past(tmp_path / "past")
    assert again.contents == record.contents and record.contents
    assert list_lines(reader, "refs/heads/main", again) == [("README.md", "It also sums.")]


def test_reading_is_bounded(host: Host, reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(added_lines, "MAX_FILES", 2)
    push(host, "main", {f"docs/{n}.md": "text\n" for n in range(5)})
    assert len(list_lines(reader, "refs/heads/main")) == 2
