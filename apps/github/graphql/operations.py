"""Queries and mutations in GraphQL. The modules that run them are imported with the first document: they are slow to
load.
"""

from typing import Annotated

from pydantic import Field, JsonValue

from apps.github.app import app
from apps.github.domain.params import Exact
from apps.github.graphql.answer import Answer
from apps.github.refusals import unprocessable
from world.core.call import Call
from world.core.params import Params

SOURCE = "docs.github.com/graphql/guides/forming-calls-with-graphql"
VIEWER = "{ viewer { login name repositories(first: 5) { totalCount nodes { nameWithOwner } } } }"
STAR = "mutation($id: ID!) { addStar(input: {starrableId: $id}) { starrable { stargazerCount } } }"
Text = Annotated[Exact, Field(max_length=1_000_000)]


class GraphQL(Params):
    """A document to run."""

    query: Text = Field(description="The document: queries or mutations, and fragments.", examples=[VIEWER])
    variables: dict[str, JsonValue] | None = Field(default=None, description="The values of its variables by name.")
    operationName: Annotated[Exact, Field(max_length=1000)] | None = Field(
        default=None, description="Which of several operations to run."
    )


def writes(query: str, name: str | None) -> bool:
    """Whether a document selects a mutation."""
    from apps.github.graphql import document  # noqa: PLC0415  slow to load

    return document.read_document(query).writes(name)


@app.operation("graphql", source=f"{SOURCE}#about-queries", examples=[{"query": VIEWER}], raises=("unprocessable",))
def query(call: Call, params: GraphQL) -> Answer:
    """Read anything in one request: issues with their labels and comments, pull requests with reviews and checks,
    files, searches.

    Deviates: fields of types that are not served (sponsors, packages, rulesets …) are not in the schema; ask it with
    `__type`.
    """
    if writes(params.query, params.operationName):
        raise unprocessable("A mutation cannot be run as a query.")
    from apps.github.graphql import execution  # noqa: PLC0415  slow to load

    return execution.run_query(call, params.query, params.variables, params.operationName)


@app.operation(
    "graphql/mutate",
    writes=True,
    source=f"{SOURCE}#about-mutations",
    examples=[{"variables": {"id": "$repos/get:node_id"}, "query": STAR}],
    raises=(
        "unprocessable",
        "not_found",
        "forbidden",
        "archived",
        "locked",
        "issues_disabled",
        "validation_failed",
        "review_refused",
        "not_mergeable",
        "conflict",
        "protected_branch",
        "branch_not_found",
        "no_such",
        "refused",
        "empty_repository",
        "too_large",
        "invalid_arguments",
    ),
)
def mutate(call: Call, params: GraphQL) -> Answer:
    """Change things by mutations; each is done whole or not at all, in order, and those before a refused one stay done."""
    if not writes(params.query, params.operationName):
        raise unprocessable("A query changes nothing.")
    from apps.github.graphql import mutation  # noqa: PLC0415  slow to load

    return mutation.run_mutations(call, params.query, params.variables, params.operationName)
