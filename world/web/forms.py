"""Form helpers of templates: plain HTML first, htmx on top, the form token inside, a place for the refusal beside."""

from collections.abc import Sequence
from typing import Any

import orjson
from markupsafe import Markup, escape

from world.core.json_types import is_object
from world.web import session
from world.web.view import View

_ERROR = Markup('<div class="form-error" id="{}-error" role="alert">{}</div>')


class Forms:
    """The form helpers of one page."""

    def __init__(self, view: View) -> None:
        self._view = view
        self.token = session.form_token(view.request, view.page_state.version)

    def do(self, operation: str) -> str:
        """Return the address that a form for an operation posts to."""
        return self._view.url(f"/do/{operation}")

    def go(self, address: str, target: str = "page") -> Markup:
        """The attributes of a link that swaps a part of the page and changes the address."""
        there = escape(address)
        return Markup(f'href="{there}" hx-get="{there}" hx-target="#{escape(target)}" hx-push-url="true"')

    def typed(self, form: str, name: str, default: object = "") -> object:
        """Return the text of a field when its form was refused, else the default."""
        return self.typed_all(form, name, [default])[0]

    def typed_all(self, form: str, name: str, default: Sequence[object] = ()) -> Sequence[object]:
        """Return the texts of a field that may be there several times; none where none was sent."""
        failed = self._view.failure
        if failed is None or failed.form != form or failed.typed is None:
            return default
        return failed.typed.get(name, [""])

    def form(
        self,
        operation: str,
        *,
        id: str = "",
        target: str = "page",
        next: str | None = None,
        toast: str = "",
        undo: str = "",
        undo_args: str = "",
        see: str = "",
        see_text: str = "View",
        caller: Any = None,
        files: bool = False,
        error: bool = True,
        htmx: bool = True,
        **attributes: str,
    ) -> Markup:
        """A form that leads to an operation. `next`, `toast`, `undo`, `undo_args` and `see` (a link of the toast) may
        hold `$path` of the result.
        """
        hidden = {
            "_token": self.token,
            "_form": id if error else "",
            "_next": next or "",
            "_toast": toast,
            "_undo": undo,
            "_undo_args": undo_args,
            "_see": see,
            "_see_text": see_text if see else "",
        }
        fields = "".join(f'<input type="hidden" name="{n}" value="{escape(v)}">' for n, v in hidden.items() if v)
        action = self.do(operation)
        plain = {
            "method": "post",
            "action": action,
            "id": id,
            "data-operation": operation,
            "enctype": "multipart/form-data" if files else "",
        }
        swap = {"hx-post": action, "hx-target": f"#{target}", "hx-sync": "this:drop"} if htmx else {}
        if htmx and files:
            swap["hx-encoding"] = "multipart/form-data"
        named = plain | swap | {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        parts = [f'{name}="{escape(value)}"' for name, value in named.items() if value]
        slot = self._error(id) if id and error else Markup("")
        body = escape(caller()) if caller else ""
        return Markup(f"<form {' '.join(parts)}>{fields}{body}{slot}</form>")

    def _error(self, form: str) -> Markup:
        failed = self._view.failure
        text = error_text(failed) if failed is not None and failed.form == form else Markup("")
        return _ERROR.format(form, text)


def undo_fields(text: str) -> dict[str, str]:
    """The hidden fields of an Undo: a JSON object of strings, as the toast carries it."""
    fields = orjson.loads(text or "{}")
    return {str(name): str(value) for name, value in fields.items()} if is_object(fields) else {}


def error_text(failed: Any) -> Markup:
    """The refusal as it stands beside a form."""
    if not failed.problems:
        return Markup("<p>{}</p>").format(
            failed.message if not failed.outage else f"{failed.title}. {failed.lost} {failed.message}"
        )
    lines = (Markup("<p><b>{}</b> {}</p>").format(name, message) for name, message in failed.problems)
    return Markup("").join(lines)
