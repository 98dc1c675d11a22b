"""Possible assignees of an issue or pull request for pickers: with their names, people before apps."""

from collections.abc import Iterable, Mapping
from typing import Any

from world.core.json_types import JsonObject
from world.web import View


def list_assignees(view: View, owner: str, repo: str) -> list[JsonObject]:
    """Return the accounts for a picker, each with the `name` of its profile."""
    listed = view.read("issues/list-assignees", owner=owner, repo=repo, per_page=100)
    return sort_people([{**one, "name": _read_name(view, one["login"])} for one in listed])


def _read_name(view: View, login: str) -> str:
    profile = view.attempt("users/get-by-username", username=login) or {}
    return str(profile.get("name") or "")


def sort_people(listed: Iterable[Mapping[str, Any]]) -> list[JsonObject]:
    """Sort people by name, then apps."""
    return sorted(
        map(dict, listed),
        key=lambda one: (one["type"] == "Bot", str(one.get("name") or one["login"]).lower(), one["login"]),
    )
