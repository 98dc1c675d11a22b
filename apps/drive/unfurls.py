"""Unfurls of links to files, if the person who shared them may read them."""

import re

from apps.drive.access import by_key, role
from apps.drive.app import app
from apps.drive.mail_notifications import noun
from world.core.app import Facts
from world.core.call import Call

LINK = re.compile(
    r"https?://(?:docs\.google\.com/spreadsheets|drive\.google\.com/(?:file|drive))/(?:d|folders)/(?P<key>[\w-]{10,100})"
)
COLOUR = "188038"


@app.on("link.shared")
def unfurl_link(call: Call, facts: Facts) -> None:
    """Publish name and owner of a linked file, if the sharer may read it."""
    found = LINK.match(str(facts["url"]))
    file = None if found is None else by_key(call, found["key"])
    if file is None or file.trashed_at is not None or not role(call, file, str(facts["person"])):
        return
    call.publish(
        "link.unfurled",
        url=str(facts["url"]),
        place=str(facts["place"]),
        service="Google Drive",
        footer="Google Drive",
        title=file.name,
        said=f"{noun(file).capitalize()} of {call.directory.full_name(file.owner_id)}",
        text="",
        color=COLOUR,
    )
