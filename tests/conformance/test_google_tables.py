"""What the door of Sheets and Drive takes, held against the published descriptions."""

import pytest

from apps.drive.rest.routes import LINES as DRIVE
from apps.drive.rest.routes import OBJECTS as DRIVE_OBJECTS
from apps.drive.rest.routes import SELECTED
from apps.google.method_table import Kind
from apps.sheets.rest.routes import ENUMS, SHEETS, SHEETS_OBJECTS
from tests.conformance.google_tables import APPS, SERVICES, text
from tests.conformance.sheets import Published, method_of
from tests.conformance.specs import document, methods

LINES, OBJECTS = {"sheets": SHEETS, "drive": DRIVE}, {"sheets": SHEETS_OBJECTS, "drive": DRIVE_OBJECTS}
SHORT = ("https://www.googleapis.com/auth/", "https://")


@pytest.mark.parametrize("service", SERVICES)
def test_what_was_written_from_the_description_still_agrees_with_it(service: str) -> None:
    assert (APPS / service / "rest" / f"{SERVICES[service]}.py").read_text(encoding="utf-8") == text(service)


@pytest.mark.parametrize(("service", "count", "prefix"), [("sheets", 17, ""), ("drive", 64, "drive.")])
def test_every_method_is_read_with_its_path_query_shapes_and_scopes(service: str, count: int, prefix: str) -> None:
    published = methods(service)
    assert {line.operation for line in LINES[service]} == {prefix + name for name in published} and len(
        published
    ) == count
    for line in LINES[service]:
        one = published[line.operation.removeprefix(prefix)]
        given = one.get("parameters", {})
        assert (line.method, line.body, line.answer) == (
            one["httpMethod"],
            _named(one, "request"),
            _named(one, "response"),
        ), line.operation
        assert line.fill_path({name: f"{{{name}}}" for name in line.placed}) == one["path"].removeprefix("v4/"), (
            line.operation
        )
        assert set(line.query) == {name for name, told in given.items() if told["location"] == "query"}, line.operation
        assert len(line.scopes) == len(one["scopes"]) and not any("/" in scope for scope in line.scopes), line.operation


def _named(one: dict[str, dict[str, str]], part: str) -> str:
    return one.get(part, {}).get("$ref", "")


def test_kinds_of_fields_are_read_as_they_were_written() -> None:
    assert SHEETS_OBJECTS["ValueRange"]["values"] == Kind("ListValue", many=True)
    assert SHEETS_OBJECTS["BasicFilter"]["criteria"] == Kind("FilterCriteria", keyed=True)
    assert (SHEETS_OBJECTS["GridRange"]["sheetId"], SHEETS_OBJECTS["Color"]["red"]) == (Kind("int32"), Kind("float"))
    assert DRIVE_OBJECTS["About"]["exportFormats"] == Kind("", many=True, keyed=True)
    assert (DRIVE_OBJECTS["File"]["size"], DRIVE_OBJECTS["File"]["capabilities"]) == (
        Kind("int64"),
        Kind("File_capabilities"),
    )
    assert ENUMS["Dimension"] == {"DIMENSION_UNSPECIFIED", "ROWS", "COLUMNS"} and len(ENUMS) == 5
    for service, objects in OBJECTS.items():
        assert set(document(service)["schemas"]) <= set(objects)
        named = {kind.name for fields in objects.values() for kind in fields.values() if kind.name[:1].isupper()}
        assert named - {"ListValue"} <= {*objects, *ENUMS}


def test_no_argument_stands_in_two_places_but_a_range() -> None:
    twice = {}
    for service, lines in LINES.items():
        for line in lines:
            inside, outside = set(OBJECTS[service].get(line.body, {})), {*line.placed, *line.query}
            twice[line.operation] = sorted((inside & outside) | (set(line.placed) & set(line.query)))
    assert {name: found for name, found in twice.items() if found} == {
        "spreadsheets.values.append": ["range"],
        "spreadsheets.values.update": ["range"],
    }


def test_what_drive_answers_without_a_mask_is_of_methods_that_are() -> None:
    assert set(SELECTED) <= {line.operation for line in DRIVE}


def test_requests_are_known_by_their_published_method() -> None:
    assert method_of("GET", "/v4/spreadsheets/x/values/%27It%27%27s%27%21A1%3AB2") == (
        "sheets",
        "spreadsheets.values.get",
    )
    assert method_of("POST", "/v4/spreadsheets/x/values/a%2Fb%21A1:append") == ("sheets", "spreadsheets.values.append")
    assert method_of("POST", "/v4/spreadsheets/x%3AbatchUpdate") == ("sheets", "spreadsheets.batchUpdate")
    assert method_of("DELETE", "/drive/v3/files/trash") == ("drive", "files.emptyTrash")
    assert method_of("PATCH", "/upload/drive/v3/files/x") == ("drive", "files.update")
    assert method_of("GET", "/v4/nothing") == method_of("PUT", "/v4/spreadsheets/x") == Published("sheets", "")
