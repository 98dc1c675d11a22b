"""What each service says when it fails, over REST and in the text of a tool's result."""

from typing import Any

JIRA_DOWN = {"errorMessages": ["Internal server error"], "errors": {}}
READ_ONLY = "Jira is in read-only mode. Please try again later."
SIGNED_OUT = "Client must be authenticated to access this resource."


def google(code: int, status: str, reason: str, message: str, said: str = "", **more: str) -> dict[str, Any]:
    """An error of the mail API."""
    inner = {"message": said or message, "domain": "global", "reason": reason, **more}
    return {"error": {"code": code, "message": message, "errors": [inner], "status": status}}


def octo(status: int, message: str) -> dict[str, str]:
    """An error of the code host's API."""
    return {"message": message, "documentation_url": "https://docs.github.com/rest", "status": str(status)}


SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
MAIL_DOWN = google(500, "INTERNAL", "backendError", "Backend Error")
FILES_DOWN = google(500, "INTERNAL", "backendError", "Internal error encountered.")
MAIL_AWAY = google(503, "UNAVAILABLE", "backendError", "The service is currently unavailable.")
NO_LOGIN = (
    "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid"
    " authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project."
)
QUOTA = "User-rate limit exceeded.  Retry after {}"
# What REST answers, and the text of the tool result: docs/faults.md, FIDELITY of each vendor as its rest module says.
SHAPES: dict[str, dict[str, tuple[int, Any]]] = {
    "slack": {
        "auth_expired": (200, {"ok": False, "error": "token_revoked"}),
        "transport": (0, {"ok": False, "error": "internal_error"}),
        "timeout": (200, {"ok": False, "error": "request_timeout"}),
        "ratelimit": (429, {"ok": False, "error": "ratelimited"}),
        "readonly": (200, {"ok": False, "error": "service_unavailable"}),
        "error": (200, {"ok": False, "error": "internal_error"}),
        "write_then_error": (200, {"ok": False, "error": "fatal_error"}),
        "corrupt_payload": (200, '{"ok":true,"messages":[{"type":"mess'),
        "partial": (200, {"ok": False, "error": "service_unavailable"}),
    },
    "jira": {
        "auth_expired": (401, {"errorMessages": [SIGNED_OUT], "errors": {}}),
        "transport": (0, JIRA_DOWN),
        "timeout": (504, "upstream request timeout"),
        "ratelimit": (429, {"errorMessages": ["Rate limit exceeded."], "errors": {}}),
        "readonly": (503, {"errorMessages": [READ_ONLY], "errors": {}}),
        "error": (500, JIRA_DOWN),
        "write_then_error": (500, JIRA_DOWN),
        "corrupt_payload": (200, '{"expand":"schema,names","startAt":0,"maxRe'),
        "partial": (503, "Your Atlassian Cloud site is currently unavailable"),
    },
    "gmail": {
        "auth_expired": (
            401,
            google(
                401,
                "UNAUTHENTICATED",
                "authError",
                NO_LOGIN,
                "Invalid Credentials",
                location="Authorization",
                locationType="header",
            ),
        ),
        "transport": (0, MAIL_DOWN),
        "error": (500, MAIL_DOWN),
        "write_then_error": (500, MAIL_DOWN),
        "timeout": (504, google(504, "DEADLINE_EXCEEDED", "backendError", "Deadline exceeded")),
        "ratelimit": (
            429,
            google(
                429,
                "RESOURCE_EXHAUSTED",
                "rateLimitExceeded",
                QUOTA.format("2026-03-02T08:04:03.000Z"),
                domain="usageLimits",
            ),
        ),
        "readonly": (503, MAIL_AWAY),
        "partial": (503, MAIL_AWAY),
        "corrupt_payload": (200, '"messages": [\n    {\n      "id": "18'),
    },
    "drive": {
        "auth_expired": (
            401,
            google(
                401,
                "UNAUTHENTICATED",
                "authError",
                NO_LOGIN,
                "Invalid Credentials",
                location="Authorization",
                locationType="header",
            ),
        ),
        "transport": (0, FILES_DOWN),
        "error": (500, FILES_DOWN),
        "write_then_error": (500, FILES_DOWN),
        "timeout": (504, google(504, "DEADLINE_EXCEEDED", "backendError", "Deadline exceeded")),
        "ratelimit": (
            403,
            {
                "error": {
                    "code": 403,
                    "message": "User Rate Limit Exceeded",
                    "errors": [
                        {
                            "message": "User Rate Limit Exceeded",
                            "domain": "usageLimits",
                            "reason": "userRateLimitExceeded",
                        }
                    ],
                }
            },
        ),
        "readonly": (503, MAIL_AWAY),
        "partial": (503, MAIL_AWAY),
        "corrupt_payload": (200, '{\n  "kind": "drive#f'),
    },
    "github": {
        "auth_expired": (401, octo(401, "Bad credentials")),
        "transport": (0, octo(502, "Server Error")),
        "timeout": (504, "taking too long to load"),
        "ratelimit": (403, octo(403, SECONDARY)),
        "readonly": (503, octo(503, "GitHub is in read-only mode for maintenance.")),
        "error": (502, octo(502, "Server Error")),
        "write_then_error": (502, octo(502, "Server Error")),
        "corrupt_payload": (200, '[{"url":"https://api.githu'),
        "partial": (503, "taking too long to load"),
    },
}
LOUD = list(SHAPES["slack"])
