"""Rate limit headers of a resource, such as the hour's calls or a minute's searches."""

from functools import cache

from starlette.responses import Response

from apps.github.app import app
from apps.github.limits import USED_UP, RemainingQuota, count_left, limit_of
from world.core.errors import Outage
from world.core.principal import Principal
from world.run.actor import Actor
from world.run.host import Host

# what is left to a caller without a token; docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api
LATEST = 2**62  # beyond every call
STRANGER = {
    "X-RateLimit-Limit": "60",
    "X-RateLimit-Remaining": "59",
    "X-RateLimit-Used": "1",
    "X-RateLimit-Resource": "core",
}


def headers(host: Host, principal: Principal, resource: str = "core") -> dict[str, str]:
    """Return the rate limit headers of a caller; empty in a world without limits."""
    actor = host.actors.get(principal.world)
    if actor is None:
        return {}
    left = _find_left(actor, principal.person, resource)
    shown = {"Limit": left.limit, "Remaining": left.remaining, "Used": left.used, "Reset": left.reset}
    return {**{f"X-RateLimit-{name}": str(value) for name, value in shown.items()}, "X-RateLimit-Resource": resource}


def _find_left(actor: Actor, person: str, resource: str) -> RemainingQuota:
    if actor.settings.limits == "off":
        limit, window_s = limit_of(resource)
        return RemainingQuota(limit, 1, actor.now // 1_000_000 + window_s)
    return count_left(actor.bound.raw.execute, person, actor.now, LATEST, resource, _list_counting())


@cache
def _list_counting() -> frozenset[str]:
    """Return the operations that count against the common quota."""
    return frozenset(id for id, operation in app.operations.items() if operation.units)


def add_headers(
    response: Response, host: Host, principal: Principal, outage: Outage, resource: str = "core"
) -> Response:
    """Add rate limit headers to a failure; if the quota caused it, none is left until the reset."""
    shown = headers(host, principal, resource) if outage.kind != "auth_expired" else {}
    if outage.kind == "ratelimit" and outage.reason == USED_UP and outage.until is not None:
        shown |= {
            "X-RateLimit-Remaining": "0",
            "X-RateLimit-Used": str(limit_of(resource)[0]),
            "X-RateLimit-Reset": str(-(-outage.until // 1_000_000)),
        }
    response.headers.update(shown)
    return response
