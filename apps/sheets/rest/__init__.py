"""The wire shape of Sheets and Drive: methods of both, uploads, downloads, batches, and the tokens that open them."""

from functools import partial

from starlette.routing import BaseRoute

from apps.google import door, oauth, partial_responses, responses
from apps.sheets.app import app
from apps.sheets.refusals import refusal
from apps.sheets.rest.api import APIS, SHEETS
from apps.sheets.rest.request_builder import wire
from world.run.host import Host
from world.web.rest_door import RestDoor

__all__ = ["APIS", "fault_response", "refusal", "rest_door", "routes", "wire"]

fault_response = partial(responses.fault_response, SHEETS)
oauth.offer_credentials(app)


def routes(host: Host) -> list[BaseRoute]:
    """Every route of the two APIs, relative to the app's mount."""
    return door.routes(
        host, APIS, batches=("/batch", "/batch/sheets/v4", "/batch/drive/v3"), paths=("/v4", "/drive/v3")
    )


rest_door = RestDoor(
    routes,
    wire,
    fault_response,
    refusal,
    missing=partial(responses.missing_response, SHEETS),
    find_selector=partial(partial_responses.find_selector, (SHEETS,)),
)
