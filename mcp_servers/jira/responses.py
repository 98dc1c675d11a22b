"""Answers of the vendor's tools: the REST API's JSON, or a short JSON object where the API answers nothing."""

from collections.abc import Mapping
from typing import Any

from mcp_servers.jira.site import resource_name
from mcp_servers.json_text import as_json
from mcp_servers.tools import ToolAnswer
from world.core.json_types import JsonMapping, JsonObject

MAX_TEXT = 300
DECORATION = frozenset(
    {"avatarUrls", "iconUrl", "avatarId", "expand", "accountType", "timeZone", "hierarchyLevel", "colorName"}
)  # shown by pages only


def render_compact(answer: ToolAnswer) -> str:
    """Render the API's JSON without pictures, inner addresses and empty fields; the whole of it if asked for."""
    return as_json(answer.result if answer.arguments.get("verbose") else make_compact(answer.result))


def render_edited(answer: ToolAnswer) -> str:
    """Render an issue that was changed: its key, and its changed fields as they are now."""
    if answer.arguments.get("verbose"):
        return as_json(answer.result)
    changed = [*dict(answer.arguments.get("fields") or {}), "status", "updated"]
    shown = make_compact(answer.result)
    fields = {name: shown["fields"].get(name) for name in dict.fromkeys(changed)}
    return as_json({**{name: shown[name] for name in ("id", "key", "self") if name in shown}, "fields": fields})


def make_compact(value: object, *, outermost: bool = True) -> Any:
    """The same without what only a page shows, without null and, inside, without the addresses of objects."""
    if isinstance(value, Mapping):
        return {
            name: make_compact(item, outermost=False)
            for name, item in value.items()
            if item is not None and name not in DECORATION and (outermost or name != "self")
        }
    return [make_compact(item, outermost=False) for item in value] if isinstance(value, list) else value


def render_account(answer: ToolAnswer) -> str:
    """Render the caller's account, as the identity service describes it."""
    me = answer.result
    return as_json(
        {
            "account_id": me["accountId"],
            "account_type": me["accountType"],
            "account_status": "active" if me["active"] else "inactive",
            "name": me["displayName"],
            "email": me.get("emailAddress", ""),
            "zoneinfo": me["timeZone"],
            "picture": me["avatarUrls"]["48x48"],
        }
    )


def render_accounts(answer: ToolAnswer) -> str:
    """Render people found."""
    names = ("accountId", "displayName", "emailAddress", "accountType", "active")
    return as_json({"users": [{name: one[name] for name in names if name in one} for one in answer.result]})


def render_transition(answer: ToolAnswer) -> str:
    """Render the status an issue is in now."""
    key = str(answer.arguments["issueIdOrKey"])
    found = answer.look("getIssue", issueIdOrKey=key, fields=["status"])
    return as_json({"success": True, "key": found["key"], "status": found["fields"]["status"]["name"]})


def render_link(answer: ToolAnswer) -> str:
    """Render the link that was made."""
    given = answer.arguments
    return as_json({"success": True, **{name: given[name] for name in ("type", "inwardIssue", "outwardIssue")}})


def render_results(answer: ToolAnswer) -> str:
    """Render issues found by words, with the names `fetchAtlassian` takes."""
    site = answer.look("getAccessibleResources")[0]
    return as_json({"results": [_result_to_json(one, site) for one in answer.result["issues"]]})


def _result_to_json(one: JsonMapping, site: JsonMapping) -> JsonObject:
    fields = one["fields"]
    return {
        "id": resource_name(site["id"], one["id"]),
        "title": f"{one['key']}: {fields['summary']}",
        "type": "issue",
        "url": f"{site['url'].rstrip('/')}/browse/{one['key']}",
        "status": fields["status"]["name"],
        "text": str(fields.get("description") or "")[:MAX_TEXT],
        "updated": fields["updated"],
    }
