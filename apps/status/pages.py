"""The browser UI of the status pages: all vendors, one vendor, its history."""

from datetime import datetime

from apps.status.operations import DEPTH
from world.core.clock import MONTHS
from world.web import Pages, View
from world.web.pages import PageContext
from world.web.refusals import Refusal

WORDS = {
    "operational": "Operational",
    "degraded_performance": "Degraded performance",
    "partial_outage": "Partial outage",
    "major_outage": "Major outage",
}
REFUSALS = {
    "not_found": Refusal(404, "There is no status page here."),
    "forbidden": Refusal(403, "Only the vendor's own feed writes this page."),
}


def format_utc(at: str) -> str:
    """Format an ISO instant as `Mar 2, 14:05 UTC`, in UTC for every reader."""
    moment = datetime.fromisoformat(at)
    return f"{MONTHS[moment.month - 1][:3]} {moment.day}, {moment:%H:%M} UTC"


pages = Pages("status", refusals=REFUSALS, search_path="/", search_label="Search vendors", filters={"utc": format_utc})
PLACES = {
    "status.pages": "/",
    "status.summary": "/{vendor}",
    "status.incidents": "/{vendor}/history",
    "status.post": "/{vendor}/post",
}


@pages.page("/", template="vendors.html")
def vendors(view: View) -> PageContext:
    """Every vendor with a page, filtered by the search box."""
    found = view.call("status.pages")["pages"]
    wanted = view.query.get("q", "").casefold()
    return {"vendors": [one for one in found if wanted in one["page"]["name"].casefold()], "title": "All vendors"}


@pages.page("/{vendor}", template="vendor.html")
def vendor_page(view: View, vendor: str) -> PageContext:
    """Show the current state of one vendor."""
    found = view.call("status.summary", vendor=vendor)
    order = sorted(found["components"], key=lambda c: (-DEPTH[c["status"]], c["position"]))
    return {"summary": found, "components": order, "words": WORDS, "title": found["page"]["name"]}


@pages.page("/{vendor}/history", template="history.html")
def history(view: View, vendor: str) -> PageContext:
    """Past and open incidents of one vendor."""
    found = view.call("status.incidents", vendor=vendor)
    return {"page": found["page"], "incidents": found["incidents"], "title": f"{found['page']['name']} history"}


@pages.page("/{vendor}/post", template="post.html")
def post(view: View, vendor: str) -> PageContext:
    """Show the form in which a vendor's feed could write by hand; no page links here."""
    return {"summary": view.call("status.summary", vendor=vendor), "title": "Post an update"}
