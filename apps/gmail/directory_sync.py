"""Effects of directory changes on copies kept here: the mailbox's address and sender names."""

from sqlmodel import select

from apps.gmail.app import app
from apps.gmail.models import Mailbox, SendAs
from world.core.app import Facts
from world.core.call import Call
from world.script.personnel import RENAMED


@app.on(RENAMED)
def sync_renamed_person(call: Call, facts: Facts) -> None:
    """Update the mailbox's address; mail is sent under the new name unless another one was chosen."""
    person, old = str(facts["person"]), str(facts["old_email"])
    box = call.session.get(Mailbox, person)
    if box is not None:
        box.email = str(facts["email"])
    for row in call.session.exec(select(SendAs).where(SendAs.person_id == person)).all():
        name = str(facts["name"]) if row.display_name == facts["old_name"] else row.display_name
        call.session.delete(row)
        call.flush()
        email = str(facts["email"]) if row.email == old else row.email
        call.session.add(SendAs(**{**row.model_dump(), "email": email, "display_name": name}))
