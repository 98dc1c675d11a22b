"""The served schema: part of the published one, whole in its types, and without its prose."""

import re

import pytest
from graphql import GraphQLObjectType

from apps.github.graphql.document import SCHEMA, schema
from apps.github.graphql.subset import MUTATIONS, subset
from tests.conformance.github_client import HubClient
from tests.conformance.github_packages import GRAPHQL, lacking, published
from tests.conformance.graphql_answers import not_published


@pytest.mark.full
@pytest.mark.skipif(bool(lacking()), reason="the published schema is not there")
def test_the_served_schema_is_what_the_script_makes_of_the_published_one() -> None:
    assert subset(published(*GRAPHQL).read_text(encoding="utf-8")) == SCHEMA.read_text(encoding="utf-8")
    assert not_published(schema()) == []


def test_it_has_no_words_of_the_vendor() -> None:
    text = SCHEMA.read_text(encoding="utf-8")
    assert '"""' not in text and "@deprecated(" not in text
    assert [line for line in text.splitlines() if line.startswith("#")] == text.splitlines()[:1]


def test_every_mutation_is_there_and_every_type_has_fields() -> None:
    root = schema().mutation_type
    assert root is not None and set(root.fields) == set(MUTATIONS)
    assert [
        name for name, kind in schema().type_map.items() if isinstance(kind, GraphQLObjectType) and not kind.fields
    ] == []


def test_what_clients_ask_of_the_schema_is_told(client: HubClient) -> None:
    query = """{ Issue: __type(name: "Issue") { fields(includeDeprecated: true) { name } }
        PullRequest: __type(name: "PullRequest") { fields(includeDeprecated: true) { name } }
        Commit: __type(name: "Commit") { fields { name } } gone: __type(name: "Nothing") { name } __schema { mutationType { name } } }"""
    told = client.query(query).json()["data"]
    names = {kind: {one["name"] for one in told[kind]["fields"]} for kind in ("Issue", "PullRequest", "Commit")}
    assert {"stateReason", "projectCards"} <= names["Issue"] and {"statusCheckRollup", "reviewDecision"} <= names[
        "PullRequest"
    ]
    assert told["gone"] is None and told["__schema"]["mutationType"] == {"name": "Mutation"}
    assert not re.search(
        r"description\":\s*\"\w", client.query('{ __type(name: "Issue") { description fields { description } } }').text
    )
