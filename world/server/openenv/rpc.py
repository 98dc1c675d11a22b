"""Tools of a session as JSON-RPC: lists and calls without a reward, and sessions that HTTP requests open and close."""

from collections.abc import Mapping
from itertools import count
from typing import Any

import orjson

from world.core.json_types import is_object
from world.server.control_state import Plane
from world.server.openenv.session import EnvSession, NotReset

PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS, SERVER_ERROR = -32700, -32600, -32601, -32602, -32000
MOST_SESSIONS = 10_000


class RpcError(Exception):
    """A refusal with the number that JSON-RPC gives it."""

    def __init__(self, number: int, message: str) -> None:
        super().__init__(message)
        self.number = number


class RemoteCalls:
    """Sessions by id. The id ends with the number of the worker that has the session (`s3-1`), unless that is the first."""

    def __init__(self, plane: Plane) -> None:
        self._plane = plane
        self.sessions: dict[str, EnvSession] = {}
        self._numbers = count(1)

    async def answer(self, body: bytes) -> dict[str, Any]:
        """The answer to a request over HTTP, which names its session in its parameters."""
        try:
            asked = orjson.loads(body)
        except orjson.JSONDecodeError as error:
            return _fail(None, RpcError(PARSE_ERROR, f"not JSON: {error}"))
        return await self._reply(asked, None)

    async def answer_in(self, session: EnvSession, asked: object) -> dict[str, Any]:
        """The answer to a request on a connection that has a session."""
        return await self._reply(asked, session)

    async def _reply(self, asked: object, session: EnvSession | None) -> dict[str, Any]:
        number: Any = asked.get("id") if is_object(asked) else None
        try:
            if not is_object(asked) or not isinstance(asked.get("method"), str):
                raise RpcError(INVALID_REQUEST, "a request has a method")
            given: object = asked.get("params") or {}
            if not is_object(given):
                raise RpcError(INVALID_PARAMS, "params must be an object")
            return {"jsonrpc": "2.0", "id": number, "result": self._perform(asked["method"], given, session)}
        except RpcError as error:
            return _fail(number, error)

    def _perform(self, method: str, given: Mapping[str, Any], session: EnvSession | None) -> Any:
        match method:
            case "openenv/session/create":
                return {"session_id": self._open()}
            case "openenv/session/close":
                self._find(given).close()
                del self.sessions[given["session_id"]]
                return {"session_id": given["session_id"], "closed": True}
            case "tools/list":
                return {"tools": [dict(one) for one in self._plane.tools.list_tools()]}
            case "tools/call":
                return self._call(session or self._find(given), given)
            case _:
                raise RpcError(NO_METHOD, f"Method not found: {method}")

    def _open(self) -> str:
        if len(self.sessions) >= MOST_SESSIONS:
            raise RpcError(SERVER_ERROR, f"{MOST_SESSIONS} sessions are open; close some")
        name = f"s{next(self._numbers)}{self._plane.suffix}"
        self.sessions[name] = EnvSession(self._plane)
        return name

    def _find(self, given: Mapping[str, Any]) -> EnvSession:
        found = self.sessions.get(str(given.get("session_id")))
        if found is None:
            raise RpcError(INVALID_PARAMS, f"Unknown session_id: {given.get('session_id')}")
        return found

    def _call(self, session: EnvSession, given: Mapping[str, Any]) -> Any:
        name, arguments = given.get("name"), given.get("arguments", {})
        if not isinstance(name, str) or not is_object(arguments):
            raise RpcError(INVALID_PARAMS, "a call has a name, and arguments that are an object")
        try:
            seen = session.call(name, dict(arguments))
        except NotReset as error:
            raise RpcError(INVALID_REQUEST, str(error)) from None
        if seen["result"] is None or seen["error"] is not None:
            failure = seen["error"]
            raise RpcError(
                INVALID_PARAMS if seen["result"] is None else SERVER_ERROR, failure["message"] if failure else ""
            )
        return seen["result"]


def _fail(number: Any, error: RpcError) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": error.number, "message": str(error)}}
