"""T3 on the code host: a private repository, from every distance and by every reading operation, is there for those who see it only."""

# ruff: noqa: E501 - one line to a thing of a table
from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import Any

import pytest

from tests.security.vault import CONTROL, LEVEL, WORD, Vault
from world.core.operation import Operation

STRANGERS = [who for who, level in LEVEL.items() if level == "none"]
ABSENT = {"owner": "tiny", "repo": "nothing"}
MOST = 6  # ways to point an operation at the vault
OPTIONAL = ("ref", "path", "sha", "mediaType", "q", "attempt")
TOLD = 90  # reading operations that answer somebody with something about the vault


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vault]:
    made = Vault(tmp_path_factory.mktemp("vault"))
    yield made
    made.host.store.close()


def reads(vault: Vault, *, of_repository: bool) -> list[Operation]:
    """Reading operations, those with a repository's address or the others."""
    return [o for o in vault.operations.values() if not o.writes and ("repo" in o.params.model_fields) == of_repository]


def probes(vault: Vault, operation: Operation, where: Mapping[str, str] | None = None) -> Iterator[dict[str, Any]]:
    """Arguments that point an operation at things of the vault, at the vault's address or another."""
    fields = operation.params.model_fields
    names = [
        n
        for n, f in fields.items()
        if n not in ("owner", "repo") and n in vault.ids and (f.is_required() or n in OPTIONAL)
    ]
    at = dict(where or {"owner": "tiny", "repo": "vault"}) if "repo" in fields else {}
    for values in islice(product(*(vault.ids[name] for name in names)), MOST):
        yield {**at, **dict(zip(names, values, strict=True))}


def judge_reads(vault: Vault) -> Iterator[tuple[str, str, str]]:
    """Every reading operation on the repository by everybody: operation, case, and what is wrong about it. The operation
    is empty where the answer tells nothing of the vault.
    """
    for operation in reads(vault, of_repository=True):
        for probe in probes(vault, operation):
            for who, level in LEVEL.items():
                code, text = vault.answer(who, operation.id, probe)
                case, wrong = f"{who} {operation.id} {probe}", ""
                if level == "none":
                    nothing = vault.answer(who, operation.id, {**probe, **ABSENT})
                    if (code, text) != nothing or not code:
                        wrong = f"{code or text[:100]}, of nothing {nothing}"
                yield operation.id if level != "none" and WORD in text.lower() and not code else "", case, wrong


@pytest.mark.full
def test_every_operation_on_a_repository_answers_those_who_see_it_and_says_not_found_to_the_rest(vault: Vault) -> None:
    judged = list(judge_reads(vault))
    assert not [(case, wrong) for _, case, wrong in judged if wrong][:20]
    assert len(judged) >= 1500, len(judged)
    told = {operation for operation, _, _ in judged if operation}
    assert len(told) >= TOLD, len(told)


def test_nothing_that_is_listed_found_or_counted_holds_a_word_of_it_for_those_outside(vault: Vault) -> None:
    told = set()
    for operation in reads(vault, of_repository=False):
        for probe in probes(vault, operation):
            for who, level in LEVEL.items():
                text = vault.answer(who, operation.id, probe)[1].lower().replace(f'"q":"{WORD}"', "")
                assert level != "none" or WORD not in text, (who, operation.id, probe, text[:300])
                told |= {operation.id} if WORD in text else set()
    assert len(told) >= 15, told


FORMS = (
    "{}",
    '"{}"',
    "{} in:title",
    "{} in:body",
    "{} in:comments",
    "repo:tiny/vault",
    "repo:tiny/vault {}",
    "org:tiny {}",
    "label:{}",
    'label:"{} label"',
    "involves:ada {}",
    "-repo:tiny/site {}",
    "NOT nothing {}",
    "user:tiny",
    "is:pr {}",
    "head:topic",
    "commenter:ada",
    "mentions:bo",
    "is:private",
    "topic:{}",
    "in:readme {}",
    "filename:{}.txt",
    "extension:txt {}",
    "author-name:{}",
    "{} OR x",
    "reviewed-by:ada",
    'milestone:"{} milestone"',
)
SEARCHES = ("search/issues-and-pull-requests", "search/code", "search/commits", "search/repos", "search/topics")


@pytest.mark.parametrize("operation", SEARCHES)
def test_a_search_in_any_form_counts_as_if_the_repository_were_not_there(vault: Vault, operation: str) -> None:
    vault.without()
    for form in FORMS:
        for who in STRANGERS:
            given = {"q": form.replace("{}", WORD)}
            found, bare = vault.answer(who, operation, given), vault.answer(who, operation, given, "bare")
            assert found == bare, (who, form, found, bare)
    assert any(WORD in vault.answer("hal", operation, {"q": form.replace("{}", WORD)})[1] for form in FORMS)


@pytest.mark.parametrize("at", ["tiny/site", "eve/own"])
def test_nothing_of_a_repository_is_had_through_the_address_of_another(vault: Vault, at: str) -> None:
    owner, repo = at.split("/")
    for operation in reads(vault, of_repository=True):
        for probe in probes(vault, operation, {"owner": owner, "repo": repo}):
            code, text = vault.answer("eve", operation.id, probe)
            assert code or WORD not in text.lower(), (operation.id, probe, text[:300])


@pytest.mark.parametrize(
    "basehead",
    [
        "main...{}",
        "{}...main",
        "main...tiny:topic",
        "main...tiny:vault:topic",
        "tiny:vault:main...main",
        "main...bo:topic",
    ],
)
def test_a_comparison_reaches_no_object_of_a_repository_one_does_not_see(vault: Vault, basehead: str) -> None:
    asked = {"owner": "tiny", "repo": "site", "basehead": basehead.replace("{}", vault.ids["sha"][0])}
    assert vault.answer("eve", "repos/compare-commits-with-basehead", asked)[0] == "not_found"


def test_no_node_is_resolved_for_those_who_may_not_see_its_repository(vault: Vault) -> None:
    for name, id in vault.nodes.items():
        one = f'{{ node(id: "{id}") {{ __typename id }} }}'
        seen = {who: '"__typename"' in vault.answer(who, "graphql", {"query": one})[1] for who in LEVEL}
        allowed = {
            who: level != "none" and (name != "draft" or level in ("admin", "maintain", "push"))
            for who, level in LEVEL.items()
        }
        assert seen == allowed, (name, seen)
        several = vault.answer("eve", "graphql", {"query": f'{{ nodes(ids: ["{id}"]) {{ __typename }} }}'})[1]
        assert "__typename" not in several, name


ASKED = (
    '{ repository(owner: "tiny", name: "vault") { id name } }',
    '{ organization(login: "tiny") { repositories(first: 50) { totalCount nodes { name } } } }',
    '{ organization(login: "tiny") { teams(first: 50) { totalCount nodes { slug } } } }',
    f'{{ search(type: ISSUE, query: "{WORD}", first: 9) {{ issueCount }} }}',
    f'{{ search(type: REPOSITORY, query: "{WORD}", first: 9) {{ repositoryCount }} }}',
    '{ resource(url: "/tiny/vault") { __typename } }',
    '{ resource(url: "/tiny/vault/issues/1") { __typename } }',
    '{ user(login: "ada") { issues(first: 50) { totalCount nodes { title } } } }',
    '{ user(login: "bo") { pullRequests(first: 50) { totalCount nodes { title } } } }',
    '{ user(login: "ada") { issueComments(first: 50) { totalCount } } }',
    "{ viewer { repositories(first: 50) { totalCount nodes { name } } } }",
    f'{{ topic(name: "{WORD}") {{ name repositories(first: 5) {{ totalCount }} }} }}',
    '{ user(login: "bo") { repositoriesContributedTo(first: 50) { totalCount } } }',
    '{ repository(owner: "tiny", name: "site") { forks(first: 9) { totalCount } } }',
)


@pytest.mark.parametrize("query", ASKED)
def test_graphql_answers_those_outside_as_if_the_repository_were_not_there(vault: Vault, query: str) -> None:
    vault.without()
    for who in STRANGERS:
        code, text = vault.answer(who, "graphql", {"query": query})
        assert not code and (code, text) == vault.answer(who, "graphql", {"query": query}, "bare"), (who, text)


def test_a_reference_from_a_private_repository_shows_to_those_who_see_that(vault: Vault) -> None:
    place = {"owner": "tiny", "repo": "site"}
    number = vault.say("issues/create", **place, title="Seen by all")["number"]
    vault.say("issues/create-comment", issue_number=1, body=f"{WORD} asks for tiny/site#{number}")
    vault.say("issues/create", "bo", title=f"{WORD} asks too, tiny/site#{number}", body=f"tiny/site#{number}")
    shown = {
        who: WORD in vault.answer(who, "issues/list-events-for-timeline", {**place, "issue_number": number})[1]
        for who in LEVEL
    }
    assert shown == {who: level != "none" for who, level in LEVEL.items()}
    for operation in (
        "issues/list-events",
        "issues/list-events-for-repo",
        "web/linked",
        "issues/get",
        "web/issues",
        "issues/list-dependencies-blocking",
    ):
        for probe in ({**place, "issue_number": number, "number": number},):
            given = {
                name: value for name, value in probe.items() if name in vault.operations[operation].params.model_fields
            }
            assert WORD not in vault.answer("eve", operation, given)[1], operation
    asked = f'{{ repository(owner: "tiny", name: "site") {{ issue(number: {number}) {{ timelineItems(first: 50) {{ totalCount nodes {{ __typename }} }} }} }} }}'
    assert "CrossReferenced" not in vault.answer("eve", "graphql", {"query": asked})[1]


def test_a_fork_of_what_is_private_is_as_private_and_its_origin_stays_unseen(vault: Vault) -> None:
    vault.say("repos/create-fork", "bo", name="copy")
    at = {"owner": "bo", "repo": "copy"}
    for who in STRANGERS:
        assert vault.answer(who, "repos/get", at)[0] == "not_found"
        assert vault.answer(who, "git/get-blob", {**at, "file_sha": vault.ids["file_sha"][0]})[0] == "not_found"
        assert "copy" not in vault.answer(who, "repos/list-for-user", {"username": "bo"})[1]
    assert (
        vault.refused("repos/update", "bo", **at, visibility="public")
        == vault.refused("repos/update", "bo", **at, private=False)
        == "validation_failed"
    )


def test_what_is_pending_is_its_authors_and_told_to_nobody(vault: Vault) -> None:
    pull = vault.ids["pull_number"][0]
    sha = vault.say("pulls/get", pull_number=pull)["head"]["sha"]
    place = {"path": "src/a.py", "line": 1, "body": "qzpendingzq line"}
    made = vault.say(
        "pulls/create-review", "hal", pull_number=pull, body="qzpendingzq body", comments=[place], commit_id=sha
    )
    [line] = vault.say("pulls/list-comments-for-review", "hal", pull_number=pull, review_id=made["id"])
    ids = {**vault.ids, "review_id": [made["id"]], "comment_id": [line["id"]], "pull_number": [pull]}
    vault.ids, kept = ids, vault.ids
    try:
        for operation in (o for o in vault.operations.values() if not o.writes):
            for probe in probes(vault, operation):
                for who in ("ada", "bo"):
                    assert "qzpendingzq" not in vault.answer(who, operation.id, probe)[1], (who, operation.id, probe)
    finally:
        vault.ids = kept
    for id in (made["node_id"], line["node_id"]):
        assert (
            "__typename" not in vault.answer("ada", "graphql", {"query": f'{{ node(id: "{id}") {{ __typename }} }}'})[1]
        )
    for operation, given in (
        ("pulls/update-review", {"body": "x"}),
        ("pulls/submit-review", {"event": "APPROVE"}),
        ("pulls/delete-pending-review", {}),
        ("pulls/dismiss-review", {"message": "x"}),
    ):
        assert vault.refused(operation, "ada", pull_number=pull, review_id=made["id"], **given) == "not_found", (
            operation
        )
    for operation, given in (("pulls/update-review-comment", {"body": "x"}), ("pulls/delete-review-comment", {})):
        assert vault.refused(operation, "ada", comment_id=line["id"], **given) == "not_found", operation
    assert (
        vault.refused("reactions/create-for-pull-request-review-comment", "ada", comment_id=line["id"], content="eyes")
        == "not_found"
    )
    assert (
        vault.refused("pulls/create-reply-for-review-comment", "ada", pull_number=pull, comment_id=line["id"], body="x")
        == "not_found"
    )
    assert vault.refused("web/pulls/apply-suggestions", "bo", pull_number=pull, comment_ids=[line["id"]])
    drafted = vault.ids["release_id"][1]
    assert vault.refused("reactions/create-for-release", "hal", release_id=drafted, content="eyes") == "not_found"


def test_secrets_are_written_and_never_read_and_a_gist_is_told_by_its_address_only(vault: Vault) -> None:
    gist = vault.say(
        "gists/create", "bo", files={"a.txt": {"content": "qzgistzq"}}, description="qzgistzq", public=False
    )
    for operation in (o for o in vault.operations.values() if not o.writes):
        for probe in probes(vault, operation):
            text = vault.answer("ada", operation.id, probe)[1]
            assert not any(word in text for word in ("qzhooksecretzq", "qzsealedzq", "cXpzZWFsZWR6cQ", CONTROL)), (
                operation.id,
                probe,
            )
            assert "qzgistzq" not in text, operation.id
    assert "qzgistzq" in vault.answer("eve", "gists/get", {"gist_id": gist["id"]})[1]
    assert (
        vault.refused("gists/update", "eve", gist_id=gist["id"], description="mine")
        == vault.refused("gists/delete", "eve", gist_id=gist["id"])
        == "not_found"
    )


def test_what_the_world_keeps_for_graders_is_a_table_of_no_operation(vault: Vault) -> None:
    names = {name for name in vault.host.tables("github") if name in ("github_bug", "github_verdict")}
    assert len(names) == 2
    for kind in ("Bug", "Verdict", "HiddenTest"):
        assert "null" in vault.answer("ada", "graphql", {"query": f'{{ __type(name: "{kind}") {{ name }} }}'})[1]
