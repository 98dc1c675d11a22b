"""Views of apps: whose they are, how they are told, the stack of modals; what people do with apps, as apps are told.

Source: docs.slack.dev/reference/interaction-payloads, docs.slack.dev/surfaces/modals
"""

from typing import NamedTuple, TypedDict

from sqlmodel import col, select

from apps.slack.manifests import find_manifest
from apps.slack.models_apps import AppSettings, AppView, Interaction
from apps.slack.profiles import Roster
from world.core.call import Call
from world.core.clock import SECOND
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.rng import digest

TRIGGER_US = 3 * SECOND  # docs.slack.dev/interactivity/handling-user-interaction#modal_responses
MOST_VIEWS = 3  # in a stack
OPEN = "closed_at = 0"


class ViewShape(TypedDict):
    """A view, as the service tells of it."""

    id: str
    team_id: str
    type: str
    blocks: list[JsonObject]
    private_metadata: str
    callback_id: str
    state: JsonObject
    hash: str
    title: JsonObject | None
    clear_on_close: bool
    notify_on_close: bool
    close: JsonObject | None
    submit: JsonObject | None
    previous_view_id: str | None
    root_view_id: str
    app_id: str
    external_id: str
    app_installed_team_id: str
    bot_id: str


class OwnApp(NamedTuple):
    """The app a token speaks for."""

    id: str
    manifest: JsonObject


def find_own_app(call: Call) -> OwnApp:
    """The app of a bot; a person's token stands for the app they made last. Raises not_allowed_token_type."""
    me = Roster(call).me
    made = call.scalar(
        "SELECT app_id FROM slack_app WHERE creator_id = :me ORDER BY created_at DESC, app_id LIMIT 1",
        {"me": call.person},
    )
    id = me.app_id or (made if not me.is_bot else None)
    if not id:
        raise OperationError("not_allowed_token_type")
    return OwnApp(str(id), find_manifest(call, str(id)))


def view_to_json(call: Call, view: AppView) -> ViewShape:
    """A view as the service tells of it: docs.slack.dev/reference/views/modal-views."""
    team = Roster(call).team.id
    return {
        "id": view.id,
        "team_id": team,
        **view.content,
        "state": {"values": view.entered},
        "hash": view.hash,
        "previous_view_id": view.previous_id or None,
        "root_view_id": view.root_id,
        "app_id": view.app_id,
        "external_id": view.external_id,
        "app_installed_team_id": team,
        "bot_id": find_bot_id(call, view.app_id),
    }  # type: ignore[return-value]


def find_bot_id(call: Call, app_id: str) -> str:
    """The id B… of an app's bot; empty for an app without one."""
    found = call.scalar("SELECT bot_id FROM slack_profile WHERE app_id = :app ORDER BY person_id", {"app": app_id})
    return str(found or "")


def list_stack(call: Call, person: str, app_id: str = "") -> list[AppView]:
    """The modals that are open for a person, the lowest first."""
    chosen = select(AppView).where(
        col(AppView.person_id) == person, col(AppView.kind) == "modal", col(AppView.closed_at) == 0
    )
    if app_id:
        chosen = chosen.where(col(AppView.app_id) == app_id)
    return list(call.session.exec(chosen.order_by(col(AppView.created_at), col(AppView.id))).all())


def find_view(call: Call, app_id: str, view_id: str | None, external_id: str | None) -> AppView:
    """A view of an app that is open, by either id. Raises not_found."""
    chosen = select(AppView).where(col(AppView.app_id) == app_id, col(AppView.closed_at) == 0)
    by_id = col(AppView.id) == view_id if view_id else col(AppView.external_id) == (external_id or "-")
    found = call.session.exec(chosen.where(by_id).order_by(col(AppView.id))).first()
    if found is None:
        raise OperationError("not_found")
    return found


def exchange_trigger(call: Call, app_id: str, trigger_id: str) -> Interaction:
    """Take the trigger of something a person did. Raises invalid_, expired_ and exchanged_trigger_id."""
    found = call.session.exec(
        select(Interaction).where(col(Interaction.trigger_id) == trigger_id, col(Interaction.app_id) == app_id)
    ).first()
    if found is None:
        raise OperationError("invalid_trigger_id")
    if found.exchanged_at:
        raise OperationError("exchanged_trigger_id")
    if call.now - found.created_at > TRIGGER_US:
        raise OperationError("expired_trigger_id")
    found.exchanged_at = call.now
    call.session.add(found)
    return found


def new_hash(call: Call, view_id: str) -> str:
    """Return a hash that differs after every change of a view."""
    return f"{call.now // SECOND}.{digest('slack view', view_id, call.now, call.seq).hex()[:8]}"


def record_interaction(call: Call, app_id: str, kind: str, facts: JsonObject, *, view_id: str = "") -> Interaction:
    """Keep what the caller did, as the app is told of it. Raises invalid_app_id for an app nobody set up."""
    if call.session.get(AppSettings, app_id) is None:
        raise OperationError("invalid_app_id")
    roster = Roster(call)
    me, team = roster.me, roster.team
    trigger = f"{call.ids.digits(13)}.{call.ids.digits(13)}.{call.ids.hex(32)}"
    payload: JsonObject = {
        "type": kind,
        "team": {"id": team.id, "domain": team.domain},
        "user": {"id": me.id, "username": me.handle, "name": me.handle, "team_id": team.id},
        "api_app_id": app_id,
        "token": digest("slack verification token", app_id).hex()[:24],
        "trigger_id": trigger,
        "is_enterprise_install": False,
        "enterprise": None,
        **facts,
    }
    row = Interaction(
        id=call.ids.token("I", 10),
        app_id=app_id,
        person_id=call.person,
        kind=kind,
        view_id=view_id,
        trigger_id=trigger,
        payload=payload,
        created_at=call.now,
    )
    call.session.add(row)
    call.flush()
    return row
