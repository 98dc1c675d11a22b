"""The small company's code host for tests of its pages: all kinds of files, a protected branch, and a run of a workflow
that failed.
"""

import struct
import zlib
from pathlib import Path
from typing import Any

from sqlalchemy import Connection
from sqlmodel import Session

import apps.github
from apps.github.domain.context import stamp
from apps.github.git import Repo, Signature
from apps.github.git.repo import EXECUTABLE, FILE, LINK, MODULE
from apps.github.models import Counter, Protection
from apps.github.models_actions import CheckRun, CheckSuite, Job, Run, Workflow
from tests.apps.github.conftest import ADA, APP, AT, DAY, SITE, Rows, history, rows
from tests.company import START, company_rows
from world.core.access import Tokens
from world.core.image_builder import build
from world.run.host import Host
from world.store import Base, Store

SECOND = 1_000_000
README = """# app

It counts, see [the guide](docs/guide.md#guide) and ![a picture](docs/pic.png).

![from elsewhere](https://evil.example/x.png) <script>alert(1)</script>

```python
def one():
    return 1
```

- [x] done
"""
CI = (
    "name: CI\non: [push, workflow_dispatch]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run:"
    " python -m unittest\n"
)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


PICTURE = (
    b"\x89PNG\r\n\x1a\n"
    + _chunk(b"IHDR", struct.pack(">IIBBBBB", 40, 30, 8, 2, 0, 0, 0))
    + _chunk(b"IDAT", zlib.compress((b"\0" + b"\xe0\x67\x2b" * 40) * 30))
    + _chunk(b"IEND", b"")
)
LONG = "".join(f"value_{n} = {n}\n" for n in range(1, 61))
FILES: dict[str, tuple[int, bytes]] = {
    "README.md": (FILE, README.encode()),
    "docs/pic.png": (FILE, PICTURE),
    "docs/data.bin": (FILE, bytes(range(256)) * 4),
    "docs/here": (LINK, b"guide.md"),
    "docs/away": (LINK, b"../../../etc/passwd"),
    "src/long.py": (FILE, LONG.encode()),
    "big.txt": (FILE, b"x" * (1024 * 1024 + 1)),
    "crlf.txt": (FILE, b"one\r\ntwo\r\n"),
    "latin.txt": (FILE, "caf\xe9\n".encode("latin-1")),
    "run.sh": (EXECUTABLE, b"echo 1\n"),
    "empty.txt": (FILE, b""),
    ".github/workflows/ci.yml": (FILE, CI.encode()),
    ".gitmodules": (FILE, b'[submodule "lib"]\n\tpath = lib\n\turl = https://github.com/tiny/site.git\n'),
}


def _more(git: Repo) -> str:
    """One commit on main with every kind of file; returns it."""
    head = git.branch("main")
    assert head is not None
    changes = {path: (mode, git.put_blob(data)) for path, (mode, data) in FILES.items()} | {"lib": (MODULE, "1" * 40)}
    ada = Signature("Ada Novak", "ada@tiny.example", AT + 86_400, 60)
    sha = git.put_commit(
        git.put_changed_tree(git.tree_of(head), changes), [head], "Add files of all kinds\n\nSee #1.\n", ada, ada
    )
    git.set_ref("refs/heads/main", sha, head)
    return sha


def run_rows(sha: str, tree: str) -> list[Any]:
    """A workflow and one run of it, whose second step failed."""
    at = START - DAY
    names = (
        ("Set up job", "success", 2),
        ("Unit tests", "failure", 60),
        ("Deploy", "skipped", 0),
        ("Complete job", "success", 0),
    )
    steps, begin = [], at
    for number, (name, conclusion, seconds) in enumerate(names, 1):
        end = begin + seconds * SECOND
        times = {"started_at": stamp(begin), "completed_at": stamp(end)}
        steps.append({"name": name, "number": number, "status": "completed", "conclusion": conclusion, **times})
        begin = end
    lines = (
        (0, "Current runner version"),
        (2, "##[group]Run python -m unittest"),
        (2, "##[endgroup]"),
        (3, "FAIL: test_count <b>bold</b>"),
        (61, "##[error]Process completed with exit code 1."),
        (62, "Cleaning up orphan processes"),
    )
    log = "".join(f"{stamp(at + after * SECOND)}".replace("Z", ".0000000Z") + f" {text}\n" for after, text in lines)
    note = {
        "path": "src/count.py",
        "start_line": 2,
        "end_line": 2,
        "annotation_level": "failure",
        "message": "AssertionError: 1 != 2",
        "title": None,
        "start_column": None,
        "end_column": None,
        "raw_details": None,
        "blob_href": "",
    }
    return [
        *(Counter(name=f"github_{name}", next=1000) for name in ("workflow", "check_suite", "check_run", "run", "job")),
        Workflow(id=1, repo_id=APP, path=".github/workflows/ci.yml", name="CI", runs=1, created_at=at, updated_at=at),
        CheckSuite(
            id=1,
            repo_id=APP,
            head_sha=sha,
            head_branch="main",
            status="completed",
            conclusion="failure",
            created_at=at,
            updated_at=begin,
        ),
        CheckRun(
            id=1,
            repo_id=APP,
            suite_id=1,
            head_sha=sha,
            name="test",
            status="completed",
            conclusion="failure",
            annotations=[note],
            started_at=at,
            completed_at=begin,
            created_at=at,
        ),
        Run(
            id=1,
            repo_id=APP,
            workflow_id=1,
            suite_id=1,
            number=1,
            event="push",
            title="Add files of all kinds",
            head_branch="main",
            head_sha=sha,
            tree_sha=tree,
            actor_id=ADA,
            trigger_id=ADA,
            status="completed",
            conclusion="failure",
            created_at=at,
            updated_at=begin,
            started_at=at,
        ),
        Job(
            id=1,
            repo_id=APP,
            run_id=1,
            attempt=1,
            key="test",
            name="test",
            check_run_id=1,
            status="completed",
            conclusion="failure",
            steps=steps,
            log=log,
            created_at=at,
            started_at=at,
            completed_at=begin,
        ),
    ]


def host(folder: Path) -> Host:
    """A host over that company with one world, `w`."""

    def load(connection: Connection) -> None:
        with Session(bind=connection) as session:
            session.add_all([*company_rows(), *rows(), Protection(repo_id=APP, pattern="main", reviews=1)])
            session.commit()
        raw: Any = Rows(connection)
        for id in (APP, SITE):
            history(Repo(raw, id))
        git = Repo(raw, APP)
        sha = _more(git)
        with Session(bind=connection) as session:
            session.add_all(run_rows(sha, git.tree_of(sha)))
            session.commit()

    image = build(folder / "images", [apps.github.app], load, now=START)
    made = Host(Store(folder / "worlds", Base(image)), [apps.github.app], Tokens("test secret"))
    made.create("w")
    return made
