"""Answers to a request whose words are free, for the authors of chores."""

from collections.abc import Sequence
from typing import Unpack

from scenarios.office.requests import expect_reply
from world.script.chore import Item, ItemOptions
from world.script.stage import Facts


def any_answer(truth: Facts, *, id: str = "replied", **more: Unpack[ItemOptions]) -> Item:
    """The expectation that the request is answered where it was made, in whatever words.

    For answers that call something false or fake: such words void a text for the rules that read it.
    """
    made = expect_reply(truth, {}, id=id, **more)
    return {name: value for name, value in made.items() if name != "text"}


def state_count(
    path: str, wanted: Sequence[str] | str, rest: Sequence[str] | str, *, others: Sequence[str] = ()
) -> Facts:
    """A text predicate: the count of a fact is stated, and not as that of something else.

    `wanted` and `rest` are words for what is counted and for what is not; a count without any of them is fine.
    `others` are names of things that are not counted, and may not be called so.
    """
    labels = {"wanted": wanted if isinstance(wanted, str) else list(wanted)}
    labels["rest"] = rest if isinstance(rest, str) else list(rest)
    facts: dict[str, object] = {"must": [{"count": path, "called": "wanted"}], "labels": labels}
    if others:
        facts["never"] = [{"text": one, "called": "wanted"} for one in others]
    return {"facts": facts}


def forbid_calling_off(table: str, field: str, ref: str) -> Item:
    """A `never` of a rubric: a comment of the agent on a row that goes on says that it does not."""
    over = [
        {"claims": {"subject": subject, "state": state}}
        for subject in ("this", "this one", "it", "ticket", "issue")
        for state in ("dropped", "closed", "cancelled", "obsolete", "done", "not needed")
    ]
    where = {"issue_id": {"ref": ref}, "author": {"ref": "agent"}}
    return {"id": f"called_off_{ref}", "insert": table, "where": where, "text": {"field": field, "any_of": over}}
