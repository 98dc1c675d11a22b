"""Effects of directory changes on copies kept here: addresses of permissions."""

from sqlmodel import select

from apps.drive.app import app
from apps.drive.models import Permission
from world.core.app import Facts
from world.core.call import Call
from world.script.personnel import RENAMED


@app.on(RENAMED)
def update_address(call: Call, facts: Facts) -> None:
    """Update a person's address in permissions."""
    for row in call.session.exec(select(Permission).where(Permission.person_id == str(facts["person"]))).all():
        row.email = str(facts["email"])
