"""Answers of the vendor's own server: JSON of threads, messages, drafts and labels, cut down to what a reader needs."""

from collections.abc import Mapping, Sequence
from typing import Any

from mcp_servers.gmail import mail_fields
from mcp_servers.json_text import as_json
from mcp_servers.tools import ToolAnswer
from world.core.json_types import JsonMapping, JsonObject

NAMES = ["Subject", "From", "To", "Cc", "Date"]
SHOWN = {"Subject": "subject", "From": "sender", "Date": "date"}


def _split_people(value: str) -> list[str]:
    return [one.strip() for one in value.split(",") if one.strip()]


def message_summary(message: Mapping[str, object]) -> JsonObject:
    """A message without its body."""
    out = {"id": message["id"], "threadId": message["threadId"], "snippet": message.get("snippet", "")}
    out |= {ours: mail_fields.find_header(message, name) for name, ours in SHOWN.items()}
    out["toRecipients"] = _split_people(mail_fields.find_header(message, "To"))
    if copied := mail_fields.find_header(message, "Cc"):
        out["ccRecipients"] = _split_people(copied)
    return {**out, "labelIds": message.get("labelIds", [])}


def _message_to_json(message: JsonMapping) -> dict[str, Any]:
    out = {**message_summary(message), "plaintextBody": mail_fields.mail_text(message)}
    if html := mail_fields.join_texts(message, "text/html"):
        out["htmlBody"] = html
    if files := mail_fields.list_files(message):
        out["attachments"] = [
            {
                "attachmentId": f["body"]["attachmentId"],
                "filename": f["filename"],
                "mimeType": f["mimeType"],
                "size": f["body"]["size"],
            }
            for f in files
        ]
    return out


def render_message(answer: ToolAnswer) -> str:
    """Render one message."""
    return as_json(_message_to_json(answer.result))


def render_thread(answer: ToolAnswer) -> str:
    """Render one thread with its messages, oldest first."""
    found = answer.result
    return as_json({"id": found["id"], "messages": [_message_to_json(one) for one in found["messages"]]})


def render_threads(answer: ToolAnswer) -> str:
    """Render threads a search found, each with the headers of its messages."""
    listed = [
        answer.look("users.threads.get", id=one["id"], format="metadata", metadataHeaders=NAMES)
        for one in answer.result.get("threads", ())
    ]
    found = [{"id": one["id"], "messages": [message_summary(m) for m in one["messages"]]} for one in listed]
    return as_json({"threads": found, **_next_page(answer.result)})


def _next_page(result: Mapping[str, object]) -> JsonObject:
    return {"nextPageToken": result["nextPageToken"]} if result.get("nextPageToken") else {}


def render_draft(answer: ToolAnswer) -> str:
    """Render the id of a new draft."""
    return as_json(
        {"id": answer.result["id"], "messageId": answer.result["messageId"], "threadId": answer.result["threadId"]}
    )


def render_drafts(answer: ToolAnswer) -> str:
    """Render drafts, the latest first."""
    listed: Sequence[Mapping[str, object]] = answer.result.get("drafts", ())
    found = [(one["id"], answer.look("users.drafts.get", id=one["id"], format="full")["message"]) for one in listed]
    return as_json(
        {
            "drafts": [{**_message_to_json(one), "id": id, "messageId": one["id"]} for id, one in found],
            **_next_page(answer.result),
        }
    )


def render_labels(answer: ToolAnswer) -> str:
    """Render the caller's own labels; the system's ids are known."""
    return as_json({"labels": [label_to_json(one) for one in answer.result["labels"] if one["type"] == "user"]})


def label_to_json(one: Mapping[str, object]) -> JsonObject:
    """A label."""
    return {"id": one["id"], "name": one["name"], **({"color": one["color"]} if "color" in one else {})}


def render_label(answer: ToolAnswer) -> str:
    """Render a new label."""
    return as_json(label_to_json(answer.result))


def render_label_change(answer: ToolAnswer) -> str:
    """Render the labels that a message, or each message of a thread, has after a change."""
    found = answer.result
    if "messages" in found:
        return as_json(
            {
                "id": found["id"],
                "messages": [{"id": one["id"], "labelIds": one.get("labelIds", [])} for one in found["messages"]],
            }
        )
    return as_json({"id": found["id"], "labelIds": found.get("labelIds", [])})
