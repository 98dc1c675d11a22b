"""Helpers of requests about objects on ranges: lookup by id, new ids, required parts."""

from collections.abc import Mapping
from typing import Any

from apps.sheets.operations.requests.registry import RequestArguments
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.objects import StoredObject, list_objects
from world.core.errors import OperationError

MOST = 10_000  # things of one kind


def one(book: Spreadsheet, asked: RequestArguments, kind: str, key: object, what: str) -> StoredObject:
    """Return the object of an id. Raises no_object."""
    found = next(
        (
            each
            for each in list_objects(book, kind)
            if each.key == str(key) or (isinstance(key, int) and each.number == key)
        ),
        None,
    )
    if found is None:
        raise OperationError("no_object", place=asked.place, kind=asked.kind, what=what, id=key)
    return found


def new_key(book: Spreadsheet, asked: RequestArguments, kinds: tuple[str, ...], given: int | None, what: str) -> str:
    """Return the id of a new object: the given or a new one. Raises bad_request for a used or invalid one."""
    taken = {each.key for kind in kinds for each in list_objects(book, kind)}
    if len(taken) >= MOST:
        raise asked.wrong(f"You cannot have more than {MOST} of these.")
    if given is None:
        return next(key for key in iter(lambda: str(int(book.call.ids.digits(9)) or 1), "") if key not in taken)
    if given < 0:
        raise asked.wrong(f"{what} IDs must not be negative.")
    if str(given) in taken:
        raise asked.wrong(f"A {what} with id {given} already exists.")
    return str(given)


def objects_of(asked: RequestArguments, given: Mapping[str, Any], name: str) -> Any:
    """Return a required part of an object. Raises bad_request."""
    found = given.get(name)
    if not isinstance(found, dict):
        raise asked.wrong(f"{name} is required.")
    return found
