"""What the vendors publish about their answers, as JSON Schema: `validate(service, operation, status, body)`.

Gmail, Sheets, Drive: the discovery documents inside google-api-python-client, converted once into a cache outside the
checkout.
"""

import importlib.util
import json
import os
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

PLACES = {
    "gmail": "googleapiclient/discovery_cache/documents/gmail.v1.json",
    "sheets": "googleapiclient/discovery_cache/documents/sheets.v4.json",
    "drive": "googleapiclient/discovery_cache/documents/drive.v3.json",
}
FORMATS = {"int64": r"^-?\d{1,19}$", "uint64": r"^\d{1,20}$", "byte": r"^[A-Za-z0-9_-]*={0,2}$"}
BOUNDS = {"int32": (-(2**31), 2**31 - 1), "uint32": (0, 2**32 - 1)}
EXCEPTIONS = tomllib.loads((Path(__file__).parent / "exceptions.toml").read_text(encoding="utf-8"))
STATUSES = {  # google.rpc.Code
    400: {"INVALID_ARGUMENT", "FAILED_PRECONDITION", "OUT_OF_RANGE"},
    401: {"UNAUTHENTICATED"},
    403: {"PERMISSION_DENIED"},
    404: {"NOT_FOUND"},
    409: {"ABORTED", "ALREADY_EXISTS"},
    429: {"RESOURCE_EXHAUSTED"},
    500: {"INTERNAL", "UNKNOWN"},
    503: {"UNAVAILABLE"},
    504: {"DEADLINE_EXCEEDED"},
}
TEXT = {"type": "string", "minLength": 1}
ERROR = {
    "type": "object",
    "additionalProperties": False,
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "additionalProperties": False,
            "required": ["code", "message", "errors"],
            "properties": {
                "code": {"type": "integer"},
                "message": TEXT,
                "status": TEXT,
                "details": {"type": "array", "items": {"type": "object", "required": ["@type"]}},
                "errors": {
                    "type": "array",
                    "minItems": 1,
                    "items": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["message", "domain", "reason"],
                        "properties": {
                            "message": TEXT,
                            "domain": TEXT,
                            "reason": TEXT,
                            "location": TEXT,
                            "locationType": TEXT,
                        },
                    },
                },
            },
        }
    },
}

NEWER = {  # without the list of the first form
    "type": "object",
    "additionalProperties": False,
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "additionalProperties": False,
            "required": ["code", "message"],
            "properties": {
                "code": {"type": "integer"},
                "message": TEXT,
                "status": TEXT,
                "details": {"type": "array", "items": {"type": "object", "required": ["@type"]}},
            },
        }
    },
}


class NotAsPublished(AssertionError):
    """An answer that the vendor's description does not allow."""


@cache
def document(service: str) -> dict[str, Any]:
    """A vendor's description, as its package has it."""
    package, _, place = PLACES[service].partition("/")
    found = importlib.util.find_spec(package)
    assert found is not None and found.origin, f"{package} is a development dependency"
    return json.loads((Path(found.origin).parent / place).read_text(encoding="utf-8"))


def methods(service: str) -> dict[str, dict[str, Any]]:
    """Every method of a service by its id without the service's name."""
    return {one["id"].removeprefix(f"{service}."): one for one in _methods(document(service))}


def _methods(resource: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    yield from resource.get("methods", {}).values()
    for inner in resource.get("resources", {}).values():
        yield from _methods(inner)


def converted(service: str) -> dict[str, Any]:
    """The schemas of a service as `$defs`: nothing unknown, 64 bits as texts, bytes as base64url."""
    return {name: _schema(schema) for name, schema in document(service)["schemas"].items()}


def _schema(given: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" in given:
        return {"$ref": f"#/$defs/{given['$ref']}"}
    if given["type"] == "any":
        return {}
    if "additionalProperties" in given:
        return {"type": "object", "additionalProperties": _schema(given["additionalProperties"])}
    if given["type"] == "object":
        fields = {name: _schema(one) for name, one in given.get("properties", {}).items()}
        return {"type": "object", "properties": fields, "additionalProperties": False}
    if given["type"] == "array":
        return {"type": "array", "items": _schema(given["items"])}
    return _simple(given)


def _simple(given: Mapping[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {"type": given["type"]}
    form = given.get("format", "")
    if form in FORMATS:
        out |= {"type": "string", "pattern": FORMATS[form]}
    if form in BOUNDS:
        out["minimum"], out["maximum"] = BOUNDS[form]
    return out | ({"enum": given["enum"]} if "enum" in given else {})


def _cached(service: str) -> dict[str, Any]:
    """The converted schemas, kept in the user's cache folder under the revision and this module's own text."""
    stamp = sha256((document(service)["revision"] + Path(__file__).read_text(encoding="utf-8")).encode()).hexdigest()[
        :16
    ]
    return kept(f"{service}-{stamp}.json", lambda: converted(service))


def cache_folder() -> Path:
    """The user's cache folder, where descriptions stay between runs."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path(tempfile.gettempdir())) / "firmament-conformance"


def kept(name: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Something that is made once and then read from the cache folder."""
    place = cache_folder() / name
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        made = place.parent / f"{place.name}.{os.getpid()}"
        made.write_text(json.dumps(make()), encoding="utf-8")
        made.replace(place)
    return json.loads(place.read_text(encoding="utf-8"))


@cache
def _validator(service: str, schema: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/$defs/{schema}", "$defs": _cached(service)})


def validate(service: str, operation: str, status: int, body: bytes) -> None:
    """Raise NotAsPublished unless a service may answer a method so; "" stands for an address that is no method."""
    if status >= 400:
        _check_error(service, operation, status, body)
        return
    answer = methods(service)[operation].get("response") if operation else None
    if answer is None:
        if (status, body) != (204, b""):
            raise NotAsPublished(f"{operation}: {status} {body[:200]!r} instead of an empty 204")
        return
    if status != 200:
        raise NotAsPublished(f"{operation}: status {status}")
    known = EXCEPTIONS.get(service, {}).get(operation, {})
    for problem in _validator(service, answer["$ref"]).iter_errors(json.loads(body)):
        if problem.json_path not in known:
            raise NotAsPublished(f"{operation}: {problem.json_path}: {problem.message[:400]}")


def _check_error(service: str, operation: str, status: int, body: bytes) -> None:
    shown = json.loads(body)
    for problem in Draft202012Validator(NEWER if service == "sheets" else ERROR).iter_errors(shown):
        raise NotAsPublished(f"{operation}: {problem.json_path}: {problem.message[:400]}")
    error = shown["error"]
    if error["code"] != status:
        raise NotAsPublished(f"{operation}: code {error['code']} with status {status}")
    if "status" in error and error["status"] not in STATUSES.get(status, {error["status"]}):
        raise NotAsPublished(f"{operation}: {error['status']} with status {status}")
