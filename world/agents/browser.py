"""The page door as a person uses it: a real browser that opens the page of an operation, fills its form and sends it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from typing import Any
from urllib.parse import quote

import orjson
from playwright.sync_api import Locator, Page, Route, sync_playwright

from world.agents.chromium import launch
from world.agents.rest import outcome
from world.agents.steps import LastResult, Scene
from world.core import discovery
from world.core.json_types import is_array, is_object
from world.core.params import Arguments
from world.run.host import Host

VIEW = {"width": 1280, "height": 800}


class NoForm(LookupError):
    """No page has a form that takes these arguments; the message names the operation and what was looked for."""


class BrowserDoor:
    """Works in Chromium at 1280 x 800, signed in as the agent. Requests to other hosts are refused."""

    name = "ui"

    def __init__(self, host: Host, url: str, token: Callable[[str], str], last: LastResult, scene: Scene) -> None:
        self._host, self._url, self._last, self._scene = host, url, last, scene
        self._places = places()
        self._stack = ExitStack()
        browser = launch(self._stack.enter_context(sync_playwright()))
        self._stack.callback(browser.close)
        context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-US")
        context.route("**/*", self._only_here)
        self.page: Page = context.new_page()
        self.page.goto(f"{url}/login/{token('')}?next=/")

    def _only_here(self, route: Route) -> None:
        if route.request.url.startswith((self._url, "data:")):
            route.continue_()
        else:
            route.abort()

    def do(self, operation: str, arguments: Arguments) -> Any:
        """Perform an operation with its form, or open its page if it reads. Raises StepRefused, NoForm."""
        declared = self._host.operation(operation)
        self._last.forget()
        if declared.app != "world":
            place = place_for(self._places.get(declared.app, {}), operation, arguments)
            if place is None and declared.writes:
                raise NoForm(f"{operation} has no page")
            if place is not None:
                self._open(f"{self._url}/{declared.app}{place}")
            if not declared.writes:
                return getattr(self._last.records.get(operation), "result", None)
        elif f"{self._url}/" == self.page.url:
            self._open(f"{self._url}/{min(self._places)}/")
        self._last.forget()
        self._send(operation, arguments)
        return outcome(self._last, operation, self.page.content()[:2000])

    def _open(self, address: str) -> None:
        self.page.goto(address)
        self._settle()

    def _settle(self) -> None:
        self.page.wait_for_selector('html:not([data-busy]), html[data-busy="0"]', state="attached")

    def _send(self, operation: str, arguments: Arguments) -> None:
        form, controls = self._form(
            operation, whole_or_flat(arguments, self.page.locator(f'form[data-operation="{operation}"]'))
        )
        self._reveal(form)
        for control, value in controls:
            if control.get_attribute("data-choose") is not None:
                self._pick(control, value if is_array(value) else [value])
            else:
                fill(control, value)
        with self.page.expect_response(lambda r: r.request.method == "POST" and f"/do/{operation}" in r.url):
            self._button(form, operation).click()
        self._settle()

    def _form(self, operation: str, wanted: Mapping[str, Any]) -> tuple[Locator, list[tuple[Locator, Any]]]:
        forms = self.page.locator(f'form[data-operation="{operation}"]')
        best: str = "there is none"
        for index in range(forms.count()):
            form = forms.nth(index)
            found = list(controls_of(form, wanted))
            missing = [name for name, control in zip(wanted, found, strict=True) if control is None]
            if not missing:
                visible = [
                    (c, v)
                    for c, v in zip(found, wanted.values(), strict=True)
                    if c is not None and c.get_attribute("type") != "hidden"
                ]
                return form, visible
            best = f"the nearest lacks {', '.join(missing)}"
        raise NoForm(f"no form for {operation} on {self.page.url}: {best}")

    def _reveal(self, form: Locator) -> None:
        """Open the menus and sections the form sits in, the outermost first."""
        around = form.locator("xpath=ancestor::details[not(@open)]")
        while around.count():
            around.first.locator("> summary").click()

    def _pick(self, control: Locator, values: list[Any]) -> None:
        """Type each name and take the first suggestion, as in any field that completes people; an address is whole."""
        for value in values:
            control.fill(self._type_account(str(value)))
            if "@" not in str(value):
                self.page.locator("[role=listbox] [role=option]").first.wait_for()
            control.press("Enter")

    def _type_account(self, value: str) -> str:
        """Return the text that a person would type for an account id: the full name; any other value as it is."""
        if "@" in value:
            return value
        for account in self._scene.rows("account", external_id=value):
            return str(self._scene.find("person", id=account["person_id"])["full_name"])
        return value

    @staticmethod
    def _button(form: Locator, operation: str) -> Locator:
        named = form.locator(f'button[data-operation="{operation}"]')
        return (
            named.first
            if named.count()
            else form.locator('button:not([type="button"]):not([formaction]), input[type="submit"]').first
        )

    def close(self) -> None:
        """Close the browser."""
        self._stack.close()


def places() -> dict[str, dict[str, str]]:
    """app -> operation -> the page on which its form stands."""
    found: dict[str, dict[str, str]] = {}
    for package in discovery.app_packages():
        pages = discovery.part(package, "pages")
        if pages is not None:
            found[package.app.name] = dict(pages.PLACES)
    return found


def place_for(known: Mapping[str, str], operation: str, arguments: Arguments) -> str | None:
    """The page for an operation with these arguments, of an app's PLACES."""
    special = next(
        (key for key in known if key.startswith(f"{operation}+") and key.split("+")[1] in arguments), operation
    )
    if special not in known:
        return None
    flat = {name: quote(_to_text(value), safe="") for name, value in flatten(arguments)}
    return known[special].format_map({**flat, **{k.replace(".", "_"): v for k, v in flat.items()}})


def flatten(arguments: Arguments, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Dotted names of the leaves, as forms name their fields."""
    for name, value in arguments.items():
        if is_object(value):
            yield from flatten(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def whole_or_flat(arguments: Arguments, forms: Locator) -> dict[str, Any]:
    """Leaves by dotted name, but an object whole where a form takes it as JSON."""
    found: dict[str, Any] = {}
    for name, value in arguments.items():
        if is_object(value) and not forms.locator(f'[name="{name}:json"]').count():
            found |= dict(flatten(value, f"{name}."))
        else:
            found[name] = value
    return found


def controls_of(form: Locator, wanted: Mapping[str, Any]) -> Iterator[Locator | None]:
    """For each argument the control that takes it; a hidden one only if it already holds the value."""
    for name, value in wanted.items():
        yield _control(form, name, value)


def _control(form: Locator, name: str, value: object) -> Locator | None:
    chooser = form.locator(f'input[data-choose][data-name="{name}"]')
    if chooser.count():
        return chooser.first
    for suffix in ("", ":json"):
        found = form.locator(f'[name="{name}{suffix}"]')
        for index in range(found.count()):
            control = found.nth(index)
            if _takes(control, _to_text(value, json=bool(suffix)), value):
                return control
    return None


def _takes(control: Locator, shown: str, value: object) -> bool:
    """Whether a control can hold the value: a hidden one or a choice has it already, a select offers it."""
    if control.get_attribute("type") in ("hidden", "radio"):
        return control.get_attribute("value") == shown
    if control.evaluate("element => element.tagName") != "SELECT" or is_array(value):
        return True
    return shown in control.locator("option").evaluate_all("options => options.flatMap(o => [o.value, o.label])")


def fill(control: Locator, value: object) -> None:
    """Put a value into a control as a person would."""
    tag = control.evaluate("element => element.tagName")
    kind = control.get_attribute("type") or ""
    values = [str(item) for item in value] if is_array(value) else [_to_text(value)]
    if tag == "SELECT":
        _choose(control, values)
    elif kind == "radio":
        control.check()
    elif kind == "checkbox":
        control.set_checked(bool(value))
    elif (control.get_attribute("name") or "").endswith(":json"):
        control.fill(orjson.dumps(value).decode())
    elif control.is_hidden() and control.get_attribute("data-plain-body") is not None:
        control.locator("xpath=ancestor::form//*[@data-editor]").fill(", ".join(values))
    else:
        control.fill(", ".join(values))


def _choose(control: Locator, values: list[str]) -> None:
    offered = control.locator("option").evaluate_all("options => options.map(o => o.value)")
    by_value = [value for value in values if value in offered]
    if len(by_value) == len(values):
        control.select_option(value=by_value)
    else:
        control.select_option(label=values)


def _to_text(value: object, *, json: bool = False) -> str:
    if json:
        return orjson.dumps(value).decode()
    if isinstance(value, bool):
        return "true" if value else "false"
    if is_array(value):
        return ",".join(str(item) for item in value)
    return str(value)
