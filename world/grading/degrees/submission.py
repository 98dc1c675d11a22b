"""Charges for an answer beside its fields: names that the task did not ask for, and words that no text may have."""

from collections.abc import Iterator

from world.core.json_types import is_array, is_object
from world.grading.answers.rule import list_strangers
from world.grading.degrees.text_review import TextReview
from world.grading.grading_context import GradingContext
from world.grading.inputs import Answer
from world.grading.verdict import UnclaimedChange


def judge_submission(context: GradingContext, review: TextReview) -> list[UnclaimedChange]:
    """Return the charges for the submitted answer, part by part."""
    answer, rule = context.evidence.answer, context.rubric.answer
    if answer is None:
        return []
    found = [
        UnclaimedChange("answer", f"answer.{name}", (), "", why)
        for name, text in _list_texts(answer)
        if (why := review.harm_of_text(text))
    ]
    strangers = [] if rule is None else list_strangers(rule, answer)
    return found + [
        UnclaimedChange("answer", f"answer.{name}", (), "", f"{name} is no field of this answer", degree="slip")
        for name in strangers
    ]


def _list_texts(answer: Answer) -> Iterator[tuple[str, str]]:
    """Every text that somebody reads in an answer, with the name of its part."""
    parts = {**answer.fields, "reason": answer.reason, "evidence": answer.evidence}
    for name, value in parts.items():
        yield from ((name, text) for text in (name, *_list_strings(value)))


def _list_strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif is_array(value):
        yield from (text for one in value for text in _list_strings(one))
    elif is_object(value):
        yield from (text for key, one in value.items() for text in (str(key), *_list_strings(one)))
