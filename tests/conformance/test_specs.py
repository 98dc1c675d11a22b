"""The published description as a test sees it, and what the mail service's door takes, held against it."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from apps.gmail.rest.schemas import SCHEMAS
from apps.gmail.rest.table import LINES, REFUSED
from apps.google.method_table import Kind
from tests.conformance.mail import method_of
from tests.conformance.specs import EXCEPTIONS, NotAsPublished, document, methods, validate

SHORT = "https://www.googleapis.com/auth/"


def kind(given: Mapping[str, Any]) -> Kind:
    """A parameter or field of the document in the table's words."""
    inner = given.get("items", given) if given.get("type") == "array" else given
    forms = {"byte": "bytes", "int32": "int32", "uint32": "uint32", "int64": "int64", "uint64": "uint64"}
    name = inner.get("$ref") or ("bool" if inner["type"] == "boolean" else forms.get(inner.get("format", ""), ""))
    return Kind(name, bool(given.get("repeated")) or given.get("type") == "array")


def test_the_table_is_the_document() -> None:
    published = methods("gmail")
    assert {line.operation for line in (*LINES, *REFUSED)} == set(published) and len(published) == 79
    for line in LINES:
        one = published[line.operation]
        assert (line.method, "gmail/v1/users/" + "/".join(line.path)) == (one["httpMethod"], one["path"]), (
            line.operation
        )
        assert line.scopes == {
            scope.removeprefix(SHORT).removeprefix("https://").rstrip("/") for scope in one["scopes"]
        }, line.operation
        assert line.query == {
            name: kind(given) for name, given in one["parameters"].items() if given["location"] == "query"
        }, line.operation
        assert (line.body, line.answer) == (
            one.get("request", {}).get("$ref", ""),
            one.get("response", {}).get("$ref", ""),
        ), line.operation
        assert line.most == int(one.get("mediaUpload", {}).get("maxSize", 0)), line.operation


def test_the_schemas_of_the_door_are_the_documents() -> None:
    for name, fields in SCHEMAS.items():
        assert fields == {
            one: kind(given) for one, given in document("gmail")["schemas"][name]["properties"].items()
        }, name
    assert {line.body for line in LINES} | {line.answer for line in LINES} <= {"", *SCHEMAS}


@pytest.mark.parametrize(
    ("operation", "status", "body"),
    [
        ("users.messages.list", 200, {"messages": [{"id": "1", "colour": "red"}]}),
        ("users.messages.list", 200, {"resultSizeEstimate": "3"}),
        ("users.messages.list", 200, {"resultSizeEstimate": -1}),
        ("users.messages.get", 200, {"historyId": 12}),
        ("users.messages.get", 200, {"raw": "a+b/"}),
        ("users.messages.get", 200, {"labelIds": None}),
        ("users.messages.list", 201, {}),
        ("users.messages.delete", 200, {}),
        ("users.labels.get", 200, {"type": "own"}),
        ("users.messages.list", 404, {"error": "not_found"}),
        (
            "users.messages.list",
            404,
            {"error": {"code": 403, "message": "x", "errors": [{"message": "x", "domain": "global", "reason": "r"}]}},
        ),
        (
            "users.messages.list",
            400,
            {
                "error": {
                    "code": 400,
                    "message": "x",
                    "status": "NOT_FOUND",
                    "errors": [{"message": "x", "domain": "global", "reason": "r"}],
                }
            },
        ),
    ],
)
def test_answers_that_are_not_as_published_are_found(operation: str, status: int, body: Any) -> None:
    with pytest.raises(NotAsPublished):
        validate("gmail", operation, status, json.dumps(body).encode())


def test_requests_are_known_by_their_published_method() -> None:
    assert method_of("GET", "/gmail/v1/users/me/messages/1/attachments/2") == "users.messages.attachments.get"
    assert (
        method_of("POST", "/upload/gmail/v1/users/me/drafts/send")
        == method_of("POST", "/v1/users/me/drafts/send")
        == "users.drafts.send"
    )
    assert method_of("GET", "/v1/nothing") == method_of("PUT", "/gmail/v1/users/me/messages") == ""


def test_every_exception_has_a_reason_and_there_are_few() -> None:
    listed = [
        reason for of_service in EXCEPTIONS.values() for paths in of_service.values() for reason in paths.values()
    ]
    assert len(listed) <= 30 and all(len(reason) > 20 for reason in listed)
