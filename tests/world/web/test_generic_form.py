"""Forms made from params, and arguments made from forms."""

import asyncio
from typing import Annotated, Literal

import pytest
from pydantic import BeforeValidator, Field
from starlette.datastructures import FormData, UploadFile
from starlette.testclient import TestClient

from tests.world.web.conftest import rows, token
from world.core.operation import Operation
from world.core.params import Params, Text
from world.run.host import Host
from world.web.fields import decode, shape
from world.web.generic_form import FormField, fields_of


class Many(Params):
    """Arguments of every kind."""

    text: Annotated[Text, Field(max_length=20)] = Field(description="A word.")
    body: Annotated[Text, Field(max_length=4000)] = ""
    whose: Text = "me"
    count: int = 3
    on: bool = False
    kind: Literal["a", "b"] = Field(default="a")
    must: Literal["x", "y"]
    names: Annotated[list[str], BeforeValidator(lambda v: v.split(",") if isinstance(v, str) else v)] = []
    maybe: Annotated[list[str], BeforeValidator(lambda v: v)] | None = None
    tags: list[str] = []
    deep: dict[str, int] | None = Field(default=None, alias="deepThing")


def operation() -> Operation:
    """An operation with those arguments."""
    return Operation("test.many", "test", lambda call, params: None, Many, True, "own choice")


def test_every_argument_gets_a_fitting_field() -> None:
    found = {field.name: (field.kind, field.required, field.options) for field in fields_of(operation())}
    assert found == {
        "text": ("text", True, ()),
        "body": ("long", False, ()),
        "whose": ("text", False, ()),
        "count": ("number", False, ()),
        "on": ("check", False, ()),
        "kind": ("choice", False, ("", "a", "b")),
        "must": ("choice", True, ("x", "y")),
        "names:json": ("json", False, ()),
        "maybe:json": ("json", False, ()),
        "tags:json": ("json", False, ()),
        "deepThing:json": ("json", False, ()),
    }
    assert fields_of(operation())[0] == FormField("text", "Text", "text", "A word.", True)
    assert {field.name: field.usual for field in fields_of(operation()) if field.usual} == {"whose": "me"}


def test_plain_values_are_fitted_to_the_model() -> None:
    sent = {
        "text": "",
        "count": "",
        "kind": "",
        "names": "a,b",
        "maybe": "a,b",
        "tags": "one",
        "deepThing": "",
        "other": "kept",
    }
    assert shape(sent, Many) == {"text": "", "names": "a,b", "maybe": "a,b", "tags": ["one"], "other": "kept"}
    assert shape({"tags": ["one", "", "two"]}, Many) == {"tags": ["one", "two"]}
    assert shape({"tags": ""}, Many) == {"tags": []}


def test_a_field_for_json_that_was_left_empty_is_absent_and_null_is_not() -> None:
    fields: list[tuple[str, str | UploadFile]] = [
        ("deepThing:json", " "),
        ("tags:json", ""),
        ("names:json", "null"),
        ("maybe:json", "null"),
        ("count:json", "1"),
    ]
    sent = asyncio.run(decode(FormData(fields)))
    assert shape(sent.arguments, Many, sent.blank) == {"names": None, "maybe": None, "count": 1}
    assert shape({"deepThing": None, "tags": None}, Many) == {"deepThing": None, "tags": None}


def test_the_page_lists_what_writes_and_its_forms_work(browser: TestClient, host: Host) -> None:
    page = browser.get("/jot/more").text
    assert "/jot/more/jot.write" in page and "jot.list" not in page
    form = browser.get("/jot/more/jot.write?text=given").text
    assert ">given</textarea>" in form or 'value="given"' in form
    browser.post(
        "/jot/do/jot.write",
        data={"_token": token(browser, "/jot/more/jot.write"), "text": "by hand", "tags:json": '["t"]'},
    )
    assert rows(host) == ["by hand,t"]
    assert browser.get("/jot/more/jot.list").status_code == 404


def test_a_file_that_is_too_large_is_refused(browser: TestClient, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("world.web.fields.MAX_FILE_BYTES", 3)
    answer = browser.post(
        "/jot/do/jot.write", data={"_token": token(browser), "text": "a"}, files={"file": ("a", b"1234")}
    )
    assert answer.status_code == 422 and rows(host) == []


def test_what_belongs_to_nobody_any_more_cannot_be_sent(browser: TestClient, host: Host) -> None:
    ours = token(browser)
    host.actor("w").end("finished")
    answer = browser.post("/jot/do/jot.write", data={"_token": ours, "text": "late"})
    assert answer.status_code == 401 and "this episode ended" in answer.text
    page = {"Accept": "text/html"}
    assert browser.get("/jot/").status_code == 401 and browser.get("/", headers=page).status_code == 401
