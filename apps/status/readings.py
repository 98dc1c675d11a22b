"""Status pages are not read for grading: employees only read them, and only the vendors' feeds write them."""

from apps.status.app import app

app.declare_unread(
    dict.fromkeys(
        ("status_component", "status_incident", "status_page", "status_update"),
        "no operation of an employee writes it: the vendors' feed does",
    )
)
