"""Requests with mutations: fields run in order, each completely or not at all."""

from collections.abc import Mapping

from apps.github.graphql import mutations_code, mutations_issues, mutations_pulls, mutations_reviews
from apps.github.graphql.answer import Answer
from apps.github.graphql.engine import Conflict, Run
from apps.github.graphql.execution import begin
from apps.github.graphql.loader import Loader
from world.core.call import Call
from world.core.errors import OperationError

MUTATIONS = (mutations_code, mutations_issues, mutations_pulls, mutations_reviews)  # declare what is done


def run_mutations(call: Call, query: str, given: Mapping[str, object] | None, name: str | None) -> Answer:
    """Return the response to a request with mutations; one without any change is refused like its first mutation."""
    begun = begin(query, given, name)
    if begun.refused is not None or begun.chosen is None:
        raise OperationError(
            "unprocessable",
            why=begun.document.errors[0]["message"] if begun.document.errors else "",
            answer=begun.refused,
        )
    near = Loader(call)
    run = Run(near, begun.document, begun.chosen, begun.known)
    try:
        data = run.data()
    except Conflict as conflict:
        raise OperationError("unprocessable", why=str(conflict), answer={"errors": [conflict.error]}) from None
    made: Answer = {"data": data, "errors": run.errors} if run.errors else {"data": data}
    if run.errors and not any((data or {}).values()):
        raise _to_refusal(run, made)
    return made


def _to_refusal(run: Run, made: Answer) -> OperationError:
    first = run.refusals[0] if run.refusals else None
    if first is None:
        return OperationError("unprocessable", why=run.errors[0]["message"], answer=made)
    return OperationError(first.code, **{**first.detail, "answer": made})
