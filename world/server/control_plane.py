"""The control plane: make, fork, advance, inject, inspect, grade and drop worlds. Its own socket, its own secret."""

import base64
import hmac
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import orjson
from fastapi import FastAPI, HTTPException, Request, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from world.core import diff
from world.core.errors import OperationError
from world.core.journal import changes
from world.core.lazy import Lazy
from world.grading.reasons.public import to_public
from world.run.harness_notes import HarnessNote
from world.run.needs import CapabilityError
from world.run.quarantine import WorldQuarantined
from world.run.run_evidence import CALLS
from world.run.run_folder import Contents, line
from world.run.trajectory import CONTENT_FOLDER
from world.run.trajectory_reader import read_header, read_steps
from world.script.catalogue import folders, read_title
from world.script.errors import ScenarioError
from world.server.batch_routes import add_batch_routes
from world.server.control_state import Advance, Fork, Grant, Inject, NewWorld, Plane, Salvage, advance_world
from world.server.known_world import KnownWorld
from world.server.lazy_app import LazyApplication
from world.server.metrics import render_metrics
from world.server.retention import TooManyWorlds
from world.server.step_queue import TurnTaking
from world.server.world_trajectories import WorldTrajectories
from world.store import StoreError, UnknownCall, WorldExists
from world.store.queries import rows

BUSY = 429
POLICY_VIOLATION = 1008  # RFC 6455, IANA registry of close codes
MOST_WAITING = 256  # requests of the control plane that are under way, gradings above all
CONTROL = "(control)"  # takes turns like a world, and is trusted


def control_plane(plane: Plane) -> FastAPI:
    """The application on the control socket; OpenAPI at /openapi.json, behind the same secret."""
    app = FastAPI(title="firmament control plane", version="1", docs_url=None, redoc_url=None)
    app.state.plane = plane
    app.add_middleware(SecretGuard, secret=plane.secret)
    app.add_middleware(BoundedQueue, most=MOST_WAITING)
    app.add_middleware(TurnTaking, turns=plane.host.turns, find=find_turn, sockets=True)
    plane.host.turns.trust(CONTROL)
    _process(app, plane)
    _add_steering_routes(app, plane)
    _evidence(app, plane)
    add_batch_routes(app, plane)
    _errors(app)
    app.mount("/openenv", LazyApplication(lambda: Lazy("world.server.openenv.routes").OpenEnvDoor(plane).application()))
    return app


def find_turn(scope: Scope) -> str:
    """Whose turn a request takes: its world's where a door of the plane has found one, else the plane's own."""
    return scope.get("firm.world") or CONTROL


def _process(app: FastAPI, plane: Plane) -> None:
    """Add the routes about this server."""
    host = plane.host

    @app.get("/health")
    async def health() -> dict[str, Any]:
        """Image and number of worlds."""
        return {"image": host.store.base.sha256, "worlds": len(host.actors)}

    @app.get("/scenarios")
    async def scenarios() -> dict[str, str]:
        """Installed scenarios and their titles."""
        return {name: read_title(path) or plane.scenario(name).card.title for name, path in folders().items()}

    @app.get("/worlds")
    async def worlds() -> list[str]:
        """Names of all worlds."""
        return plane.worlds()

    @app.get("/status")
    async def status() -> list[dict[str, Any]]:
        """Health of each world: its quarantine and why, how long its steps hold the thread, whether it is slowed."""
        return [plane.status(world) for world in plane.worlds()]

    @app.get("/metrics")
    async def metrics() -> Response:
        """The same figures in Prometheus' text form."""
        return Response(render_metrics(host), media_type="text/plain; version=0.0.4")


def _add_steering_routes(app: FastAPI, plane: Plane) -> None:
    """Making worlds, moving them on, giving them employees, dropping them."""

    @app.post("/worlds", status_code=201)
    async def create(body: NewWorld) -> dict[str, Any]:
        """Make a world from the sealed company; with `scenario`, at that scenario's first moment."""
        return plane.create(body)

    @app.get("/worlds/{world}")
    async def describe(world: KnownWorld) -> dict[str, Any]:
        """State of a world."""
        return plane.describe(world)

    @app.post("/worlds/{world}/fork", status_code=201)
    async def fork(world: KnownWorld, body: Fork) -> dict[str, Any]:
        """A new world that goes on from a call of this one; copies nothing."""
        return plane.fork(world, body)

    @app.post("/worlds/{world}/advance")
    async def advance(world: KnownWorld, body: Advance) -> dict[str, Any]:
        """Let simulated time pass; due events fire."""
        return {"fired": advance_world(plane, world, body), **plane.describe(world)}

    @app.post("/worlds/{world}/inject")
    async def inject(world: KnownWorld, body: Inject) -> Response:
        """Do an operation as a person; journaled with door `control`."""
        principal = plane.host.principal(world, body.person)
        result = plane.host.call(principal, "control", body.operation, body.arguments)
        return Response(line(result), media_type="application/json")

    @app.post("/worlds/{world}/tokens", status_code=201)
    async def tokens(world: KnownWorld, body: Grant) -> dict[str, Any]:
        """A token for an employee, with the addresses to use it at."""
        return plane.grant(world, body)

    @app.post("/worlds/{world}/salvage", status_code=201)
    async def salvage(world: str, body: Salvage) -> dict[str, Any]:
        """A new world from the calls before the damage of this one's log, and where that is; the log stays as it is."""
        return plane.salvage(world, body)

    _add_ending_routes(app, plane)


def _add_ending_routes(app: FastAPI, plane: Plane) -> None:
    """Opening a quarantined world again, and dropping worlds."""

    @app.delete("/worlds/{world}/quarantine", status_code=204)
    async def release(world: str) -> None:
        """Let the callers of a quarantined world in again; what still breaks closes it anew."""
        plane.host.quarantined.release(world)

    @app.delete("/worlds/{world}", status_code=204)
    async def drop(world: str) -> None:
        """Forget a world and its tokens; one on disk is not opened for that."""
        if world not in plane.host.actors and not plane.host.store.holds(world):
            raise HTTPException(404, f"no world {world!r}")
        plane.drop(world)


def _evidence(app: FastAPI, plane: Plane) -> None:
    """Add the routes about what happened in a world, and its grade."""
    host = plane.host

    @app.get("/worlds/{world}/diff")
    async def difference(world: KnownWorld, since: int = 0) -> Response:
        """The net diff since a call: one object per row that is different in the end."""
        rows = [asdict(change) for change in diff.net_diff(host.actors[world].bound, since)]
        return Response(orjson.dumps(rows), media_type="application/json")

    @app.get("/worlds/{world}/history")
    async def history(world: KnownWorld, since: int = 0) -> Response:
        """Calls and changed rows after a call, and what employees asked for so far that no app has."""
        bound = host.actors[world].bound
        names = ("seq", "at", "actor", "door", "operation", "cause_seq", "status")
        calls = [dict(zip(names, one, strict=True)) for one in rows(bound, CALLS) if one[0] > since]
        changed = [asdict(change) for change in changes(bound, since)]
        return Response(
            orjson.dumps({"calls": calls, "changes": changed, "missed": host.misses(world)}),
            media_type="application/json",
        )

    @app.get("/worlds/{world}/trajectory")
    async def trajectory(world: KnownWorld) -> Response:
        """The header and the steps so far, long texts included, as docs/trajectories.md describes them."""
        folder = find_trajectories(plane).write(world)
        contents = Contents(folder / CONTENT_FOLDER)
        steps = [contents.restore(one.row) for one in read_steps(folder)]
        return Response(
            line({"header": read_header(folder).model_dump(), "steps": steps}), media_type="application/json"
        )

    @app.post("/worlds/{world}/harness", status_code=204)
    async def note(world: KnownWorld, body: HarnessNote) -> None:
        """Keep what a harness adds to the last step: tokens, messages, a screenshot; beside the trajectory."""
        find_trajectories(plane).note(world, body)

    @app.get("/worlds/{world}/hash")
    async def state_hash(world: KnownWorld) -> dict[str, str]:
        """The incremental hash of every tracked row."""
        return {"hash": f"{diff.state_hash(host.actors[world].bound, host.store.base)[1]:032x}"}

    @app.post("/worlds/{world}/grade")
    async def grade(world: KnownWorld, public: bool = False, at: int | None = None) -> Response:
        """The verdict of the episode as it stands, or stood after call `at`; the world itself is not touched. `public`
        leaves out the rubric.
        """
        verdict = await plane.grade(world, at)
        shown = orjson.dumps(to_public(orjson.loads(verdict))) if public else verdict
        return Response(shown, media_type="application/json")


def find_trajectories(plane: Plane) -> WorldTrajectories:
    """The trajectories of this server's worlds. Raises HTTPException where none are kept."""
    if plane.trajectories is None:
        raise HTTPException(409, "this server keeps no trajectories")
    return plane.trajectories


class BoundedQueue:
    """Refuses at once, with 429 and Retry-After, what would wait behind `most` requests that are under way."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app, self._most, self._open = app, most, 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # a connection that stays open is no request under way
            await self._app(scope, receive, send)
            return
        if self._open >= self._most:
            body = {"error": "busy", "message": f"{self._most} requests are under way; nothing was done, ask again"}
            answer = Response(orjson.dumps(body), 429, {"retry-after": "1"}, media_type="application/json")
            await answer(scope, receive, send)
            return
        self._open += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._open -= 1


class SecretGuard:
    """Nothing answers without the control secret, its own description included.

    The secret comes as `Authorization: Bearer SECRET`, or as the password of an address (`http://any:SECRET@HOST:PORT`)
    for clients that send no headers of yours.
    """

    def __init__(self, app: ASGIApp, secret: str) -> None:
        self._app, self._expected = app, secret.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket") or self._admits(dict(scope["headers"])):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})
        else:
            body = {"error": "unauthorized", "message": "the control secret is missing or wrong"}
            await Response(orjson.dumps(body), 401, media_type="application/json")(scope, receive, send)

    def _admits(self, headers: dict[bytes, bytes]) -> bool:
        scheme, _, said = headers.get(b"authorization", b"").partition(b" ")
        given = read_password(said) if scheme.lower() == b"basic" else said if scheme == b"Bearer" else b""
        return hmac.compare_digest(given, self._expected)


def read_password(said: bytes) -> bytes:
    """The password of `user:password` in base64; empty for what is neither."""
    try:
        return base64.b64decode(said, validate=True).partition(b":")[2]
    except ValueError:
        return b""


def _errors(app: FastAPI) -> None:
    statuses: dict[type[Exception], Callable[[Any], int]] = {
        ScenarioError: lambda _: 422,
        CapabilityError: lambda _: 503,
        OperationError: lambda _: 409,
        WorldQuarantined: lambda _: 503,
        LookupError: lambda _: 404,
        ValueError: lambda _: 422,
        TooManyWorlds: lambda _: BUSY,
        StoreError: lambda _: 507,
        WorldExists: lambda _: 409,
        UnknownCall: lambda _: 404,
    }

    def answer(kind: type[Exception]) -> None:
        @app.exception_handler(kind)
        async def handler(_: Request, error: Exception) -> Response:
            body = {"error": type(error).__name__, "message": str(error)}
            status = statuses[kind](error)
            again = {"retry-after": "1"} if status == BUSY else None
            return Response(orjson.dumps(body), status, again, media_type="application/json")

    for kind in statuses:
        answer(kind)
