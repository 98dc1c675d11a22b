"""Names of the people behind user ids, looked up once per answer."""

from dataclasses import dataclass
from typing import Any

from mcp_servers.tools import Look
from world.core.errors import OperationError


@dataclass(frozen=True, slots=True)
class KnownPerson:
    """A user's names."""

    id: str
    handle: str
    real_name: str
    is_bot: bool


class People:
    """Users of one answer."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._known: dict[str, KnownPerson] = {}

    def get(self, user: str) -> KnownPerson:
        """The names of a user id; the id itself for somebody the service does not know."""
        if user not in self._known:
            self._known[user] = self._ask(user)
        return self._known[user]

    def _ask(self, user: str) -> KnownPerson:
        try:
            found: dict[str, Any] = self._look("users.info", user=user)["user"]
        except OperationError:
            return KnownPerson(user, user, user, False)
        real_name = found.get("real_name") or found["profile"].get("real_name") or found["name"]
        return KnownPerson(user, found["name"], real_name, bool(found.get("is_bot")))


def caller_zone(look: Look) -> str:
    """The caller's time zone."""
    return str(look("world.now")["zone"])
