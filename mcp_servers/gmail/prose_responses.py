"""Prose, as the workspace server words its answers: headings, numbered lists, ids to go on with."""

from collections.abc import Mapping, Sequence

from mcp_servers.gmail import mail_fields, short_text
from mcp_servers.tools import ToolAnswer
from world.core.json_types import JsonMapping

RULE = "--- {} ---"
HEADERS = ("Subject", "From", "To", "Cc", "Date", "Message-ID")


def _body_form(answer: ToolAnswer) -> str:
    return str(answer.arguments.get("body_format") or "text")


def _render_ids(message: Mapping[str, object]) -> list[str]:
    return [f"Message ID: {message['id']}", f"Thread ID: {message['threadId']}"]


def render_search(answer: ToolAnswer) -> str:
    """Render messages a search found."""
    found = answer.result.get("messages", [])
    query = answer.arguments["query"]
    if not found:
        return f"No messages found for query: '{query}'"
    lines = [f"Found {len(found)} messages matching '{query}':", ""]
    shown = (
        mail_fields.read_headers(answer.look, [one["id"] for one in found])
        if answer.arguments.get("include_headers")
        else found
    )
    for number, one in enumerate(shown, 1):
        lines += [f"{number}. {_render_ids(one)[0]}", f"   {_render_ids(one)[1]}"]
        lines += [f"   {name}: {mail_fields.find_header(one, name)}" for name in mail_fields.BRIEF if "payload" in one]
    if token := answer.result.get("nextPageToken"):
        lines += ["", f"More messages follow; continue with page_token='{token}'."]
    return "\n".join(lines)


def _render_block(message: Mapping[str, object], form: str, *, body: bool = True) -> str:
    lines = [f"{name}: {value}" for name in HEADERS if (value := mail_fields.find_header(message, name))]
    if body:
        lines += ["", RULE.format("BODY"), mail_fields.mail_text(message, form) or "[No text]"]
    files = mail_fields.list_files(message)
    if files and body:
        lines += [
            "",
            RULE.format("ATTACHMENTS"),
            *(f"{n}. {short_text.render_file(one)[2:]}" for n, one in enumerate(files, 1)),
        ]
    return "\n".join(lines)


def render_message(answer: ToolAnswer) -> str:
    """Render one message."""
    return _render_block(answer.result, _body_form(answer), body=_is_whole(answer))


def _is_whole(answer: ToolAnswer) -> bool:
    return answer.arguments.get("format") != "metadata"


def render_messages(answer: ToolAnswer) -> str:
    """Render several messages."""
    found = answer.result["messages"]
    blocks = [
        "\n".join([*_render_ids(one), _render_block(one, _body_form(answer), body=_is_whole(answer))]) for one in found
    ]
    return "\n\n---\n\n".join([f"Retrieved {len(found)} messages:", *blocks])


def _render_thread(found: JsonMapping, form: str) -> str:
    listed = found["messages"]
    head = [
        f"Thread ID: {found['id']}",
        f"Subject: {mail_fields.find_header(listed[0], 'Subject')}",
        f"Messages: {len(listed)}",
    ]
    blocks = [
        f"=== Message {n} ===\n{_render_ids(one)[0]}\n{_render_block(one, form)}" for n, one in enumerate(listed, 1)
    ]
    return "\n\n".join(["\n".join(head), *blocks])


def render_thread(answer: ToolAnswer) -> str:
    """Render one thread, oldest message first."""
    return _render_thread(answer.result, _body_form(answer))


def render_threads(answer: ToolAnswer) -> str:
    """Render several threads."""
    ids: Sequence[str] = answer.arguments["thread_ids"]
    rest = [answer.look("users.threads.get", id=id, format="full") for id in ids[1:]]
    return "\n\n---\n\n".join(
        [f"Retrieved {len(ids)} threads:", *(_render_thread(one, _body_form(answer)) for one in (answer.result, *rest))]
    )


def render_sent(answer: ToolAnswer) -> str:
    """Render a mail that was sent."""
    return f"Email sent! Message ID: {answer.result['id']}. Thread ID: {answer.result['threadId']}."


def render_draft(answer: ToolAnswer) -> str:
    """Render a draft that was kept."""
    return f"Draft created! Draft ID: {answer.result['id']}. Thread ID: {answer.result['threadId']}."


def render_attachment(answer: ToolAnswer) -> str:
    """Render the content of a file."""
    found = answer.look("users.messages.get", id=answer.arguments["message_id"], format="full")
    named = next(
        (f for f in mail_fields.list_files(found) if f["body"]["attachmentId"] == answer.arguments["attachment_id"]),
        None,
    )
    if answer.arguments.get("return_base64"):
        return f"Attachment {named['filename'] if named else ''}, base64url:\n\n{answer.result['data']}"
    return short_text.describe_attachment(answer.result, named["filename"] if named else "attachment")


def render_labels(answer: ToolAnswer) -> str:
    """Render labels, the system's and one's own."""
    prefix = str(answer.arguments.get("prefix") or "").lower()
    listed = [one for one in answer.result["labels"] if one["name"].lower().startswith(prefix)]
    if answer.arguments.get("include_system") is False:
        listed = [one for one in listed if one["type"] == "user"]
    if answer.arguments.get("compact"):
        return "\n".join(f"{one['name']} ({one['id']})" for one in listed) or "No labels found."
    system, own = ([one for one in listed if one["type"] == kind] for kind in ("system", "user"))
    groups = [(name, some) for name, some in (("SYSTEM LABELS", system), ("USER LABELS", own)) if some]
    blocks = [
        "\n".join([f"{name}:", *(f"  - {one['name']} (ID: {one['id']})" for one in some)]) for name, some in groups
    ]
    return "\n\n".join([f"Found {len(listed)} labels:", *blocks]) if listed else "No labels found."


def render_label(answer: ToolAnswer) -> str:
    """Render a label that was created, changed or deleted."""
    action = str(answer.arguments["action"])
    if action == "delete":
        return f"Label deleted successfully!\nID: {answer.arguments['label_id']}"
    return f"Label {action}d successfully!\nName: {answer.result['name']}\nID: {answer.result['id']}"


def render_filters(answer: ToolAnswer) -> str:
    """Render all filters."""
    listed = answer.result.get("filter", [])
    return (
        "\n\n".join([f"Found {len(listed)} filters:", *map(short_text.describe_filter, listed)])
        if listed
        else "No filters found."
    )


def render_filter_change(answer: ToolAnswer) -> str:
    """Render a filter that was created or deleted."""
    if answer.arguments["action"] == "delete":
        return f"Filter deleted successfully!\nFilter ID: {answer.arguments['filter_id']}"
    return f"Filter created successfully!\n{short_text.describe_filter(answer.result)}"


def render_change(answer: ToolAnswer) -> str:
    """Render a message whose labels were changed."""
    return "\n".join(
        [
            f"Message labels updated successfully!\nMessage ID: {answer.arguments['message_id']}",
            *_render_changes(answer),
        ]
    )


def render_several_changes(answer: ToolAnswer) -> str:
    """Render several messages whose labels were changed."""
    count = len(answer.arguments.get("message_ids") or []) + len(answer.arguments.get("thread_ids") or [])
    kind = "messages and threads" if answer.arguments.get("thread_ids") else "messages"
    return "\n".join([f"Labels updated for {count} {kind}", *_render_changes(answer)])


def _render_changes(answer: ToolAnswer) -> list[str]:
    rows = (("Added labels", "add_label_ids"), ("Removed labels", "remove_label_ids"))
    return [f"{name}: {', '.join(answer.arguments[field])}" for name, field in rows if answer.arguments.get(field)]
