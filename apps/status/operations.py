"""Operations that read a vendor's status page, and the world's write operation; shapes of Statuspage's public API."""

from typing import Annotated, Literal, TypedDict

from pydantic import Field
from sqlmodel import col, select

from apps.status.app import app
from apps.status.models import Component, Incident, StatusPage, Update
from world.core.call import Call
from world.core.clock import iso
from world.core.errors import OperationError
from world.core.params import NoParams, Params, Text

SOURCE = "metastatuspage.com/api"
DEPTH = {"operational": 0, "degraded_performance": 1, "partial_outage": 2, "major_outage": 3}
INDICATOR = ("none", "minor", "major", "critical")
WORDS = {
    "none": "All Systems Operational",
    "minor": "Minor Service Outage",
    "major": "Partial System Outage",
    "critical": "Major Service Outage",
}
ComponentStatus = Literal["operational", "degraded_performance", "partial_outage", "major_outage"]
IncidentStatus = Literal["investigating", "identified", "monitoring", "resolved", "postmortem"]
Impact = Literal["none", "minor", "major", "critical"]


class PageAbout(TypedDict):
    """Identity of a page; `updated_at` is ISO 8601, UTC."""

    id: str
    name: str
    url: str
    time_zone: str
    updated_at: str


class StatusAbout(TypedDict):
    """The page's headline."""

    indicator: str
    description: str


class ComponentAbout(TypedDict):
    """A service or region."""

    name: str
    status: str
    position: int
    updated_at: str


class UpdateAbout(TypedDict):
    """One note of an incident."""

    id: str
    status: str
    body: str
    created_at: str


class IncidentAbout(TypedDict):
    """An incident with its notes, newest first."""

    id: str
    name: str
    status: str
    impact: str
    created_at: str
    updated_at: str
    resolved_at: str | None
    shortlink: str
    incident_updates: list[UpdateAbout]


class Summary(TypedDict):
    """`/api/v2/summary.json`: headline, components, open incidents."""

    page: PageAbout
    status: StatusAbout
    components: list[ComponentAbout]
    incidents: list[IncidentAbout]


class Incidents(TypedDict):
    """`/api/v2/incidents.json`: open and past incidents, newest first."""

    page: PageAbout
    incidents: list[IncidentAbout]


class PageList(TypedDict):
    """The vendors with a page, each with its headline."""

    pages: list[Summary]


class OfVendor(Params):
    """Vendor of a page."""

    vendor: Annotated[Text, Field(max_length=60)] = Field(description="The page's id: aws, slack ...", examples=["aws"])


class Post(Params):
    """A note on an incident; a new incident when `incident` names none that exists."""

    vendor: Annotated[Text, Field(max_length=60)] = Field(description="The page's id.")
    incident: Annotated[Text, Field(max_length=60)] = Field(description="The incident's id, chosen by the writer.")
    name: Annotated[Text, Field(max_length=200)] = Field(default="", description="Headline of a new incident.")
    status: IncidentStatus = Field(description="What the vendor claims.")
    impact: Impact = Field(default="minor", description="How bad the vendor says it is.")
    body: Annotated[Text, Field(max_length=4000)] = Field(description="The note.")
    components: dict[str, ComponentStatus] = Field(
        default_factory=dict, description="Component name to its new status."
    )


@app.rule("page.write")
def may_write(call: Call, vendor: str) -> str | None:
    """Only the vendor's own feed writes a page; employees read."""
    return None if call.principal.kind == "bot" and call.me.handle == "vendor-status" else "forbidden"


@app.operation("status.pages", source=SOURCE, examples=[{}])
def pages(call: Call, params: NoParams) -> PageList:
    """List the vendors' public status pages with their current headline; pages may lag behind the truth."""
    found = call.session.exec(select(StatusPage).order_by(StatusPage.name, StatusPage.id))
    return {"pages": [_summary_to_json(call, page) for page in found]}


@app.operation("status.summary", source=SOURCE, examples=[{"vendor": "aws"}], raises=("not_found",))
def summary(call: Call, params: OfVendor) -> Summary:
    """Read one vendor's status page: headline, components, open incidents with their notes."""
    return _summary_to_json(call, _get_page(call, params.vendor))


@app.operation("status.incidents", source=SOURCE, examples=[{"vendor": "aws"}], raises=("not_found",))
def incidents(call: Call, params: OfVendor) -> Incidents:
    """Read a vendor's open and past incidents, newest first."""
    page = _get_page(call, params.vendor)
    return {"page": _page_to_json(call, page), "incidents": _incidents_to_json(call, page, past=True)}


@app.operation(
    "status.post",
    source=SOURCE,
    writes=True,
    examples=[
        {
            "vendor": "aws",
            "incident": "inc-1",
            "name": "Errors",
            "status": "investigating",
            "body": "We are investigating.",
        }
    ],
    raises=("forbidden", "not_found"),
)
def post(call: Call, params: Post) -> IncidentAbout:
    """Add a note to an incident on a status page (vendor's feed only)."""
    call.authorise("page.write", params.vendor)
    page = _get_page(call, params.vendor)
    incident = call.session.get(Incident, params.incident) or Incident(
        id=params.incident,
        page_id=page.id,
        name=params.name,
        status=params.status,
        impact=params.impact,
        created_at=call.now,
        updated_at=call.now,
    )
    incident.status, incident.impact, incident.updated_at = params.status, params.impact, call.now
    incident.resolved_at = call.now if params.status in ("resolved", "postmortem") else None
    call.session.add(incident)
    call.session.add(
        Update(
            id=call.ids.hex(12), incident_id=incident.id, status=params.status, body=params.body, created_at=call.now
        )
    )
    for name, status in params.components.items():
        _set_component(call, page, name, status)
    call.flush()
    return _incident_to_json(call, page, incident)


def _set_component(call: Call, page: StatusPage, name: str, status: str) -> None:
    component = call.session.get(Component, (page.id, name))
    if component is None:
        raise OperationError("not_found", component=name)
    component.status, component.updated_at = status, call.now
    call.session.add(component)


def _get_page(call: Call, vendor: str) -> StatusPage:
    found = call.session.get(StatusPage, vendor)
    if found is None:
        raise OperationError("not_found", vendor=vendor)
    return found


def _summary_to_json(call: Call, page: StatusPage) -> Summary:
    components = _components_to_json(call, page)
    worst = max((DEPTH[c["status"]] for c in components), default=0)
    return {
        "page": _page_to_json(call, page),
        "status": {"indicator": INDICATOR[worst], "description": WORDS[INDICATOR[worst]]},
        "components": components,
        "incidents": _incidents_to_json(call, page, past=False),
    }


def _page_to_json(call: Call, page: StatusPage) -> PageAbout:
    updated = call.scalar(
        select(Incident.updated_at)
        .where(Incident.page_id == page.id)
        .order_by(col(Incident.updated_at).desc(), Incident.id)
    )
    return {
        "id": page.id,
        "name": page.name,
        "url": f"{call.base_url}/{page.id}",
        "time_zone": "Etc/UTC",
        "updated_at": iso(updated or page.created_at),
    }


def _components_to_json(call: Call, page: StatusPage) -> list[ComponentAbout]:
    rows = call.session.exec(
        select(Component).where(Component.page_id == page.id).order_by(col(Component.position), Component.name)
    )
    return [{"name": c.name, "status": c.status, "position": c.position, "updated_at": iso(c.updated_at)} for c in rows]


def _incidents_to_json(call: Call, page: StatusPage, *, past: bool) -> list[IncidentAbout]:
    query = select(Incident).where(Incident.page_id == page.id).order_by(col(Incident.created_at).desc(), Incident.id)
    if not past:
        query = query.where(col(Incident.resolved_at).is_(None))
    return [_incident_to_json(call, page, incident) for incident in call.session.exec(query.limit(50))]


def _incident_to_json(call: Call, page: StatusPage, incident: Incident) -> IncidentAbout:
    notes = call.session.exec(
        select(Update).where(Update.incident_id == incident.id).order_by(col(Update.created_at).desc(), Update.id)
    )
    return {
        "id": incident.id,
        "name": incident.name,
        "status": incident.status,
        "impact": incident.impact,
        "created_at": iso(incident.created_at),
        "updated_at": iso(incident.updated_at),
        "resolved_at": iso(incident.resolved_at) if incident.resolved_at else None,
        "shortlink": f"{call.base_url}/{page.id}/incidents/{incident.id}",
        "incident_updates": [
            {"id": n.id, "status": n.status, "body": n.body, "created_at": iso(n.created_at)} for n in notes
        ],
    }
