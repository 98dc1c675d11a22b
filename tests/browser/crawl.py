"""Every kind of page of an app, found by following its own links, and what no page may hold."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from html.parser import HTMLParser
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

import httpx

from world.core.app import App
from world.web.pages import Page
from world.web.session import LIVE

LOADING = (
    "src",
    "srcset",
    "poster",
    "background",
    "data",
    "action",
    "formaction",
    "ping",
    "manifest",
    "xlink:href",
    "hx-get",
    "hx-post",
    "hx-put",
    "hx-delete",
    "hx-patch",
)
SCHEMES = ("http:", "https:", "mailto:", "tel:")
FOREIGN_TAGS = frozenset(
    "base iframe frame frameset object embed applet portal fencedframe style marquee template math video audio source"
    " track picture animate set foreignobject script/x xss image use".split()
)
FETCHES = re.compile(r"url|image|import|expression|[@\\\\]|//", re.IGNORECASE)
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:")
WORD = re.compile(r"[a-z][a-z-]*")


class Inspector(HTMLParser):
    """Reads one page; `complaints` names what runs, loads from elsewhere or leads astray."""

    def __init__(self, text: str, *, mail: bool = False) -> None:
        super().__init__()
        self.mail = mail  # the page of a locked frame, which has styles and nothing else of its own
        self.complaints: list[str] = []
        self.links: list[str] = []
        self.sheets = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name.lower(): value or "" for name, value in attrs}
        if tag == "iframe" and locked(found):
            self.links.append(found["src"])
            return
        if tag == "use" and set(found) == {"href"} and found["href"].startswith("#"):
            return
        if self.mail:
            self.complaints += self._unsafe(tag, found)
            found.pop("style", None)
            tag = "p" if tag == "style" else tag
        if tag in FOREIGN_TAGS or (tag == "meta" and "http-equiv" in found):
            self.complaints.append(f"<{tag}>")
        if tag == "script" and not found.get("src"):
            self.complaints.append("<script> without src")
        self.complaints += [f"{tag} {name}={value[:80]!r}" for name, value in found.items() if bad(tag, name, value)]
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])

    def _unsafe(self, tag: str, found: Mapping[str, str]) -> list[str]:
        """Styles that fetch, a second sheet of them, links that keep a hold on the page, and forms."""
        out = [f"{tag} style={found['style'][:80]!r}"] if FETCHES.search(found.get("style", "")) else []
        if tag == "style":
            self.sheets += 1
            out += ["<style> of a mail"] if self.sheets > 1 else []
        if (
            tag == "a"
            and "href" in found
            and (found.get("target") != "_blank" or "noopener" not in found.get("rel", ""))
        ):
            out.append(f"a without target and rel: {found['href'][:60]!r}")
        return out + (
            [f"<{tag}>"]
            if tag in ("form", "input", "button", "textarea", "select", "link", "meta", "script") and self.sheets
            else []
        )


def locked(frame: Mapping[str, str]) -> bool:
    """Whether a frame shows a page of ours and can run nothing."""
    allowed = set(frame.get("sandbox", "allow-scripts").split())
    return local(frame.get("src", "")) and not {"allow-scripts", "allow-top-navigation", "allow-forms"} & allowed


def bad(tag: str, name: str, value: str) -> bool:
    """Whether an attribute runs something, styles inline, loads from elsewhere, or leads where no link may lead."""
    if name.startswith(("on", "hx-on", "data-hx", "data-on")) and name != "data-only":
        return True
    if name in ("style", "srcdoc", "hx-ext", "hx-vals", "hx-headers", "hx-vars"):
        return True
    if name in LOADING or (name == "href" and tag != "a"):
        return not (local(value) or (tag == "img" and value.startswith("data:image/")))
    return name == "href" and bool(SCHEME.match(bare(value))) and not bare(value).startswith(SCHEMES)


def bare(address: str) -> str:
    """An address as a browser reads its scheme."""
    return re.sub(r"[\x00-\x20]", "", address).lower()


def local(address: str) -> bool:
    """A path on this host."""
    return address.startswith("/") and address[1:2] not in ("/", "\\") and not re.search(r"[\t\r\n]", address[:3])


class Crawler:
    """Visits pages of one app as one person, without cost to the world."""

    def __init__(self, base: str, app: App, declared: Iterable[Page], key: str, cookie: str) -> None:
        self.base, self.app, self.declared = base, app.name, tuple(declared)
        self._patterns = [(page, pattern_of(page.path)) for page in self.declared]
        self._http = httpx.Client(
            base_url=base, cookies={cookie: key, LIVE: "0"}, headers={"Firm-Live": "1"}, timeout=60
        )
        self.pages: dict[str, httpx.Response] = {}
        self.files: dict[str, httpx.Response] = {}
        self.asked: set[str] = set()
        self._shown: set[object] = set()

    @property
    def cookies(self) -> httpx.Cookies:
        """Whom it visits as."""
        return self._http.cookies

    def close(self) -> None:
        """Let go of the connection."""
        self._http.close()

    def page_of(self, address: str) -> Page | None:
        """The declared page an address belongs to; the most particular one."""
        path = urlsplit(address).path.removeprefix(f"/{self.app}") or "/"
        found = [page for page, pattern in self._patterns if pattern.match(path)]
        return min(found, key=lambda page: (page.path.count("{"), page.path), default=None)

    def shown(self, address: str) -> frozenset[object]:
        """What an address shows: its page, each of its query values there, each dialog anywhere. Ids do not count."""
        page = self.page_of(address)
        query = parse_qsl(urlsplit(address).query, keep_blank_values=True)
        told = [(name, value if WORD.fullmatch(value) else "*") for name, value in query]
        return (
            frozenset([(None if name == "dialog" else page.path, name, value) for name, value in told] or [page.path])
            if page
            else frozenset()
        )

    def crawl(self, starts: Iterable[str]) -> dict[str, httpx.Response]:
        """address -> the page, for addresses of every kind that links lead to."""
        waiting = deque(f"/{self.app}{start}" for start in starts)
        wanted = set(waiting)
        while waiting:
            address = waiting.popleft()
            shown = self.shown(address)
            if address not in self.pages and (address in wanted or not shown <= self._shown):
                self._shown |= shown
                waiting.extend(self._look(address))
        return self.pages

    def _look(self, address: str) -> Iterator[str]:
        answer = self._http.get(address, follow_redirects=True)
        self.asked |= {address, answer.url.path}
        if "content-disposition" in answer.headers or not answer.headers.get("content-type", "").startswith(
            "text/html"
        ):
            self.files[address] = answer
            return
        self.pages[address] = answer
        for link in inspected(answer).links:
            there = urljoin(f"{address}", link)
            if local(there) and there.startswith(f"/{self.app}/"):
                yield without_live(there)

    def reflected(self, text: str) -> Iterator[tuple[str, httpx.Response]]:
        """Every address found once more for each of its query values, with a text in that place."""
        done: set[object] = set()
        for address in list(self.pages):
            parts = urlsplit(address)
            query = parse_qsl(parts.query)
            for place, (name, _) in enumerate(query):
                page = self.page_of(address)
                if page and (page.path, name) not in done:
                    done.add((page.path, name))
                    changed = [*query[:place], (name, text), *query[place + 1 :]]
                    there = f"{parts.path}?{urlencode(changed)}"
                    yield there, self._http.get(there, follow_redirects=True)


def pattern_of(path: str) -> re.Pattern[str]:
    """What addresses of a declared page look like; `{place:path}` holds slashes."""
    parts = re.split(r"(\{[^}]+\})", path)
    return re.compile(
        "".join(
            (".+" if part.endswith(":path}") else "[^/?]+") if part.startswith("{") else re.escape(part)
            for part in parts
        )
        + "$"
    )


def without_live(address: str) -> str:
    """The address without the switch of the live socket and without its fragment."""
    parts = urlsplit(address)
    query = urlencode([(name, value) for name, value in parse_qsl(parts.query) if name != "live"])
    return f"{parts.path}?{query}" if query else parts.path


def inspected(answer: httpx.Response) -> Inspector:
    """A page as it may be: what its own policy locks up is the body of a mail."""
    policy = answer.headers.get("content-security-policy", "")
    return Inspector(
        answer.text, mail="sandbox" in policy and "allow-scripts" not in policy and "script-src 'none'" in policy
    )


def complaints(pages: Iterable[tuple[str, httpx.Response]]) -> list[str]:
    """What is wrong with pages, each with an address it was seen at."""
    found: dict[str, str] = {}
    for address, answer in pages:
        for complaint in [
            *inspected(answer).complaints,
            *([f"status {answer.status_code}"] if answer.status_code >= 500 else []),
        ]:
            found.setdefault(complaint, address)
    return [f"{complaint} at {address[:150]}" for complaint, address in found.items()]
