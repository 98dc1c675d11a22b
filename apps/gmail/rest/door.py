"""The REST door: the routes of the API, and how a request comes to its call."""

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from apps.gmail.refusals import NO_METHOD, TOO_LARGE, ErrorBody
from apps.gmail.rest import answers, batch, oauth
from apps.gmail.rest.answers import Reply
from apps.gmail.rest.asked import Asked, Meant, is_piece, method_of, read, seen
from apps.gmail.rest.calling import Caller
from apps.gmail.rest.uploads import Session, Uploads
from world.access import Principal
from world.host import Host

METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]
PATHS = (
    "/gmail/v1/{rest:path}", "/v1/{rest:path}", "/sync/{rest:path}", "/upload/{rest:path}", "/resumable/upload/{rest:path}",
)  # fmt: skip


class Door:
    """Answers requests on behalf of one host."""

    def __init__(self, host: Host) -> None:
        self.caller = Caller(host)
        self.uploads = Uploads(self.caller)

    async def api(self, request: Request) -> Response:
        """A method of the API, or an address that is none."""
        asked = seen(request)
        if is_piece(asked):
            return await self._piece(request, asked)
        meant = method_of(asked)
        if meant is None or meant.line.declared is None:
            return self.caller.missing(asked, meant).response()
        principal = self.caller.principal(asked)
        if isinstance(principal, ErrorBody):
            return answers.failed(principal).response()
        request.scope["firm.world"] = principal.world
        content = await read(request, meant.most)
        if content is None:
            return answers.failed(TOO_LARGE).response()
        return self._whole(replace(asked, content=content), meant, principal).response()

    def _whole(self, asked: Asked, meant: Meant, principal: Principal) -> Reply:
        if meant.upload:
            return self.uploads.once(asked, meant, principal)
        return self.caller.answer(asked, meant, principal)

    async def _piece(self, request: Request, asked: Asked) -> Response:
        session: Session | None = self.uploads.session(asked)
        if session is None:
            return answers.failed(NO_METHOD).response()
        request.scope["firm.world"] = session.principal.world
        content = await read(request, session.meant.most)
        if content is None:
            return answers.failed(TOO_LARGE).response()
        return self.uploads.piece(session, replace(asked, content=content)).response()

    async def batch(self, request: Request) -> Response:
        """Many calls in one request."""
        asked = seen(request)
        principal = self.caller.principal(asked)
        if not isinstance(principal, ErrorBody):
            request.scope["firm.world"] = principal.world
        content = await read(request, batch.MAX_BYTES)
        if content is None:
            return answers.failed(TOO_LARGE).response()
        return batch.run(self.caller, replace(asked, content=content)).response()


def routes(host: Host) -> list[BaseRoute]:
    """Every route of the API, relative to the app's mount."""
    door = Door(host)
    batches = [Route(path, door.batch, methods=["POST"]) for path in ("/batch", "/batch/gmail/v1")]
    return [*oauth.routes(host), *batches, *(Route(path, door.api, methods=METHODS) for path in PATHS)]
