"""What the code host publishes of its REST API: operations, the addresses they have, the answers they give."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import orjson

from tests.conformance import github_shapes
from tests.conformance.github_packages import REST, published
from tests.conformance.github_shapes import Check, Shapes, compact
from tests.conformance.specs import kept

METHODS = ("get", "post", "put", "patch", "delete")
NUMBERED = re.compile(r"^/(repositories|organizations)/\d+(/team/\d+)?(?=/|$)")  # the addresses that Link headers name
UNPUBLISHED = (  # addresses that clients read which are not published any more, and those that answer the same
    (re.compile(r"^(/repos/[^/]+/[^/]+/git)/refs$"), r"\1/matching-refs"),  # PyGithub's Repository.get_git_refs
    (re.compile(r"^(/repos/[^/]+/[^/]+/git)/refs/(.+)$"), r"\1/ref/\2"),  # `url` of every ref
    (
        re.compile(r"^(/repos/[^/]+/[^/]+)/statuses/(.+)$"),
        r"\1/commits/\2/statuses",
    ),  # `statuses_url` of a pull request; Commit.get_statuses
)
PLAIN = {"repositories": "/repos/-/-", "organizations": "/orgs/-"}


@dataclass(frozen=True, slots=True)
class Operation:
    """One published method: `responses` maps a status to media types and their schemas."""

    id: str
    method: str
    path: str
    pattern: re.Pattern[str]
    responses: Mapping[str, Mapping[str, Any]]

    @property
    def names(self) -> int:
        """How many parts of the address are arguments."""
        return self.path.count("{")


def converted() -> dict[str, Any]:
    """The description without what only people read, responses in place."""
    given = orjson.loads(published(*REST).read_bytes())
    operations = {
        one["operationId"]: {
            "method": method.upper(),
            "path": path,
            "deep": _deep(given, one),
            "responses": {status: _contents(given, response) for status, response in one["responses"].items()},
        }
        for path, item in given["paths"].items()
        for method, one in item.items()
        if method in METHODS
    }
    return {
        "operations": operations,
        "schemas": {name: compact(one) for name, one in given["components"]["schemas"].items()},
    }


def _deep(given: Mapping[str, Any], operation: Mapping[str, Any]) -> list[str]:
    """The arguments whose value may hold slashes."""
    listed = [_resolved(given, one) for one in operation.get("parameters", ())]
    return [one["name"] for one in listed if one["in"] == "path" and one.get("x-multi-segment")]


def _contents(given: Mapping[str, Any], response: Mapping[str, Any]) -> dict[str, Any]:
    content = _resolved(given, response).get("content", {})
    return {media: compact(one.get("schema", {})) for media, one in content.items()}


def _resolved(given: Mapping[str, Any], one: Mapping[str, Any]) -> Mapping[str, Any]:
    if "$ref" not in one:
        return one
    for step in one["$ref"].removeprefix("#/").split("/"):
        given = given[step]
    return given


@cache
def _description() -> dict[str, Any]:
    texts = REST[0] + "".join(Path(name).read_text(encoding="utf-8") for name in (__file__, github_shapes.__file__))
    return kept(f"github-{sha256(texts.encode()).hexdigest()[:16]}.json", converted)


@cache
def operations() -> dict[str, Operation]:
    """Every published operation by its id."""
    return {
        id: Operation(id, one["method"], one["path"], _pattern(one["path"], one["deep"]), one["responses"])
        for id, one in _description()["operations"].items()
    }


def _pattern(path: str, deep: list[str]) -> re.Pattern[str]:
    """The addresses of an operation; a last argument that holds slashes may be empty (the root of a tree, every ref)."""
    *first, last = path.split("/")
    parts = [_part(one, deep) for one in first]
    return re.compile("/".join(parts) + ("(/.*)?" if last.strip("{}") in deep else "/" + _part(last, deep)))


def _part(part: str, deep: list[str]) -> str:
    cut = re.split(r"(\{[^}]+\})", part)
    return "".join((".+" if one[1:-1] in deep else "[^/]+") if one.startswith("{") else re.escape(one) for one in cut)


@cache
def _by_word() -> dict[tuple[str, str], list[Operation]]:
    """Operations by method and the first word of the address, those with fewest arguments first."""
    out: dict[tuple[str, str], list[Operation]] = {}
    for one in sorted(operations().values(), key=lambda one: (one.names, one.id)):
        out.setdefault((one.method, one.path.split("/")[1]), []).append(one)
    return out


def operation_of(method: str, path: str) -> Operation | None:
    """The published operation at an address of the API, None where there is none."""
    path = NUMBERED.sub(lambda found: PLAIN[found[1]] + ("/teams/-" if found[2] else ""), path.rstrip("/") or "/")
    method = "GET" if method == "HEAD" else method
    if method == "GET":
        for known, same in UNPUBLISHED:
            path = known.sub(same, path)
    listed = _by_word().get((method, unquote(path.split("/")[1])), [])
    fitting = [one for one in listed if one.pattern.fullmatch(path)]
    # an argument that holds slashes fits much: meant is the address that says most in words
    return min(fitting, key=lambda one: (one.names, -one.path.count("/")), default=None)


@cache
def _shapes() -> Shapes:
    return Shapes(_description()["schemas"])


_CHECKS: dict[tuple[str, str, str], Check] = {}


def check_of(operation: str, status: str, kind: str, schema: Mapping[str, Any]) -> Check:
    """The check of one answer, made when it is first needed; `kind` tells the schemas of one status apart."""
    key = (operation, status, kind)
    if key not in _CHECKS:
        _CHECKS[key] = _shapes().check(schema)
    return _CHECKS[key]
