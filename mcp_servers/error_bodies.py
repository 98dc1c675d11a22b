"""Error bodies of refusals: the vendor's own, as worded by the app's REST door or the surface's folder."""

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import orjson

from mcp_servers.toolset import WORLD
from world.core import discovery
from world.core.app import App
from world.core.errors import EpisodeEnded, OperationError, Outage
from world.web.rest_door import find_rest_door

GROUP = "firmament.surfaces"
Body = Callable[[OperationError, str], str]
Failed = Callable[[Outage, str], str]


def bodies(apps: Mapping[str, App]) -> Mapping[str, Body]:
    """For each app: (refusal, operation id) -> text. An app that words nothing itself names the code."""
    return {name: _body(app) for name, app in apps.items() if name != WORLD} | {WORLD: build_plain_body}


def _body(app: App) -> Body:
    rest = find_rest_door(app.name)
    said: Body = (
        getattr(_errors(app.name), "refusal", None) or _build_body(rest.refusal if rest else None) or build_plain_body
    )
    failed: Failed | None = getattr(_errors(app.name), "outage", None) or _fail_with(
        rest.fault_response if rest else None
    )

    def body(error: OperationError, operation: str) -> str:
        if not isinstance(error, Outage):
            return said(error, operation)
        usual = Outage("error", app.fault_codes.get("error", "internal_error"), app=app.name)
        if failed is None:
            return said(error if error.kind in app.fault_codes else usual, operation)
        return failed(error, operation) or failed(usual, operation)  # a connection cut short has nothing to show

    return body


def _fail_with(response: Callable[[Outage], Any] | None) -> Failed | None:
    return None if response is None else lambda outage, _: bytes(response(outage).body).decode()


def _errors(app: str) -> ModuleType | None:
    """The module `errors` of an app's folder of surfaces, if there is one."""
    for package in discovery.packages(GROUP):
        folder = discovery.part(package, app)
        if folder is not None and (found := discovery.part(folder, "errors")) is not None:
            return found
    return None


def _build_body(refusal: Callable[[OperationError], tuple[int, object]] | None) -> Body | None:
    return None if refusal is None else lambda error, _: orjson.dumps(refusal(error)[1]).decode()


def build_plain_body(error: OperationError, operation: str = "") -> str:
    """`{"error": code, "message": sentence}`."""
    ended = isinstance(error, EpisodeEnded)
    message = error.sentence if ended else f"{error.code.replace('_', ' ').strip().capitalize()}."
    return orjson.dumps({"error": error.code, "message": message}).decode()
