"""YAML of rubrics and suites: words that keep their letters, lines of every place, and files that are refused."""

from pathlib import Path
from typing import Any

import pytest

from world.core.yaml_document import MAX_DEPTH, Document, YamlError, describe_unknown, load_yaml, render_place


class BadRecipe(YamlError):
    """A recipe that does not load."""

    noun = "a recipe"
    usual_file = "recipe.yaml"


def load(tmp_path: Path, text: str) -> Document:
    path = tmp_path / "soup.yaml"
    path.write_text(text, encoding="utf-8")
    return load_yaml(path, BadRecipe)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("on", "on"),
        ("yes", "yes"),
        ("No", "No"),
        ("True", "True"),
        ("true", True),
        ("false", False),
        ("null", None),
        ("~", None),
        ("12", 12),
        ("-3", -3),
        ("+3", 3),
        ("0", 0),
        ("012", "012"),
        ("-007", "-007"),
        ("0x1f", "0x1f"),
        ("1_000", "1_000"),
        ("12:30", "12:30"),
        ("2026-03-02", "2026-03-02"),
        ("1.5", 1.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("-1.5e-1", -0.15),
        ("1.", 1.0),
        (".inf", ".inf"),
        ("1.2.3", "1.2.3"),
        ("'12'", "12"),
        ("[a, 1]", ["a", 1]),
    ],
)
def test_a_plain_word_is_a_text_unless_it_is_a_plain_number_or_truth(tmp_path: Path, text: str, value: Any) -> None:
    assert load(tmp_path, f"a: {text}\n").data == {"a": value}


def test_keys_are_texts(tmp_path: Path) -> None:
    made = load(tmp_path, "on: 1\n12: {true: 2}\n")
    assert made.data == {"on": 1, "12": {"true": 2}} and made.line(("12", "true")) == 2


TEXT = "a: 1\n\nb:\n  - x\n  - c: 2\n    d:\n      e: 3\n"


@pytest.mark.parametrize(
    ("place", "line", "named"),
    [
        (("a",), 1, "a"),
        (("b",), 3, "b"),
        (("b", 0), 4, "b[0]"),
        (("b", 1), 5, "b[1]"),
        (("b", 1, "c"), 5, "b[1].c"),
        (("b", 1, "d", "e"), 7, "b[1].d.e"),
        (("b", 1, "d", "nowhere", "at", "all"), 6, "b[1].d.nowhere.at.all"),
        (("z",), 1, "z"),
        ((), 1, ""),
    ],
)
def test_an_error_names_file_line_and_place(
    tmp_path: Path, place: tuple[str | int, ...], line: int, named: str
) -> None:
    made = load(tmp_path, TEXT)
    assert made.line(place) == line and render_place(place) == named
    error = made.error(place, "is too salty")
    assert isinstance(error, BadRecipe) and (error.file, error.line, error.where) == ("soup.yaml", line, named)
    assert str(error) == ": ".join(part for part in (f"soup.yaml:{line}", named, "is too salty") if part)


def test_an_error_without_a_file_names_the_usual_one() -> None:
    assert str(BadRecipe("is empty")) == "recipe.yaml: is empty"
    assert str(BadRecipe("is empty", line=3)) == "recipe.yaml:3: is empty"
    assert str(YamlError("is empty", where="a")) == "a: is empty"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- a\n", "soup.yaml:1: a recipe is a mapping of keys"),
        ("", "soup.yaml:1: a recipe is a mapping of keys"),
        ("a: 1\nb: 2\na: 3\n", "soup.yaml:3: the key 'a' stands twice"),
        ("x:\n  a: 1\n  a: 2\n", "soup.yaml:3: x: the key 'a' stands twice"),
        ("a: 1\nb: [1\nc: 2\n", "soup.yaml:3: not YAML: expected ',' or ']'"),
        ("a: 'x\n", "soup.yaml:2: not YAML: found unexpected end of stream"),
        ("a: !!python/object:os.system {}\n", "soup.yaml:1: not YAML: could not determine a constructor"),
    ],
)
def test_what_is_no_document_is_refused_by_its_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BadRecipe) as refusal:
        load(tmp_path, text)
    assert str(refusal.value).startswith(message)


def test_a_document_is_nested_up_to_a_depth(tmp_path: Path) -> None:
    def nest(depth: int) -> str:
        return "a: " + "[" * depth + "1" + "]" * depth

    assert load(tmp_path, nest(MAX_DEPTH - 1)).line(("a", *[0] * (MAX_DEPTH - 1))) == 1
    with pytest.raises(BadRecipe, match=f"soup.yaml:1: nested deeper than {MAX_DEPTH}"):
        load(tmp_path, nest(MAX_DEPTH))


def test_an_unknown_name_is_compared_with_those_that_are_known() -> None:
    assert describe_unknown("table", "perso", ["team", "person"]) == "unknown table 'perso'; did you mean 'person'?"
    assert describe_unknown("table", "xyz", ["b", "a"]) == "unknown table 'xyz'; known: a, b"
    assert describe_unknown("table", 5, []) == "unknown table '5'; known: none"
    many = [f"n{number:02}" for number in range(13)]
    assert describe_unknown("day", "xyz", many[:12]).endswith("n10, n11") and describe_unknown(
        "day", "xyz", many
    ).endswith("n10, n11, ...")
