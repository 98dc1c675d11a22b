"""The parts of a surface: paths, flat schemas, sizes, declarations."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import orjson
import pytest
from pydantic import Field, JsonValue

from mcp_servers import paths, schema, truncation
from mcp_servers.derived_surface import derive_surface
from mcp_servers.tools import ArgumentForm, Surface
from mcp_servers.toolset import fit
from world.core.app import App
from world.core.call import Call
from world.core.errors import InvalidArguments
from world.core.params import Int64, Params


class Inner(Params):
    """An inner object."""

    name: str = Field(description="A name.")
    next: "Inner | None" = Field(default=None, description="Another.")


class Wide(Params):
    """Every kind of field."""

    plain: str = Field(description="P.", max_length=10)
    maybe: int | None = Field(default=None, description="M.", ge=0)
    big: Int64 = Field(default=0, description="B.")
    choice: Literal["a", "b"] | None = Field(default=None, description="C.")
    only: Literal["x"] = Field(default="x", description="O.")
    inner: Inner = Field(description="I.")
    listed: list[Inner] = Field(default_factory=list, description="L.")
    either: str | int = Field(default="", description="E.")
    mixed: dict[str, JsonValue] | Annotated[str, Field(max_length=3)] | None = Field(default=None, description="X.")
    any: JsonValue = Field(default=None, description="A.")
    table: dict[str, int] = Field(default_factory=dict, description="T.")


app = App("wide", "Wide")


@app.operation("wide.getThing", source="own choice")
def get_thing(call: Call, params: Wide) -> None:
    """Get a thing."""


@app.operation("wide.setThing", source="own choice", writes=True)
def set_thing(call: Call, params: Inner) -> None:
    """Set a thing."""


class Emptied(Params):
    """A field that null empties, and one where null says nothing."""

    owner: str | None = Field(description="Who has it; null for nobody.")
    due: int | None = Field(default=None, description="When it is due.")
    notes: dict[str, str | None] | None = Field(
        default=None, description="Notes by name; one whose text is null is removed."
    )


def test_null_is_a_value_only_where_the_description_says_what_it_does() -> None:
    own = App("emptied", "Emptied")

    @own.operation("emptied.set", source="own choice", writes=True)
    def set_it(call: Call, params: Emptied) -> None:
        """Set a thing."""

    tool = fit(derive_surface(own), own.operations).tools["emptied_set"]
    assert tool.wire.input_schema["properties"]["owner"]["type"] == ["null", "string"]
    assert tool.wire.input_schema["properties"]["due"]["type"] == "integer"
    notes = tool.wire.input_schema["properties"]["notes"]
    assert notes["type"] == "object" and notes["additionalProperties"] == {"type": ["null", "string"]}
    assert tool.arguments({"owner": None, "due": None, "notes": None}) == {"owner": None}
    assert tool.arguments({"owner": None, "notes": {"a": None}})["notes"] == {"a": None}
    with pytest.raises(InvalidArguments):
        tool.arguments({"due": 1})


def test_schemas_lose_references_optionals_and_noise() -> None:
    found = schema.flat(Wide)
    assert found["required"] == ["plain", "inner"]
    parts = found["properties"]
    assert parts["plain"] == {"type": "string", "description": "P."}
    assert parts["maybe"] == {"type": "integer", "minimum": 0, "description": "M."}
    assert parts["big"] == {"type": "integer", "description": "B.", "default": 0}
    assert parts["choice"] == {"type": "string", "enum": ["a", "b"], "description": "C."}
    assert parts["only"] == {"type": "string", "description": "O.", "default": "x", "enum": ["x"]}
    assert parts["inner"]["properties"]["next"] == {"type": "object", "description": "Another."}
    assert parts["listed"]["items"]["properties"]["name"] == {"type": "string", "description": "A name."}
    assert parts["either"] == {"type": ["integer", "string"], "description": "E."}
    assert parts["mixed"] == {"anyOf": [{"type": "object"}, {"type": "string"}], "description": "X."}
    assert parts["any"] == {"description": "A."}
    assert parts["table"] == {"type": "object", "additionalProperties": {"type": "integer"}, "description": "T."}


@pytest.mark.parametrize("text", ["a", "a.b", "a[]", "a[].b.c", "a.b[].c[].d"])
def test_a_value_put_at_a_path_is_taken_from_it(text: str) -> None:
    path, made = paths.parse(text), dict[str, Any]()
    paths.set_at(made, path, 7)
    assert paths.take(made, path) == (True, 7)
    assert paths.is_empty(made) and paths.take(made, path) == (False, None)


def test_two_paths_share_what_they_have_in_common() -> None:
    made: dict[str, Any] = {}
    paths.set_at(made, paths.parse("a[].b"), 1)
    paths.set_at(made, paths.parse("a[].c.d"), 2)
    assert made == {"a": [{"b": 1, "c": {"d": 2}}]}
    assert paths.take({"a": [1, 2]}, paths.parse("a[]")) == (False, None)


def test_small_answers_are_left_alone() -> None:
    assert truncation.within("x" * 100_000, ()) == ("x" * 100_000, "")


def test_json_is_cut_between_items_of_its_longest_list() -> None:
    whole = {"ok": True, "page": {"items": [{"text": "é" * 100, "n": n} for n in range(1000)], "few": [1]}}
    text, note = truncation.within(orjson.dumps(whole).decode(), ("maxResults",))
    cut = orjson.loads(text)
    kept = cut["page"]["items"]
    assert cut["page"]["few"] == [1] and kept == whole["page"]["items"][: len(kept)]  # type: ignore[index]
    assert 90_000 < len(text.encode()) <= truncation.CAP
    assert note.startswith(f"[{1000 - len(kept)} of 1000 items were left out") and f"maxResults={len(kept)}" in note


def test_one_huge_item_is_shortened_inside_and_stays_json() -> None:
    text, note = truncation.within(orjson.dumps({"issue": {"description": "x" * 200_000, "key": "A-1"}}).decode(), ())
    assert orjson.loads(text)["issue"]["key"] == "A-1" and "198000 more characters" in text
    assert note == "[Texts over 2000 characters were shortened.]"
    listed, note = truncation.within(orjson.dumps([{"text": "x" * 200_000}]).decode(), ())
    assert orjson.loads(listed) == [] and "1 of 1 items" in note


def test_text_is_cut_between_lines() -> None:
    text, note = truncation.within("\n".join("é" * 500 for _ in range(200)), ("limit",))
    assert set(text.split("\n")) == {"é" * 500} and len(text.encode()) <= truncation.CAP
    assert note.startswith(f"[{200 - len(text.split())} of 200 lines were left out")
    assert truncation.within("x" * 200_000, ())[1] == "[Cut at 100000 bytes.]"


def test_names_and_descriptions_are_checked_when_declared() -> None:
    surface = Surface("s", app="wide")
    surface.tool("fine", "wide.getThing")
    for name in ("fine", "with space", "x" * 45, ""):
        with pytest.raises(ValueError):
            surface.tool(name, "wide.getThing")
    with pytest.raises(ValueError, match="over 200"):
        surface.tool("wordy", "wide.getThing", description="x" * 201)


def test_a_tool_must_lead_to_an_operation_and_to_its_arguments() -> None:
    lost = Surface("s", app="wide")
    lost.tool("lost", "wide.gone")
    with pytest.raises(LookupError, match=r"no operation wide\.gone"):
        fit(lost, app.operations)
    stray = Surface("s", app="wide")
    stray.tool("stray", "wide.setThing", rename={"x": "nowhere.at.all"}, only=["x"])
    with pytest.raises(LookupError, match="x leads nowhere"):
        assert fit(stray, app.operations).tools


def test_the_derived_surface_tells_reads_from_writes() -> None:
    tools = fit(derive_surface(app), app.operations)
    assert {name: one.wire.annotations.read_only_hint for name, one in tools.tools.items() if one.wire.annotations} == {
        "wide_get_thing": True,
        "wide_set_thing": False,
    }
    assert [one.wire.description for one in tools.tools.values()] == ["Get a thing.", "Set a thing."]


def test_an_operation_beside_a_surface_must_be_the_apps() -> None:
    assert [one.name for one in derive_surface(app, ["wide.getThing"]).tools] == ["wide_get_thing"]
    with pytest.raises(LookupError, match=r"wide has no operation wide\.gone"):
        derive_surface(app, ["wide.gone"])


def test_defaults_fill_in_and_are_published() -> None:
    surface = Surface("s", app="wide")
    surface.tool(
        "t", "wide.setThing", rename={"called": "name"}, only=["called"], defaults={"called": "x"}, required=[]
    )
    tool = fit(surface, app.operations).tools["t"]
    assert tool.wire.input_schema["properties"]["called"]["default"] == "x"
    assert (tool.arguments({}), tool.arguments({"called": "y"}), tool.arguments({"called": None})) == (
        {"name": "x"},
        {"name": "y"},
        {},
    )


def test_problems_carry_the_tools_names_however_deep() -> None:
    surface = Surface("s", app="wide")
    surface.tool(
        "t", "wide.getThing", rename={"who": "listed[].name", "word": "plain"}, only=["who", "word"], required=["word"]
    )
    tool = fit(surface, app.operations).tools["t"]
    refusal = InvalidArguments([("listed.0.name", "bad"), ("plain", "worse"), ("inner.name", "own")])
    assert tool.sentence(refusal) == "inner.name: own; who: bad; word: worse"


def test_arguments_with_no_way_back_are_not_mapped_back() -> None:
    surface = Surface("s", app="wide")
    surface.tool("t", "wide.setThing", only=["name"], forms={"name": ArgumentForm({"type": "string"}, str.upper)})
    assert fit(surface, app.operations).arguments_for("wide.setThing", {"name": "X"}) is None


def chosen() -> Surface:
    """A tool whose operation follows from which arguments are given."""

    def pick(given: Mapping[str, Any]) -> str:
        if "lost" in given.values():
            return "nowhere"
        if given.get("word") and given.get("name"):
            raise InvalidArguments([("word", "not with name")])
        return "set" if given.get("name") else "get"

    surface = Surface("s", app="wide")
    surface.tool(
        "t",
        {"get": "wide.getThing", "set": "wide.setThing"},
        pick=pick,
        rename={"word": "plain"},
        only=["word", "name"],
        required=[],
    )
    return surface


def test_an_operation_is_picked_and_gets_only_what_it_takes() -> None:
    tool = fit(chosen(), app.operations).tools["t"]
    assert (tool.operation({"name": "x"}).id, tool.operation({"word": "x"}).id) == ("wide.setThing", "wide.getThing")
    assert (tool.arguments({"name": "x"}), tool.arguments({"word": "x", "name": None})) == (
        {"name": "x"},
        {"plain": "x"},
    )
    assert tool.wire.annotations is not None and tool.wire.annotations.read_only_hint is False
    assert fit(chosen(), app.operations).arguments_for("wide.setThing", {"name": "x"}) is None


def test_a_pick_that_finds_nothing_is_a_bad_argument() -> None:
    tool = fit(chosen(), app.operations).tools["t"]
    for given, said in (
        ({"word": "a", "name": "b"}, "word: not with name"),
        ({"word": "lost"}, "arguments: must be one of: get, set"),
    ):
        with pytest.raises(InvalidArguments) as caught:
            tool.arguments(given)
        assert tool.sentence(caught.value) == said and tool.operation_of(given).id == "wide.getThing"
