"""T3 on the code host: no object of git is had, named or built upon by those who may not read its repository, and no
outcome before its time.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import pytest

from tests.apps.github.ci import Ci
from tests.security.test_github_reading import probes
from tests.security.vault import WORD, Vault
from world.core.errors import OperationError
from world.sandbox import available

OWN = {"owner": "eve", "repo": "own"}
ZERO = "0" * 39 + "1"  # an object nobody has
SAID = "qz42zq"  # what the job says; its file says how to make it, and not what it is
FLOW = """on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - {id: one, run: "echo word=qz$((40+2))zq | tee -a $GITHUB_OUTPUT $GITHUB_STEP_SUMMARY; echo ::warning::qz$((40+2))zq"}
      - run: "exit 9"
"""


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vault]:
    made = Vault(tmp_path_factory.mktemp("objects"))
    yield made
    made.host.store.close()


def objects(vault: Vault, where: Mapping[str, str], ref: str, path: str) -> dict[str, str]:
    """A commit, its tree and a file of it, by kind."""
    commit = vault.say("repos/get-commit", "bo", **where, ref=ref)
    blob = vault.say("repos/get-content", "bo", **where, path=path, ref=commit["sha"])["sha"]
    return {"commit": commit["sha"], "tree": commit["commit"]["tree"]["sha"], "blob": blob}


def kept(vault: Vault) -> dict[str, str]:
    return objects(vault, {"owner": "tiny", "repo": "vault"}, "main", f"{WORD}.txt") | {"tag": vault.ids["tag_sha"][0]}


def refusal(vault: Vault, who: str, operation: str, **given: Any) -> tuple[str, str]:
    """The code and the words of what must be refused."""
    try:
        vault.say(operation, who, **given)
    except OperationError as refused:
        return refused.code, str(dict(refused.detail))
    raise AssertionError(f"{who} may {operation} {given}")


def building(shas: Mapping[str, str], tree: str) -> list[tuple[str, dict[str, Any]]]:
    """Every way to build on an object by its name."""
    file = {"path": "a", "mode": "100644", "type": "blob", "sha": shas["blob"]}
    return [
        ("git/create-tree", {"tree": [file]}),
        ("git/create-tree", {"tree": [{**file, "mode": "040000", "type": "tree", "sha": shas["tree"]}]}),
        ("git/create-tree", {"base_tree": shas["tree"], "tree": [{**file, "sha": None, "content": "x"}]}),
        ("git/create-commit", {"message": "x", "tree": shas["tree"]}),
        ("git/create-commit", {"message": "x", "tree": tree, "parents": [shas["commit"]]}),
        ("git/create-ref", {"ref": "refs/heads/x", "sha": shas["commit"]}),
        ("git/create-ref", {"ref": "refs/tags/x", "sha": shas["tag"]}),
        ("git/update-ref", {"ref": "heads/main", "sha": shas["commit"], "force": True}),
        ("git/create-tag", {"tag": "x", "message": "x", "object": shas["commit"], "type": "commit"}),
        ("repos/merge", {"base": "main", "head": shas["commit"]}),
        ("repos/create-commit-status", {"sha": shas["commit"], "state": "success"}),
        ("repos/create-commit-comment", {"commit_sha": shas["commit"], "body": "x"}),
        ("checks/create", {"name": "x", "head_sha": shas["commit"]}),
        ("repos/create-release", {"tag_name": "x", "target_commitish": shas["commit"]}),
        ("repos/create-deployment", {"ref": shas["commit"]}),
    ]


def test_nobody_builds_on_an_object_they_cannot_read_nor_learns_that_it_is_there(vault: Vault) -> None:
    shas, tree = kept(vault), vault.say("repos/get-commit", "eve", **OWN, ref="main")["commit"]["tree"]["sha"]
    nothing = dict.fromkeys(shas, ZERO)
    for (operation, given), (_, bare) in zip(building(shas, tree), building(nothing, tree), strict=True):
        told = refusal(vault, "eve", operation, **OWN, **given)
        other = refusal(vault, "eve", operation, **OWN, **bare)
        assert (told[0], WORD in told[1]) == (other[0], False), (operation, told, other)


def queried(vault: Vault, who: str, owner: str, repo: str, asked: str) -> str:
    text = f'{{ repository(owner: "{owner}", name: "{repo}") {{ it: {asked} }} }}'
    return vault.answer(who, "graphql", {"query": text})[1]


@pytest.mark.parametrize(("owner", "repo"), [("eve", "own"), ("tiny", "site"), ("tiny", "vault")])
def test_graphql_gives_no_object_by_its_name_or_by_an_expression(vault: Vault, owner: str, repo: str) -> None:
    shas = kept(vault)
    for asked in (
        *(f'object(oid: "{sha}") {{ __typename oid }}' for sha in shas.values()),
        *(f'object(expression: "{sha}") {{ __typename oid }}' for sha in shas.values()),
        f'object(expression: "{shas["commit"]}:{WORD}.txt") {{ __typename oid ... on Blob {{ text }} }}',
        'ref(qualifiedName: "refs/pull/3/head") { target { oid } }',
        f'ref(qualifiedName: "refs/tags/{WORD}-1") {{ target {{ oid }} }}',
    ):
        told = queried(vault, "eve", owner, repo, asked)
        assert (
            "__typename" not in told and not any(f'"oid":"{sha}' in told for sha in shas.values()) and WORD not in told
        ), (asked, told)
    assert '"Blob"' in queried(vault, "hal", "tiny", "vault", f'object(oid: "{shas["blob"]}") {{ __typename oid }}')


def test_heads_of_pull_requests_are_as_private_as_their_repository(vault: Vault) -> None:
    number, head = (
        vault.ids["pull_number"][0],
        vault.say("pulls/get", pull_number=vault.ids["pull_number"][0])["head"]["sha"],
    )
    ref = f"pull/{number}/head"
    asked: list[tuple[str, dict[str, Any]]] = [
        ("git/get-ref", {"ref": ref}),
        ("git/list-matching-refs", {"ref": "pull/"}),
        ("repos/get-commit", {"ref": f"refs/{ref}"}),
        ("repos/get-content", {"path": "src/a.py", "ref": f"refs/{ref}"}),
        ("git/upload-pack", {"wants": [head]}),
        ("pulls/list-commits", {"pull_number": number}),
    ]
    for operation, given in asked:
        assert not vault.answer("hal", operation, {"owner": "tiny", "repo": "vault", **given})[0], operation
        for who in ("cyrus", "eve"):
            assert vault.answer(who, operation, {"owner": "tiny", "repo": "vault", **given})[0] == "not_found", (
                who,
                operation,
            )
            code, told = vault.answer(who, operation, {"owner": "tiny", "repo": "site", **given})
            assert code or told in ("[]", "{}"), (who, operation, told)


def test_what_is_only_in_a_fork_is_not_had_by_the_address_of_its_origin_until_it_is_proposed(vault: Vault) -> None:
    copy, origin = {"owner": "bo", "repo": "copy"}, {"owner": "tiny", "repo": "vault"}
    vault.say("repos/create-fork", "bo", name="copy")
    vault.say(
        "repos/create-or-update-file-contents",
        "bo",
        **copy,
        path="new.txt",
        message="qzforkzq",
        content="cXpmb3JrenE=",
        branch="main",
    )
    shas = objects(vault, copy, "main", "new.txt")
    reads = {
        "commit": ("git/get-commit", "commit_sha"),
        "tree": ("git/get-tree", "tree_sha"),
        "blob": ("git/get-blob", "file_sha"),
    }
    for kind, (operation, name) in reads.items():
        for who, at in (("hal", origin), ("ada", origin), ("eve", copy), ("hal", copy), ("eve", OWN)):
            assert vault.answer(who, operation, {**at, name: shas[kind]})[0], (who, at, kind)
        assert '"it":null' in queried(vault, "hal", "tiny", "vault", f'object(oid: "{shas[kind]}") {{ oid }}'), kind
    assert vault.answer("hal", "git/upload-pack", {**origin, "wants": [shas["commit"]]})[0]
    assert (
        vault.answer("hal", "repos/compare-commits-with-basehead", {**origin, "basehead": "main...bo:main"})[0]
        == "not_found"
    )
    vault.say("pulls/create", "bo", title="Take it", head="bo:main", base="main")
    assert "qzforkzq" in vault.answer("hal", "git/get-commit", {**origin, "commit_sha": shas["commit"]})[1]
    assert vault.answer("eve", "git/get-commit", {**origin, "commit_sha": shas["commit"]})[0] == "not_found"


@pytest.mark.skipif(available() is not None, reason="this host cannot isolate")
def test_how_a_job_ends_and_what_it_says_is_read_by_nobody_before_it_ends(vault: Vault) -> None:
    ci, before = Ci(vault.host, vault.say), vault.ids
    ci.workflow(FLOW)
    ci.wait(20)
    (run,) = [one for one in ci.runs() if one["status"] != "completed"]
    (job,) = ci.jobs(run)
    check = int(job["check_run_url"].rpartition("/")[2])
    vault.ids = {
        **before,
        "run_id": [run["id"]],
        "job_id": [job["id"]],
        "check_run_id": [check],
        "check_suite_id": [run["check_suite_id"]],
        "ref": [run["head_sha"], "main"],
        "commit_sha": [run["head_sha"]],
        "sha": [run["head_sha"]],
    }

    def told() -> set[str]:
        """The operations that tell an owner what the job said."""
        reading = [one for one in vault.operations.values() if not one.writes]
        return {
            one.id
            for one in reading
            for probe in islice(probes(vault, one), 3)
            if SAID in vault.answer("ada", one.id, probe)[1]
        }

    try:
        assert (job["status"], job["conclusion"], run["conclusion"]) == ("in_progress", None, None)
        assert told() == set()
        rollup = (
            'object(expression: "main") { ... on Commit { statusCheckRollup { state } checkSuites(last: 1) { nodes {'
            " conclusion status } } } }"
        )
        assert "FAILURE" not in queried(vault, "ada", "tiny", "vault", rollup)
        assert {step["conclusion"] for step in job["steps"]} == {None} and vault.answer(
            "ada", "web/job-log", {**OWN, "job_id": job["id"]}
        )[0]
        ci.wait(600)
        assert {"web/job-log", "web/run-summaries", "checks/list-annotations"} <= told()
        assert ci.jobs(run)[0]["conclusion"] == "failure"
    finally:
        vault.ids = before
