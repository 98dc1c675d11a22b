"""Filters by template: what each template looks for and does."""

from collections.abc import Mapping
from typing import Any

from mcp_servers.tools import CallArguments, Given, Look
from world.core.errors import InvalidArguments
from world.core.json_types import JsonObject

TEMPLATES = ("fromSender", "withSubject", "withAttachments", "largeEmails", "containingText", "mailingList")


def prepare_template(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """Criteria and action of a template. Raises InvalidArguments for a parameter it lacks."""
    template, parameters = str(given["template"]), given.get("parameters") or {}
    criteria = _template_criteria(template, parameters)
    labels = parameters.get("labelIds") or []
    action: dict[str, Any] = {"addLabelIds": list(labels)} if labels else {}
    unwanted = [label for name, label in (("archive", "INBOX"), ("markAsRead", "UNREAD")) if parameters.get(name)]
    if template == "containingText" and parameters.get("markImportant"):
        action["addLabelIds"] = [*action.get("addLabelIds", []), "IMPORTANT"]
    return {"criteria": criteria, "action": {**action, **({"removeLabelIds": unwanted} if unwanted else {})}}


def _template_criteria(template: str, parameters: Mapping[str, object]) -> JsonObject:
    if template == "withAttachments":
        return {"hasAttachment": True}
    name, field = {
        "fromSender": ("senderEmail", "from"),
        "withSubject": ("subjectText", "subject"),
        "largeEmails": ("sizeInBytes", "size"),
        "containingText": ("searchText", "query"),
        "mailingList": ("listIdentifier", "query"),
    }[template]
    if not parameters.get(name):
        raise InvalidArguments([(f"parameters.{name}", f"is required by the template {template}")])
    value = parameters[name]
    if template == "largeEmails":
        return {"size": value, "sizeComparison": "larger"}
    return {
        field: f"list:{value}" if template == "mailingList" else f'"{value}"' if template == "containingText" else value
    }
