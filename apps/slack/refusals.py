"""Refusal codes and bodies on the wire."""

from world.core.errors import EpisodeEnded, InvalidArguments, OperationError
from world.core.json_types import JsonObject
from world.core.wrong_values import word

# docs.slack.dev/reference/methods/<method>#errors: codes that stand for a missing or malformed argument
BY_ARGUMENT: dict[tuple[str, str], str] = {
    ("conversations.create", "name"): "invalid_name_required",
    ("conversations.rename", "name"): "invalid_name_required",
    ("conversations.history", "oldest"): "invalid_ts_oldest",
    ("conversations.history", "latest"): "invalid_ts_latest",
    ("conversations.replies", "oldest"): "invalid_ts_oldest",
    ("conversations.replies", "latest"): "invalid_ts_latest",
    ("conversations.replies", "ts"): "thread_not_found",
    ("conversations.mark", "ts"): "invalid_timestamp",
    ("conversations.invite", "users"): "no_user",
    ("conversations.kick", "user"): "user_not_found",
    ("chat.update", "ts"): "message_not_found",
    ("chat.delete", "ts"): "message_not_found",
    ("chat.getPermalink", "message_ts"): "message_not_found",
    ("chat.scheduleMessage", "post_at"): "invalid_time",
    ("reactions.add", "timestamp"): "bad_timestamp",
    ("reactions.remove", "timestamp"): "bad_timestamp",
    ("reactions.get", "timestamp"): "bad_timestamp",
    ("reactions.add", "name"): "invalid_name",
    ("pins.add", "timestamp"): "bad_timestamp",
    ("pins.remove", "timestamp"): "bad_timestamp",
    ("users.info", "user"): "user_not_found",
    ("users.lookupByEmail", "email"): "users_not_found",
    ("users.setPresence", "presence"): "invalid_presence",
    ("users.profile.set", "profile"): "invalid_profile",
    ("search.messages", "query"): "no_query",
    ("search.files", "query"): "no_query",
    ("search.all", "query"): "no_query",
    ("files.info", "file"): "file_not_found",
    ("files.delete", "file"): "file_not_found",
}
ANYWHERE = {
    "blocks": "invalid_blocks_format",
    "limit": "invalid_limit",
    "cursor": "invalid_cursor",
    "thread_ts": "invalid_thread_ts",
    "text": "msg_too_long",
    "attachments": "invalid_attachments",
}
# what response_metadata.messages say; docs.slack.dev/reference/methods/chat.postMessage#errors
WRONG = {
    "missing": "[ERROR] missing required field: {field}",
    "text": "[ERROR] must be a string [json-pointer:/{field}]",
    "integer": "[ERROR] must be a number [json-pointer:/{field}]",
    "number": "[ERROR] must be a number [json-pointer:/{field}]",
    "boolean": "[ERROR] must be a boolean [json-pointer:/{field}]",
    "list": "[ERROR] must be an array [json-pointer:/{field}]",
    "object": "[ERROR] must provide an object [json-pointer:/{field}]",
    "choice": "[ERROR] must be a valid enum value [json-pointer:/{field}]",
    "least": "[ERROR] must be greater than or equal to {bound} [json-pointer:/{field}]",
    "most": "[ERROR] must be less than or equal to {bound} [json-pointer:/{field}]",
    "short_text": "[ERROR] must be at least {bound} characters [json-pointer:/{field}]",
    "long_text": "[ERROR] must be at most {bound} characters [json-pointer:/{field}]",
    "short_list": "[ERROR] must contain at least {bound} items [json-pointer:/{field}]",
    "long_list": "[ERROR] no more than {bound} items allowed [json-pointer:/{field}]",
    "form": "[ERROR] does not match the required format [json-pointer:/{field}]",
    "unknown": "[ERROR] invalid additional property: {field}",
    "own": "[ERROR] {own} [json-pointer:/{field}]",
    "wrong": "[ERROR] failed to match all allowed schemas [json-pointer:/{field}]",
}
SHOWN = ("errors", "needed", "provided", "response_metadata", "args", "detail")


def refusal_code(refusal: OperationError, operation: str) -> str:
    """The vendor's code for a refusal of an operation."""
    if not isinstance(refusal, InvalidArguments):
        return refusal.code
    first = refusal.problems[0][0].split(".")[0] if refusal.problems else ""
    return BY_ARGUMENT.get((operation, first)) or ANYWHERE.get(first) or "invalid_arguments"


def refusal_to_json(refusal: OperationError, operation: str) -> JsonObject:
    """The vendor's body for a refusal of an operation."""
    out: JsonObject = {"ok": False, "error": refusal_code(refusal, operation)}
    if isinstance(refusal, InvalidArguments):
        if out["error"] == "invalid_arguments":
            out["response_metadata"] = {
                "messages": [word(WRONG, name.replace(".", "/"), why) for name, why in refusal.problems]
            }
        return out
    if isinstance(refusal, EpisodeEnded):
        return {**out, "response_metadata": {"messages": [refusal.sentence]}}
    return {**out, **{name: refusal.detail[name] for name in SHOWN if name in refusal.detail}}
