"""The wire shape of the drive: methods, uploads, downloads, batches, and the tokens that open them."""

from functools import partial

from starlette.routing import BaseRoute

from apps.drive.app import app
from apps.drive.refusals import refusal
from apps.drive.rest.api import DRIVE
from apps.drive.rest.request_builder import wire
from apps.google import door, oauth, partial_responses, responses
from world.run.host import Host
from world.web.rest_door import RestDoor

__all__ = ["DRIVE", "fault_response", "refusal", "rest_door", "routes", "wire"]

fault_response = partial(responses.fault_response, DRIVE)
oauth.offer_credentials(app)


def routes(host: Host) -> list[BaseRoute]:
    """Every route of the API, relative to the app's mount."""
    return door.routes(host, (DRIVE,), batches=("/batch", "/batch/drive/v3"), paths=("/drive/v3",))


rest_door = RestDoor(
    routes,
    wire,
    fault_response,
    refusal,
    missing=partial(responses.missing_response, DRIVE),
    find_selector=partial(partial_responses.find_selector, (DRIVE,)),
)
