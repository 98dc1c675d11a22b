"""Problems of arguments, in words of our own and by kind: the words of the validator are nobody's API."""

import re
from collections.abc import Mapping
from typing import Any

import orjson

MAX_GIVEN = 60  # characters of a value that is told back
KIND_OF = {
    "missing": "missing",
    "string_type": "text",
    "int_type": "integer",
    "int_parsing": "integer",
    "int_from_float": "integer",
    "int_parsing_size": "integer",
    "float_type": "number",
    "float_parsing": "number",
    "finite_number": "number",
    "bool_type": "boolean",
    "bool_parsing": "boolean",
    "list_type": "list",
    "tuple_type": "list",
    "set_type": "list",
    "dict_type": "object",
    "model_type": "object",
    "model_attributes_type": "object",
    "literal_error": "choice",
    "enum": "choice",
    "union_tag_invalid": "choice",
    "union_tag_not_found": "missing",
    "greater_than_equal": "least",
    "less_than_equal": "most",
    "string_too_short": "short_text",
    "string_too_long": "long_text",
    "too_short": "short_list",
    "too_long": "long_list",
    "string_pattern_mismatch": "form",
    "extra_forbidden": "unknown",
    "value_error": "own",
}
PLAIN = {
    "missing": "is required",
    "text": "must be a string",
    "integer": "must be a whole number",
    "number": "must be a number",
    "boolean": "must be true or false",
    "list": "must be a list",
    "object": "must be an object",
    "choice": "must be one of: {choices}",
    "least": "must be at least {bound}",
    "most": "must be at most {bound}",
    "short_text": "must have at least {bound} characters",
    "long_text": "must have at most {bound} characters",
    "short_list": "must have at least {bound} items",
    "long_list": "must have at most {bound} items",
    "form": "does not have the form that is wanted",
    "unknown": "is not known here",
    "own": "{own}",
    "wrong": "is not valid",
}
OF_TEXTS = {"short_list": "short_text", "long_list": "long_text"}  # a limit after a validator counts items of anything
BOUNDS = ("ge", "le", "min_length", "max_length")
QUOTED = re.compile(r"'([^']*)'")
BRANCH = re.compile(r".*[\[(].*|str|int|float|bool|none|constrained-\w+|nullable|lax-or-strict|json-or-python")


class WrongValue(str):
    """A plain sentence without its subject, with the kind and the facts from which a vendor's own is made."""

    kind: str
    facts: Mapping[str, str]

    def __new__(cls, kind: str, facts: Mapping[str, str]) -> "WrongValue":
        """The sentence of a kind with its facts."""
        made = super().__new__(cls, PLAIN[kind].format_map(facts))
        made.kind, made.facts = kind, facts
        return made


def describe(error: Mapping[str, Any]) -> tuple[str, WrongValue]:
    """The field and what is wrong with it, of one of the validator's errors."""
    kind = KIND_OF.get(str(error["type"]), "wrong")
    if isinstance(error.get("input"), str):
        kind = OF_TEXTS.get(kind, kind)
    about: Mapping[str, Any] = error.get("ctx") or {}
    bound = next((about[name] for name in BOUNDS if name in about), "")
    expected = str(about.get("expected") or about.get("expected_tags") or "")
    facts = {
        "bound": str(bound),
        "choices": ", ".join(QUOTED.findall(expected)) or expected,
        "own": str(error.get("msg", "")).removeprefix("Value error, "),
        "given": quote_given(error.get("input")),
    }
    return _name_field(error["loc"]) or "arguments", WrongValue(kind, facts)


def quote_given(value: object) -> str:
    """A value as it was given, when it is short and simple; of others the kind."""
    if isinstance(value, Mapping):
        return "{...}"
    if isinstance(value, (list, tuple)):
        return "[...]"
    if value is not None and not isinstance(value, (str, int, float, bool)):
        return "the value"
    try:
        return orjson.dumps(value[:MAX_GIVEN] if isinstance(value, str) else value).decode()
    except (TypeError, ValueError):
        return "the value"


def word(table: Mapping[str, str], name: str, why: str) -> str:
    """Return a problem in a vendor's words.

    The vendor's table has a sentence for each kind. `wrong` is for kinds without one, `own` for sentences that an
    operation has worded itself.
    """
    kind, facts = (why.kind, why.facts) if isinstance(why, WrongValue) else ("own", {"own": why})
    sentence = table.get(kind) or table["own" if kind == "own" else "wrong"]
    return sentence.format_map({"given": "", "bound": "", "choices": "", "own": str(why), **facts, "field": name})


def _name_field(place: tuple[str | int, ...]) -> str:
    """Return the dotted path of a field, without the validator's names for the alternatives it tried there."""
    return ".".join(str(part) for part in place if isinstance(part, int) or not BRANCH.fullmatch(part))
