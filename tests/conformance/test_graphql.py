"""The published GraphQL schema as a test sees it: queries it does not allow, answers of the wrong types."""

import json
from typing import Any

import pytest
from graphql import build_schema, get_introspection_query, graphql_sync

from tests.conformance.graphql_answers import check_data, check_exchange, not_published, schema
from tests.conformance.specs import NotAsPublished

ISSUES = """query($n: Int!, $whole: Boolean = false) {
  repository(owner: "a", name: "b") {
    issues(first: $n) { totalCount nodes { ...Shown } }
    object(expression: "x") { ... on Blob { text } ... on Tree { entries { name } } }
    id @include(if: $whole)
  }
}
fragment Shown on Issue { number title state createdAt author { login } }"""
VIEWER = {"data": {"viewer": {"login": "ada"}}}
ISSUE = {"number": 1, "title": "t", "state": "OPEN", "createdAt": "2026-01-01T00:00:00Z", "author": {"login": "ada"}}


def answer(issue: Any = None, thing: Any = None, **more: Any) -> dict[str, Any]:
    """What the query is answered with."""
    return {"repository": {"issues": {"totalCount": 1, "nodes": [ISSUE | (issue or {})]}, "object": thing, **more}}


@pytest.mark.parametrize(
    "data",
    [
        answer(),
        answer({"author": None}),
        answer(thing={"text": "x"}),
        answer(thing={"entries": [{"name": "x"}]}),
        answer(thing={}),
        {"repository": None},
    ],
)
def test_answers_of_the_selected_types_pass(data: dict[str, Any]) -> None:
    check_data(ISSUES, {"n": 1}, None, data)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (answer({"state": "open"}), "is no IssueState"),
        (answer({"number": "1"}), "is no Int"),
        (answer({"number": None}), "number is null"),
        (answer({"createdAt": "2026-01-01T00:00:00.000Z"}), "is no DateTime"),
        (answer({"body": ""}), "was not asked for"),
        (answer(thing={"text": 1}), "is no String"),
        (answer(thing={"name": "x"}), "asked for"),
        (answer(id="R_1"), "id of Repository was not asked"),
        (answer({"author": []}), "is no Actor"),
        ({"repository": {"object": None}}, "issues of Repository was asked for"),
        ({}, "was asked for"),
    ],
)
def test_answers_of_other_types_are_found(data: dict[str, Any], why: str) -> None:
    with pytest.raises(NotAsPublished, match=why):
        check_data(ISSUES, {"n": 1}, None, data)


def test_selections_that_depend_on_variables_are_expected_by_them() -> None:
    check_data(ISSUES, {"n": 1, "whole": True}, None, answer(id="R_1"))
    with pytest.raises(NotAsPublished, match="id of Repository was asked for"):
        check_data(ISSUES, {"n": 1, "whole": True}, None, answer())


def test_the_type_that_an_answer_names_is_the_one_it_has() -> None:
    query = '{ node(id: "x") { __typename ... on Issue { number } } }'
    check_data(query, {}, None, {"node": {"__typename": "Issue", "number": 1}})
    check_data(query, {}, None, {"node": {"__typename": "User"}})
    for node in ({"__typename": "User", "number": 1}, {"__typename": "Issue"}, {"__typename": "Nobody"}):
        with pytest.raises(NotAsPublished):
            check_data(query, {}, None, {"node": node})


@pytest.mark.parametrize(
    "query", ["{ viewer { nothing } }", "{ viewer", "query A { viewer { login } } query B { viewer { login } }"]
)
def test_queries_that_the_published_schema_does_not_allow_may_not_be_answered(query: str) -> None:
    with pytest.raises(NotAsPublished, match="answered although"):
        check_data(query, {}, None, {"viewer": {"login": "ada"}})


def test_introspection_is_a_query_like_any() -> None:
    mine = build_schema("type Query { viewer: User! } type User { login: String! }")
    told = graphql_sync(mine, '{ __type(name: "User") { fields(includeDeprecated: true) { name } } }').data
    check_data('{ __type(name: "User") { fields(includeDeprecated: true) { name } } }', {}, None, told or {})
    check_data(get_introspection_query(), {}, None, graphql_sync(mine, get_introspection_query()).data or {})


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, VIEWER),
        (401, {"message": "Bad credentials", "documentation_url": "https://docs.github.com/rest", "status": "401"}),
        (
            200,
            VIEWER
            | {
                "errors": [
                    {"type": "NOT_FOUND", "path": ["x"], "locations": [{"line": 1, "column": 1}], "message": "m"}
                ]
            },
        ),
        (200, {"errors": [{"message": "m", "extensions": {"code": "undefinedField"}}]}),
        (502, {"message": "Server Error"}),
    ],
)
def test_exchanges_as_the_vendor_has_them_pass(status: int, body: Any) -> None:
    check_exchange(b'{"query": "{viewer{login}}"}', status, json.dumps(body).encode())


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, {}),
        (200, []),
        (200, {"data": None}),
        (200, {"data": {"viewer": None}}),
        (200, VIEWER | {"more": 1}),
        (200, {"errors": []}),
        (200, {"errors": ["m"]}),
        (200, {"errors": [{"message": "m", "code": 1}]}),
        (200, {"errors": [{"type": "X"}]}),
        (401, {"errors": [{"message": "m"}]}),
        (401, {"message": "m", "status": "403"}),
        (404, {"message": "m", "detail": "d"}),
    ],
)
def test_other_exchanges_are_found(status: int, body: Any) -> None:
    with pytest.raises(NotAsPublished):
        check_exchange(b'{"query": "{viewer{login}}"}', status, json.dumps(body).encode())


def test_a_page_instead_of_an_answer_is_for_outages() -> None:
    check_exchange(b"", 504, b"<!DOCTYPE html>")
    with pytest.raises(NotAsPublished, match="is no JSON"):
        check_exchange(b"", 200, b"<!DOCTYPE html>")


def test_a_served_schema_is_a_part_of_the_published_one() -> None:
    assert not_published(build_schema("type Query { viewer: User! } type User { login: String! }")) == []
    mine = build_schema("type Query { viewer: User } type User { login: String! nick: String } type Own { id: ID }")
    assert not_published(mine) == ["Own", "Query.viewer", "User.nick"]
    assert len(schema().type_map) > 1500
