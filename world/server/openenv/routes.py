"""The addresses below /openenv: one session per WebSocket connection, or one that HTTP requests name."""

from typing import Any

import orjson
from pydantic import TypeAdapter, ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from world.core.errors import OperationError
from world.core.json_types import is_object
from world.run.needs import CapabilityError
from world.run.quarantine import WorldQuarantined
from world.script.errors import ScenarioError
from world.server.control_state import Plane
from world.server.openenv.models import Action, Beginning, Called, ErrorCode, ResetRequest, State, StepRequest
from world.server.openenv.rpc import RemoteCalls
from world.server.openenv.session import EnvSession
from world.server.openenv.tasks import ENVIRONMENT, task_routes
from world.store import StoreError

REFUSALS = (ScenarioError, CapabilityError, OperationError, WorldQuarantined, LookupError, ValueError, StoreError)
NOT_FOUND, UNPROCESSABLE = 404, 422


class OpenEnvDoor:
    """Sessions of one control plane."""

    def __init__(self, plane: Plane) -> None:
        self._plane = plane
        self._sessions: dict[str, EnvSession] = {}  # by episode, of those that HTTP requests name
        self._calls = RemoteCalls(plane)

    def application(self) -> Starlette:
        """The routes."""
        return Starlette(
            routes=[
                Route("/health", self._tell_health),
                Route("/metadata", self._tell_metadata),
                Route("/schema", self._tell_schema),
                Route("/reset", self._reset, methods=["POST"]),
                Route("/step", self._step, methods=["POST"]),
                Route("/state", self._state),
                Route("/mcp", self._call, methods=["POST"]),
                WebSocketRoute("/ws", self._converse),
                *task_routes(),
            ]
        )

    async def _tell_health(self, _: Request) -> Response:
        return _json({"status": "healthy"})

    async def _tell_metadata(self, _: Request) -> Response:
        text = "A simulated company: mail, chat, tickets, code and tables. An action is a tool call."
        return _json({"name": ENVIRONMENT, "description": text, "version": "1"})

    async def _tell_schema(self, _: Request) -> Response:
        seen = TypeAdapter[Beginning | Called](Beginning | Called).json_schema()
        state = TypeAdapter(State).json_schema()
        return _json({"action": Action.model_json_schema(), "observation": seen, "state": state})

    async def _reset(self, request: Request) -> Response:
        try:
            asked = ResetRequest.model_validate_json(await request.body() or b"{}")
            session = EnvSession(self._plane)
            answer = await session.reset(asked)
        except ValidationError as error:
            return _json({"detail": list_problems(error)}, UNPROCESSABLE)
        except REFUSALS as error:
            return _json({"detail": str(error)}, UNPROCESSABLE)
        self._sessions = {world: one for world, one in self._sessions.items() if self._plane.knows(world)}
        self._sessions[str(session.world)] = session
        return _json(answer)

    async def _step(self, request: Request) -> Response:
        try:
            asked = StepRequest.model_validate_json(await request.body())
            session = self._sessions.get(asked.episode_id)
            if session is None:
                return _json({"detail": f"no episode {asked.episode_id!r} was reset over HTTP"}, NOT_FOUND)
            return _json(await session.step(asked.action))
        except ValidationError as error:
            return _json({"detail": list_problems(error)}, UNPROCESSABLE)
        except REFUSALS as error:
            return _json({"detail": str(error)}, UNPROCESSABLE)

    async def _state(self, request: Request) -> Response:
        session = self._sessions.get(request.query_params.get("episode_id", ""))
        return _json((session or EnvSession(self._plane)).describe())

    async def _call(self, request: Request) -> Response:
        return _json(await self._calls.answer(await request.body()))

    async def _converse(self, socket: WebSocket) -> None:
        """Serve one connection; its world is gone with it, unless an HTTP session owns that."""
        await socket.accept()
        named = socket.query_params.get("session_id")
        session = EnvSession(self._plane) if named is None else self._calls.sessions.get(named)
        if session is None:
            await socket.send_text(_fail("SESSION_ERROR", f"no session {named!r}"))
            await socket.close()
            return
        try:
            while (answer := await self._answer(session, await socket.receive_text(), socket.scope)) is not None:
                await socket.send_text(answer)
            await socket.close()
        except WebSocketDisconnect:
            pass
        finally:
            if named is None:
                session.close()

    async def _answer(self, session: EnvSession, said: str, scope: Any) -> str | None:
        """The answer to one message; None to `close`."""
        try:
            message: object = orjson.loads(said)
        except orjson.JSONDecodeError as error:
            return _fail("INVALID_JSON", f"Invalid JSON: {error}")
        kind: Any = message.get("type") if is_object(message) else None
        data: Any = message.get("data", {}) if is_object(message) else {}
        try:
            match kind:
                case "reset":
                    answer = await session.reset(ResetRequest.model_validate(data))
                    scope["firm.world"] = session.world
                    return _tell("observation", answer)
                case "step":
                    return _tell("observation", await session.step(Action.model_validate(data)))
                case "state":
                    return _tell("state", session.describe())
                case "mcp":
                    return _tell("mcp", await self._calls.answer_in(session, data))
                case "close":
                    return None
                case _:
                    return _fail("UNKNOWN_TYPE", f"Unknown message type: {kind}")
        except ValidationError as error:
            return _fail("VALIDATION_ERROR", "; ".join(list_problems(error)))
        except REFUSALS as error:
            return _fail("EXECUTION_ERROR", str(error))


def list_problems(error: ValidationError) -> list[str]:
    """`field: message` for each field that does not fit."""
    return [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors(include_url=False)]


def _tell(kind: str, data: object) -> str:
    return orjson.dumps({"type": kind, "data": data}).decode()


def _fail(code: ErrorCode, message: str) -> str:
    return _tell("error", {"code": code, "message": message})


def _json(body: object, status: int = 200) -> Response:
    return Response(orjson.dumps(body), status, media_type="application/json")
