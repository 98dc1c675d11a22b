"""The form door: `POST /<app>/do/<operation>` checks where the form came from, calls the operation, shows what changed."""

import re
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import orjson
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from world.core.errors import EpisodeEnded, InvalidArguments, OperationError
from world.core.json_types import is_array, is_object
from world.core.params import whole_number
from world.web import response_headers, session, template_env
from world.web.door import PageDoor, target
from world.web.fields import MAX_FIELDS, MAX_FILES, FormArguments, Submission, decode, shape
from world.web.forms import error_text
from world.web.login import ask_to_sign_in
from world.web.mount import local_path, place_of
from world.web.refusals import Failure, failure
from world.web.site import render_ended_page
from world.web.view import View

_HOLE = re.compile(r"\$([A-Za-z_]\w*(?:\.\w+)*)")
_FORGED = Failure(
    "refusal",
    "bad_form",
    403,
    "This form has expired",
    "Go back, reload the page and try again: it was not sent from a page of this site.",
)
_BROKEN = Failure(
    "refusal", "bad_form", 400, "That didn't work", "The form could not be read. Reload the page and try again."
)


async def submit(door: PageDoor, request: Request) -> Response:
    """Serve one form."""
    principal = session.principal_of(request, door.host)
    if principal is None:
        return ask_to_sign_in(door.host, request, door.pages.app)
    view = door.view(request, principal, _get_form_page(door, request), is_peek=True)
    try:
        return await _read(door, request, view)
    except HTTPException:  # the form parser cannot read on
        return door.refuse(view, _BROKEN)


async def _read(door: PageDoor, request: Request, view: View) -> Response:
    async with request.form(max_files=MAX_FILES, max_fields=MAX_FIELDS, max_part_size=2_000_000) as form:
        version = session.token_version(request, str(form.get("_token", "")))
        if version is None or not session.same_origin(request, view.place):
            return door.refuse(view, _FORGED)
        try:
            sent = await decode(form)
        except InvalidArguments as error:
            return _answer_refusal(door, view, Submission(), error, "")
    return _serve(door, view, sent, request.path_params["operation"], version)


def _get_form_page(door: PageDoor, request: Request) -> str:
    """The app's own address of the page the form stood on."""
    place = place_of(request, door.pages.app)
    said = request.headers.get("hx-current-url") or request.headers.get("referer") or ""
    return place.inner(said) or "/"


def _serve(door: PageDoor, view: View, sent: Submission, operation: str, version: int) -> Response:
    if operation not in door.pages.actions and operation not in door.host.operations:
        return door.render_missing(view.request)
    try:
        return _answer_success(door, view, sent, _result(door, view, sent, operation, version))
    except OperationError as error:
        return _answer_refusal(door, view, sent, error, operation)


def _result(door: PageDoor, view: View, sent: Submission, operation: str, version: int) -> Any:
    if view.gone and operation in door.host.operations:
        return view.submit(operation, sent.arguments)  # the call says no, and is on record like any other
    if view.gone:
        raise view.gone
    key = door.repeats.key(view.principal, version, operation, sent.arguments)
    if door.repeats.has(key):
        return door.repeats.answer(key)
    arguments = FormArguments(sent.arguments)
    if compose := door.pages.composers.get(operation):
        arguments = compose(view, arguments)
    result = _perform(door, view, operation, arguments, sent)
    door.repeats.keep(key, result)
    return result


def _perform(door: PageDoor, view: View, operation: str, arguments: dict[str, Any], sent: Submission) -> Any:
    if action := door.pages.actions.get(operation):
        return action(view, FormArguments(arguments))
    interpret = door.pages.interpreters.get(operation)
    meant = interpret(view, FormArguments(arguments)) if interpret else None
    if meant is not None:
        return meant
    return view.submit(operation, shape(dict(arguments), door.host.operation(operation).params, sent.blank))


def _answer_success(door: PageDoor, view: View, sent: Submission, result: object) -> Response:
    if isinstance(result, Response):
        return response_headers.add_page_headers(result)
    request = view.request
    here = view.place.url(view.here_inner)
    following = local_path(fill(sent.control.get("_next", ""), result, address=True), here)
    toast = _toast(sent, result)
    if not response_headers.is_fragment(request):
        return _with_flash(response_headers.see_other(following), toast)
    inner = view.place.inner(view.place.origin + following)
    if inner is None or inner.partition("?")[0] != view.path or (found := door.find(view.path)) is None:
        return _with_flash(response_headers.elsewhere(following), toast)
    again = door.view(request, view.principal, inner, is_peek=True)
    response = door.answer(again, found[0], found[1], target(request))
    if inner != view.here_inner:
        response.headers["HX-Push-Url"] = following
    if toast and response.status_code == 200:
        return _with_body(response, toast_html(door, again, toast))
    return response


def _with_flash(response: Response, toast: dict[str, str]) -> Response:
    if toast:
        response_headers.set_flash(response, toast)
    return response


def _with_body(response: Response, extra: str) -> Response:
    response.body = bytes(response.body) + extra.encode()
    response.headers["Content-Length"] = str(len(response.body))
    return response


def _toast(sent: Submission, result: object) -> dict[str, str]:
    if not sent.control.get("_toast"):
        return {}
    toast = {"text": fill(sent.control["_toast"], result).strip()}
    if not toast["text"]:
        return {}
    if undo := fill(sent.control.get("_undo", ""), result):
        toast |= {"undo": undo, "args": fill(sent.control.get("_undo_args", "{}"), result, quoted=True)}
    if see := local_path(fill(sent.control.get("_see", ""), result, address=True), ""):
        toast |= {"see": see, "see_text": sent.control.get("_see_text", "View")}
    return toast


def toast_html(door: PageDoor, view: View, toast: dict[str, str]) -> str:
    """The toast as an addition to any fragment."""
    context = door.context(view) | {"toast": toast}
    return template_env.fragment(door.env, "toast_oob.html", "toast_oob", context)


def _answer_refusal(door: PageDoor, view: View, sent: Submission, error: OperationError, operation: str) -> Response:
    if isinstance(error, EpisodeEnded):
        return render_ended_page(door.host, view.request, error)
    failed = failure(error, door.theme, door.pages.refusals)
    if failed.status == 401:
        return ask_to_sign_in(door.host, view.request, door.pages.app, why=failed.message)
    lost = door.pages.lost.get(operation, failed.lost)
    failed = replace(failed, form=sent.control.get("_form", ""), typed=sent.typed, lost=lost)
    view.failure, view.status = failed, failed.status
    if response_headers.is_fragment(view.request):
        return _beside(door, view, failed)
    found = door.find(view.path)
    if found is None:
        return door.refuse(view, failed)
    shown = door.answer(view, found[0], found[1], None)
    return (
        door.refuse(view, failed) if 300 <= shown.status_code < 400 else shown
    )  # a page that leads on would not say it


def _beside(door: PageDoor, view: View, failed: Failure) -> Response:
    """The refusal for htmx: into the form's own slot, so that typed text stays; without one, a toast."""
    version = door.host.actor(view.principal.world).version
    if failed.form:
        headers = {"HX-Retarget": f"#{failed.form}-error", "HX-Reswap": "innerHTML"}
        return response_headers.html(error_text(failed), failed.status, version=version, headers=headers)
    headers = {"HX-Retarget": "#toasts", "HX-Reswap": "beforeend"}
    text = Markup('<div class="toast toast-error" role="alert">{}</div>').format(error_text(failed))
    return response_headers.html(text, failed.status, version=version, headers=headers)


def fill(text: str, result: object, *, address: bool = False, quoted: bool = False) -> str:
    """Replace `$channel.id` by that part of an operation's result."""

    def value(match: re.Match[str]) -> str:
        found = result
        for part in match[1].split("."):
            found = _part(found, part)
        plain = "" if found is None else str(found)
        if quoted:
            return orjson.dumps(plain).decode()[1:-1]
        return quote(plain, safe="") if address else plain

    return _HOLE.sub(value, text)


def _part(found: object, name: str) -> Any:
    if is_object(found):
        return found.get(name)
    if is_array(found):
        return found[at] if 0 <= (at := whole_number(name, -1)) < len(found) else None
    return getattr(found, name, None) if name[:1] != "_" else None
