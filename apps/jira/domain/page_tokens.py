"""Opaque page tokens: the sort values of a page's last row, so that writes in between do not shift pages."""

import base64
import binascii
import json
from collections.abc import Sequence

from sqlalchemy import ColumnElement, UnaryExpression, and_, false, or_
from sqlalchemy.sql import operators

from world.core.call import Call
from world.core.errors import OperationError
from world.core.rng import digest


def encode_page_token(call: Call, query: str, values: Sequence[object]) -> str:
    """A token for the page after a row with these sort values, bound to the query's text."""
    body = json.dumps(list(values), separators=(",", ":"), ensure_ascii=False)
    return base64.urlsafe_b64encode(_seal_token(call, query, body) + body.encode()).decode().rstrip("=")


def decode_page_token(call: Call, query: str, token: str) -> list[object]:
    """The sort values of a token. Raises bad_page_token for one that is not of this query and site."""
    try:
        raw = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
        body = raw[8:].decode()
        if raw[:8] != _seal_token(call, query, body):
            raise ValueError
        values = json.loads(body)
    except (binascii.Error, ValueError):
        raise OperationError("bad_page_token") from None
    return list(values)


def _seal_token(call: Call, query: str, body: str) -> bytes:
    return digest(call.rng.seed, "jira page", query, body, size=8)


def key_columns(order: Sequence[ColumnElement[object]]) -> list[ColumnElement[object]]:
    """Return the expression of each sort key, without its direction."""
    return [_split_direction(key)[0] for key in order]


def _split_direction(key: ColumnElement[object]) -> tuple[ColumnElement[object], bool]:
    descending = False
    while isinstance(key, UnaryExpression) and key.modifier is not None:
        descending = descending or key.modifier is operators.desc_op
        key = key.element
    return key, descending


def rows_after(order: Sequence[ColumnElement[object]], values: Sequence[object]) -> ColumnElement[bool]:
    """Rows that sort behind the given values. Empty values come last ascending and first descending."""
    if len(order) != len(values):
        raise OperationError("bad_page_token")
    options: list[ColumnElement[bool]] = []
    equal: list[ColumnElement[bool]] = []
    for key, value in zip(order, values, strict=True):
        column, descending = _split_direction(key)
        options.append(and_(*equal, _sorts_after(column, value, descending)))
        equal.append(column.is_not_distinct_from(value))
    return or_(*options)


def _sorts_after(column: ColumnElement[object], value: object, descending: bool) -> ColumnElement[bool]:
    if descending:
        return column.is_not(None) if value is None else column < value
    return false() if value is None else or_(column > value, column.is_(None))
