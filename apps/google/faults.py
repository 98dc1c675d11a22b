"""Fault codes of a Google API for the world's faults."""

# cloud.google.com/apis/design/errors, developers.google.com/workspace/gmail/api/guides/handle-errors
COMMON = {
    "partial": "unavailable",
    "timeout": "deadline_exceeded",
    "transport": "unavailable",
    "readonly": "unavailable",
    "auth_expired": "auth_error",
}


def list_fault_codes(failure: str, limit: str) -> dict[str, str]:
    """Return the code of each kind of fault, given the API's own for a failed call and for rate limits."""
    return {
        **COMMON,
        "error": failure,
        "write_then_error": failure,
        "corrupt_payload": failure,
        "ratelimit": limit,
    }
