"""The wire shape of the issue tracker: REST v2 and v3 of the platform, agile 1.0."""

from apps.jira.rest.door import routes
from apps.jira.rest.request_builder import wire
from apps.jira.rest.responses import fault_response, missing_response
from world.web.rest_door import RestDoor

__all__ = ["fault_response", "rest_door", "routes", "wire"]


rest_door = RestDoor(routes, wire, fault_response, missing=missing_response)
