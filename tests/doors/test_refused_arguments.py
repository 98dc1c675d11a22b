"""No door repeats the words of the validator: each app has a table of its vendor's own, and tools say the mend."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import orjson
import pytest

import apps.github.refusals as github
import apps.google.errors as google
import apps.jira.refusals as jira
import apps.slack.refusals as slack
from mcp_servers.catalogue import catalogue
from world.core import discovery
from world.core.errors import InvalidArguments, OperationError
from world.core.operation import Operation
from world.core.params import validate_params
from world.core.wrong_values import KIND_OF
from world.web.rest_door import find_rest_door

VALIDATOR = re.compile(
    r"[Ii]nput should|[Ff]ield required|[Ee]xtra inputs|(String|List|Dictionary|Value|Tuple) should|[Vv]alue error|"
    r"valid (string|integer|number|boolean|list|dictionary|array)|unable to (interpret|parse)|pydantic|function-after|"
    r"constrained|discriminator|\bstr\b|\bNoneType\b"
)
WEIRD: tuple[Any, ...] = (
    [],
    {},
    [[]],
    [{}],
    {"a": {}},
    "zz",
    "x" * 70_000,
    "\x00",
    10**30,
    -5,
    1.5,
    True,
    [None],
    "\ud800",
)
APPS = {app.name: app for app in discovery.apps()}
RENDER: dict[str, Callable[[OperationError, str], object]] = {
    "slack": slack.refusal_to_json,
    "github": lambda refused, _: github.render(refused)[1],
    "jira": lambda refused, _: jira.render_refusal(refused).json(),
}


def _render(app: str, refused: OperationError, operation: str) -> str:
    rest = find_rest_door(app)
    if app in RENDER:
        return str(RENDER[app](refused, operation))
    assert rest is not None and rest.refusal is not None
    return orjson.dumps(rest.refusal(refused)[1]).decode()


def _refusals(operation: Operation) -> Iterator[InvalidArguments]:
    for name in operation.params.model_fields:
        for value in (*WEIRD, None):
            try:
                validate_params(operation.params, {name: value} if value is not None else {})
            except InvalidArguments as refused:
                yield refused


@pytest.mark.full
@pytest.mark.parametrize("app", sorted(APPS))
def test_no_refusal_of_an_argument_has_the_validators_words(app: str) -> None:
    seen = 0
    wrong: set[str] = set()
    for operation in APPS[app].operations.values():
        for refused in _refusals(operation):
            seen += 1
            for text in (_render(app, refused, operation.id), refused.sentence()):
                wrong |= {found[0] for found in VALIDATOR.finditer(text)}
    assert seen > 10 and wrong == set()


def test_no_tool_has_the_validators_words() -> None:
    found = catalogue(APPS.values())
    wrong: set[tuple[str, str]] = set()
    for made in found.of_app.values():
        for tools in made.values():
            for tool in tools.tools.values():
                for name in [*tool.accepted, "no_such_argument"]:
                    for value in WEIRD:
                        try:
                            tool.arguments({name: value})
                        except InvalidArguments as refused:
                            if clash := VALIDATOR.search(tool.sentence(refused)):
                                wrong.add((tool.name, clash[0]))
                        except OperationError:
                            continue
    assert wrong == set()


def test_every_kind_of_wrong_value_has_a_sentence_of_its_own_in_the_vendors_tables() -> None:
    kinds = {*KIND_OF.values(), "wrong"}
    assert kinds <= slack.WRONG.keys() and kinds <= github.WRONG.keys() and kinds <= jira.WRONG.keys()
    assert kinds - {"form"} <= google.WRONG.keys()


def test_the_vendors_own_wording_of_an_unknown_word_and_of_what_is_missing() -> None:
    listing = APPS["github"].operations["issues/list-for-repo"].params
    with pytest.raises(InvalidArguments) as caught:
        validate_params(listing, {"owner": "a", "repo": "b", "state": "bogus", "per_page": "many"})
    said = github.render(caught.value)[1]["message"]
    assert "For 'properties/state', \"bogus\" is not a member of [open, closed, all]." in said
    with pytest.raises(InvalidArguments) as caught:
        validate_params(APPS["slack"].operations["conversations.info"].params, {"include_locale": []})
    assert slack.refusal_to_json(caught.value, "conversations.info")["response_metadata"] == {
        "messages": [
            "[ERROR] missing required field: channel",
            "[ERROR] must be a boolean [json-pointer:/include_locale]",
        ]
    }
