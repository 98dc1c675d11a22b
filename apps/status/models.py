"""Tables of the status pages. Times are microseconds since the epoch, UTC."""

# SQLModel types __tablename__ as a declared attribute
# pyright: reportAssignmentType=false

from sqlmodel import Field, SQLModel


class StatusPage(SQLModel, table=True):
    """A vendor's page; `id` is its address (`aws`, `slack`)."""

    __tablename__ = "status_page"
    id: str = Field(primary_key=True)
    name: str
    created_at: int = 0


class Component(SQLModel, table=True):
    """A service or region on a page. `status`: operational, degraded_performance, partial_outage, major_outage."""

    __tablename__ = "status_component"
    __table_args__ = {"info": {"volatile": ["updated_at"]}}
    page_id: str = Field(primary_key=True)
    name: str = Field(primary_key=True)
    status: str = "operational"
    position: int = 0
    updated_at: int = 0


class Incident(SQLModel, table=True):
    """An incident on a vendor's page. `status`: investigating, identified, monitoring, resolved, postmortem."""

    __tablename__ = "status_incident"
    __table_args__ = {"info": {"volatile": ["updated_at"]}}
    id: str = Field(primary_key=True)
    page_id: str = Field(index=True)
    name: str
    status: str
    impact: str
    created_at: int
    updated_at: int
    resolved_at: int | None = None


class Update(SQLModel, table=True):
    """One note of an incident, in the vendor's words."""

    __tablename__ = "status_update"
    id: str = Field(primary_key=True)
    incident_id: str = Field(index=True)
    status: str
    body: str
    created_at: int
