"""Views: what apps show to people, as modals and as Home tabs."""

from typing import Annotated, TypedDict

from pydantic import BeforeValidator, Field, JsonValue
from sqlmodel import col, select

from apps.slack.app import app
from apps.slack.limits import CLIENT, DOCS, TIER4
from apps.slack.manifests import has_home
from apps.slack.models_apps import AppView, Interaction
from apps.slack.params import Ident, Json
from apps.slack.profiles import Roster
from apps.slack.views.inputs import clean_view, list_blocks
from apps.slack.views.stack import (
    MOST_VIEWS,
    OwnApp,
    ViewShape,
    exchange_trigger,
    find_own_app,
    find_view,
    list_stack,
    new_hash,
    view_to_json,
)
from world.core.call import Call
from world.core.errors import InvalidArguments, OperationError
from world.core.json_types import JsonObject, is_object
from world.core.params import Params

A_MODAL: dict[str, JsonValue] = {
    "type": "modal",
    "callback_id": "order",
    "title": {"type": "plain_text", "text": "Order lunch"},
    "submit": {"type": "plain_text", "text": "Order"},
    "blocks": [
        {
            "type": "input",
            "block_id": "dish",
            "label": {"type": "plain_text", "text": "Dish"},
            "element": {"type": "plain_text_input", "action_id": "text"},
            "optional": True,
        },
        {
            "type": "actions",
            "block_id": "more",
            "elements": [{"type": "button", "action_id": "add", "text": {"type": "plain_text", "text": "Add a guest"}}],
        },
    ],
}
A_HOME: dict[str, JsonValue] = {
    "type": "home",
    "blocks": [{"type": "section", "text": {"type": "mrkdwn", "text": "No lunch is ordered."}}],
}
A_TRIGGER = "$shortcuts.run:trigger_id"
VIEW = Field(description="The view, as an object or as JSON text.", examples=[A_MODAL])
ANSWER_S = 1.0  # of the 3 s that a trigger is good for
TRIGGERS = ("invalid_trigger_id", "expired_trigger_id", "exchanged_trigger_id")
OptionalName = Annotated[Annotated[str, Field(max_length=255)] | None, BeforeValidator(lambda v: v or None)]


class ViewResponse(TypedDict):
    """A view."""

    view: ViewShape


class EmptyResponse(TypedDict):
    """An app has answered."""


class OpenView(Params):
    """A view, and what it is an answer to."""

    trigger_id: Ident = Field(description="The trigger of something the person did, good for 3 seconds.")
    view: Json = VIEW
    external_id: OptionalName = Field(default=None, description="An id of your own, unique in the workspace.")


class UpdateView(Params):
    """A view and its new content."""

    view_id: OptionalName = Field(default=None, description="Id of the view, V….")
    external_id: OptionalName = Field(default=None, description="The id you gave it.")
    view: Json = VIEW
    hash: OptionalName = Field(default=None, description="The hash it has; without it the view is replaced as it is.")


class PublishView(Params):
    """Whose Home tab, and what it is to be."""

    user_id: Ident = Field(description="Whose Home tab, U….")
    view: Json = Field(description="The view, as an object or as JSON text.", examples=[A_HOME])
    hash: OptionalName = Field(default=None, description="The hash it has; without it the view is replaced as it is.")


class AnswerView(Params):
    """An app's answer to a submission."""

    trigger_id: Ident = Field(description="The trigger of the submission.")
    response: Json = Field(
        default=None, description="`response_action` and what belongs to it; nothing closes the view."
    )


def _add_modal(call: Call, own: OwnApp, person: str, given: Json, below: AppView | None) -> AppView:
    external = str((given or {}).get("external_id") or "")
    taken = select(AppView).where(col(AppView.external_id) == external, col(AppView.closed_at) == 0)
    if external and call.session.exec(taken).first() is not None:
        raise OperationError("duplicate_external_id")
    id = call.ids.token("V", 10)
    view = AppView(
        id=id,
        app_id=own.id,
        person_id=person,
        kind="modal",
        content=clean_view(given or {}, "modal", id),
        external_id=external,
        root_id=below.root_id if below else id,
        previous_id=below.id if below else "",
        hash=new_hash(call, id),
        created_at=call.now,
    )
    call.session.add(view)
    call.flush()
    return view


def _check_hash(view: AppView, hash: str | None) -> None:
    if hash is not None and hash != view.hash:
        raise OperationError("hash_conflict")


def _replace(call: Call, view: AppView, given: Json) -> AppView:
    view.content = clean_view(given or {}, view.kind, view.id)
    known = {block["block_id"] for block in list_blocks(view.content)}
    view.entered = {block: values for block, values in view.entered.items() if block in known}
    view.hash, view.submitted_at, view.errors = new_hash(call, view.id), 0, {}
    call.session.add(view)
    call.flush()
    return view


@app.operation(
    "views.open",
    source=DOCS + "views.open",
    writes=True,
    limit=TIER4,
    cost_s=ANSWER_S,
    examples=[{"trigger_id": A_TRIGGER, "view": A_MODAL}],
    raises=(*TRIGGERS, "view_too_large", "duplicate_external_id", "not_allowed_token_type", "invalid_arguments"),
)
def open_view(call: Call, params: OpenView) -> ViewResponse:
    """Open a modal for a person who has just done something with the app (pressed a button, run a shortcut).

    Time: a trigger is good for 3 seconds after what the person did, and for one view.
    Deviates: modals that were open are closed; elements for files and conversations are refused.
    """
    own = find_own_app(call)
    person = exchange_trigger(call, own.id, params.trigger_id).person_id
    for view in list_stack(call, person):
        view.closed_at = call.now
        call.session.add(view)
    call.flush()
    return {"view": view_to_json(call, _add_modal(call, own, person, params.view, None))}


@app.operation(
    "views.push",
    source=DOCS + "views.push",
    writes=True,
    limit=TIER4,
    cost_s=ANSWER_S,
    examples=[{"trigger_id": "$blocks.actions:trigger_id", "view": A_MODAL}],
    raises=(
        *TRIGGERS,
        "push_limit_reached",
        "not_found",
        "view_too_large",
        "duplicate_external_id",
        "not_allowed_token_type",
        "invalid_arguments",
    ),
)
def push_view(call: Call, params: OpenView) -> ViewResponse:
    """Put another modal over the one in which the person has just done something; a stack holds three."""
    own = find_own_app(call)
    done = exchange_trigger(call, own.id, params.trigger_id)
    stack = list_stack(call, done.person_id, own.id)
    if not stack or not done.view_id:
        raise OperationError("not_found")
    if len(stack) >= MOST_VIEWS:
        raise OperationError("push_limit_reached")
    return {"view": view_to_json(call, _add_modal(call, own, done.person_id, params.view, stack[-1]))}


@app.operation(
    "views.update",
    source=DOCS + "views.update",
    writes=True,
    limit=TIER4,
    cost_s=ANSWER_S,
    examples=[{"view_id": "$views.open:view.id", "view": A_MODAL}],
    raises=("not_found", "hash_conflict", "view_too_large", "not_allowed_token_type", "invalid_arguments"),
)
def update_view(call: Call, params: UpdateView) -> ViewResponse:
    """Replace what a view shows. What was entered stays in input blocks that keep their block_id."""
    own = find_own_app(call)
    if not params.view_id and not params.external_id:
        raise InvalidArguments([("view_id", "missing required field: view_id or external_id")])
    view = find_view(call, own.id, params.view_id, params.external_id)
    _check_hash(view, params.hash)
    return {"view": view_to_json(call, _replace(call, view, params.view))}


@app.operation(
    "views.publish",
    source=DOCS + "views.publish",
    writes=True,
    limit=TIER4,
    cost_s=ANSWER_S,
    examples=[{"user_id": "$auth.test:user_id", "view": A_HOME}],
    after=("apps.manifest.create",),
    raises=(
        "user_not_found",
        "not_enabled",
        "hash_conflict",
        "view_too_large",
        "not_allowed_token_type",
        "invalid_arguments",
    ),
)
def publish_view(call: Call, params: PublishView) -> ViewResponse:
    """Set what the app's Home tab shows to a person."""
    own = find_own_app(call)
    user = Roster(call).find(params.user_id)
    if user is None:
        raise OperationError("user_not_found")
    if not has_home(own.manifest):
        raise OperationError("not_enabled")
    chosen = select(AppView).where(
        col(AppView.app_id) == own.id, col(AppView.person_id) == user.person_id, col(AppView.kind) == "home"
    )
    view = call.session.exec(chosen).first()
    if view is None:
        id = call.ids.token("V", 10)
        view = AppView(
            id=id, app_id=own.id, person_id=user.person_id, kind="home", root_id=id, hash="", created_at=call.now
        )
    _check_hash(view, params.hash)
    return {"view": view_to_json(call, _replace(call, view, params.view))}


@app.operation(
    "views.answer",
    source=CLIENT + " (response_action: docs.slack.dev/surfaces/modals#response_actions)",
    writes=True,
    examples=[{"trigger_id": "$views.submit:trigger_id", "response": {"response_action": "clear"}}],
    raises=(
        "not_found",
        "push_limit_reached",
        "view_too_large",
        "duplicate_external_id",
        "not_allowed_token_type",
        "invalid_arguments",
    ),
)
def answer_view(call: Call, params: AnswerView) -> EmptyResponse:
    """Answer a submission as the app: errors beside the inputs, another view in its place or over it, or close it."""
    own = find_own_app(call)
    done = call.session.exec(
        select(Interaction).where(col(Interaction.trigger_id) == params.trigger_id, col(Interaction.app_id) == own.id)
    ).first()
    if done is None or done.kind != "view_submission":
        raise OperationError("not_found")
    view = find_view(call, own.id, done.view_id, None)
    response: JsonObject = dict(params.response or {})
    _answer(call, own, view, response)
    return {}


def _answer(call: Call, own: OwnApp, view: AppView, response: JsonObject) -> None:
    action = response.get("response_action")
    view.submitted_at = 0
    if action == "errors":
        errors = response.get("errors")
        view.errors = {str(block): str(text) for block, text in errors.items()} if is_object(errors) else {}
        view.hash = new_hash(call, view.id)
        call.session.add(view)
    elif action == "update":
        _replace(call, view, _view_of(response))
    elif action == "push":
        stack = list_stack(call, view.person_id, own.id)
        if len(stack) >= MOST_VIEWS:
            raise OperationError("push_limit_reached")
        call.session.add(view)
        _add_modal(call, own, view.person_id, _view_of(response), view)
    else:
        for one in list_stack(call, view.person_id, own.id) if action == "clear" else [view]:
            one.closed_at = call.now
            call.session.add(one)


def _view_of(response: JsonObject) -> dict[str, JsonValue]:
    view = response.get("view")
    return dict(view) if is_object(view) else {}
