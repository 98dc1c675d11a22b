"""The status pages of vendors are open to anybody."""

from apps.status.app import app
from apps.status.models import Component, Incident, StatusPage, Update
from world.core.audience import anybody
from world.core.conduct import Conduct

TABLES = (StatusPage, Component, Incident, Update)

app.declare_conduct({str(table.__tablename__): Conduct(readers=anybody) for table in TABLES})
