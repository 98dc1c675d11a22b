"""Partial responses of reads, for callers that are no HTTP clients."""

from collections.abc import Iterable, Mapping
from typing import Any

from apps.google.api import Api
from apps.google.arguments import Unreadable
from apps.google.field_mask import parse_mask
from apps.google.method_table import Line
from world.web.rest_door import FieldSelection, FieldSelector


def find_selector(apis: Iterable[Api], operation: str) -> FieldSelector | None:
    """Find how `fields` narrows the answer of a read; None for changes, downloads and what is not published."""
    for api in apis:
        line, known = api.by_operation.get(operation), api.app.operations.get(operation)
        if line is not None and known is not None and _can_be_narrowed(line) and not known.writes:
            return _make_selector(api, line)
    return None


def _can_be_narrowed(line: Line) -> bool:
    return bool(line.answer) and line.download != "always"


def _make_selector(api: Api, line: Line) -> FieldSelector:
    def select(arguments: Mapping[str, Any], text: str) -> FieldSelection:
        try:
            mask = parse_mask(api, text, line.answer)
        except Unreadable as problem:
            raise ValueError(str(problem)) from None
        if mask is None or arguments.get("alt") == "media":
            return FieldSelection(arguments, lambda result: result)
        return FieldSelection(api.prepared(line, arguments, mask), mask.of)

    return select
