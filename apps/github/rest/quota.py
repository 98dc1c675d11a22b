"""The headers that tell what is left of an hour's calls."""

from typing import Any

from starlette.responses import Response

from apps.github.app import HOUR_S, PER_HOUR, app
from apps.github.rest.responses import USED_UP
from world.core.errors import Outage
from world.core.principal import Principal
from world.run.host import Host
from world.store import Bound

# what is left to a caller without a token; docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
STRANGER = {
    "X-RateLimit-Limit": "60",
    "X-RateLimit-Remaining": "59",
    "X-RateLimit-Used": "1",
    "X-RateLimit-Resource": "core",
}
SQL = (
    "SELECT operation, count(*), min(at) FROM _call WHERE seq > coalesce((SELECT seq FROM _call WHERE at <= ? ORDER BY"
    " seq DESC LIMIT 1), 0) AND actor = ? AND status NOT IN ('ratelimit', 'early_retry') GROUP BY operation"
)


def headers(host: Host, principal: Principal, resource: str = "core") -> dict[str, str]:
    """What a caller has used and has left; only a world with limits counts. Every resource shares one quota."""
    actor = host.actors.get(principal.world)
    if actor is None:
        return {}
    used, since = (
        (1, actor.now) if actor.settings.limits == "off" else _count_calls(actor.bound, principal.person, actor.now)
    )
    left = {"Limit": PER_HOUR, "Remaining": max(PER_HOUR - used, 0), "Used": used, "Reset": since // 1_000_000 + HOUR_S}
    return {**{f"X-RateLimit-{name}": str(value) for name, value in left.items()}, "X-RateLimit-Resource": resource}


def add_headers(
    response: Response, host: Host, principal: Principal, outage: Outage, resource: str = "core"
) -> Response:
    """A failure with what is left of the hour: nothing, and until when, if that is why it failed."""
    shown = headers(host, principal, resource) if outage.kind != "auth_expired" else {}
    if outage.kind == "ratelimit" and outage.reason == USED_UP and outage.until is not None:
        shown |= {
            "X-RateLimit-Remaining": "0",
            "X-RateLimit-Used": str(PER_HOUR),
            "X-RateLimit-Reset": str(-(-outage.until // 1_000_000)),
        }
    response.headers.update(shown)
    return response


def _count_calls(bound: Bound, person: str, now: int) -> tuple[int, int]:
    """How many calls somebody made within the last hour, and when the first of them was made."""
    found: list[Any] = bound.raw.execute(SQL, (now - HOUR_S * 1_000_000, person)).fetchall()
    ours = app.operations
    counted: list[tuple[int, int]] = [
        (times, first) for operation, times, first in found if operation in ours and ours[operation].units
    ]
    return sum(times for times, _ in counted), min((first for _, first in counted), default=now)
