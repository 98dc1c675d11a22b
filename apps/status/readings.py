"""Why the pages of vendors are not read for grading: employees read them, and the vendors' feed alone writes them."""

from apps.status.app import app

app.declare_unread(
    dict.fromkeys(
        ("status_component", "status_incident", "status_page", "status_update"),
        "no operation of an employee writes it: the vendors' feed does",
    )
)
