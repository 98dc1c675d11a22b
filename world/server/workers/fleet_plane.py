"""The parent's own part of the control plane: what concerns all workers at once."""

import asyncio
import socket
from collections.abc import Mapping
from typing import Any

import orjson
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from world.core.json_types import is_array, is_object
from world.server.control_plane import SecretGuard
from world.server.workers.channel import Packet
from world.server.workers.supervisor import Supervisor, WorkerProcess

OWN = frozenset({"/health", "/ready", "/worlds", "/status", "/metrics"})
BATCHES = frozenset({"/steps", "/grades"})  # each of their items is for the worker that has its world
RETRY_AFTER_S = 1


def fleet_plane(supervisor: Supervisor, secret: str) -> Starlette:
    """The application behind the routes that no single worker can answer."""

    async def health(_: Request) -> Response:
        """Image, number of worlds, and each worker."""
        answers = await ask_all(supervisor, "/health", secret)
        images = {orjson.loads(answer)["image"] for answer in answers.values()}
        body = {
            "image": next(iter(images), None),
            "worlds": len(supervisor.table.worlds),
            "workers": [describe_worker(worker) for worker in supervisor.workers],
        }
        return _json(body)

    async def ready(_: Request) -> Response:
        """Whether every worker serves."""
        up = all(worker.is_up for worker in supervisor.workers)
        return _json({"ready": up}, 200 if up else 503)

    async def worlds(_: Request) -> Response:
        """Names of all worlds."""
        answers = await ask_all(supervisor, "/worlds", secret)
        return _json(sorted(name for answer in answers.values() for name in orjson.loads(answer)))

    async def status(_: Request) -> Response:
        """Health of every world, with its worker."""
        answers = await ask_all(supervisor, "/status", secret)
        return _json([{**one, "worker": number} for number, answer in answers.items() for one in orjson.loads(answer)])

    async def metrics(_: Request) -> Response:
        """The figures of all workers, each with its number."""
        answers = await ask_all(supervisor, "/metrics", secret)
        return PlainTextResponse(merge_metrics(supervisor, answers), media_type="text/plain; version=0.0.4")

    async def batch(request: Request) -> Response:
        """Items for several workers, answered in their order."""
        return await answer_batch(supervisor, request.url.path, await request.body(), secret)

    async def refuse(request: Request) -> Response:
        """A new world with the name of one that another worker has."""
        return _json({"error": "WorldExists", "message": "a world of this name exists already"}, 409)

    plane = Starlette(
        routes=[
            Route("/health", health),
            Route("/ready", ready),
            Route("/worlds", worlds, methods=["GET"]),
            Route("/status", status),
            Route("/metrics", metrics),
            *(Route(path, batch, methods=["POST"]) for path in sorted(BATCHES)),
            Route("/{path:path}", refuse, methods=["POST"]),
        ]
    )
    plane.add_middleware(SecretGuard, secret=secret)
    return plane


def describe_worker(worker: WorkerProcess) -> dict[str, Any]:
    """State of a worker: its process, whether it serves, how often it was started again, how much waits for it."""
    return {
        "worker": worker.settings.number,
        "pid": worker.process.pid if worker.process else None,
        "up": worker.is_up,
        "restarts": worker.restarts,
        "waiting": len(worker.outbox),
    }


async def ask_all(supervisor: Supervisor, path: str, secret: str) -> dict[int, bytes]:
    """The answers of all workers that serve, by number."""
    up = [number for number, worker in enumerate(supervisor.workers) if worker.is_up]
    answers = await asyncio.gather(*(_ask(supervisor, number, path, secret) for number in up))
    return {number: answer for number, answer in zip(up, answers, strict=True) if answer is not None}


async def answer_batch(supervisor: Supervisor, path: str, body: bytes, secret: str) -> Response:
    """Send each worker its items, and put the answers in order. An item of no worker's world is answered by the first."""
    try:
        asked: object = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        return _json({"error": "ValueError", "message": f"not JSON: {error}"}, 422)
    name = "steps" if path == "/steps" else "worlds"
    items: object = asked.get(name) if is_object(asked) else None
    if not is_object(asked) or not is_array(items):
        return _json({"error": "ValueError", "message": f"give `{name}`, a list"}, 422)
    portions: dict[int, list[int]] = {}
    for place, item in enumerate(items):
        world = item.get("world") if is_object(item) else item
        portions.setdefault(supervisor.table.worlds.get(str(world), 0), []).append(place)
    bodies = {owner: orjson.dumps({**asked, name: [items[one] for one in own]}) for owner, own in portions.items()}
    answers = await asyncio.gather(*(_ask(supervisor, one, path, secret, bodies[one]) for one in portions))
    found: dict[int, object] = {}
    for own, answer in zip(portions.values(), answers, strict=True):
        listed: object = orjson.loads(answer) if answer is not None else None
        gone = {"status": 503, "error": "unavailable", "message": "the worker of this world did not answer"}
        found |= zip(own, listed if is_array(listed) else [gone] * len(own), strict=True)
    return _json([found[place] for place in range(len(items))])


async def _ask(supervisor: Supervisor, number: int, path: str, secret: str, body: bytes = b"") -> bytes | None:
    """One worker's answer to a GET, or to a POST of a body; None if it refused, or ended meanwhile."""
    here, there = socket.socketpair()
    head = (
        f"{'POST' if body else 'GET'} {path} HTTP/1.1\r\nhost: control\r\nauthorization: Bearer {secret}\r\n"
        f"content-type: application/json\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
    )
    supervisor.give(number, Packet("control", head.encode() + body, there))
    here.setblocking(False)
    reader, writer = await asyncio.open_connection(sock=here)
    try:
        head_of_answer, _, body = (await reader.read(-1)).partition(b"\r\n\r\n")
    except ConnectionError:
        return None
    finally:
        writer.close()
    return body if head_of_answer.startswith(b"HTTP/1.1 200") else None


def merge_metrics(supervisor: Supervisor, answers: Mapping[int, bytes]) -> str:
    """One text in Prometheus' form: each family once, each sample with the number of its worker."""
    families: dict[str, list[str]] = {}
    for number, answer in answers.items():
        for line in answer.decode().splitlines():
            name = line.split()[2] if line.startswith("#") else line.partition("{")[0].split()[0]
            known = families.setdefault(name, [])
            if not line.startswith("#"):
                known.append(_label(line, number))
            elif line not in known:
                known.append(line)
    own = [
        "# HELP firmament_worker_up Whether a worker serves.",
        "# TYPE firmament_worker_up gauge",
        *(f'firmament_worker_up{{worker="{number}"}} {+one.is_up}' for number, one in enumerate(supervisor.workers)),
        "# HELP firmament_worker_restarts_total Times a worker was started again.",
        "# TYPE firmament_worker_restarts_total counter",
        *(
            f'firmament_worker_restarts_total{{worker="{number}"}} {one.restarts}'
            for number, one in enumerate(supervisor.workers)
        ),
    ]
    return "\n".join([*(line for family in families.values() for line in family), *own]) + "\n"


def _label(sample: str, number: int) -> str:
    named, _, value = sample.rpartition(" ")
    name, _, labels = named.partition("{")
    inner = labels.rstrip("}")
    return f'{name}{{worker="{number}"{"," if inner else ""}{inner}}} {value}'


def _json(body: object, status: int = 200) -> Response:
    headers = {"retry-after": str(RETRY_AFTER_S)} if status == 503 else None
    return Response(orjson.dumps(body), status, headers, media_type="application/json")
