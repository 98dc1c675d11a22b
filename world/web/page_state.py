"""State that every page shows besides its app's answers: the reader, the company, the time, the world's version."""

from dataclasses import dataclass

from world.core.errors import OperationError
from world.core.principal import Principal
from world.run.episode_end import episode_ended
from world.run.host import Host

_ME = "SELECT id, full_name, display_name, handle, email, title, tz, status FROM person WHERE id = ?"


@dataclass(frozen=True, slots=True)
class Reader:
    """The employee who looks at the page."""

    id: str
    full_name: str
    display_name: str
    handle: str
    email: str
    title: str
    tz: str


@dataclass(frozen=True, slots=True)
class PageState:
    """One world as one employee finds it; costs nothing and leaves no trace."""

    me: Reader
    company: str
    now: int
    version: int


def read_page_state(host: Host, principal: Principal) -> PageState:
    """Read the state of a page. Raises OperationError when the world is gone or the person has left."""
    actor = host.actor(principal.world)
    if principal.generation != actor.generation:
        raise OperationError("token_revoked")
    if actor.ended is not None:
        raise episode_ended(actor.ended, actor.settings)
    raw = actor.bound.raw
    row = raw.execute(_ME, (principal.person,)).fetchone()
    if row is None or row[-1] != "active":
        raise OperationError("account_inactive")
    company = raw.execute("SELECT name FROM company WHERE id = 1").fetchone()
    return PageState(Reader(*row[:-1]), company[0] if company else "", actor.now, actor.version)
