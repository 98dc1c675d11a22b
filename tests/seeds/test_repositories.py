"""The company's repositories: what their series promise holds for git, for the rows, and for the code when it runs."""

import sqlite3
import subprocess
import zlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest
import yaml

from apps.github.git import Repo, Signature
from apps.github.git.merge import merge_commits
from seeds.repositories import MemoryObjectStore, PatchError, Tree, apply_patch, patch, series, services
from world import sandbox
from world.sandbox import Step

NAMES = {1: "commit", 2: "tree", 3: "blob", 4: "tag"}
KINDS = {"needs_review": False, "red_ci": False, "conflicts": True}
SUITE = "python3 -m unittest discover -s tests -t ."
BY = Signature("Ann", "ann@quayline.example", 1_700_000_000)


@dataclass(frozen=True)
class Made:
    """A repository's trees: of main by commit id, of open branches by name; and the commits of main and branches."""

    repo: Repo
    trees: dict[str, Tree]
    branches: dict[str, Tree]
    main: str
    heads: dict[str, str]


@cache
def made(service: str) -> Made:
    """A service's repository, commit for commit."""
    repo = Repo(MemoryObjectStore(), 1)  # type: ignore[arg-type]
    told = series(service)
    tree, head = Tree(repo, {}, None), ""
    trees, shas = dict[str, Tree](), dict[str, str]()
    for one in told["commits"]:
        tree = tree.then(patch(service, one["patch"]))
        head = repo.put_commit(str(tree.sha), [head] if head else [], one["subject"], BY, BY)
        trees[one["id"]], shas[one["id"]] = tree, head
    branches, heads = dict[str, Tree](), dict[str, str]()
    for name, branch in told["branches"].items():
        now, tip = trees[branch["base"]], shas[branch["base"]]
        for one in branch["commits"]:
            now = now.then(patch(service, one["patch"]))
            tip = repo.put_commit(str(now.sha), [tip], one["subject"], BY, BY)
        branches[name], heads[name] = now, tip
    return Made(repo, trees, branches, head, heads)


def bug(service: str) -> tuple[dict[str, object], Path]:
    """What is written of a service's bug, and its folder."""
    folder = Path(str(files("seeds"))) / "repos" / service / "bugs" / series(service)["bug"]["id"]
    return yaml.safe_load((folder / "bug.yaml").read_text(encoding="utf-8")), folder


def content(tree: Tree) -> dict[str, bytes]:
    return {path: text.encode() for path, text in tree.contents.items()}


def visible(tree: Tree) -> str:
    """How the repository's own suite ends on a tree."""
    return sandbox.run(content(tree), [Step("tests", SUITE)]).conclusion


def hidden(service: str, tree: Tree) -> bool:
    """Whether the hidden tests of a service's bug are green on a tree, by every kind of sandbox of this host alike."""
    facts, folder = bug(service)
    tests = {f"hidden/{one.name}": one.read_bytes() for one in sorted((folder / "hidden").glob("*.py"))}
    listed = [str(one) for one in [*facts["fails"], *facts["passes"]] if str(one).startswith("hidden/")]  # type: ignore[misc]
    ids = [one.replace("/", ".").replace(".py::", ".").replace("::", ".") for one in listed]
    command = str(facts["serve"]).format(port="$PORT", dir="/tmp")
    kinds: list[sandbox.Kind] = [kind for kind in sandbox.KINDS if sandbox.find_obstacle(kind) is None]
    done = {
        sandbox.drive(content(tree), Step("serve", command), tests, ids, kind=kind).conclusion == "success"
        for kind in kinds
    }
    assert len(done) == 1
    return done.pop()


def test_two_repositories_have_sixty_commits_of_history_and_open_work() -> None:
    assert len(services()) >= 2
    for service in services():
        told = series(service)
        assert len(told["commits"]) >= 60
        assert set(KINDS) <= {branch["kind"] for branch in told["branches"].values()}


def test_what_an_image_holds_is_git(small: Path, tmp_path: Path) -> None:
    with sqlite3.connect(f"file:{small}?immutable=1", uri=True) as image:
        for id, name in image.execute("SELECT id, name FROM github_repository").fetchall():
            folder = tmp_path / name
            subprocess.run(["git", "init", "-q", "--bare", "--initial-branch=main", folder], check=True)
            for sha, kind, data in image.execute("SELECT sha1, kind, data FROM github_object WHERE repo_id = ?", (id,)):
                raw = zlib.decompress(data)
                place = folder / "objects" / sha[:2] / sha[2:]
                place.parent.mkdir(exist_ok=True)
                place.write_bytes(zlib.compress(f"{NAMES[kind]} {len(raw)}\0".encode() + raw, 1))
            refs = "".join(
                f"create {ref} {target}\n"
                for ref, target in image.execute("SELECT name, target FROM github_ref WHERE repo_id = ?", (id,))
            )
            subprocess.run(["git", "-C", folder, "update-ref", "--stdin"], input=refs, text=True, check=True)
            checked = subprocess.run(
                ["git", "-C", folder, "fsck", "--strict", "--full"], capture_output=True, text=True, check=False
            )
            told = [
                line for line in checked.stdout.splitlines() if not line.startswith("dangling")
            ]  # what trial merges left
            assert (checked.returncode, told, checked.stderr) == (0, [], "")
            counted = subprocess.run(
                ["git", "-C", folder, "rev-list", "--count", "main"], capture_output=True, text=True, check=True
            )
            assert int(counted.stdout) >= (60 if name in services() else 2)


@pytest.mark.parametrize("service", services())
def test_only_the_branch_that_shall_conflict_does(service: str) -> None:
    it = made(service)
    for name, branch in series(service)["branches"].items():
        merged = merge_commits(it.repo, it.main, it.heads[name])
        assert bool(merged.conflicts) == KINDS.get(branch["kind"], False), name


@pytest.mark.skipif(sandbox.available() is not None, reason=f"no sandbox here: {sandbox.available()}")
@pytest.mark.parametrize("service", services())
def test_main_is_green_and_the_red_branch_is_red(service: str) -> None:
    it = made(service)
    assert visible(it.trees[series(service)["commits"][-1]["id"]]) == "success"
    red = next(name for name, branch in series(service)["branches"].items() if branch["kind"] == "red_ci")
    assert visible(it.branches[red]) == "failure"


@pytest.mark.parametrize("service", services())
def test_every_kind_of_sandbox_says_the_same_of_a_repository(service: str) -> None:
    kinds: list[sandbox.Kind] = [kind for kind in sandbox.KINDS if sandbox.find_obstacle(kind) is None]
    if len(kinds) < 2:
        pytest.skip(f"this host has only {kinds}")
    red = next(name for name, branch in series(service)["branches"].items() if branch["kind"] == "red_ci")
    steps = [Step("tests", f"{SUITE} -v"), Step("where", "pwd; python -VV; ls -R; env | sort", when="always")]
    first, *others = [sandbox.run(content(made(service).branches[red]), steps, kind=kind) for kind in kinds]
    assert first.conclusion == "failure" and "Ran " in first.steps[0].output
    assert others == [first] * len(others)


@pytest.mark.skipif(sandbox.available() is not None, reason=f"no sandbox here: {sandbox.available()}")
@pytest.mark.parametrize("service", services())
def test_the_bug_is_there_from_its_commit_on_and_gone_with_its_fix_or_its_revert(service: str) -> None:
    it, ids = made(service), [one["id"] for one in series(service)["commits"]]
    _, folder = bug(service)
    at = ids.index(series(service)["bug"]["introduced_in"])
    before, since, head = it.trees[ids[at - 1]], it.trees[ids[at]], it.trees[ids[-1]]
    fixed = head.then((folder / "fix.patch").read_text(encoding="utf-8"))
    assert [hidden(service, tree) for tree in (before, since, head, fixed)] == [True, False, False, True]
    assert visible(since) == visible(fixed) == "success"
    reverted = merged_back(it, since, before, head)
    assert hidden(service, reverted)


def merged_back(it: Made, since: Tree, before: Tree, head: Tree) -> Tree:
    """The head with the introducing commit taken back."""
    mine = [it.repo.put_commit(str(since.sha), [], "bug", BY, BY)]
    ours, theirs = (it.repo.put_commit(str(tree.sha), mine, "x", BY, BY) for tree in (head, before))
    merged = merge_commits(it.repo, ours, theirs)
    assert merged.tree and not merged.conflicts
    contents = {entry.path: it.repo.blob(entry.sha).decode() for entry in it.repo.walk(merged.tree)}
    return Tree(it.repo, contents, merged.tree)


def test_a_patch_that_does_not_fit_is_refused() -> None:
    text = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n"
    assert apply_patch({"x": "old\n"}, text) == {"x": "new\n"}
    with pytest.raises(PatchError):
        apply_patch({"x": "other\n"}, text)
