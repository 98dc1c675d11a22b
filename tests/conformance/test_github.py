"""The published description of the code host as a test sees it: its own examples, answers that are wrong, addresses."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from tests.conformance import github_packages
from tests.conformance.github import JSON, Checked, validate
from tests.conformance.github_description import check_of, operation_of, operations
from tests.conformance.github_packages import REST, DescriptionUnavailable, lacking, published
from tests.conformance.github_shapes import Shapes
from tests.conformance.operations import operations as addresses
from tests.conformance.specs import EXCEPTIONS, NotAsPublished

STALE = Path(__file__).parent / "github_stale_examples.txt"
DOCS = "https://docs.github.com/rest"
NOT_FOUND = {"message": "Not Found", "documentation_url": DOCS, "status": "404"}
LABEL = {
    "id": 1,
    "node_id": "LA_1",
    "url": "https://api.github.com/repos/a/b/labels/bug",
    "name": "bug",
    "description": None,
    "color": "f29513",
    "default": True,
}
COMMIT = "6dcb09b5b57875f334f61aebed695e2e4193db5e"
CONTENTS = "repos/get-content"
DIFF = "application/vnd.github.diff; charset=utf-8"


def test_the_published_descriptions_are_here() -> None:
    assert lacking() == ""  # while it is not "", no answer of the code host is compared with them


def test_every_published_operation_is_known_with_its_address() -> None:
    assert len(addresses("github")) == 1223 and len(addresses("gmail")) == 79
    assert addresses("github")["pulls/create"] == ("POST", "/repos/{owner}/{repo}/pulls")


def examples() -> Iterator[tuple[str, str, str, str, Any]]:
    """Name, operation, status, media type and value of every published example of an answer in JSON."""
    given = orjson.loads(published(*REST).read_bytes())
    for one in operations().values():
        for status, response in given["paths"][one.path][one.method.lower()]["responses"].items():
            for media, content in followed(given, response).get("content", {}).items():
                for name, example in (
                    content.get("examples", {}).items() if "json" in media and "schema" in content else ()
                ):
                    shown = example.get("$ref", f"{one.id} {status} {name}").rpartition("#/components/examples/")[2]
                    value = followed(given, followed(given, example).get("value"))
                    yield shown, one.id, status, media, value


def followed(given: Any, value: Any) -> Any:
    """What a reference leads to."""
    if not isinstance(value, dict) or set(value) != {"$ref"}:
        return value
    for step in value["$ref"].removeprefix("#/").split("/"):
        given = given[step]
    return given


def test_the_vendors_own_examples_are_as_published_but_for_those_listed() -> None:
    wrong: dict[str, str] = {}
    seen: set[str] = set()
    for name, operation, status, media, value in examples():
        seen.add(name)
        value = value["value"] if isinstance(value, dict) and set(value) == {"value"} else value
        for where, what in check_of(operation, status, media, operations()[operation].responses[status][media])(value):
            wrong.setdefault(name, f"{name}: ${where} {what}")
    listed = STALE.read_text(encoding="utf-8").splitlines()[1:]
    assert sorted(wrong.values()) == listed and len(seen) > 650


def error(operation: str, code: int, *why: str, **body: Any) -> tuple[Any, ...]:
    """An error, but for `body` as published."""
    return operation, code, {"message": "m", "documentation_url": DOCS, "status": str(code)} | body, *why


@pytest.mark.parametrize(
    ("operation", "status", "body", "why"),
    [
        ("issues/get-label", 200, LABEL | {"colour": "red"}, r"\$.colour is not published"),
        ("issues/get-label", 200, {name: LABEL[name] for name in LABEL if name != "color"}, r"\$.color is required"),
        ("issues/get-label", 200, LABEL | {"id": "1"}, r"\$.id '1' is no integer"),
        ("issues/get-label", 200, LABEL | {"id": True}, r"\$.id True is no integer"),
        ("issues/get-label", 200, LABEL | {"name": None}, r"\$.name None is no string"),
        ("issues/get-label", 200, LABEL | {"url": "/repos/a/b/labels/bug"}, r"\$.url .* is no uri"),
        ("issues/get-label", 200, [LABEL], "is no object"),
        ("issues/get-label", 201, LABEL, "status 201 is not published"),
        ("issues/list-labels-for-repo", 200, [LABEL, LABEL | {"default": 1}], r"\$\[1\].default 1 is no boolean"),
        ("issues/list-labels-for-repo", 200, {"labels": [LABEL]}, "is no array"),
        (
            "rate-limit/get",
            200,
            {"rate": {"limit": 1, "remaining": 1, "reset": 1, "used": 1}},
            r"\$.resources is required",
        ),
        (
            "pulls/merge",
            200,
            {"sha": COMMIT, "merged": True, "message": "m", "status": "200"},
            r"\$.status is not published",
        ),
        (
            "actions/list-repo-variables",
            200,
            {
                "total_count": 1,
                "variables": [
                    {
                        "name": "A",
                        "value": "b",
                        "created_at": "2026-01-01T00:00:00+00:00",
                        "updated_at": "2026-01-01T00:00:00Z",
                    }
                ],
            },
            r"variables\[0\].created_at .* is no date-time",
        ),
        ("repos/create-commit-status", 201, {"state": "green"}, "is required"),
        ("issues/delete-label", 204, {}, "instead of nothing"),
        ("issues/get", 304, {}, "instead of nothing"),
        ("actions/re-run-workflow", 201, {"id": 1}, r"\$.id is not published"),
        ("", 200, {}, "at an address that is not published"),
        error("", 422, "at an address that is not published"),
        ("issues/get", 404, {"message": "Not Found", "status": "404"}, r"\$.documentation_url is required"),
        ("issues/get", 404, {"message": "Not Found", "documentation_url": DOCS}, r"\$.status is required"),
        error("issues/get", 404, r"\$.status 404 is no string", status=404),
        error("", 404, "status '403'", status="403"),
        error("issues/get", 404, r"\$.error is not published", error="x"),
        error("issues/create", 422, "errors", errors={}),
        error(
            "issues/create", 422, r"\$.errors\[0\].code is required", errors=[{"resource": "Issue", "field": "title"}]
        ),
        error("issues/create", 403, r"\$.message '': minLength is 1", message=""),
        error("issues/create", 403, r"\$.documentation_url .* is no uri", documentation_url="docs"),
    ],
)
def test_answers_that_are_not_as_published_are_found(operation: str, status: int, body: Any, why: str) -> None:
    with pytest.raises(NotAsPublished, match=why):
        validate(operation, status, json.dumps(body).encode())


@pytest.mark.parametrize(
    ("operation", "status", "body"),
    [
        ("issues/get-label", 200, LABEL),
        ("issues/list-labels-for-repo", 200, []),
        ("actions/re-run-workflow", 201, {}),
        ("", 404, NOT_FOUND),
        error("pulls/merge", 405),
        error("pulls/merge", 409),
        error("issues/get", 404),
        error("issues/get", 401),
        error("pulls/create", 403),
        error("issues/create", 422, errors=[{"resource": "Issue", "field": "title", "code": "missing_field"}]),
        error("pulls/create-review", 422, errors=["Can not approve your own pull request"]),
        error("issues/list-labels-for-repo", 301, url="https://x.test/1"),
        ("issues/get", 403, {"message": "You have exceeded a secondary rate limit", "documentation_url": DOCS}),
        ("issues/get", 502, {"message": "Server Error"}),
    ],
)
def test_answers_as_published_pass(operation: str, status: int, body: Any) -> None:
    validate(operation, status, json.dumps(body).encode())


def test_bodies_that_are_no_json_are_of_a_kind_that_was_asked_for() -> None:
    validate("pulls/get", 200, b"diff --git a/x b/x\n", media=DIFF, accept="application/vnd.github.v3.diff")
    validate(
        CONTENTS,
        200,
        b"any",
        media="application/vnd.github.raw+json; charset=utf-8",
        accept="application/vnd.github.raw+json",
    )
    validate("issues/delete-label", 204, b"", media="")
    for operation, body, media, accept in [
        ("pulls/get", b"diff --git a/x b/x\n", DIFF, "application/json"),
        ("pulls/get", b"{}", DIFF, "application/vnd.github.diff"),
        ("issues/get", b"", DIFF, "application/vnd.github.diff"),
        ("issues/get-label", json.dumps(LABEL).encode(), "text/html", "*/*"),
        ("issues/get-label", json.dumps(LABEL).encode(), "application/json", "*/*"),
        ("issues/get-label", b"{", JSON, "*/*"),
    ]:
        with pytest.raises(NotAsPublished):
            validate(operation, 200, body, media=media, accept=accept)


def test_a_folder_looks_otherwise_for_those_who_ask_for_an_object() -> None:
    entry = {
        "type": "dir",
        "size": 0,
        "name": "src",
        "path": "src",
        "sha": COMMIT,
        "url": "https://x.test/1",
        "git_url": None,
        "html_url": None,
        "download_url": None,
        "_links": {"self": "https://x.test/1", "git": None, "html": None},
    }
    folder = entry | {"entries": [entry]}
    validate(CONTENTS, 200, json.dumps([entry]).encode())
    validate(CONTENTS, 200, json.dumps(folder).encode(), accept="application/vnd.github.object+json")
    for body, accept in [([entry], "application/vnd.github.object"), (folder, "application/vnd.github+json")]:
        with pytest.raises(NotAsPublished):
            validate(CONTENTS, 200, json.dumps(body).encode(), accept=accept)


def test_parts_of_a_composition_know_each_others_fields() -> None:
    named = {"id": {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}}
    both = {
        "allOf": [
            {"$ref": "#/named/id"},
            {"type": "object", "properties": {"name": {"type": "string", "nullable": True}}},
        ],
        "nullable": True,
    }
    check = Shapes(named).check(both)
    assert check({"id": 1, "name": None}) == check(None) == []
    assert check({"id": 1, "more": 2}) == [(".more", "is not published")] and check({"name": "a"}) == [
        (".id", "is required")
    ]
    either = {"oneOf": [{"$ref": "#/named/id"}, {"type": "string"}], "properties": {"kind": {"type": "string"}}}
    check = Shapes(named).check(either)
    assert check({"id": 1, "kind": "a"}) == [] and check("a") == []
    assert check({"id": 1, "other": "a"}) and check({"kind": "a"}) and check(1) and check(None)


@pytest.mark.parametrize(
    ("method", "path", "operation"),
    [
        ("GET", "/repos/a/b/pulls/1", "pulls/get"),
        ("HEAD", "/repos/a/b/pulls/1", "pulls/get"),
        ("GET", "/user", "users/get-authenticated"),
        ("GET", "/repos/a/b/contents", CONTENTS),
        ("GET", "/repos/a/b/contents/", CONTENTS),
        ("GET", "/repos/a/b/contents/x/y.py", CONTENTS),
        ("GET", "/repos/a/b/commits/feat/x/status", "repos/get-combined-status-for-ref"),
        ("GET", "/repos/a/b/git/ref/heads/m", "git/get-ref"),
        ("GET", "/repos/a/b/commits/x/pulls", "repos/list-pull-requests-associated-with-commit"),
        ("GET", "/repos/a/b/commits/feat/x/statuses", "repos/list-commit-statuses-for-ref"),
        ("GET", "/repos/a/b/commits/feat/x", "repos/get-commit"),
        ("GET", "/repos/a/b/compare/x/y...z", "repos/compare-commits-with-basehead"),
        ("GET", "/repositories/7/issues", "issues/list-for-repo"),
        ("GET", "/organizations/7/repos", "repos/list-for-org"),
        ("GET", "/", "meta/root"),
        ("GET", "/repos/a/b/issues/comments", "issues/list-comments-for-repo"),
        ("PUT", "/user", ""),
        ("GET", "/repos/a", ""),
        ("GET", "/nothing", ""),
    ],
)
def test_requests_are_known_by_their_published_operation(method: str, path: str, operation: str) -> None:
    found = operation_of(method, path)
    assert (found.id if found else "") == operation


async def _answers(request: Request) -> Response:
    """The body that a request's header names, whatever was asked for."""
    await request.body()
    shown = request.headers["answer"].encode()
    return Response(
        shown, media_type=request.headers.get("kind", JSON), status_code=int(request.headers.get("code", "200"))
    )


@pytest.fixture(scope="module")
def client() -> TestClient:
    return TestClient(
        Checked(Starlette(routes=[Route("/{path:path}", _answers, methods=["GET", "POST"])])),
        base_url="http://127.0.0.1",
    )


@pytest.mark.parametrize(
    "base", ["/github/api/v3", "/api/v3", "/github", "http://api.github.com", "http://api.github.com:80"]
)
def test_answers_are_looked_at_wherever_the_api_is(client: TestClient, base: str) -> None:
    client.get(f"{base}/repos/a/b/labels/bug", headers={"answer": json.dumps(LABEL)})
    with pytest.raises(NotAsPublished, match="issues/get-label 200"):
        client.get(f"{base}/repos/a/b/labels/bug", headers={"answer": "{}"})


def test_unknown_addresses_of_the_api_are_looked_at_too(client: TestClient) -> None:
    for base in ("/github/api/v3", "/api/v3", "http://api.github.com"):
        client.get(f"{base}/nothing", headers={"answer": json.dumps(NOT_FOUND), "code": "404"})
        with pytest.raises(NotAsPublished, match="not published"):
            client.get(f"{base}/nothing", headers={"answer": "{}"})
        with pytest.raises(NotAsPublished, match="is required"):
            client.get(f"{base}/nothing", headers={"answer": "{}", "code": "404"})


def test_queries_are_looked_at_at_each_of_their_addresses(client: TestClient) -> None:
    for address in ("/github/api/graphql", "/api/graphql", "http://api.github.com/graphql"):
        client.post(
            address, json={"query": "{viewer{login}}"}, headers={"answer": '{"data": {"viewer": {"login": "ada"}}}'}
        )
        with pytest.raises(NotAsPublished, match="viewer is null"):
            client.post(address, json={"query": "{viewer{login}}"}, headers={"answer": '{"data": {"viewer": null}}'})


def test_pages_and_other_apps_are_not_the_apis(client: TestClient) -> None:
    for address, kind in [
        ("/github/a/b/labels", JSON),
        ("/github/user", "text/html; charset=utf-8"),
        ("/slack/api/v3/user", JSON),
    ]:
        assert client.get(address, headers={"answer": "[1]", "kind": kind}).text == "[1]"


def test_answers_that_a_fault_broke_off_are_left_alone(client: TestClient) -> None:
    assert client.get("/api/v3/user", headers={"answer": '[{"url":"https://api.githu'}).text.endswith("githu")
    assert (
        client.get("/api/v3/user", headers={"answer": "<html>", "kind": "text/html", "code": "504"}).status_code == 504
    )
    with pytest.raises(NotAsPublished, match="is no JSON"):
        client.get("/api/v3/user", headers={"answer": "[{]"})


def test_without_a_registry_the_package_and_the_way_out_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIRM_CLIENT_ENVS", str(tmp_path))
    monkeypatch.setenv("npm_config_offline", "true")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "npm"))
    with pytest.raises(
        DescriptionUnavailable, match=r"(?s)@octokit/openapi@23\.0\.2 could not be fetched.*FIRM_CLIENT_ENVS"
    ):
        github_packages.published.__wrapped__(*REST)
    assert not list((tmp_path / "descriptions").glob("*.json"))


def test_every_exception_has_an_address_and_there_are_few() -> None:
    listed = [reason for paths in EXCEPTIONS["github"].values() for reason in paths.values()]
    assert len(listed) <= 10 and all(".com/" in reason for reason in listed)
    assert set(EXCEPTIONS["github"]) - {"errors"} <= set(operations())
