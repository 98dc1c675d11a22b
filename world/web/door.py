"""The page door of one app: shows its pages whole or in part, and turns a refusal into a page of its own kind."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import compile_path

from world.core.errors import EpisodeEnded, OperationError
from world.core.principal import Principal
from world.core.theme import Theme
from world.run.host import Host
from world.web import assets, generic_form, response_headers, session, template_env
from world.web.double_submit import RecentSubmissions
from world.web.forms import Forms, undo_fields
from world.web.login import ask_to_sign_in
from world.web.mount import MountPoint, place_of
from world.web.page_state import PageState
from world.web.pages import Page, Pages
from world.web.query_values import group_values
from world.web.refusals import Failure, Refusal, failure
from world.web.site import render_ended_page
from world.web.theme import neutral_theme, theme_of
from world.web.time_format import stamp
from world.web.view import View

GONE = Failure(
    "refusal", "not_found", 404, "We couldn't find that page", "The address may be wrong, or the page may be gone."
)
SHELL_BLOCKS = {"banner": "banner.html", "clock": "clock.html", "toasts": "toast.html"}


class PageDoor:
    """One app's pages on one host; keeps nothing about the world but which forms were just served."""

    def __init__(self, host: Host, pages: Pages, folder: Path, *, live: bool = True) -> None:
        self.host, self.pages, self.live = host, pages, live
        app = host.apps.get(pages.app)
        self.theme: Theme = theme_of(app) if app else neutral_theme(pages.app.title())
        folders = [one for one in (pages.lent, folder) if one is not None]
        self.env = template_env.environment(
            tuple(one / "templates" for one in folders), tuple(sorted(pages.filters.items()))
        )
        self.assets, self.shell = assets.read_assets(*(one / "static" for one in folders)), assets.shell()
        self.repeats = RecentSubmissions()
        self.listed = [*generic_form.PAGES, *pages.pages]  # an app may have a page for any first word
        self._paths = [(compile_path(page.path), page) for page in self.listed]

    @property
    def app(self) -> str:
        """The name of the app."""
        return self.pages.app

    @property
    def refusals(self) -> Mapping[str, Refusal]:
        """The app's words for its refusal codes."""
        return self.pages.refusals

    @property
    def own_names(self) -> str:
        """The app's statement that finds people by its own names."""
        return self.pages.own_names

    def find(self, path: str) -> tuple[Page, dict[str, Any]] | None:
        """The page at an app's own path, and its path parameters."""
        for (regex, _, converters), page in self._paths:
            if match := regex.match(path):
                return page, {name: converters[name].convert(value) for name, value in match.groupdict().items()}
        return None

    def view(self, request: Request, principal: Principal, address: str, *, is_peek: bool = False) -> View:
        """A view of an app's own path and query."""
        path, _, query = address.partition("?")
        view = View(self, request, principal, place_of(request, self.pages.app), path, is_peek=is_peek)
        view.queries = group_values(QueryParams(query).multi_items())
        view.query = {name: values[-1] for name, values in view.queries.items()}
        return view

    def show(self, request: Request, page: Page) -> Response:
        """Answer a GET."""
        principal = session.principal_of(request, self.host)
        if principal is None:
            return ask_to_sign_in(self.host, request, self.pages.app)
        place = place_of(request, self.pages.app)
        address = place.inner(str(request.url)) or "/"
        view = self.view(
            request, principal, address, is_peek=response_headers.is_live(request) or self._free(request, page)
        )
        response = self.answer(view, page, dict(request.path_params), target(request))
        session.keep_live(response, request)
        return response

    def _free(self, request: Request, page: Page) -> bool:
        return response_headers.is_fragment(request) and target(request) in page.free

    def answer(self, view: View, page: Page, parameters: dict[str, Any], block: str | None) -> Response:
        """Run a page's handler and render the whole, or one block of it."""
        template = SHELL_BLOCKS.get(block or "", page.template)
        view.block = block if block and template_env.has_block(self.env, template, block) else None
        try:
            context = page.run(view, **parameters)
            if isinstance(context, Response):
                return response_headers.add_page_headers(context)
            return self._render_response(
                view, template if view.block else page.template, context, lost=block is not view.block
            )
        except OperationError as error:
            return self.refuse(view, failure(error, self.theme, self.refusals))

    def _render_response(self, view: View, template: str, context: dict[str, Any], *, lost: bool) -> Response:
        everything = self.context(view) | context
        if view.block:
            text = template_env.fragment(self.env, template, view.block, everything)
        else:
            text = template_env.render_page(self.env, template, everything)
        text = view.put_portraits(view.lead_home(text))
        headers = {"HX-Retarget": "body", "HX-Reswap": "innerHTML"} if lost else {}
        headers |= {f"X-Page-Clock-{style}": quote(said) for style, said in clocks(view.page_state).items()}
        response = response_headers.html(
            text, view.status, version=view.page_state.version, title=page_title(everything), headers=headers
        )
        if not view.block and response_headers.FLASH in view.request.cookies:
            response.delete_cookie(response_headers.FLASH, path="/")
        return response

    def context(self, view: View, *, side: bool = True) -> dict[str, Any]:
        """Build the context of every template; without the app's own side bar when that is what failed."""
        desk, place = view.page_state, view.place
        shared = self.pages.shared(view) if self.pages.shared and side else {}
        forms = Forms(view)
        return {
            "view": view,
            "me": desk.me,
            "now": desk.now,
            "zone": desk.me.tz,
            "company": desk.company,
            "version": desk.version,
            "theme": self.theme,
            "pages": self.pages,
            "apps": self.launcher(place),
            "url": view.url,
            "here": view.here,
            "site_url": place.site_url,
            "app_url": place.app_url,
            "asset": self.assets.linked(place.url),
            "shell": self.shell.linked(place.shell_url),
            "vendored": self.shell.has,
            "do": forms.do,
            "form": forms.form,
            "typed": forms.typed,
            "typed_all": forms.typed_all,
            "form_token": forms.token,
            "undo_fields": undo_fields,
            "go": forms.go,
            "failure": view.failure,
            "troubles": view.troubles,
            "live": self.live and session.live_wanted(view.request),
            "toast": response_headers.read_flash(view.request),
            "query": view.query,
            "unread": view.unread,
            "title": "",
        } | shared

    def launcher(self, place: MountPoint) -> list[tuple[str, Theme, str]]:
        """The installed apps: name, theme, address."""
        names = [name for name in self.host.apps if name != "world"]
        return [(name, theme_of(self.host.apps[name]), place.launch_url(name)) for name in sorted(names)]

    def refuse(self, view: View, failed: Failure) -> Response:
        """A page, or the banner, that says no in the app's own manner."""
        if isinstance(view.gone, EpisodeEnded):
            return render_ended_page(self.host, view.request, view.gone)
        if view.gone:
            failed = failure(view.gone, self.theme, self.refusals)
        if failed.status == 401:
            return ask_to_sign_in(self.host, view.request, self.pages.app, why=failed.message)
        if (
            failed.status == 404
            and response_headers.is_live(view.request)
            and response_headers.is_fragment(view.request)
        ):
            return response_headers.build_vanished_response()
        view.failure, view.status = failed, failed.status
        headers = {"Retry-After": str(failed.retry_after_s)} if failed.retry_after_s else {}
        context = self._bare(view) | {"title": failed.title}
        block = "banner" if response_headers.is_fragment(view.request) else None
        context["quiet_banner"] = not failed.outage and block is None
        if block:
            headers |= {"HX-Retarget": "#banner", "HX-Reswap": "outerHTML"}
            text = template_env.fragment(self.env, "banner.html", "banner", context)
        else:
            text = view.put_portraits(template_env.render_page(self.env, "failure.html", context))
        return response_headers.html(
            text, failed.status, version=view.page_state.version, title=page_title(context), headers=headers
        )

    def _bare(self, view: View) -> dict[str, Any]:
        """The context of a failure page: the side bar too, unless it is what failed."""
        try:
            return self.context(view)
        except OperationError:
            return self.context(view, side=False)

    def render_missing(self, request: Request) -> Response:
        """The app's own 404 for an address it does not have."""
        principal = session.principal_of(request, self.host)
        if principal is None:
            return ask_to_sign_in(self.host, request, self.pages.app)
        return self.refuse(self.view(request, principal, "/"), GONE)


def clocks(desk: PageState) -> dict[str, str]:
    """The clocks that stand on every page, by style, as markup: a part that is fetched alone brings them too."""
    return {style: str(stamp(desk.now, desk.now, desk.me.tz, style)) for style in ("clock", "now")}


def target(request: Request) -> str | None:
    """The block htmx asks for: the target's id, as a block name."""
    if not response_headers.is_fragment(request):
        return None
    return (request.headers.get("hx-target") or "page").replace("-", "_")


def page_title(context: dict[str, Any]) -> str:
    """`(3) PAGE - APP`."""
    count = f"({context['unread']}) " if context.get("unread") else ""
    name = context["theme"].name
    return f"{count}{context['title']} - {name}" if context.get("title") else f"{count}{name}"
