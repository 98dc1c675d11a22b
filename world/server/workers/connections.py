"""Connections that were accepted elsewhere: served here as uvicorn serves its own, and given back when a request on
them is for another worker.
"""

import asyncio
import os
import socket
from collections.abc import Callable
from functools import partial
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

Mine = Callable[[bytes], bool]
GiveBack = Callable[[socket.socket, bytes], None]


class HandedProtocol(HttpToolsProtocol):
    """One connection. Its first request is served in any case; of later ones `mine` tells by their first bytes."""

    def __init__(self, mine: Mine, give_back: GiveBack, **known: Any) -> None:
        super().__init__(**known)
        self._mine, self._give_back = mine, give_back
        self._is_settled = True
        self._between = True  # no request has begun that has not been read to its end

    def data_received(self, data: bytes) -> None:
        """Look at the first bytes of each request before anything is done with them."""
        if self._between and self._is_answered() and not self._is_settled and not self._mine(data):
            self._leave(data)
            return
        self._is_settled = False
        super().data_received(data)

    def on_message_begin(self) -> None:
        """Told by the parser."""
        self._between = False
        super().on_message_begin()

    def on_message_complete(self) -> None:
        """Told by the parser."""
        self._between = True
        super().on_message_complete()

    def _is_answered(self) -> bool:
        """Whether every request so far has its response; a pipelined one is served where it arrived."""
        cycle: Any = self.cycle
        return not self.pipeline and (cycle is None or bool(cycle.response_complete))

    def _leave(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        known: socket.socket = self.transport.get_extra_info("socket")
        copy = socket.socket(fileno=os.dup(known.fileno()))
        self.transport.abort()
        self._give_back(copy, data)


class HandedConnections:
    """The connections of one plane."""

    def __init__(self, server: uvicorn.Server, mine: Mine, give_back: GiveBack) -> None:
        self._server, self._mine, self._give_back = server, mine, give_back

    async def serve(self, connection: socket.socket, first: bytes) -> None:
        """Serve a connection from the bytes that were read already."""
        make = partial(
            HandedProtocol,
            self._mine,
            self._give_back,
            config=self._server.config,
            server_state=self._server.server_state,
            app_state=self._server.lifespan.state,
        )
        connection.setblocking(False)
        _, protocol = await asyncio.get_running_loop().connect_accepted_socket(make, connection)
        protocol.data_received(first)
