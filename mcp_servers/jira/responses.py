"""Answers of the vendor's tools: the REST API's JSON, or a short JSON object where the API answers nothing."""

from collections.abc import Mapping
from typing import Any

from mcp_servers.jira.site import resource_name
from mcp_servers.json_text import as_json
from mcp_servers.tools import Answer
from world.core.json_types import JsonObject

MAX_TEXT = 300


def render_account(answer: Answer) -> str:
    """Yourself, as the identity service describes you."""
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


def render_accounts(answer: Answer) -> str:
    """People found."""
    names = ("accountId", "displayName", "emailAddress", "accountType", "active")
    return as_json({"users": [{name: one[name] for name in names if name in one} for one in answer.result]})


def render_transition(answer: Answer) -> str:
    """The status an issue is in now."""
    key = str(answer.arguments["issueIdOrKey"])
    found = answer.look("getIssue", issueIdOrKey=key, fields=["status"])
    return as_json({"success": True, "key": found["key"], "status": found["fields"]["status"]["name"]})


def render_link(answer: Answer) -> str:
    """The link that was made."""
    given = answer.arguments
    return as_json({"success": True, **{name: given[name] for name in ("type", "inwardIssue", "outwardIssue")}})


def render_results(answer: Answer) -> str:
    """Issues found by words, with the names `fetchAtlassian` takes."""
    site = answer.look("getAccessibleResources")[0]
    return as_json({"results": [_result_to_json(one, site) for one in answer.result["issues"]]})


def _result_to_json(one: Mapping[str, Any], site: Mapping[str, Any]) -> JsonObject:
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
