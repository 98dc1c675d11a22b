"""A connection that breaks in the middle of an answer."""

from starlette.responses import Response
from starlette.types import Receive, Scope, Send


class CutResponse(Response):
    """Promises a whole answer and sends only its beginning."""

    def __init__(self, begun: bytes, content_type: str) -> None:
        super().__init__()
        self.begun, self.content_type = begun, content_type

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send status, headers and the first bytes, and stop."""
        headers = [(b"content-type", self.content_type.encode()), (b"content-length", b"4096")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": self.begun, "more_body": True})
