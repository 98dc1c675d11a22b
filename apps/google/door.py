"""The REST door: the routes of the API, and the path of a request to its call."""

from collections.abc import Iterable
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from apps.google import batch, oauth, responses, token_owner
from apps.google.dispatch import Caller
from apps.google.errors import NO_METHOD, TOO_LARGE, ErrorBody
from apps.google.request import ApiRequest, Apis, MethodCall, find_method, is_upload_piece, read_body, request_head
from apps.google.responses import Reply
from apps.google.uploads import Session, Uploads
from world.core.principal import Principal
from world.run.host import Host

METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]
EVERYWHERE = ("/sync/{rest:path}", "/upload/{rest:path}", "/resumable/upload/{rest:path}")


class Door:
    """Answers requests on behalf of one host."""

    def __init__(self, host: Host, apis: Apis) -> None:
        self.apis, self.caller = apis, Caller(host, apis)
        self.uploads = Uploads(self.caller)

    async def api(self, request: Request) -> Response:
        """A method of the API, or an address that is none."""
        if responses.api_not_enabled(request):
            return responses.missing_response(self.caller.front, request, 403)
        asked = request_head(request)
        if is_upload_piece(self.apis, asked):
            return await self._piece(request, asked)
        meant = find_method(self.apis, asked)
        if meant is None or not meant.is_there:
            return self.caller.refuse_unknown_method(asked, meant).response()
        principal = self.caller.principal(asked, meant.api)
        if isinstance(principal, ErrorBody):
            return responses.error_reply(meant.api, principal).response()
        request.scope["firm.world"] = principal.world
        content = await read_body(request, meant.most)
        if content is None:
            return responses.error_reply(meant.api, TOO_LARGE).response()
        return self._whole(replace(asked, content=content), meant, principal).response()

    def _whole(self, asked: ApiRequest, meant: MethodCall, principal: Principal) -> Reply:
        if meant.upload:
            return self.uploads.once(asked, meant, principal)
        return self.caller.answer(asked, meant, principal)

    async def _piece(self, request: Request, asked: ApiRequest) -> Response:
        session: Session | None = self.uploads.session(asked)
        if session is None:
            return responses.error_reply(self.caller.of(asked), NO_METHOD).response()
        request.scope["firm.world"] = session.principal.world
        content = await read_body(request, session.meant.most)
        if content is None:
            return responses.error_reply(session.meant.api, TOO_LARGE).response()
        return self.uploads.piece(session, replace(asked, content=content)).response()

    async def batch(self, request: Request) -> Response:
        """Many calls in one request."""
        asked = request_head(request)
        principal = self.caller.principal(asked, self.caller.front)
        if not isinstance(principal, ErrorBody):
            request.scope["firm.world"] = principal.world
        content = await read_body(request, batch.MAX_BYTES)
        if content is None:
            return responses.error_reply(self.caller.front, TOO_LARGE).response()
        return batch.run_batch(self.caller, replace(asked, content=content)).response()


def routes(host: Host, apis: Apis, *, batches: Iterable[str], paths: Iterable[str]) -> list[BaseRoute]:
    """Every route of an app's APIs, relative to its mount: where batches go, and below which paths methods are."""
    door = Door(host, apis)
    below = [*(f"{path}/{{rest:path}}" for path in paths), *EVERYWHERE]
    many = [Route(path, door.batch, methods=["POST"]) for path in batches]
    return [
        *oauth.routes(host),
        *token_owner.routes(host),
        *many,
        *(Route(path, door.api, methods=METHODS) for path in below),
    ]
