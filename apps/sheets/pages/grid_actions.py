"""Gestures on the grid: each is one operation that returns the changed cells; and a form for pages without scripts."""

from typing import Any

from starlette.responses import JSONResponse, Response

from apps.sheets import a1
from apps.sheets.pages.ui import pages
from world.core.errors import InvalidArguments, OperationError
from world.core.params import whole_number
from world.web import View, response_headers
from world.web.refusals import failure

GESTURES = frozenset(("web.enter", "web.paste", "web.fill", "web.change", "web.undo", "web.redo", "drive.files.update"))


@pages.action("grid")
def gesture(view: View, arguments: dict[str, object]) -> Response:
    """Run the grid's request; return the new display, or the refusal."""
    operation, given = str(arguments.get("op") or ""), arguments.get("args")
    if operation not in GESTURES or not isinstance(given, dict):
        raise InvalidArguments([("op", "is not known")])
    try:
        told, status = view.submit(operation, given), 200
    except OperationError as error:
        failed = failure(error, view.door.theme, view.door.refusals)
        told, status = (
            {"refused": failed.message, "title": failed.title, "outage": failed.outage, "code": failed.code},
            failed.status,
        )
    return response_headers.add_page_headers(
        JSONResponse(told, status, headers={"X-World-Version": str(view.page_state.version)})
    )


@pages.action("cell")
def cell(view: View, arguments: dict[str, object]) -> dict[str, Any]:
    """Type into one cell, given as `B7`."""
    try:
        area = a1.parse(str(arguments.get("cell") or "").strip().upper()).area
    except a1.BadRange:
        area = None
    if area is None or area.bottom is None or area.right is None:
        raise InvalidArguments([("cell", "is not a cell such as B7")])
    gid = str(arguments.get("gid") or "0")
    typed = {
        "cells": [[area.top, area.left, str(arguments.get("text") or "")]],
        "gid": whole_number(gid),
    }
    view.submit("web.enter", {"spreadsheetId": str(arguments.get("key") or ""), **typed})
    return {}
