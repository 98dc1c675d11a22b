"""Appearance of refusals and outages on a page: HTTP status, heading and sentence for each code."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from world.core.errors import InvalidArguments, OperationError, Outage
from world.core.json_types import is_array, is_object
from world.core.theme import Theme


@dataclass(frozen=True, slots=True)
class Refusal:
    """One code's appearance on a page."""

    status: int
    message: str = ""


Refusals = Mapping[str, Refusal]


@dataclass(frozen=True, slots=True)
class Failure:
    """A refusal as the templates see it; `kind` is refusal or outage; `problems` are (field, message)."""

    kind: str
    code: str
    status: int
    title: str
    message: str
    problems: tuple[tuple[str, str], ...] = ()
    retry_after_s: int | None = None
    form: str = ""
    lost: str = "Not saved."
    typed: Mapping[str, list[str]] | None = None

    @property
    def outage(self) -> bool:
        """Whether the service failed, rather than said no."""
        return self.kind == "outage"


OUTAGE_STATUS = {
    "error": 500,
    "write_then_error": 500,
    "timeout": 504,
    "ratelimit": 429,
    "readonly": 503,
    "partial": 503,
    "corrupt_payload": 502,
    "transport": 502,
    "auth_expired": 401,
}
TITLES = {
    401: "You have been signed out",
    403: "You don't have access to this",
    404: "We couldn't find that",
    409: "That can't be done right now",
    422: "That didn't work",
    429: "Too many requests",
}
FORBIDDEN = (
    "permission",
    "not_in_channel",
    "restricted",
    "not_allowed",
    "denied",
    "forbidden",
    "cant_",
    "missing_scope",
    "not_authorized",
    "not_member",
    "unauthorized",
)
CONFLICT = ("already_", "conflict", "name_taken", "is_archived", "not_archived", "stale", "exists")
SIGNED_OUT = ("account_inactive", "token_revoked", "invalid_auth", "not_authed", "token_expired")


def status_of(code: str) -> int:
    """The HTTP status of a vendor's code that no table lists."""
    if code in SIGNED_OUT:
        return 401
    if code.endswith("not_found") or code in ("notFound", "Not Found"):
        return 404
    if any(part in code for part in FORBIDDEN):
        return 403
    if any(part in code for part in CONFLICT):
        return 409
    return 422


def sentence(code: str) -> str:
    """A vendor's code as words: `msg_too_long` -> `Msg too long.`"""
    words = code.replace("_", " ").strip()
    return (words[:1].upper() + words[1:]).rstrip(".") + "."


def failure(error: OperationError, theme: Theme, table: Refusals) -> Failure:
    """Turn an error of an operation into its appearance on this app's pages."""
    if isinstance(error, Outage):
        return _outage(error, theme)
    if isinstance(error, InvalidArguments):
        problems = tuple(error.problems)
        return Failure("refusal", error.code, 422, TITLES[422], "Check what you entered and try again.", problems)
    listed = table.get(error.code)
    status = listed.status if listed and error.code not in SIGNED_OUT else status_of(error.code)
    filled = listed.message.format_map(defaultdict(str, error.detail)) if listed else ""
    message = filled or _find_message(error) or sentence(error.code)
    return Failure("refusal", error.code, status, TITLES.get(status, TITLES[422]), message)


def _find_message(error: OperationError) -> str:
    """Return the operation's own message: one, several joined, or one per field; empty if it has none."""
    one, several, fields = (error.detail.get(name) for name in ("message", "messages", "errors"))
    if isinstance(one, str):
        return one
    if is_object(fields):
        return " ".join(map(str, fields.values()))
    return " ".join(map(str, several)) if is_array(several) else ""


def _outage(error: Outage, theme: Theme) -> Failure:
    status = OUTAGE_STATUS.get(error.kind, 503)
    if error.kind == "auth_expired":
        return Failure("refusal", error.code, 401, TITLES[401], "Your session has expired. Sign in again to continue.")
    if error.kind == "ratelimit":
        wait = (
            f" Try again in {error.retry_after_s} seconds." if error.retry_after_s else " Try again in a little while."
        )
        return Failure(
            "outage", error.code, status, TITLES[429], f"You're doing that too often.{wait}", (), error.retry_after_s
        )
    plain = f"{theme.name} is having trouble connecting"
    if error.kind == "readonly":
        paused = f"{theme.name} is read-only right now"
        return Failure("outage", error.code, status, paused, "Changes can't be saved during maintenance.")
    retry = f" Trying again in {error.retry_after_s} seconds may help." if error.retry_after_s else ""
    said = f"{plain}." if theme.trouble else "Something went wrong on our side."
    return Failure("outage", error.code, status, theme.trouble or plain, f"{said}{retry}", (), error.retry_after_s)
