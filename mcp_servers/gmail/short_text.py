"""Short texts, as the community server words its answers."""

from collections.abc import Iterable, Mapping
from typing import Any

from mcp_servers.gmail import mail_fields
from mcp_servers.tools import ToolAnswer
from world.core.json_types import JsonMapping


def render_sent(answer: ToolAnswer) -> str:
    """Render a mail that was sent."""
    return f"Email sent successfully with ID: {answer.result['id']}"


def render_draft(answer: ToolAnswer) -> str:
    """Render a draft that was kept."""
    return f"Email draft created successfully with ID: {answer.result['id']}"


def render_mail(answer: ToolAnswer) -> str:
    """Render a mail with its headers, text and files."""
    found = answer.result
    lines = [
        f"Thread ID: {found['threadId']}",
        *(f"{name}: {mail_fields.find_header(found, name)}" for name in ("Subject", "From", "To")),
    ]
    lines += [f"Cc: {copied}"] if (copied := mail_fields.find_header(found, "Cc")) else []
    lines += [
        f"Date: {mail_fields.find_header(found, 'Date')}",
        f"Labels: {', '.join(found.get('labelIds', []))}",
        "",
        mail_fields.mail_text(found),
    ]
    files = mail_fields.list_files(found)
    if files:
        lines += ["", f"Attachments ({len(files)}):", *map(render_file, files)]
    return "\n".join(lines)


def render_file(part: JsonMapping) -> str:
    """Render a file of a mail, with the id a download takes."""
    size = -(-part["body"]["size"] // 1024)
    return f"- {part['filename']} ({part['mimeType']}, {size} KB, ID: {part['body']['attachmentId']})"


def render_found(answer: ToolAnswer) -> str:
    """Render mails a search found, the latest first."""
    ids = [one["id"] for one in answer.result.get("messages", ())]
    blocks = [_render_hit(one) for one in mail_fields.read_headers(answer.look, ids)]
    return "\n\n".join(blocks) if blocks else "No emails found in your mailbox (spam and trash are not searched)."


def _render_hit(message: Mapping[str, object]) -> str:
    rows = {
        "ID": message["id"],
        "Thread ID": message["threadId"],
        **{name: mail_fields.find_header(message, name) for name in ("Subject", "From", "Date")},
        "Snippet": message.get("snippet", ""),
    }
    return "\n".join(f"{name}: {value}" for name, value in rows.items())


def render_modified(answer: ToolAnswer) -> str:
    """Render a mail whose labels were changed."""
    return f"Email {answer.arguments['messageId']} labels updated successfully"


def render_deleted(answer: ToolAnswer) -> str:
    """Render a mail that was deleted for good."""
    return f"Email {answer.arguments['messageId']} deleted successfully"


def render_batch_modified(answer: ToolAnswer) -> str:
    """Render several mails whose labels were changed."""
    return f"Batch label modification complete.\nSuccessfully processed: {len(answer.arguments['messageIds'])} messages"


def render_batch_deleted(answer: ToolAnswer) -> str:
    """Render several mails that were deleted for good."""
    return f"Batch delete operation complete.\nSuccessfully deleted: {len(answer.arguments['messageIds'])} messages"


def render_labels(answer: ToolAnswer) -> str:
    """Render all labels, the system's and one's own."""
    listed = answer.result["labels"]
    system, own = [one for one in listed if one["type"] == "system"], [one for one in listed if one["type"] == "user"]
    head = f"Found {len(listed)} labels ({len(system)} system, {len(own)} user):"
    return "\n\n".join([head, "System Labels:", *map(_render_label, system), "User Labels:", *map(_render_label, own)])


def _render_label(one: Mapping[str, object]) -> str:
    return f"ID: {one['id']}\nName: {one['name']}"


def label_renderer(done: str) -> Any:
    """Build the renderer of a label that was created, updated or found."""

    def text(answer: ToolAnswer) -> str:
        made = answer.result
        return f"Label {done} successfully:\nID: {made['id']}\nName: {made['name']}\nType: {made.get('type', 'user')}"

    return text


def render_label_deleted(answer: ToolAnswer) -> str:
    """Render a label that was deleted."""
    return f"Label {answer.arguments['id']} deleted successfully."


def render_filters(answer: ToolAnswer) -> str:
    """Render all filters."""
    listed = answer.result.get("filter", [])
    return (
        "\n\n".join([f"Found {len(listed)} filters:", *map(describe_filter, listed)]) if listed else "No filters found."
    )


def describe_filter(one: JsonMapping) -> str:
    """A filter: what it looks for and what it does."""
    return (
        f"ID: {one['id']}\nCriteria: {_join_pairs(one.get('criteria', {}).items())}\nActions:"
        f" {_join_pairs(one.get('action', {}).items())}"
    )


def _join_pairs(items: Iterable[tuple[str, object]]) -> str:
    return ", ".join(f"{name}: {', '.join(value) if isinstance(value, list) else value}" for name, value in items)


def render_filter(answer: ToolAnswer) -> str:
    """Render one filter."""
    return describe_filter(answer.result)


def render_filter_created(answer: ToolAnswer) -> str:
    """Render a filter that was created."""
    return f"Filter created successfully:\n{describe_filter(answer.result)}"


def render_filter_deleted(answer: ToolAnswer) -> str:
    """Render a filter that was deleted."""
    return f"Filter {answer.arguments['filterId']} deleted successfully."


def render_attachment(answer: ToolAnswer) -> str:
    """Render a file: as text if it is text, else in base64."""
    return describe_attachment(answer.result, str(answer.arguments.get("filename") or "attachment"))


def describe_attachment(result: JsonMapping, name: str) -> str:
    """Return the content of a file under a line that names it."""
    data = mail_fields.from_base64url(result["data"])
    head = f"Attachment {name} ({len(data)} bytes)"
    try:
        said = data.decode("utf-8")
    except UnicodeDecodeError:
        said = ""
    if said.isprintable() or all(c.isprintable() or c in "\r\n\t" for c in said):
        return f"{head}\n\n{said}" if data else f"{head}: empty"
    return f"{head}, base64url:\n\n{result['data']}"
