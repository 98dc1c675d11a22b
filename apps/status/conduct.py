"""The status pages of vendors are open to anybody."""

from apps.status.app import app
from world.core.audience import anybody
from world.core.conduct import Conduct

OPEN = Conduct(readers=anybody)

app.declare_conduct(
    {"status_page": OPEN, "status_component": OPEN, "status_incident": OPEN, "status_update": OPEN},
)
