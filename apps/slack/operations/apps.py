"""Apps: their manifests, and the address of their Socket Mode connections."""

from collections.abc import Mapping
from typing import Annotated, TypedDict

from pydantic import BeforeValidator, Field, JsonValue

from apps.slack.app import app
from apps.slack.limits import DOCS, TIER1, TIER3
from apps.slack.manifests import NAMED, Problem, find_problems
from apps.slack.models_apps import AppSettings
from apps.slack.params import Ident, Json
from apps.slack.profiles import Roster
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params

CONNECTIONS = "connections:write"  # the scope of app-level tokens that open connections
AN_APP = "$apps.manifest.create:app_id"
A_MANIFEST: dict[str, JsonValue] = {
    "display_information": {"name": "Lunch bot"},
    "features": {
        "app_home": {"home_tab_enabled": True},
        "shortcuts": [{"name": "Order lunch", "type": "global", "callback_id": "order_lunch", "description": "Order"}],
    },
    "settings": {
        "event_subscriptions": {"bot_events": ["app_mention"]},
        "interactivity": {"is_enabled": True},
        "socket_mode_enabled": True,
    },
}
Manifest = Annotated[Json, Field(description="The manifest, as an object or as JSON text.", examples=[A_MANIFEST])]


class ErrorJson(TypedDict):
    """Errors of a manifest."""

    message: str
    pointer: str


class ManifestValid(TypedDict):
    """A manifest is in order."""

    errors: list[ErrorJson]


class ExportedManifest(TypedDict):
    """The manifest of an app."""

    manifest: JsonObject


class UpdatedApp(TypedDict):
    """An app whose manifest was replaced."""

    app_id: str
    permissions_updated: bool


class CreatedApp(TypedDict):
    """A new app."""

    app_id: str
    oauth_authorize_url: str


class Connection(TypedDict):
    """Address of a Socket Mode connection."""

    url: str


class GetApp(Params):
    """One app."""

    app_id: Ident = Field(description="App id, A….", examples=["A012ABCD0A0"])


class NewApp(Params):
    """The manifest of an app to make."""

    manifest: Manifest = Field(description="The manifest, as an object or as JSON text.")


class ChangeApp(GetApp, NewApp):
    """A manifest for an app."""


class CheckManifest(NewApp):
    """A manifest to look at."""

    app_id: Annotated[Ident | None, BeforeValidator(lambda v: v or None)] = Field(
        default=None, description="The app it is for."
    )


def _check(given: Mapping[str, JsonValue] | None) -> JsonObject:
    """A manifest that is in order. Raises invalid_manifest with everything that is wrong."""
    manifest: JsonObject = dict(given or {})
    problems = find_problems(manifest)
    if problems:
        raise OperationError("invalid_manifest", errors=[_problem_to_json(one) for one in problems])
    return manifest


def _problem_to_json(one: Problem) -> ErrorJson:
    return {"message": one.message, "pointer": one.pointer}


def _find_settings(call: Call, app_id: str) -> AppSettings:
    """What is set of an app, for its maker and for admins. Raises invalid_app_id, no_permission."""
    row = call.session.get(AppSettings, app_id)
    bot = call.scalar(NAMED, {"app": app_id})
    if row is None and bot is None:
        raise OperationError("invalid_app_id")
    if not Roster(call).me.is_admin and (row is None or row.creator_id != call.person):
        raise OperationError("no_permission")
    if row is not None:
        return row
    name = call.directory.full_name(str(bot))
    return AppSettings(
        app_id=app_id,
        creator_id=call.person,
        manifest={"display_information": {"name": name}, "settings": {"socket_mode_enabled": False}},
        created_at=call.now,
    )


@app.operation(
    "apps.manifest.create",
    source=DOCS + "apps.manifest.create",
    writes=True,
    limit=TIER1,
    examples=[{"manifest": A_MANIFEST}],
    raises=("invalid_manifest",),
)
def create(call: Call, params: NewApp) -> CreatedApp:
    """Make an app from a manifest. It is not installed: it has no bot user yet.

    Deviates: apps are not installed by anybody, so only the bots that the company has receive events.
    """
    manifest = _check(params.manifest)
    app_id = call.ids.token("A", 10)
    call.session.add(AppSettings(app_id=app_id, creator_id=call.person, manifest=manifest, created_at=call.now))
    return {"app_id": app_id, "oauth_authorize_url": call.public_link(f"/oauth/v2/authorize?client_id={app_id}")}


@app.operation(
    "apps.manifest.delete",
    source=DOCS + "apps.manifest.delete",
    writes=True,
    limit=TIER1,
    examples=[{"app_id": AN_APP}],
    raises=("invalid_app_id", "no_permission"),
)
def delete(call: Call, params: GetApp) -> JsonObject:
    """Delete an app's settings; it is told of nothing any more."""
    row = _find_settings(call, params.app_id)
    if call.session.get(AppSettings, params.app_id) is not None:
        call.session.delete(row)
    return {}


@app.operation(
    "apps.manifest.export",
    source=DOCS + "apps.manifest.export",
    limit=TIER3,
    examples=[{"app_id": AN_APP}],
    raises=("invalid_app_id", "no_permission"),
)
def export(call: Call, params: GetApp) -> ExportedManifest:
    """Read the manifest of an app: its name, the events it subscribes to, whether Socket Mode is on."""
    return {"manifest": _find_settings(call, params.app_id).manifest}


@app.operation(
    "apps.manifest.update",
    source=DOCS + "apps.manifest.update",
    writes=True,
    limit=TIER1,
    examples=[{"app_id": AN_APP, "manifest": A_MANIFEST}],
    raises=("invalid_app_id", "no_permission", "invalid_manifest"),
)
def update(call: Call, params: ChangeApp) -> UpdatedApp:
    """Replace the manifest of an app, its event subscriptions with it."""
    row = _find_settings(call, params.app_id)
    row.manifest, row.updated_at = _check(params.manifest), call.now
    call.session.add(row)
    return {"app_id": row.app_id, "permissions_updated": False}


@app.operation(
    "apps.manifest.validate",
    source=DOCS + "apps.manifest.validate",
    limit=TIER3,
    examples=[{"manifest": A_MANIFEST}],
    raises=("invalid_manifest",),
)
def validate(call: Call, params: CheckManifest) -> ManifestValid:
    """Say whether a manifest is in order, and what is wrong with it where."""
    _check(params.manifest)
    return {"errors": []}


@app.operation(
    "apps.connections.open",
    source=DOCS + "apps.connections.open",
    limit=TIER1,
    examples=[{}],
    raises=("not_allowed_token_type",),
)
def connections_open(call: Call, params: Params) -> Connection:
    """Get the address at which an app's Socket Mode connection is opened; it takes an app-level token."""
    me = Roster(call).me
    if CONNECTIONS not in call.principal.scopes or not me.is_bot:
        raise OperationError("not_allowed_token_type")
    scheme, _, place = call.base_url.partition("://")
    if place == "slack.com" or place.endswith(".slack.com"):
        place = "wss-primary.slack.com"
    return {"url": f"{'wss' if scheme == 'https' else 'ws'}://{place}/link/?app_id={me.app_id}"}
