"""What a text rule demands of a message: what it says, or only a word, a length, or that it says something."""

from collections.abc import Mapping

from world.core.json_types import is_array, is_object
from world.grading.errors import RubricError
from world.grading.rubric_loader import Rubric

MEANINGFUL = frozenset({"facts", "stance", "claims", "quotes", "none_of", "number", "money", "date", "time"})
COMBINED = ("all_of", "any_of")


def refuse_idle_texts(rubric: Rubric) -> None:
    """Refuse a rubric in which a message to people may say anything around a word.

    Raises RubricError naming the item: its text asks for words, a length or an answer alone.
    """
    specs = rubric.source.data.get("expect", ())
    for item in rubric.items:
        text = specs[item.place[1]].get("text")
        if item.table.conduct.place and is_object(text) and not asks_for_meaning(text):
            raise RubricError(
                f"{rubric.name}: the text of {item.id!r} asks for words alone, so whoever uses them in a lie meets it;"
                " add facts with called, a stance, or none_of"
            )


def asks_for_meaning(text: Mapping[str, object]) -> bool:
    """Whether a `text` mapping, on some level, asks for a fact, a role or a stance, or forbids something."""
    if not MEANINGFUL.isdisjoint(text):
        return True
    inner = [one for key in COMBINED if is_array(some := text.get(key)) for one in some]
    return any(is_object(one) and asks_for_meaning(one) for one in inner)
