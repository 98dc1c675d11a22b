"""The wire shape of the mail API: methods, uploads, batches, and the tokens that open them."""

from collections.abc import Mapping
from functools import partial

from starlette.routing import BaseRoute

from apps.gmail.app import app
from apps.gmail.refusals import refusal
from apps.gmail.rest.api import API
from apps.google import door, oauth, request_builder, responses
from world.core.request_builder import Wire
from world.run.host import Host
from world.web.rest_door import RestDoor

__all__ = ["fault_response", "refusal", "rest_door", "routes", "wire"]

fault_response = partial(responses.fault_response, API)
oauth.offer_credentials(app)


def routes(host: Host) -> list[BaseRoute]:
    """Every route of the API, relative to the app's mount."""
    return door.routes(host, (API,), batches=("/batch", "/batch/gmail/v1"), paths=("/gmail/v1", "/v1"))


def wire(operation: str, arguments: Mapping[str, object]) -> Wire:
    """The request that asks for an operation."""
    return request_builder.wire((API,), operation, arguments, userId="me")


rest_door = RestDoor(routes, wire, fault_response, refusal, missing=partial(responses.missing_response, API))
