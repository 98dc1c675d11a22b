"""Writes what the door of an API of Google's takes and gives, from the published description: `python -m
tests.conformance.google_tables`.

Only names and types of fields are taken.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import wrap
from typing import Any

from tests.conformance.specs import document, methods

APPS = Path(__file__).parents[2] / "apps"
SERVICES = {"sheets": "sheets_v4", "drive": "drive_v3"}
SHORT = re.compile(r"https://www\.googleapis\.com/auth/|https://|/$")
FORMS = {"byte": "bytes", **{form: form for form in ("int32", "uint32", "int64", "uint64", "double", "float")}}
ENUMS = {  # fields whose members the door checks, and what their type is called in errors
    "valueInputOption": "ValueInputOption",
    "insertDataOption": "InsertDataOption",
    "valueRenderOption": "ValueRenderOption",
    "responseValueRenderOption": "ValueRenderOption",
    "dateTimeRenderOption": "DateTimeRenderOption",
    "responseDateTimeRenderOption": "DateTimeRenderOption",
    "majorDimension": "Dimension",
    "dimension": "Dimension",
}
TITLES = {"sheets": "Sheets", "drive": "Drive"}


def text(service: str) -> str:
    """The module of a service's methods and objects."""
    name = f"{TITLES[service]}, {document(service)['version']}"
    head = f'"""Methods and objects of {name}, as published; tests.conformance.google_tables writes this."""'
    tables = {
        "METHODS": [_method(service, id, one) for id, one in methods(service).items()],
        "OBJECTS": sorted(_objects(service)),
    }
    if service == "sheets":
        tables["ENUMS"] = sorted(
            {" ".join([ENUMS[name], *members]) for name, members in _members(document(service)) if name in ENUMS}
        )
    return "\n\n".join([head, *(f'{name} = """\n{_rows(rows)}"""' for name, rows in tables.items())]) + "\n"


def _rows(rows: list[str]) -> str:
    return "".join(
        "\n".join(wrap(row, 145, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)) + "\n"
        for row in rows
    )


def _method(service: str, id: str, one: Mapping[str, Any]) -> str:
    given = one.get("parameters", {})
    inside = {name: kind(service, "", name, told) for name, told in given.items() if told["location"] == "path"}
    path = re.sub(r"\{(\w+)\}", lambda found: f"{{{found[1]}{inside[found[1]]}}}", one["path"].removeprefix("v4"))
    query = [f"?{name}{kind(service, '', name, told)}" for name, told in given.items() if told["location"] == "query"]
    name = f"drive.{id}" if service == "drive" else id
    return " ".join(
        [
            one["httpMethod"],
            f"/{path.strip('/')}",
            name,
            *(f"@{SHORT.sub('', scope)}" for scope in one["scopes"]),
            *_shapes(one),
            *query,
        ]
    )


def _shapes(one: Mapping[str, Any]) -> Iterator[str]:
    """Body, answer, size of an upload, and whether it answers bytes."""
    if "request" in one:
        yield f"={one['request']['$ref']}"
    if "response" in one:
        yield f">{one['response']['$ref']}"
    if "mediaUpload" in one:
        yield f"^{one['mediaUpload']['maxSize']}"
    if one.get("supportsMediaDownload"):
        yield "<alt" if "response" in one else "<always"


def _objects(service: str) -> Iterator[str]:
    for name, schema in document(service)["schemas"].items():
        yield from _object(service, name, schema)


def _object(service: str, name: str, schema: Mapping[str, Any]) -> Iterator[str]:
    fields = schema.get("properties", {})
    yield " ".join([name, *(f"{one}{kind(service, name, one, told)}" for one, told in fields.items())])
    for one, told in fields.items():
        inner = _each(told)
        if "properties" in inner:
            yield from _object(service, f"{name}_{one}", inner)


def _members(told: Any) -> Iterator[tuple[str, list[str]]]:
    """Every field of an enumeration with its members."""
    for name, inner in told.items() if isinstance(told, dict) else ():
        if isinstance(inner, dict) and isinstance(inner.get("enum"), list):
            yield name, inner["enum"]
        yield from _members(inner)


def _each(told: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a list holds, or an object under free names."""
    while "items" in told or "additionalProperties" in told:
        told = told.get("items") or told["additionalProperties"]
    return told


def kind(service: str, of: str, name: str, told: Mapping[str, Any]) -> str:
    """A field's marks and type: `*:Sheet`, `{}`, `:bool`."""
    marks = "{}" if "additionalProperties" in told else ""
    one = told.get("additionalProperties", told)
    if one.get("type") == "array" or one.get("repeated"):
        marks += "*"
        one = one.get("items", one)
    if one.get("type") == "array":
        return f"{marks}:ListValue"
    own = f"{of}_{name}" if "properties" in one else one.get("$ref", "")
    if "enum" in one:
        own = ENUMS.get(name, "")
    known = (
        own
        or {"boolean": "bool", "any": "any", "object": "any"}.get(one["type"], "")
        or FORMS.get(one.get("format", ""), "")
    )
    return f"{marks}:{known}" if known else marks


def main() -> None:
    """Write the modules."""
    for service, module in SERVICES.items():
        (APPS / service / "rest" / f"{module}.py").write_text(text(service), encoding="utf-8")


if __name__ == "__main__":
    main()
