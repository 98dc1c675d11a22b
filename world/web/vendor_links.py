"""Links to the vendors' own sites, as texts of the company hold them, lead to the same thing here when followed."""

import re
from collections.abc import Mapping

from world.core.directory import Company
from world.run.host import Host
from world.store.queries import row
from world.web.mount import MountPoint

LINK = re.compile(r'(<a\b[^>]*?\bhref=")https://([a-z0-9.-]+)(/[^"]*)?(")', re.IGNORECASE)
COLUMNS = tuple(Company.model_fields)
_COMPANY = f"SELECT {', '.join(COLUMNS)} FROM company WHERE id = 1"


def lead_home(host: Host, world: str, place: MountPoint, text: str) -> str:
    """Return a page whose links to the vendors' sites have our own addresses; their words stay.

    A page reached under a vendor's own name keeps its links as they are.
    """
    if 'href="https://' not in text:
        return text
    sites = find_sites(host, world)
    if place.netloc in sites:
        return text

    def lead(found: re.Match[str]) -> str:
        app = sites.get(found[2].lower())
        return found[0] if app is None else f"{found[1]}{place.app_url(app, found[3] or '/')}{found[4]}"

    return LINK.sub(lead, text)


def find_sites(host: Host, world: str) -> Mapping[str, str]:
    """Return the host names of the vendors' sites of a world's company, with the app of each."""
    found = row(host.actor(world).bound, _COMPANY)
    if found is None:
        return {}
    company = dict(zip(COLUMNS, found, strict=True))
    return {app.site.format_map(company).removeprefix("https://"): name for name, app in host.apps.items() if app.site}
