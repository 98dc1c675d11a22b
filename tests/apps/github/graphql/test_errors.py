"""What is refused, and in which words: at the door, in documents, by limits, and in place of single fields."""

from typing import Any

import pytest
from graphql import get_introspection_query

from tests.conformance.github_client import HubClient

REPO = 'repository(owner: "tiny", name: "app")'


def errors(client: HubClient, query: str, **more: Any) -> list[dict[str, Any]]:
    return client.query(query, **more).json()["errors"]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({}, "A query attribute must be specified and must be a string."),
        ({"query": 1}, "A query attribute must be specified and must be a string."),
        ([], "A query attribute must be specified and must be a string."),
        ({"query": "  "}, "A query attribute must be specified and must be a string."),
        ({"query": "{ viewer { login } }", "variables": [1]}, "Variables must be an object."),
        ({"query": "{ viewer { login } }", "variables": "{"}, "Problems parsing JSON"),
    ],
)
def test_a_body_that_is_no_query_is_told_so(client: HubClient, body: Any, told: str) -> None:
    answer = client.post("http://127.0.0.1/github/api/graphql", json=body)
    assert (answer.status_code, answer.json()["message"]) == (400, told)


def test_who_is_nobody_learns_nothing(client: HubClient) -> None:
    assert client.query("{ viewer { login } }", who="").status_code == 401
    answer = client.post(
        "http://127.0.0.1/github/api/graphql",
        who="",
        headers={"Authorization": "Bearer x"},
        json={"query": "{ viewer { login } }"},
    )
    assert (answer.status_code, answer.json()["message"]) == (401, "Bad credentials")


def test_both_addresses_answer(client: HubClient) -> None:
    answer = client.post("http://api.github.com/graphql", json={"query": "{ viewer { login url } }", "variables": ""})
    assert answer.json() == {"data": {"viewer": {"login": "ada", "url": "https://github.com/ada"}}}
    assert (
        answer.headers["x-ratelimit-resource"] == "graphql"
        and answer.headers["x-github-media-type"] == "github.v4; format=json"
    )


@pytest.mark.parametrize(
    ("query", "code", "told"),
    [
        ("{ viewer { nothing } }", "undefinedField", "Field 'nothing' doesn't exist on type 'User'"),
        (
            '{ repository(owner: "x") { id } }',
            "missingRequiredArguments",
            "Field 'repository' is missing required arguments: name",
        ),
        ("{ viewer(x: 1) { id } }", "argumentNotAccepted", "Field 'viewer' doesn't accept argument 'x'"),
        (
            "{ viewer }",
            "selectionMismatch",
            (
                "Field must have selections (field 'viewer' returns User but has no selections. Did you mean 'viewer {"
                " ... }'?)"
            ),
        ),
        ("query Q($a: Int) { viewer { id } }", "variableNotUsed", "Variable $a is declared by Q but not used"),
        ("query Q { node(id: $a) { id } }", "variableNotDefined", "Variable $a is used by Q but not declared"),
        ("{ node(id: 1) { ...F } }", "useAndDefineFragment", "Fragment F was used, but not defined"),
    ],
)
def test_documents_that_do_not_fit_the_schema(client: HubClient, query: str, code: str, told: str) -> None:
    [error] = errors(client, query)
    assert (error["extensions"]["code"], error["message"]) == (code, told)
    assert error["path"][0].startswith("query") and error["locations"][0]["line"] == 1


def test_what_is_no_document(client: HubClient) -> None:
    assert errors(client, "{ viewer { id") == [{"message": "Unexpected end of document", "locations": []}]
    assert errors(client, ")")[0]["message"] == 'Parse error on ")" (RPAREN) at [1, 1]'
    assert (
        errors(client, "query A { viewer { id } } query B { viewer { id } }")[0]["message"]
        == "An operation name is required"
    )


@pytest.mark.parametrize(
    ("kind", "given", "told"),
    [
        ("Int!", None, "Variable $n of type Int! was provided invalid value"),
        ("Int", "x", "was provided invalid value"),
        ("Int", 2**40, "invalid value"),
    ],
)
def test_variables_of_other_types(client: HubClient, kind: str, given: Any, told: str) -> None:
    [error] = errors(client, f"query($n: {kind}) {{ {REPO} {{ issues(first: $n) {{ totalCount }} }} }}", n=given)
    assert told in error["message"] and error["extensions"]["problems"]


def test_an_input_with_unknown_and_missing_fields(client: HubClient) -> None:
    query = "mutation($i: AddStarInput!) { addStar(input: $i) { clientMutationId } }"
    [error] = errors(client, query, i={"nothing": 1})
    assert [one["path"] for one in error["extensions"]["problems"]] == [["nothing"], ["starrableId"]]


@pytest.mark.parametrize(
    ("asked", "kind", "told"),
    [
        (
            "issues { nodes { id } }",
            "MISSING_PAGINATION_BOUNDARIES",
            "You must provide a `first` or `last` value to properly paginate the `issues` connection.",
        ),
        (
            "issues(first: 200) { nodes { id } }",
            "EXCESSIVE_PAGINATION",
            "Requesting 200 records on the `issues` connection exceeds the `first` limit of 100 records.",
        ),
        (
            'issues(first: 1, after: "x") { nodes { id } }',
            "INVALID_CURSOR_ARGUMENTS",
            "`x` does not appear to be a valid cursor.",
        ),
        ("issue(number: 99) { id }", "NOT_FOUND", "Could not resolve to an Issue with the number of 99."),
        ("pullRequest(number: 1) { id }", "NOT_FOUND", "Could not resolve to a PullRequest with the number of 1."),
    ],
)
def test_fields_that_cannot_be_answered(client: HubClient, asked: str, kind: str, told: str) -> None:
    answer = client.query(f"{{ {REPO} {{ {asked} }} viewer {{ login }} }}").json()
    assert answer["data"]["viewer"] == {"login": "ada"}
    [error] = answer["errors"]
    assert (error["type"], error["message"], error["path"][0]) == (kind, told, "repository")


def test_limits_of_nodes_depth_and_size(client: HubClient) -> None:
    below = "comments(first: 100) { nodes { reactions(first: 100) { nodes { id } } } }"
    query = f"{{ {REPO} {{ issues(first: 100) {{ nodes {{ {below} }} }} }} }}"
    [error] = errors(client, query)
    assert (
        error["type"] == "MAX_NODE_LIMIT_EXCEEDED"
        and "the reactions connection, it is requesting up to 1,000,000" in error["message"]
    )
    deep = "{ id " + "relay { " * 30 + "id " + "} " * 31
    assert errors(client, deep)[0]["message"] == "Query has depth of 31, which exceeds max depth of 25"
    assert errors(client, "{" * 5000)[0]["message"].startswith("Query has depth of")
    bomb = "".join(
        f"fragment F{n} on Query {{ a: relay {{ ...F{n + 1} }} b: relay {{ ...F{n + 1} }} }}\n" for n in range(20)
    )
    assert "complexity" in errors(client, f"{bomb} fragment F20 on Query {{ id }} {{ ...F0 }}")[0]["message"]
    assert "conflict" in errors(client, "{ viewer { login: id login } }")[0]["message"]


def test_many_fields_of_one_name_are_read_in_a_moment(client: HubClient) -> None:
    assert client.query("{ viewer { " + "login " * 8000 + "} }").json() == {"data": {"viewer": {"login": "ada"}}}
    from_document = errors(client, "{ viewer { " + "login: id " * 2500 + "login } }")
    assert "conflict" in from_document[0]["message"]


def test_nothing_is_seen_of_what_is_hidden(client: HubClient) -> None:
    ids = client.query(
        f"{{ {REPO} {{ id issue(number: 1) {{ id }} defaultBranchRef {{ id target {{ id }} }} }} }}"
    ).json()
    repo = ids["data"]["repository"]
    for id in (
        repo["id"],
        repo["issue"]["id"],
        repo["defaultBranchRef"]["id"],
        repo["defaultBranchRef"]["target"]["id"],
    ):
        answer = client.query("query($id: ID!) { node(id: $id) { id } }", who="eve", id=id).json()
        assert answer["data"] == {"node": None} and answer["errors"][0]["type"] == "NOT_FOUND"
    [error] = errors(client, f"{{ {REPO} {{ id }} }}", who="eve")
    assert error["message"] == "Could not resolve to a Repository with the name 'tiny/app'."
    query = """{ organization(login: "tiny") { repositories(first: 9) { nodes { name } } teams(first: 9) { totalCount }
        membersWithRole(first: 9) { totalCount } } search(query: "slow", type: ISSUE, first: 5) { issueCount } }"""
    seen = client.query(query, who="eve").json()["data"]
    assert [one["name"] for one in seen["organization"]["repositories"]["nodes"]] == ["secret", "site"]
    assert (
        seen["organization"]["teams"]["totalCount"]
        == seen["organization"]["membersWithRole"]["totalCount"]
        == seen["search"]["issueCount"]
        == 0
    )
    query = '{ resource(url: "http://127.0.0.1/github/tiny/app/issues/1") { __typename } }'
    assert client.query(query, who="eve").json()["data"] == {"resource": None}
    assert client.query(query).json()["data"] == {"resource": {"__typename": "Issue"}}


def test_the_schema_is_described_once_and_no_more_than_a_client_needs(client: HubClient) -> None:
    whole = get_introspection_query()
    assert len((told := client.query(whole).json())["data"]["__schema"]["types"]) > 500, told
    assert client.query('{ __type(name: "Repository") { fields { name args { name type { name } } } } }').json()["data"]
    part = "__schema { types { name fields { name args { name } } } }"
    aliased = "{" + " ".join(f"a{number}: {part}" for number in range(60)) + "}"
    inside = "query { ...F } fragment F on Query { " + aliased[1:]
    deep = "{ __schema { types { fields { type { fields { name } } } } } }"
    for query in (aliased, inside, deep):
        (error,) = errors(client, query)
        assert (error["type"], error["message"]) == (
            "RESOURCE_LIMITS_EXCEEDED",
            "Resource limits for this query exceeded.",
        )


def test_a_request_does_only_so_much(client: HubClient) -> None:
    many = " ".join(f"a{number}: {REPO} {{ name }}" for number in range(400))
    told = client.query("{" + many + "}").json()
    assert (told["data"]["a0"], told["data"]["a399"]) == ({"name": "app"}, None)
    assert {error["type"] for error in told["errors"]} == {"RESOURCE_LIMITS_EXCEEDED"}
    assert told["errors"][-1]["path"] == ["a399"]


@pytest.mark.parametrize("count", [150, 900, 2_000])
@pytest.mark.parametrize("backwards", [False, True])
def test_a_chain_of_fragments_is_too_deep(client: HubClient, count: int, backwards: bool) -> None:
    chain = [f"fragment F{at} on User {{ ...F{at + 1} }}" for at in range(count)]
    last = f"fragment F{count} on User {{ login }}"
    text = " ".join([*(reversed([*chain, last]) if backwards else [*chain, last])])
    for query in ("{ viewer { ...F0 } } ", "{ viewer { login } } "):
        (error,) = errors(client, query + text)
        assert "exceeds max depth" in error["message"]
