"""Format of an answer's fields, as the task states it: types, units and one example each, never a value."""

from pydantic import ValidationError

from world.core.yaml_document import Document
from world.grading.answers.values import default_unit
from world.grading.schema import AnswerField, AnswerSpec

_FORMS = {
    "text": "text, a few words or a name",
    "date": 'a date, such as "2024-02-29" or "29 February 2024"',
    "datetime": 'a date and time with its zone, such as "2024-02-29T08:05Z" or "29 February 2024, 9:05 CET"',
    "duration": 'a duration, such as "1 h 20 min" or "PT1H20M"; a bare number is seconds',
    "person": "a person: full name, handle or mail address",
    "row": "a key, number or link, such as ABC-1",
    "boolean": "true or false, yes or no",
}


def describe_answer(document: Document) -> str:
    """The lines that end a task whose rubric asks for an answer; empty when it asks for none. Raises RubricError."""
    if "answer" not in document.data:
        return ""
    try:
        spec = AnswerSpec.model_validate(document.data["answer"])
    except ValidationError as error:
        raise document.error(("answer",), error.errors(include_url=False)[0]["msg"]) from None
    if not spec.fields:
        return ""
    lines = [f"- `{name}`: {describe_field(name, field)}" for name, field in spec.fields.items()]
    return "\n".join(["Fields of the answer (each holds one value, in any usual way to write it):", *lines])


def describe_field(name: str, spec: AnswerField) -> str:
    """Describe the values that one field accepts."""
    if spec.type == "choice":
        return f"one of {', '.join(spec.options or ())}"
    if spec.type == "money":
        currency = (spec.currency or "USD").upper()
        return f'an amount in {currency}, such as "{currency} 1,234.50" or "1.234,50 {currency}"'
    if spec.type == "number":
        unit = default_unit(name, spec)
        return f'a number in {unit}, such as 12 or "12 {unit}"' if unit else 'a number, such as 12 or "twelve"'
    return _FORMS[spec.type]
