"""Webhooks of a repository: created, changed, pinged; and their deliveries."""

from typing import Any, Literal, TypedDict

from pydantic import Field
from sqlmodel import col, select

from apps.github.app import app
from apps.github.domain.context import GithubContext, stamp
from apps.github.domain.params import Id, Line, ListPage, PageParams, RepoRef
from apps.github.models import Hook, HookDelivery, Repository
from apps.github.refusals import invalid
from apps.github.webhooks.delivery import common_payload, send
from apps.github.webhooks.delivery import ping as ping_hook
from apps.github.webhooks.events import push_payload
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Int64, Params

SOURCE = "docs.github.com/rest/repos/webhooks"
DELIVERIES = "docs.github.com/rest/repos/webhooks"
HERE = {"owner": "quayline", "repo": "payments"}
ONE = {**HERE, "hook_id": "$repos/list-webhooks:0.id"}
MOST = 20  # hooks of a repository for one event
HIDDEN = "********"
EVENTS = frozenset(
    "* branch_protection_rule check_run check_suite commit_comment create delete deployment deployment_status fork"
    " issue_comment issues label member milestone ping public pull_request pull_request_review"
    " pull_request_review_comment pull_request_review_thread push release repository repository_dispatch star status"
    " team_add watch workflow_dispatch workflow_job workflow_run discussion discussion_comment gollum merge_group meta"
    " package page_build project project_card project_column registry_package security_and_analysis deploy_key"
    " branch_protection_configuration code_scanning_alert dependabot_alert deployment_review repository_import"
    " repository_ruleset repository_vulnerability_alert secret_scanning_alert secret_scanning_alert_location sub_issues"
    " issue_dependencies".split()
)


class DeliveryJson(TypedDict):
    """A delivery in a list."""

    id: int
    guid: str
    delivered_at: str | None
    redelivery: bool
    duration: float
    status: str
    status_code: int
    event: str
    action: str | None
    installation_id: None
    repository_id: int
    throttled_at: None


class Config(Params):
    """Address, format and signing key of a hook."""

    url: Line | None = Field(
        default=None, description="The address; http or https.", examples=["https://hooks.example/ci"]
    )
    content_type: Literal["json", "form"] | None = Field(default=None, description="json or form.")
    secret: Line | None = Field(default=None, description="The key that what is sent is signed with.")
    insecure_ssl: Line | Int64 | None = Field(default=None, description="1 to accept any certificate.")


class HookNew(RepoRef):
    """A hook to add."""

    name: Line = Field(default="web", description="Only `web`.")
    config: Config = Field(default=Config(), description="Where and how it is told.")
    events: list[Line] = Field(default=["push"], max_length=100, description="What it is told of; `*` for everything.")
    active: bool = Field(default=True, description="Whether it is told at all.")


class HookRef(RepoRef):
    """One hook."""

    hook_id: Id = Field(description="The id of the hook.")


class HookChange(HookRef):
    """A change of a hook."""

    config: Config | None = Field(default=None, description="Where and how it is told; replaces what there is.")
    events: list[Line] | None = Field(default=None, max_length=100, description="What it is told of.")
    add_events: list[Line] = Field(default=[], max_length=100, description="What else it is told of.")
    remove_events: list[Line] = Field(default=[], max_length=100, description="What it is told of no more.")
    active: bool | None = Field(default=None, description="Whether it is told at all.")


class ConfigChange(HookRef, Config):
    """Request fields for updating a hook's address and format."""


class HookList(RepoRef, PageParams):
    """The hooks of a repository."""


class DeliveryList(HookRef):
    """Filters and page of deliveries."""

    per_page: Int64 = Field(default=30, description="Results per page, 100 at most.")
    cursor: Line | None = Field(default=None, description="Where to go on: the id of the last delivery seen.")
    status: Literal["success", "failure"] | None = Field(
        default=None, description="Only those that went well, or did not."
    )


class DeliveryRef(HookRef):
    """One delivery."""

    delivery_id: Id = Field(description="The id of the delivery.")


def _get_managed_repository(context: GithubContext, params: RepoRef) -> Repository:
    """Return a repository whose hooks the caller may manage. Raises not_found, archived."""
    repo = context.repo(params.owner, params.repo)
    context.need(repo, "admin", code="not_found")
    return repo


def get_hook_row(context: GithubContext, params: HookRef) -> tuple[Repository, Hook]:
    """Return a hook and its repository. Raises not_found, archived."""
    repo = _get_managed_repository(context, params)
    row = context.call.session.get(Hook, params.hook_id)
    if row is None or row.repo_id != repo.id:
        raise OperationError("not_found")
    return repo, row


def hook_json(context: GithubContext, repo: Repository, row: Hook) -> JsonObject:
    """Render a hook; its secret is hidden."""
    url = f"{context.repo_api(repo)}/hooks/{row.id}"
    last = context.call.first(
        "SELECT status_code, status FROM github_hook_delivery WHERE hook_id = :id ORDER BY id DESC LIMIT 1",
        {"id": row.id},
    )
    response = (
        {"code": None, "status": "unused", "message": None}
        if last is None
        else {"code": last[0], "status": "active", "message": last[1]}
    )
    return {
        "type": "Repository",
        "id": row.id,
        "name": "web",
        "active": row.active,
        "events": list(row.events),
        "config": config_json(row),
        "updated_at": stamp(row.updated_at),
        "created_at": stamp(row.created_at),
        "url": url,
        "test_url": f"{url}/test",
        "ping_url": f"{url}/pings",
        "deliveries_url": f"{url}/deliveries",
        "last_response": response,
    }


def config_json(row: Hook) -> dict[str, Any]:
    """Render address and format of a hook."""
    shown = {"content_type": row.content_type, "insecure_ssl": row.insecure_ssl, "url": row.url}
    return {**shown, "secret": HIDDEN} if row.secret else shown


@app.operation(
    "repos/list-webhooks",
    units=1,
    source=f"{SOURCE}#list-repository-webhooks",
    examples=[HERE],
    after=["repos/create-webhook"],
    raises=("not_found", "archived"),
)
def list_webhooks(call: Call, params: HookList) -> list[JsonObject]:
    """List the webhooks of a repository."""
    context = GithubContext(call)
    repo = _get_managed_repository(context, params)
    rows = call.session.exec(select(Hook).where(Hook.repo_id == repo.id).order_by(col(Hook.id))).all()
    return ListPage(
        [hook_json(context, repo, row) for row in rows[params.start : params.start + params.size]], len(rows)
    )


@app.operation(
    "repos/create-webhook",
    writes=True,
    units=1,
    source=f"{SOURCE}#create-a-repository-webhook",
    examples=[
        {
            **HERE,
            "config": {"url": "https://hooks.example/ci", "content_type": "json"},
            "events": ["push", "pull_request"],
        }
    ],
    raises=("not_found", "archived", "validation_failed"),
)
def create_webhook(call: Call, params: HookNew) -> JsonObject:
    """Add a webhook; it receives a ping."""
    context = GithubContext(call)
    repo = _get_managed_repository(context, params)
    if params.name != "web":
        raise invalid("Hook", "name", "custom", "The name must be web")
    row = Hook(
        id=context.next_id("github_hook"),
        repo_id=repo.id,
        active=params.active,
        events=_events(params.events),
        url="",
        created_at=call.now,
        updated_at=call.now,
    )
    _configure(row, params.config, whole=True)
    rows = call.session.exec(select(Hook).where(Hook.repo_id == repo.id)).all()
    if any(
        (one.url, one.content_type, sorted(one.events)) == (row.url, row.content_type, sorted(row.events))
        for one in rows
    ):
        raise invalid("Hook", "url", "custom", "Hook already exists on this repository")
    if any(sum(event in one.events for one in rows) >= MOST for event in row.events):
        raise invalid("Hook", "events", "custom", f'The "{row.events[0]}" event cannot have more than {MOST} hooks')
    context.add(row)
    call.flush()
    shown = hook_json(context, repo, row)
    if row.active:
        kept = context.as_kept()
        ping_hook(kept, repo, row, hook_json(kept, repo, row))
    return shown


def _events(given: list[str]) -> list[str]:
    unknown = next((one for one in given if one not in EVENTS), None)
    if unknown is not None:
        raise invalid("Hook", "events", "custom", f"The event {unknown[:60]} is not allowed")
    return list(dict.fromkeys(given)) or ["push"]


def _configure(row: Hook, config: Config, *, whole: bool) -> None:
    """Set the given fields; with `whole`, the others are reset to their defaults."""
    if whole or config.url is not None:
        if not config.url:
            raise invalid("Hook", "url", "missing_field")
        if not config.url.startswith(("http://", "https://")):
            raise invalid("Hook", "url", "custom", "url scheme must be http or https")
        row.url = config.url
    if whole or config.content_type is not None:
        row.content_type = config.content_type or "form"
    if (whole or config.secret is not None) and config.secret != HIDDEN:
        row.secret = config.secret or None
    if whole or config.insecure_ssl is not None:
        row.insecure_ssl = "1" if str(config.insecure_ssl) == "1" else "0"


@app.operation(
    "repos/get-webhook",
    units=1,
    source=f"{SOURCE}#get-a-repository-webhook",
    examples=[ONE],
    after=["repos/create-webhook"],
    raises=("not_found", "archived"),
)
def get_webhook(call: Call, params: HookRef) -> JsonObject:
    """Read one webhook."""
    context = GithubContext(call)
    return hook_json(context, *get_hook_row(context, params))


@app.operation(
    "repos/update-webhook",
    writes=True,
    units=1,
    source=f"{SOURCE}#update-a-repository-webhook",
    examples=[{**ONE, "add_events": ["issues"]}],
    after=["repos/create-webhook"],
    raises=("not_found", "archived", "validation_failed"),
)
def update_webhook(call: Call, params: HookChange) -> JsonObject:
    """Change a webhook: its address, events, and whether it is active."""
    context = GithubContext(call)
    repo, row = get_hook_row(context, params)
    if params.config is not None:
        _configure(row, params.config, whole=True)
    events = _events(params.events) if params.events is not None else list(row.events)
    kept = [one for one in dict.fromkeys([*events, *params.add_events]) if one not in params.remove_events]
    row.events, row.updated_at = _events(kept), call.now
    row.active = row.active if params.active is None else params.active
    context.add(row)
    call.flush()
    return hook_json(context, repo, row)


@app.operation(
    "repos/delete-webhook",
    writes=True,
    units=1,
    source=f"{SOURCE}#delete-a-repository-webhook",
    examples=[ONE],
    after=["repos/create-webhook"],
    raises=("not_found", "archived"),
)
def delete_webhook(call: Call, params: HookRef) -> None:
    """Delete a webhook, with its deliveries."""
    context = GithubContext(call)
    _, row = get_hook_row(context, params)
    for one in call.session.exec(select(HookDelivery).where(HookDelivery.hook_id == row.id)).all():
        call.session.delete(one)
    call.session.delete(row)


@app.operation(
    "repos/get-webhook-config-for-repo",
    units=1,
    source=f"{SOURCE}#get-a-webhook-configuration-for-a-repository",
    examples=[ONE],
    after=["repos/create-webhook"],
    raises=("not_found", "archived"),
)
def get_config(call: Call, params: HookRef) -> JsonObject:
    """Read the address and format of a webhook."""
    return config_json(get_hook_row(GithubContext(call), params)[1])


@app.operation(
    "repos/update-webhook-config-for-repo",
    writes=True,
    units=1,
    source=f"{SOURCE}#update-a-webhook-configuration-for-a-repository",
    examples=[{**ONE, "content_type": "json"}],
    after=["repos/create-webhook"],
    raises=("not_found", "archived", "validation_failed"),
)
def update_config(call: Call, params: ConfigChange) -> JsonObject:
    """Change the address and format of a webhook; fields left out stay."""
    context = GithubContext(call)
    _, row = get_hook_row(context, params)
    _configure(row, params, whole=False)
    row.updated_at = call.now
    context.add(row)
    return config_json(row)


@app.operation(
    "repos/ping-webhook",
    writes=True,
    units=1,
    source=f"{SOURCE}#ping-a-repository-webhook",
    examples=[ONE],
    after=["repos/create-webhook"],
    raises=("not_found", "archived"),
)
def ping_webhook(call: Call, params: HookRef) -> None:
    """Send a ping to a webhook."""
    context = GithubContext(call).as_kept()
    repo, row = get_hook_row(context, params)
    ping_hook(context, repo, row, hook_json(context, repo, row))


@app.operation(
    "repos/test-push-webhook",
    writes=True,
    units=1,
    source=f"{SOURCE}#test-the-push-repository-webhook",
    examples=[ONE],
    after=["repos/create-webhook"],
    raises=("not_found", "archived"),
)
def test_push_webhook(call: Call, params: HookRef) -> None:
    """Send the last push to a webhook, if it subscribes to pushes."""
    context = GithubContext(call)
    repo, row = get_hook_row(context, params)
    head = context.git(repo).branch(repo.default_branch)
    if head is not None and ("push" in row.events or "*" in row.events):
        kept = context.as_kept()
        payload = push_payload(kept, repo, f"refs/heads/{repo.default_branch}", head, head, forced=False)
        send(context, row, "push", None, {**payload, **common_payload(kept, repo)})


# -- deliveries


def delivery_json(row: HookDelivery, hook: Hook) -> DeliveryJson:
    """Render a delivery for a list."""
    return {
        "id": row.id,
        "guid": row.guid,
        "delivered_at": stamp(row.delivered_at),
        "redelivery": row.redelivery,
        "duration": row.duration_ms / 1000,
        "status": row.status,
        "status_code": row.status_code,
        "event": row.event,
        "action": row.action,
        "installation_id": None,
        "repository_id": hook.repo_id,
        "throttled_at": None,
    }


@app.operation(
    "repos/list-webhook-deliveries",
    units=1,
    source=f"{DELIVERIES}#list-deliveries-for-a-repository-webhook",
    examples=[ONE],
    after=["repos/create-webhook"],
    raises=("not_found", "archived"),
)
def list_deliveries(call: Call, params: DeliveryList) -> list[DeliveryJson]:
    """List the deliveries of a webhook, newest first."""
    _, hook = get_hook_row(GithubContext(call), params)
    size = params.per_page if 1 <= params.per_page <= 100 else 30
    before = (
        int(params.cursor)
        if params.cursor is not None and params.cursor.isdecimal() and len(params.cursor) < 17
        else 2**62
    )
    query = select(HookDelivery).where(HookDelivery.hook_id == hook.id, HookDelivery.id < before)
    if params.status is not None:
        query = query.where((HookDelivery.status_code < 400) == (params.status == "success"))
    return [
        delivery_json(row, hook)
        for row in call.session.exec(query.order_by(col(HookDelivery.id).desc()).limit(size)).all()
    ]


def _delivery(context: GithubContext, params: DeliveryRef) -> tuple[Hook, HookDelivery]:
    _, hook = get_hook_row(context, params)
    row = context.call.session.get(HookDelivery, params.delivery_id)
    if row is None or row.hook_id != hook.id:
        raise OperationError("not_found")
    return hook, row


@app.operation(
    "repos/get-webhook-delivery",
    units=1,
    source=f"{DELIVERIES}#get-a-delivery-for-a-repository-webhook",
    examples=[{**ONE, "delivery_id": "$repos/list-webhook-deliveries:0.id"}],
    after=["repos/create-webhook"],
    raises=("not_found", "archived"),
)
def get_delivery(call: Call, params: DeliveryRef) -> JsonObject:
    """Read one delivery: its payload, headers and signatures.

    Deviates: nothing is sent anywhere, so the response is always a bare 200.
    """
    hook, row = _delivery(GithubContext(call), params)
    return {
        **delivery_json(row, hook),
        "url": hook.url,
        "request": {"headers": row.headers, "payload": row.payload},
        "response": {"headers": {"Content-Type": "text/plain"}, "payload": "ok"},
    }


@app.operation(
    "repos/redeliver-webhook-delivery",
    writes=True,
    units=1,
    source=f"{DELIVERIES}#redeliver-a-delivery-for-a-repository-webhook",
    examples=[{**ONE, "delivery_id": "$repos/list-webhook-deliveries:0.id"}],
    after=["repos/create-webhook"],
    raises=("not_found", "archived"),
)
def redeliver(call: Call, params: DeliveryRef) -> JsonObject:
    """Repeat a delivery."""
    context = GithubContext(call)
    hook, row = _delivery(context, params)
    send(context, hook, row.event, row.action, row.payload, again=row.guid)
    return {}
