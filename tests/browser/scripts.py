"""What the script tests of all apps share: a hostile world behind a server, its pages, and Chromium looking at every
one.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

import httpx
from playwright.sync_api import Browser, Page, Route
from sqlmodel import SQLModel

from tests.browser.conftest import Office, Site
from tests.browser.crawl import Crawler
from tests.browser.hostile import Harvest, Leaf, Sower
from tests.company import host as make_host
from world.core import discovery
from world.core.principal import Principal
from world.core.settings import Settings
from world.run.host import Host
from world.web.pages import Pages
from world.web.session import COOKIE

SHOWN = 5  # addresses of a declared page
NEVER = "applet,base,embed,foreignObject,frame,frameset,iframe:not([sandbox]),marquee,math,object,portal,style,template,video,audio,xss"
AUDIT = """(never) => {
  const bad = [...document.querySelectorAll(never)].map(e => `<${e.localName}>`);
  const tell = (e, name, value) => bad.push(`${e.localName} ${name}=${value.slice(0, 60)}`);
  for (const e of document.querySelectorAll("*")) for (const {name, value} of e.attributes) {
    if (/^(on|hx-on|data-hx|srcdoc$)/i.test(name)) bad.push(`${e.localName} ${name}=${value.slice(0, 60)}`);
    if (/^(src|srcset|poster|background|data|formaction|ping)$/i.test(name) && !/^(\\/(?![\\/\\\\])|data:image)/.test(value)) tell(e, name, value);
    if (e.href && !["http:", "https:", "mailto:", "tel:"].includes(new URL(e.href, location).protocol)) tell(e, "href", e.href);
    if (e.localName !== "a" && name === "href" && new URL(value, location).origin !== location.origin) tell(e, name, value);
    if (e.localName === "form" && new URL(e.getAttribute("action") || "/", location).origin !== location.origin) bad.push(`form ${e.action}`);
  }
  for (const e of document.querySelectorAll("iframe"))
    if (!e.hasAttribute("sandbox") || /allow-(scripts|top|forms)/.test(e.getAttribute("sandbox"))) bad.push(`frame ${e.src}`);
  for (const e of document.scripts) if (!e.src.startsWith(location.origin + "/")) bad.push(`script ${e.src || e.text.slice(0, 60)}`);
  return [...new Set([...bad, ...window.__hits])];
}"""
DETECT = """window.__hits = [];
for (const name of ["alert", "confirm", "prompt", "print", "open"]) window[name] = () => { window.__hits.push(name + " called"); return null; };
document.addEventListener("securitypolicyviolation", e => window.__hits.push(`policy: ${e.violatedDirective} ${e.blockedURI} ${e.sample}`));
"""


@dataclass(slots=True)
class Hostile:
    """A site whose one world is full of hostile texts, seen as one person."""

    site: Site
    package: ModuleType
    who: str
    harvest: Harvest
    starts: tuple[str, ...]
    crawler: Crawler
    pages: Mapping[str, httpx.Response] = field(default_factory=dict)

    @property
    def declared(self) -> Pages:
        """The app's pages."""
        return pages_of(self.package)

    def unseen(self) -> list[str]:
        """Addresses the app declares and no visit reached."""
        seen = {page.path for address in self.crawler.asked if (page := self.crawler.page_of(address))}
        return sorted(page.path for page in self.declared.pages if page.path not in seen)

    def stop(self) -> None:
        """End the server."""
        self.crawler.close()
        self.site.stop()


def pages_of(package: ModuleType) -> Pages:
    """The pages of an app."""
    return discovery.part(package, "pages").pages  # type: ignore[union-attr]


def hostile_site(
    folder: Path,
    package: ModuleType,
    rows: Callable[[], list[SQLModel]],
    starts: Iterable[str],
    who: str = "ada",
    writer: str = "",
    share: Callable[[Host, Principal], dict[str, Any]] = lambda host, me: {},
    make: Callable[[Path], Host] | None = None,
    only: frozenset[str] = frozenset(),
) -> Hostile:
    """A server over a small company (or what `make` makes) with every text of an app hostile; `{room}` in the starts is
    the shared channel.
    """
    where = {"room": ""}
    site = Site(lambda: make(folder) if make else make_host(folder, [package.app], rows), [package])

    def prepare() -> tuple[Harvest, str]:
        site.host.drop("w")
        site.host.create("w", Settings(limits="off"))
        me = site.host.principal("w", who)
        shared = share(site.host, me)
        where["room"] = str(shared.get("conversations.create", {}).get("channel", {}).get("id", ""))
        harvest = Sower(site.host, "w", writer or who, package.app, shared, only).sow()
        return harvest, site.host.tokens.issue(Principal("w", me.person, "session", generation=me.generation))

    harvest, key = site.do(prepare)
    declared = pages_of(package)
    crawler = Crawler(f"http://127.0.0.1:{site.port}", package.app, declared.pages, key, COOKIE)
    made = Hostile(site, package, who, harvest, tuple(start.format(**where) for start in starts), crawler)
    made.pages = crawler.crawl(made.starts)
    return made


def look(hostile: Hostile, chromium: Browser) -> list[str]:
    """Show pages to Chromium as they were served, of each kind a few (with FIRM_LONG all); what it complains about."""
    office = Office(hostile.site, "w", chromium)
    page = office.open(hostile.who, f"/{hostile.package.app.name}{hostile.starts[0]}", live=False)
    page.on("dialog", lambda dialog: (office.complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.add_init_script(DETECT)
    page.route(f"{office.base}/{hostile.package.app.name}/**", _kept(hostile))
    for address in _sample(hostile):
        page.goto(office.base + address, wait_until="load")
        office.complaints += [f"{complaint} at {address[:100]}" for complaint in audit(page)]
    office.close()
    return office.complaints


def _sample(hostile: Hostile) -> list[str]:
    """The first addresses of every declared page; the crawl has looked at the markup of all."""
    of_page: dict[str, list[str]] = {}
    for address in hostile.pages:
        declared = hostile.crawler.page_of(address)
        of_page.setdefault(declared.path if declared else "", []).append(address)
    most = None if "FIRM_LONG" in os.environ else SHOWN
    return [address for some in of_page.values() for address in some[:most]]


def audit(page: Page) -> list[str]:
    """What the browser's own tree holds that no page may, and what ran."""
    return page.evaluate(AUDIT, NEVER)


def _kept(hostile: Hostile) -> Callable[[Route], None]:
    """Serves a page again as the crawl saw it, so that it is not made twice."""

    def serve(route: Route) -> None:
        parts = urlsplit(route.request.url)
        kept = hostile.pages.get(f"{parts.path}?{parts.query}" if parts.query else parts.path)
        if kept is None or not route.request.is_navigation_request():
            route.fallback()
        else:
            route.fulfill(
                status=200, headers={**kept.headers, "content-length": str(len(kept.content))}, body=kept.content
            )

    return serve


def without_text(harvest: Harvest) -> dict[str, set[str]]:
    """Why fields took no text at all: refusal -> fields."""
    found: dict[str, set[str]] = {}
    for leaf, code in harvest.refused.items():
        if leaf not in harvest.accepted:
            found.setdefault(code, set()).add(str(leaf))
    return found


def stubborn(harvest: Harvest) -> list[Leaf]:
    """Fields that keep a plain word but took none of the payloads: names of a narrow alphabet."""
    return [leaf for leaf, columns in harvest.accepted.items() if columns and not harvest.taken.get(leaf)]
