"""Authentication of requests: one check for every door, however a vendor has credentials sent."""

from world.core.principal import HUMAN, Principal
from world.run.host import Host


def authenticate(host: Host, app: str, token: str | None, login: str = "") -> Principal | None:
    """The principal of a request to an app; None if the app knows nobody by these credentials.

    `token` is the API token as the vendor has it sent, None if the request carries none. A token issued for one app
    opens no other but those of its suite; one issued for a vendor opens all the vendor's apps. `login` is the login
    cookie, which counts only without a token; doors that take none leave it out. An empty `app` stands for the
    employee's own routes, which any token of theirs opens. Raises WorldQuarantined.
    """
    found = identify(host, app, token, login)
    if found is not None:
        host.quarantined.check(found.world)
    return found


def identify(host: Host, app: str, token: str | None, login: str = "") -> Principal | None:
    """Return the same principal as `authenticate`, also for a quarantined world."""
    if token is None:
        return _find_login(host, login)
    return admit(host, app, host.tokens.resolve(token) if token else None)


def admit(host: Host, app: str, principal: Principal | None) -> Principal | None:
    """The same principal if its world is there and the app is one it may use, else None."""
    if principal is None or not host.knows(principal.world):
        return None
    return principal if not app or principal.app in ("", app) or _reaches(host, principal.app, app) else None


def _reaches(host: Host, issued_for: str, app: str) -> bool:
    """Whether a token for an app or a vendor opens an app."""
    return app in host.apps and (host.apps[app].vendor == issued_for or _is_same_suite(host, issued_for, app))


def _is_same_suite(host: Host, one: str, other: str) -> bool:
    suites = {host.apps[name].suite for name in (one, other) if name in host.apps}
    return len(suites) == 1 and "" not in suites and one in host.apps and other in host.apps


def _find_login(host: Host, key: str) -> Principal | None:
    """The person a login key stands for. Bots and the world itself do not log in, and an API token is no login."""
    found = host.tokens.resolve(key) if key else None
    if found is None or found.kind not in HUMAN or found.app or found.scopes:
        return None
    return found if host.knows(found.world) else None
