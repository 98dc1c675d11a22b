"""Reaction buttons: a click adds the reader's reaction or removes it."""

from typing import Any

from apps.github.app import app
from apps.github.pages.ui import pages
from world.core.errors import InvalidArguments
from world.core.json_types import JsonObject
from world.core.params import whole_number
from world.web import View

TAKEN = {"pull-request-review-comment": "pull-request-comment"}  # how taking back is called where it has another name


@pages.action("react")
def react(view: View, given: JsonObject) -> Any:
    """Add the reader's reaction, or remove it."""
    noun = str(given.pop("noun", "issue"))
    if f"reactions/list-for-{noun}" not in app.operations:
        raise InvalidArguments([("noun", "is not known")])
    argument = "issue_number" if noun == "issue" else "comment_id"
    number = str(given.get(argument) or "")
    where = {
        "owner": given.get("owner"),
        "repo": given.get("repo"),
        argument: whole_number(number),
    }
    here = view.attempt(f"reactions/list-for-{noun}", **where, content=given.get("content"), per_page=100) or []
    me = view.read("users/get-authenticated")["login"]
    own = next((one for one in here if one["user"] and one["user"]["login"] == me), None)
    if own is not None:
        return view.submit(f"reactions/delete-for-{TAKEN.get(noun, noun)}", {**where, "reaction_id": own["id"]})
    return view.submit(f"reactions/create-for-{noun}", given)
