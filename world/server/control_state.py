"""State of the control plane: worlds, their episodes, and the requests about them. Routes are in control_plane.py."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from itertools import count
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue
from starlette.exceptions import HTTPException

from world.core.clock import duration, iso, wall_seconds
from world.core.lazy import Lazy
from world.core.params import Int64
from world.core.principal import HUMAN, Kind, Principal
from world.core.settings import Settings
from world.run.actor import Actor
from world.run.call_record import CallRecord
from world.run.capabilities import check_needs
from world.run.episode_end import describe_ending
from world.run.failures import list_failures
from world.run.host import Host
from world.run.trajectory import Origin
from world.run.turns import Queue
from world.script import loader
from world.script.loader import Scenario
from world.server.retention import Retention
from world.server.retention_limits import RetentionLimits
from world.store.queries import row
from world.web.rest_door import find_rest_door

if TYPE_CHECKING:
    from world.grading.judge import Judge
    from world.run import episode
    from world.run.episode import Episode
    from world.server import grader, tool_calls
    from world.server.grader import Grader
    from world.server.tool_calls import ToolCaller
    from world.server.world_trajectories import WorldTrajectories
else:
    episode, grader = Lazy("world.run.episode"), Lazy("world.server.grader")
    tool_calls = Lazy("world.server.tool_calls")

Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]{0,62}$")]


class Body(BaseModel):
    """Request bodies refuse unknown fields: a reset that ignores an argument is an error."""

    model_config = ConfigDict(extra="forbid")


class NewWorld(Body):
    """A world to make. With a scenario it starts at that scenario's first moment.

    `idle_ttl_s`: seconds after which the world is dropped if nobody uses it; 0: never; by default as the server says.
    """

    name: Name | None = None
    scenario: str | None = None
    seed: Int64 = 0
    settings: dict[str, JsonValue] = Field(default_factory=dict)
    idle_ttl_s: float | None = Field(default=None, ge=0)


class Fork(Body):
    """A world that goes on from call `at` of another one (its head by default)."""

    name: Name | None = None
    at: Int64 | None = None


class Salvage(Body):
    """The name of the new world made from the sound part of a damaged one."""

    name: Name | None = None


class Advance(Body):
    """Advance of simulated time: `for` like `20m`, or `until` in microseconds since the epoch."""

    for_: str | None = Field(default=None, alias="for")
    until: Int64 | None = None


class Inject(Body):
    """An operation to do as a person, from outside the scenario."""

    person: str
    operation: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class Grant(Body):
    """A credential for an employee; `app` gives it that app's form, or is a vendor whose apps it opens.

    `credential` asks for another kind besides the token, as the app names it (`refresh_token`, `service_account`);
    `subjects` are further people such a credential may speak for.
    """

    person: str | None = None
    app: str = ""
    kind: Kind | None = None
    scopes: list[str] = Field(default_factory=list)
    credential: str = ""
    subjects: list[str] = Field(default_factory=list)


class Plane:
    """The state behind the routes: the host and the episodes in progress."""

    def __init__(
        self, host: Host, secret: str, *, judge: "Judge | None" = None, limits: RetentionLimits | None = None
    ) -> None:
        self.host, self.secret, self.judge = host, secret, judge
        self.suffix = ""  # of the names given to worlds here, where several processes give names
        self.watchers: list[Callable[[str, bool], None]] = []  # each is told of a world that is made or gone
        self.episodes: dict[str, Episode] = {}
        self.speeds: dict[str, int] = {}  # of worlds whose time runs by itself, in simulated seconds per second
        self.retention = Retention(host, self._list_lasting, self.drop, limits)
        self._numbers = count(1)
        self._scenarios: dict[str, Scenario] = {}
        self._grader: Grader | None = None
        self.trajectories: WorldTrajectories | None = None  # of the worlds made here, where a server keeps them
        self._tools: ToolCaller | None = None
        host.opener = self.knows

    def name(self, wanted: str | None) -> str:
        """The wanted name, or the next free one."""
        if wanted is not None:
            return wanted
        return next(name for n in self._numbers if not self._is_taken(name := f"w{n}{self.suffix}"))

    def _is_taken(self, name: str) -> bool:
        host = self.host
        return name in host.actors or host.store.holds(name) or host.tokens.generation_of(name) is not None

    def knows(self, world: str) -> bool:
        """Whether there is a world of this name; one that an earlier process left on disk is opened. Raises StoreError."""
        if world in self.host.actors:
            return True
        if not self.host.store.holds(world):
            return False
        scenario = self.host.open(world).settings.scenario
        if scenario:
            self.episodes[world] = episode.reopen(self.host, self.scenario(scenario), world)
        if self.trajectories is not None:
            self.trajectories.resume(world, self.episodes.get(world))
        return True

    def scenario(self, name: str) -> Scenario:
        """A scenario, loaded once per process."""
        if name not in self._scenarios:
            self._scenarios[name] = loader.find_scenario(name)
        return self._scenarios[name]

    def create(self, body: NewWorld) -> dict[str, Any]:
        """Make a world, with an episode when a scenario is named. Raises TooManyWorlds."""
        self.retention.check_room()
        name = self.name(body.name)
        if body.scenario is None:
            chosen: dict[str, Any] = {"seed": body.seed, **body.settings}
            self.host.create(name, Settings(**chosen) if body.seed or body.settings else None)
            self._settle(name, body)
            return self.describe(name)
        check_needs([self.scenario(body.scenario)])
        made = episode.start(self.host, self.scenario(body.scenario), seed=body.seed, world=name, **body.settings)
        self.episodes[name] = made
        self._settle(name, body)
        return self.describe(name)

    def fork(self, world: str, body: Fork) -> dict[str, Any]:
        """Fork a world; a fork of an episode is an episode too, and lives as long. Raises TooManyWorlds."""
        self.retention.check_room()
        parent, name = self.host.actors[world], self.name(body.name)
        self.host.fork(parent, name, body.at)
        if world in self.episodes:
            self.episodes[name] = episode.of_world(self.episodes[world], name)
        self.retention.inherit(name, world)
        self._begin(name, Origin(run=world, step=0, seq=parent.version if body.at is None else body.at))
        return self.describe(name)

    def _settle(self, world: str, body: NewWorld) -> None:
        """Give a new world its time to live, and begin its record."""
        idle_s = self.retention.limits.idle_s if body.idle_ttl_s is None else body.idle_ttl_s
        self.retention.begin(world, idle_s or None)
        self._begin(world)

    def _begin(self, world: str, origin: Origin | None = None) -> None:
        """Record a world that was made, and tell those who watch."""
        if self.trajectories is not None:
            self.trajectories.begin(world, self.episodes.get(world), origin=origin)
        self._announce(world, is_made=True)

    def salvage(self, world: str, body: Salvage) -> dict[str, Any]:
        """Save the calls before the damage of a world's log as another world. Raises StoreError."""
        name = self.name(body.name)
        found = self.host.store.salvage(world, name)
        if not self.knows(name):
            raise LookupError(f"nothing of {world} could be saved")
        self._announce(name, is_made=True)
        return {**self.describe(name), "salvaged_from": world, **asdict(found)}

    def describe(self, world: str) -> dict[str, Any]:
        """Return name, simulated time, last call, and the agent's task."""
        actor = self.host.actors[world]
        about: dict[str, Any] = {
            "world": world,
            "now": actor.now,
            "utc": iso(actor.now),
            "calls": actor.version,
            "ended": actor.ended,
            "ending": describe_ending(actor.ended, actor.settings) if actor.ended else None,
            "quarantined": asdict(why) if (why := self.host.quarantined.closed.get(world)) else None,
            "failures": [asdict(one) for one in list_failures(actor.bound)],
        }
        if world in self.episodes:
            run = self.episodes[world]
            about |= {"scenario": run.scenario.name, "seed": run.seed, "agent": run.agent, "task": run.task}
            about["team"] = episode.list_members(run)
        return about

    def grant(self, world: str, body: Grant) -> dict[str, Any]:
        """A token; without a person, for the employee the agent plays."""
        who = body.person or (self.episodes[world].agent if world in self.episodes else None)
        if who is None:
            raise HTTPException(422, "name a person: this world has no scenario that casts one")
        self.host.keep(world)
        kind = self._find_kind(world, who, body.kind)
        principal = self.host.principal(world, who, app=body.app, kind=kind, scopes=body.scopes)
        token = self.host.tokens.issue(principal, token_form(self.host, body.app, kind))
        url = self.host.public_url
        more = {"credentials": self._credentials(principal, body)} if body.credential else {}
        return {
            **more,
            "token": token,
            "person": principal.person,
            "login": self._login(principal),
            "rest": f"{url}/{body.app}" if body.app in self.host.apps else url,
            "mcp": f"{url}/mcp/{body.app}" if body.app in self.host.apps else f"{url}/mcp",
        }

    def _find_kind(self, world: str, who: str, wanted: Kind | None) -> Kind:
        """The kind of credential of a person or bot. Raises LookupError, HTTPException for the other's kind."""
        person = self.host.principal(world, who).person
        found = row(self.host.actor(world).bound, "SELECT kind FROM person WHERE id = ?", person)
        is_bot = found is not None and found[0] == "bot"
        if wanted is not None and (wanted == "bot") != is_bot:
            raise HTTPException(422, f"{who} is {'a' if is_bot else 'no'} bot and has no credential of kind {wanted}")
        return wanted or ("bot" if is_bot else "user")

    def _credentials(self, principal: Principal, body: Grant) -> dict[str, Any]:
        """Return the credential of that name, as its app or vendor hands it out. Raises HTTPException if none does."""
        host, offered = self.host, self._list_credentials(body.app)
        found = {host.apps[name].vendor or name: name for name, kinds in offered.items() if body.credential in kinds}
        if len(found) != 1:
            known = ", ".join(sorted({kind for kinds in offered.values() for kind in kinds}))
            raise HTTPException(
                422, f"{body.app or 'no one app'} has no credential {body.credential!r}; it has {known or 'none'}"
            )
        ((vendor, name),) = found.items()
        own = replace(principal, app=body.app or vendor)
        subjects = [host.principal(own.world, who, app=own.app, scopes=body.scopes) for who in body.subjects]
        return host.apps[name].credentials[body.credential](host, own, subjects, f"{host.public_url}/{name}")

    def _list_credentials(self, issued_for: str) -> dict[str, list[str]]:
        """The kinds of credential of an app, of a vendor's apps, or of all."""
        apps = self.host.apps
        names = [name for name, app in apps.items() if issued_for in ("", name, app.vendor)]
        for name in names:
            find_rest_door(name)  # its module offers the credentials
        return {name: sorted(apps[name].credentials) for name in names}

    def _login(self, principal: Principal) -> str:
        """The person's own login link, since an API token is bound to its app; empty for a bot, which has none."""
        if principal.kind not in HUMAN:
            return ""
        session = replace(principal, kind="session", app="", scopes=frozenset())
        return f"{self.host.public_url}/login/{self.host.tokens.issue(session)}"

    async def grade(self, world: str, at: int | None = None) -> bytes:
        """Grade the episode as it stands, or stood after a call, in a fork that runs on to the horizon."""
        if world not in self.episodes:
            raise HTTPException(409, "this world was made without a scenario; there is nothing to grade")
        return await self.grader.grade(self.episodes[world], at)

    @property
    def grader(self) -> "Grader":
        """Grader of this plane; made when the first verdict is asked for."""
        if self._grader is None:
            self._grader = grader.Grader(self.host, self.judge)
        return self._grader

    @property
    def tools(self) -> "ToolCaller":
        """Tools for programs of this plane; their schemas are made when first asked for. Raises LookupError."""
        if self._tools is None:
            self._tools = tool_calls.open_tool_caller(self.host)
        return self._tools

    def worlds(self) -> list[str]:
        """Return the names of all worlds, those on disk too, without worlds that are only made to be graded."""
        busy = self._grader.busy if self._grader is not None else ()
        return sorted(name for name in {*self.host.actors, *self.host.store.names()} if name not in busy)

    def _list_lasting(self) -> list[str]:
        """The worlds that may be dropped one day: all but those that are only made to be graded."""
        busy = self._grader.busy if self._grader is not None else ()
        return [name for name in self.host.store.list_known() if name not in busy]

    def status(self, world: str) -> dict[str, Any]:
        """Return the health of a world in this process, how long nobody used it and its log's size; does not open it."""
        why, queue = self.host.quarantined.closed.get(world), self.host.turns.queues.get(world) or Queue()
        return {
            "world": world,
            "open": world in self.host.actors,
            "quarantined": asdict(why) if why else None,
            "slowed": queue.is_slowed,
            "waiting": len(queue.waiting),
            "steps": queue.steps,
            "long_steps": queue.long_steps,
            "longest_hold_ms": round(queue.longest * 1000, 1),
            "idle_s": round(self.retention.measure_idle(world, wall_seconds()), 1),
            "bytes": self.host.store.measure_size(world),
        }

    async def close(self) -> None:
        """End what this plane has started."""
        if self.trajectories is not None:
            self.trajectories.close()
        if self._grader is not None:
            await self._grader.close()

    def drop(self, world: str) -> None:
        """Forget a world; one on disk is not opened for that. Raises StoreError."""
        self.host.drop(world)
        self.retention.forget(world)
        self.episodes.pop(world, None)
        if self.trajectories is not None:
            self.trajectories.drop(world)
        self._announce(world, is_made=False)

    def _announce(self, world: str, *, is_made: bool) -> None:
        for watch in self.watchers:
            watch(world, is_made)


def token_form(host: Host, app: str, kind: str) -> str:
    """The form of a token, as the app, or an app of the vendor, declares it."""
    known = [one.token_forms for name, one in host.apps.items() if app and app in (name, one.vendor)]
    return known[0].get(kind, "firm-{}") if known else "firm-{}"


def advance_world(plane: Plane, world: str, body: Advance) -> int:
    """Advance and record it, so that a replay repeats it. Returns the number of events fired."""
    actor = plane.host.actors[world]
    if (body.for_ is None) == (body.until is None):
        raise HTTPException(422, "give exactly one of for and until")
    until = body.until if body.until is not None else actor.now + duration(body.for_ or "")
    before = actor.now
    with plane.host.guard(world, "advancing"):
        fired = actor.advance(until)
    _record_steering(actor, "advance", {"until": until}, before, fired)
    return fired


def hasten_event(plane: Plane, world: str, name: str) -> int:
    """Let an event of the scenario happen now, and record it, so that a replay repeats it. Returns the number of events
    fired. Raises LookupError for an unknown name.
    """
    actor = plane.host.actors[world]
    before = actor.now
    with plane.host.guard(world, "an event"), actor.follow():
        fired = actor.events.hasten(name)
    _record_steering(actor, "hasten", {"event": name}, before, fired)
    return fired


def _record_steering(actor: Actor, what: str, arguments: Mapping[str, int | str], began: int, fired: int) -> None:
    for record in actor.recorders:
        record(CallRecord(actor.version, began, actor.now, "control", "control", what, arguments, "ok", fired))
