"""Rows as values by column: what look-ups return, and what readings, audiences and graders read."""

from collections.abc import Mapping
from typing import Any, TypedDict

Row = Mapping[str, Any]  # the types of its values are those of the table's columns


class PersonRow(TypedDict):
    """A row of the table `person`, whose columns `world.core.directory.Person` declares."""

    id: str
    full_name: str
    display_name: str
    first_name: str
    last_name: str
    handle: str
    email: str
    title: str
    team_id: str | None
    manager_id: str | None
    office_id: str | None
    tz: str
    hours_start: int
    hours_end: int
    kind: str
    status: str
    joined_at: int
    left_at: int | None
    phone: str
    pronouns: str
