"""Repositories with their issues: from a folder and lists of the REST API, and from a migration archive and back."""

import io
import json
import tarfile
from pathlib import Path

import pytest
from dulwich.objects import Blob, Commit, Tree
from dulwich.repo import Repo

from apps.github.boilerplate.licenses import LICENSES
from seeds.imports.export_run import run_export
from tests.seeds.imports.conftest import Ask, Import
from world.run.imports import ImportOutcome, ImportRefused

BORN = 1717500000


def make_repository(folder: Path) -> tuple[str, str]:
    """Two commits by Anna Berg on main; their SHAs."""
    repository = Repo.init(str(folder), mkdir=True)
    shas: list[bytes] = []
    terms = Blob.from_string(LICENSES["mit"].fill_in(2024, "Acme").encode())
    repository.object_store.add_object(terms)
    for number, text in enumerate((b"one\n", b"one\ntwo for Anna Berg\n")):
        blob, tree, commit = Blob.from_string(text), Tree(), Commit()
        tree.add(b"notes.txt", 0o100644, blob.id)
        tree.add(b"LICENSE", 0o100644, terms.id)
        commit.tree, commit.parents = tree.id, shas[-1:]  # type: ignore[assignment]
        commit.author = commit.committer = b"Anna Berg <anna@acme.test>"
        commit.author_time = commit.commit_time = BORN + number * 3600
        commit.author_timezone = commit.commit_timezone = 7200
        commit.message = f"Change {number}\n".encode()
        for one in (blob, tree, commit):
            repository.object_store.add_object(one)
        shas.append(commit.id)
    repository.refs[b"refs/heads/main"] = shas[-1]  # type: ignore[index]
    repository.refs.set_symbolic_ref(b"HEAD", b"refs/heads/main")  # type: ignore[arg-type]
    repository.close()
    return shas[0].decode(), shas[1].decode()


def list_issues(sha: str) -> list[dict[str, object]]:
    """What GET /repos/acme/web/issues answers."""
    return [
        {
            "number": 3,
            "repository_url": "https://api.github.com/repos/acme/web",
            "title": "Notes are short",
            "body": f"since {sha}",
            "user": {"login": "annab"},
            "assignees": [{"login": "annab"}],
            "labels": [{"name": "good first issue", "color": "7057ff"}],
            "milestone": {"number": 1, "title": "June", "state": "open", "due_on": "2024-06-30T00:00:00Z"},
            "created_at": "2024-06-04T12:00:00Z",
            "closed_at": "2024-06-05T12:00:00Z",
            "state_reason": "completed",
        }
    ]


COMMENTS = [
    {
        "issue_url": "https://api.github.com/repos/acme/web/issues/3",
        "user": {"login": "kim"},
        "body": "agreed",
        "created_at": "2024-06-04T13:00:00Z",
    }
]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A repository, and the lists of its issues and their comments."""
    folder = tmp_path_factory.mktemp("hub")
    first, _ = make_repository(folder / "web")
    for name, value in (("a-issues.json", list_issues(first)), ("b-comments.json", COMMENTS)):
        (folder / name).write_text(json.dumps(value))
    return [folder / "web", folder / "a-issues.json", folder / "b-comments.json"]


@pytest.fixture(scope="module")
def outcome(import_archives: Import, sources: list[Path]) -> ImportOutcome:
    """The repository and its issues, imported."""
    return import_archives(*sources)


def test_the_licence_is_recognised(outcome: ImportOutcome, ask: Ask) -> None:
    assert ask(outcome.image, "SELECT name, license FROM github_repository") == [("web", "mit")]


def test_commits_move_to_the_worlds_clock_and_texts_name_them(outcome: ImportOutcome, ask: Ask) -> None:
    commits = ask(
        outcome.image, "SELECT sha1, committed_at, author_email, message FROM github_commit ORDER BY committed_at"
    )
    assert [row[2:] for row in commits] == [("anna@acme.test", "Change 0\n"), ("anna@acme.test", "Change 1\n")]
    assert commits[0][1] == BORN + outcome.report["shift_days"] * 86_400  # type: ignore[operator]
    assert ask(outcome.image, "SELECT target FROM github_ref WHERE name = 'refs/heads/main'") == [(commits[1][0],)]
    assert ask(outcome.image, "SELECT body FROM github_issue") == [(f"since {commits[0][0]}",)]


def test_issues_have_labels_comments_and_people(outcome: ImportOutcome, ask: Ask) -> None:
    assert ask(outcome.image, "SELECT number, state, state_reason FROM github_issue") == [(3, "closed", "completed")]
    assert ask(outcome.image, "SELECT name FROM github_label JOIN github_issue_label ON id = label_id") == [
        ("good first issue",)
    ]
    assert ask(outcome.image, "SELECT body, login FROM github_comment c JOIN github_account a ON a.id = author_id") == [
        ("agreed", "kim")
    ]
    assert ask(outcome.image, "SELECT handle FROM person ORDER BY 1") == [("anna",), ("annab",), ("kim",)]


@pytest.mark.full
def test_repositories_make_the_round_trip(outcome: ImportOutcome, import_archives: Import, tmp_path: Path) -> None:
    written = run_export(outcome.image, tmp_path / "out")
    assert [path.name for path in written] == ["company.json", "github.tar.gz"]
    assert import_archives(*written).image == outcome.image


@pytest.mark.full
def test_commits_under_pseudonyms_hold_no_name(import_archives: Import, ask: Ask, sources: list[Path]) -> None:
    made = import_archives(*sources, pseudonym_key="k")
    (name, address), *_ = ask(made.image, "SELECT author_name, author_email FROM github_commit")
    assert ask(
        made.image,
        "SELECT count(*) FROM person WHERE full_name = ? AND email = ?".replace("?", "'{}'").format(name, address),
    ) == [(1,)]
    for word in (b"Anna", b"Berg", b"annab", b"acme"):
        assert word not in made.image.read_bytes()


def test_a_repository_that_lends_objects_or_lacks_some_is_refused(import_archives: Import, tmp_path: Path) -> None:
    make_repository(tmp_path / "web")
    lent = tmp_path / "web" / ".git" / "objects" / "info" / "alternates"
    lent.parent.mkdir(exist_ok=True)
    lent.write_text("/srv/other/objects\n")
    with pytest.raises(ImportRefused, match="lends objects from another repository"):
        import_archives(tmp_path / "web")
    lent.unlink()
    head = (tmp_path / "web" / ".git" / "refs" / "heads" / "main").read_text().strip()
    (tmp_path / "web" / ".git" / "objects" / head[:2] / head[2:]).unlink()
    with pytest.raises(ImportRefused, match="web: no sound repository"):
        import_archives(tmp_path / "web")


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("../evil", tarfile.REGTYPE, "leads out of the archive"),
        ("/etc/evil", tarfile.REGTYPE, "leads out of the archive"),
        ("users_000001.json", tarfile.SYMTYPE, "neither a plain file nor a folder"),
        ("users_000001.json", tarfile.LNKTYPE, "neither a plain file nor a folder"),
        ("users_000001.json", tarfile.CHRTYPE, "neither a plain file nor a folder"),
    ],
)
def test_hostile_entries_of_a_tar_file_are_refused(
    import_archives: Import, tmp_path: Path, name: str, kind: bytes, message: str
) -> None:
    path = tmp_path / "bad.tar.gz"
    with tarfile.open(path, "w:gz") as opened:
        info = tarfile.TarInfo(name)
        info.type, info.linkname = kind, "/etc/passwd"
        opened.addfile(info, io.BytesIO(b""))
    with pytest.raises(ImportRefused, match=r"bad\.tar\.gz") as refused:
        import_archives(path)
    assert message in str(refused.value)


def test_a_tar_bomb_is_refused(import_archives: Import, tmp_path: Path) -> None:
    path = tmp_path / "bomb.tar.gz"
    with tarfile.open(path, "w:gz") as opened:
        info = tarfile.TarInfo("users_000001.json")
        info.size = 8_000_000
        opened.addfile(info, io.BytesIO(b" " * info.size))
    with pytest.raises(ImportRefused, match="a bomb"):
        import_archives(path)
