"""The vendors' own host names, for clients that take no other address: a proxy whose tunnels end in our own TLS
listener.

No connection ever leaves: a host that no app stands for is refused.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from fnmatch import fnmatchcase
from socket import socket

MOST_HEAD = 16_384
CHUNK = 65_536


@asynccontextmanager
async def tunnels(listen: socket, names: Iterable[str], ports: Mapping[str, int]) -> AsyncGenerator[None, None]:
    """Serve a proxy while the context is open. `ports` are our own listeners on loopback: `https`, and `http` for plain
    requests.
    """
    known = tuple(names)
    under_way: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            under_way.add(task)
            task.add_done_callback(under_way.discard)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                await _serve(reader, writer, known, ports)
        finally:
            writer.transport.abort()

    server = await asyncio.start_server(serve, sock=listen, limit=MOST_HEAD)
    try:
        yield
    finally:
        server.close()
        for task in list(under_way):
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)


async def _serve(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, names: tuple[str, ...], ports: Mapping[str, int]
) -> None:
    head = await reader.readuntil(b"\r\n\r\n")
    method, _, rest = head.partition(b" ")
    target = rest.split(b" ", 1)[0].decode("latin-1")
    tunnel = method == b"CONNECT"
    host = target.removeprefix("http://").partition("/")[0].partition(":")[0]
    if not any(fnmatchcase(host.lower(), name) for name in names):
        writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()
        return
    inner, outer = await asyncio.open_connection("127.0.0.1", ports["https" if tunnel else "http"])
    try:
        if tunnel:
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            outer.write(head)
        await asyncio.gather(_pump(reader, outer), _pump(inner, writer))
    finally:
        outer.transport.abort()


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    """Everything from one side to the other, then the end."""
    with suppress(ConnectionError):
        while data := await source.read(CHUNK):
            sink.write(data)
            await sink.drain()
    if sink.can_write_eof():
        with suppress(OSError):
            sink.write_eof()
