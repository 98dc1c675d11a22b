"""Bad input on the code host: paths, sizes, names and texts made to cost or to mislead, refused whole at every way in."""

# ruff: noqa: E501 - one line to a thing of a table
import base64
import gc
from collections.abc import Callable, Iterator
from time import process_time
from typing import Any

import pytest

from apps.github.ci import annotations, expressions, globs
from apps.github.domain import markup
from apps.github.domain.code_owners import _WORDS
from apps.github.git.store import person
from apps.github.operations.pulls.suggestions import suggestion_in
from apps.github.query import lexer
from tests.security.vault import Vault
from world.core.errors import InvalidArguments, OperationError

HERE = {"owner": "tiny", "repo": "app"}
PATHS = (
    ".git/config",
    ".GIT/config",
    "a/.git",
    "a/.Git/b",
    "git~1/config",
    "GIT~1",
    ".git./x",
    ".git /x",
    ".g\u200cit/x",
    "..",
    "../x",
    "a/../b",
    "a/./b",
    ".",
    "/etc/passwd",
    "a//b",
    "a/",
    "\\..\\.git\\x",
    "a\\.git",
    ".git::$INDEX_ALLOCATION/x",
    "a\x00b",
    "x" * 300,
    "/".join(["d"] * 5000),
)
TEXT = base64.b64encode(b"x").decode()


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vault]:
    made = Vault(tmp_path_factory.mktemp("hostile"))
    yield made
    made.host.store.close()


def written(vault: Vault) -> int:
    raw: Any = vault.host.actor("w").bound.raw
    return raw.execute("SELECT count(*) FROM _journal").fetchone()[0]


def refused(vault: Vault, operation: str, who: str = "ada", **arguments: Any) -> str:
    """The code of a refusal that must come, with nothing written."""
    before = written(vault)
    code = vault.refused(operation, who, **{**HERE, **arguments})
    assert written(vault) == before, operation
    return code


@pytest.mark.parametrize("path", PATHS, ids=lambda path: ascii(path)[:24])
def test_a_path_that_leads_out_of_a_working_tree_is_refused_by_every_way_to_write(vault: Vault, path: str) -> None:
    entry = {"path": path, "mode": "100644", "type": "blob", "content": "x"}
    ways: tuple[tuple[str, dict[str, Any]], ...] = (
        ("repos/create-or-update-file-contents", {"path": path, "message": "m", "content": TEXT}),
        ("git/create-tree", {"tree": [entry]}),
        ("git/create-tree", {"tree": [{**entry, "mode": "120000"}]}),
        ("web/push-files", {"branch": "feature", "message": "m", "files": [{"path": path, "content": "x"}]}),
    )
    for operation, given in ways:
        assert refused(vault, operation, **given) in ("unprocessable", "invalid_arguments"), operation
    query = 'mutation($p: String!, $c: Base64String!, $h: GitObjectID!) { createCommitOnBranch(input: {branch: {repositoryNameWithOwner: "tiny/app",'
    query += 'branchName: "feature"}, message: {headline: "m"}, expectedHeadOid: $h, fileChanges: {additions: [{path: $p, contents: $c}]}}) { clientMutationId } }'
    head = vault.say("git/get-ref", **HERE, ref="heads/feature")["object"]["sha"]
    assert vault.refused("graphql/mutate", query=query, variables={"p": path, "c": TEXT, "h": head})
    for operation, given in (
        ("repos/get-content", {"path": path}),
        ("web/raw", {"path": f"main/{path}"}),
        ("web/content", {"place": f"main/{path}"}),
    ):
        code, text = vault.answer("ada", operation, {**HERE, **given})
        assert code in ("not_found", "invalid_arguments") or "root:" not in text, (operation, code)


def test_a_file_above_the_limit_and_a_tree_of_too_many_entries_are_refused(vault: Vault) -> None:
    big = base64.b64encode(b"x" * 30_000_000).decode()
    assert refused(vault, "repos/create-or-update-file-contents", path="big", message="m", content=big)
    entries = [{"path": "f", "mode": "100644", "type": "blob", "content": ""}] * 100_001
    assert refused(vault, "git/create-tree", tree=entries) == "invalid_arguments"


BIG = (2**63, -(2**63) - 1, 10**40)


def test_a_protected_branch_holds_against_every_way_to_move_it(vault: Vault) -> None:
    rule: dict[str, Any] = dict.fromkeys(("required_status_checks", "restrictions"))
    reviews = {"required_approving_review_count": 1}
    vault.say(
        "repos/update-branch-protection",
        **HERE,
        branch="main",
        enforce_admins=True,
        required_pull_request_reviews=reviews,
        **rule,
    )
    head = vault.say("git/get-ref", **HERE, ref="heads/main")["object"]["sha"]
    old = vault.say("git/get-commit", **HERE, commit_sha=head)["parents"][0]["sha"]
    ahead = vault.say("git/get-ref", **HERE, ref="heads/feature")["object"]["sha"]
    pull = vault.say("pulls/create", "bo", **HERE, title="T", head="feature", base="main")["number"]
    readme = vault.say("repos/get-content", **HERE, path="README.md")["sha"]
    for who in ("ada", "bo"):
        for operation, given in (
            ("git/update-ref", {"ref": "heads/main", "sha": old, "force": True}),
            ("git/update-ref", {"ref": "heads/main", "sha": ahead}),
            ("git/update-ref", {"ref": "heads/main", "sha": old}),
            ("git/delete-ref", {"ref": "heads/main"}),
            ("git/receive-pack", {"commands": [{"ref": "refs/heads/main", "old": head, "new": old}]}),
            ("git/receive-pack", {"commands": [{"ref": "refs/heads/main", "old": head, "new": ahead}]}),
            ("git/receive-pack", {"commands": [{"ref": "refs/heads/main", "old": head, "new": "0" * 40}]}),
            ("repos/create-or-update-file-contents", {"path": "n.txt", "message": "m", "content": TEXT}),
            ("repos/delete-file", {"path": "README.md", "message": "m", "sha": readme}),
            ("repos/merge", {"base": "main", "head": "feature"}),
            ("web/push-files", {"branch": "main", "message": "m", "files": [{"path": "n.txt", "content": "x"}]}),
            ("pulls/merge", {"pull_number": pull}),
            ("pulls/merge", {"pull_number": pull, "sha": "1" * 40}),
        ):
            try:
                told = vault.say(operation, who, **HERE, **given)
                assert operation == "git/receive-pack" and "protected" in str(told), (who, operation, told)
            except OperationError as refusal:
                assert refusal.code in (
                    "protected_branch",
                    "unprocessable",
                    "not_mergeable",
                    "conflict",
                    "push_declined",
                ), (operation, refusal.code)
            assert vault.say("git/get-ref", **HERE, ref="heads/main")["object"]["sha"] == head, (who, operation)
    vault.refused("pulls/create-review", "bo", **HERE, pull_number=pull, event="APPROVE")
    vault.say(
        "pulls/create-review", "cyrus", **HERE, pull_number=pull, event="APPROVE"
    )  # without write access: does not count
    assert vault.refused("pulls/merge", **HERE, pull_number=pull) == "not_mergeable"


UNITS = (
    "a.",
    "a.a/",
    "/",
    ".",
    "a/b",
    "@a",
    "#1",
    "close ",
    "http://",
    "`",
    "```",
    "> ",
    "[",
    "](",
    "![",
    "**",
    "_a",
    "<",
    "| a ",
    "- ",
    "  - ",
    "[a]: ",
    "\n",
)
SLOW: dict[str, tuple[Callable[[str], Any], tuple[str, ...]]] = {
    "html": (markup.html, UNITS),
    "plain": (markup.strip_markup, UNITS),
    "references": (markup.references, UNITS),
    "closes": (markup.closes, UNITS),
    "mentions": (markup.mentions, UNITS),
    "suggestion": (suggestion_in, ("```suggestion\n", "`", "```suggestion", "~~~suggestion\n```\n")),
    "person": (lambda text: person(text.encode()), (" ", "<", " <", "< >", ">")),
    "glob": (lambda text: globs.matches(text, "a" * 200), ("*a", "**/", "a?", "[a-z]*")),
    "hole": (lambda text: expressions.fill(text, expressions.Scope({})), ("${{", "}}")),
    "frame": (annotations._FRAME.findall, ("\n", " ", " \n", 'File "')),
    "trace": (annotations._TRACE.findall, ("Traceback (most recent call last):\n", " \n")),
    "owners": (_WORDS.findall, ("\\", "a", " ")),
    "lexeme": (lambda text: list(lexer._LEXEME.finditer(text)), ('"', "a:", "-", "(")),
}


def cost(run: Callable[[str], Any], text: str) -> float:
    """Processor time, without that of collecting what other tests left."""
    gc.disable()
    try:
        start = process_time()
        run(text)
        return process_time() - start
    finally:
        gc.enable()


@pytest.mark.parametrize("name", SLOW)
def test_no_text_costs_more_than_its_length(name: str) -> None:
    run, units = SLOW[name]
    for unit in units:
        texts = [(unit * size)[:size] for size in (1_000, 8_000)]
        short, long = (cost(run, text) for text in texts)
        assert long < 0.05 or long < 24 * short, (name, unit, short, long)  # eight times the length


def test_large_texts_and_differences_are_answered_at_a_bounded_size(vault: Vault) -> None:
    line = "x" * 1_000_000
    many = "".join(f"{n}\n" for n in range(100_000))
    for text, other in ((line, line[:-1] + "y"), (many, many.replace("5", "6"))):
        tree = [{"path": "bomb.txt", "mode": "100644", "type": "blob", "content": text}]
        head = vault.say("git/get-ref", **HERE, ref="heads/feature")["object"]["sha"]
        parents = []
        for content in (text, other):
            made = vault.say("git/create-tree", **HERE, base_tree=head, tree=[{**tree[0], "content": content}])["sha"]
            parents.append(
                vault.say(
                    "git/create-commit", **HERE, message="m", tree=made, parents=[parents[-1] if parents else head]
                )["sha"]
            )
        code, answer = vault.answer("ada", "repos/get-commit", {**HERE, "ref": parents[-1]})
        assert not code and len(answer) < 3_000_000, len(answer)


def test_names_that_are_no_text_and_numbers_beyond_64_bits_are_refused(vault: Vault) -> None:
    for bad in ("\ud800", "a\x00b"):
        for operation, given in (
            ("issues/create", {"title": bad}),
            ("git/create-ref", {"ref": f"refs/heads/{bad}", "sha": "1" * 40}),
            ("search/code", {"q": bad}),
            ("issues/create-label", {"name": bad}),
        ):
            with pytest.raises(OperationError):
                vault.say(
                    operation,
                    **({**HERE, **given} if "owner" in vault.operations[operation].params.model_fields else given),
                )
    for number in BIG:
        for operation, given in (
            ("issues/get", {"issue_number": number}),
            ("actions/get-workflow-run", {"run_id": number}),
            ("users/get-by-id", {"account_id": number}),
        ):
            with pytest.raises(InvalidArguments):
                vault.host.call(
                    vault.host.principal("w", "ada"),
                    "rest",
                    operation,
                    {**given, **(HERE if operation != "users/get-by-id" else {})},
                )


def test_graphql_of_any_depth_is_answered_or_refused_in_words(vault: Vault) -> None:
    deep = "{ viewer " + "{ repositories(first: 1) { nodes { owner " * 400 + "{ login }" + " } } }" * 400 + " }"
    for query in (
        deep,
        "{" * 10_000,
        "{ a " * 5_000 + "}" * 5_000,
        "query(" + "$a: [" * 5_000,
        "{ viewer { login " + "...F " * 5_000 + "} } fragment F on User { ...F }",
        "{" + "viewer{login} " * 20_000 + "}",
        "\ufeff",
        "",
        "fragment A on User { ...B } fragment B on User { ...A } { viewer { ...A } }",
    ):
        code, text = vault.answer("ada", "graphql", {"query": query})
        assert code in ("", "unprocessable", "invalid_arguments") and len(text) < 2_000_000, code
    few = [
        vault.answer(
            "ada", "graphql", {"query": "{" + " ".join(f"a{n}: viewer {{ login }}" for n in range(size)) + "}"}
        )[0]
        for size in (10, 2_000)
    ]
    assert few[0] == ""


FLOWS = (
    "a: &a [x]\n"
    + "".join(
        f"b{n}: &b{n} [*{'a' if n == 0 else f'b{n - 1}'}, *{'a' if n == 0 else f'b{n - 1}'}]\n" for n in range(40)
    ),
    "on: push\njobs: " + "[" * 10_000,
    "on: push\njobs: " + "{a: " * 5_000,
    "on: push\njobs:\n  a:\n    runs-on: x\n    strategy:\n      matrix:\n"
    + "".join(f"        k{n}: [{', '.join(map(str, range(30)))}]\n" for n in range(8))
    + "    steps:\n      - run: 'true'\n",
    "- " * 10_000,
    "? " * 5_000,
    "!!python/object:os.system x\n",
)


@pytest.mark.parametrize("flow", FLOWS, ids=range(len(FLOWS)))
def test_a_workflow_file_made_to_cost_is_a_failed_run_and_no_more(vault: Vault, flow: str) -> None:
    given = {"path": ".github/workflows/bomb.yml", "message": "m", "branch": f"bomb-{FLOWS.index(flow)}"}
    sha = vault.say("git/get-ref", **HERE, ref="heads/feature")["object"]["sha"]
    vault.say("git/create-ref", **HERE, ref=f"refs/heads/{given['branch']}", sha=sha)
    vault.say("repos/create-or-update-file-contents", **HERE, **given, content=base64.b64encode(flow.encode()).decode())
    actor = vault.host.actor("w")
    actor.advance(actor.now + 60_000_000)
    runs = vault.say("actions/list-workflow-runs-for-repo", **HERE, branch=given["branch"])["workflow_runs"]
    assert all(run["conclusion"] in ("failure", "startup_failure", None) for run in runs)
    assert (
        sum(vault.say("actions/list-jobs-for-workflow-run", **HERE, run_id=run["id"])["total_count"] for run in runs)
        <= 256
    )
