"""Limits on the address and the headers of a request, whatever app it is for."""

from starlette.types import Scope

MAX_ADDRESS = 32 * 1024  # bytes of path and query; the vendors' fronts take 8 to 16 KiB
MAX_HEADERS, MAX_LINES = 64 * 1024, 200  # bytes of all header lines together, and how many
TOO_LONG, TOO_LARGE = 414, 431
SENTENCES = {TOO_LONG: "URI Too Long", TOO_LARGE: "Request Header Fields Too Large"}


def find_excess(scope: Scope) -> int | None:
    """The status of the refusal of a request that is too large before its body; None for one that may be served."""
    if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > MAX_ADDRESS:
        return TOO_LONG
    headers = scope["headers"]
    if len(headers) > MAX_LINES or sum(len(name) + len(value) for name, value in headers) > MAX_HEADERS:
        return TOO_LARGE
    return None
