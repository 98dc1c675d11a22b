"""Mail arguments of the tools: recipients in one text, a body in either format, the answered mail by any name."""

from collections.abc import Mapping
from typing import Any

from mcp_servers.tools import ArgumentForm, CallArguments, Given, Look
from world.core.errors import InvalidArguments
from world.core.json_types import JsonObject

STRING = {"type": "string"}
NO_FILES = "Files of your machine cannot be read here; leave attachments out"


def refuse_files(value: object) -> object:
    """Files are named by their path on the agent's machine, which nobody here can read. Raises ValueError."""
    if value:
        raise ValueError(NO_FILES)
    return []


FILES = ArgumentForm(
    {"type": "array", "items": STRING, "description": "Not possible: files of your machine cannot be read here."},
    refuse_files,
)


def text_argument(description: str) -> ArgumentForm:
    """A text that the operation does not take as it stands."""
    return ArgumentForm({**STRING, "description": description})


def flag_argument(description: str, default: bool = False) -> ArgumentForm:
    """A yes or no that the operation does not take."""
    return ArgumentForm({"type": "boolean", "default": default, "description": description})


def split_addresses(value: object) -> list[str]:
    """Addresses separated by commas, or a list of them. Raises ValueError."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return value
    raise ValueError("must be a text of addresses separated by commas")


def find_answered(look: Look, wanted: str, thread: str) -> str:
    """The id of the message that is answered: by its id, its Message-ID, or the last of a thread; nothing if it is not
    here.
    """
    if "@" in wanted:
        found = look("users.messages.list", q=f'rfc822msgid:"{wanted.strip("<>")}"', includeSpamTrash=True).get(
            "messages", []
        )
        return found[0]["id"] if found else ""
    if wanted:
        return wanted
    return look("users.threads.get", id=thread, format="minimal")["messages"][-1]["id"] if thread else ""


def prepare_reply(arguments: JsonObject, given: Mapping[str, object], look: Look) -> JsonObject:
    """The arguments with the message that is answered, if any."""
    wanted = find_answered(look, str(arguments.pop("inReplyTo", "") or ""), str(arguments.get("threadId") or ""))
    return {**arguments, "mode": "reply", "inReplyTo": wanted} if wanted else arguments


def prepare_community_mail(arguments: JsonObject, given: Mapping[str, object], look: Look) -> JsonObject:
    """The body in the format that `mimeType` names."""
    out = prepare_reply(arguments, given, look)
    kind = given.get("mimeType") or "text/plain"
    if kind == "text/html":
        return {**out, "text": "", "html": given.get("htmlBody") or given["body"]}
    return {**out, "html": ""} if kind == "text/plain" and not given.get("htmlBody") else out


def prepare_workspace_mail(arguments: JsonObject, given: Mapping[str, object], look: Look) -> JsonObject:
    """A new mail, a reply or a forward, as the arguments ask; HTML if `body_format` says so."""
    out = {
        **arguments,
        "to": split_addresses(given.get("to") or []),
        "cc": split_addresses(given.get("cc") or []),
        "bcc": split_addresses(given.get("bcc") or []),
    }
    if given.get("body_format") == "html":
        out["html"] = out.pop("text", "")
    if given.get("from_email"):
        name, address = given.get("from_name"), str(given["from_email"])
        out["from"] = f'"{name}" <{address}>' if name else address
    if given.get("forward_message_id"):
        files = given.get("include_forwarded_attachments", True)
        return {**out, "mode": "forward", "inReplyTo": given["forward_message_id"], "originalFiles": bool(files)}
    return _prepare_answer(out, given, look)


def _prepare_answer(out: JsonObject, given: Mapping[str, object], look: Look) -> JsonObject:
    names = str(given.get("in_reply_to") or "") or str(given.get("references") or "").split(" ")[-1]
    wanted = find_answered(look, names, str(given.get("thread_id") or ""))
    if not wanted:
        return out
    mode = "replyAll" if given.get("reply_all") else "reply"
    return {**out, "mode": mode, "inReplyTo": wanted, "quote": bool(given.get("quote_original", False))}


def merge_label_names(arguments: CallArguments, given: Given, look: Look) -> CallArguments:
    """`labelIds` are labels to add."""
    return {**arguments, "addLabelIds": [*(given.get("addLabelIds") or []), *(given.get("labelIds") or [])]}


def limit_page(arguments: JsonObject, given: Mapping[str, object], look: Look) -> JsonObject:
    """At most 50 at once."""
    size = arguments.get("maxResults")
    return (
        {**arguments, "maxResults": min(size, 50)}
        if isinstance(size, int) and not isinstance(size, bool)
        else arguments
    )


def first_id(value: object) -> str:
    """The first of several ids; the others are looked up for the answer. Raises ValueError."""
    if not isinstance(value, list) or not value or not all(isinstance(one, str) for one in value):
        raise ValueError("must be a list of at least one id")
    return value[0]


def add_thread_messages(arguments: dict[str, object], given: Given, look: Look) -> dict[str, Any]:
    """The messages, and those of the threads."""
    ids = list(given.get("message_ids") or [])
    for thread in given.get("thread_ids") or []:
        ids += [one["id"] for one in look("users.threads.get", id=thread, format="minimal")["messages"]]
    return {**arguments, "ids": ids}


def refuse_dry_run(arguments: JsonObject, given: Mapping[str, object], look: Look) -> JsonObject:
    """No dry runs. Raises InvalidArguments."""
    if given.get("dry_run"):
        raise InvalidArguments([("dry_run", "Only false is possible")])
    return arguments
