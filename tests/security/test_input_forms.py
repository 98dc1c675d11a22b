"""Forms that no page of ours has: without fields, with unknown ones, each field missing, twice, or of another kind. Never a
failure of the server.
"""

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from typing import NamedTuple
from urllib.parse import urlencode

import pytest

from tests.conftest import Server
from tests.portions import portions
from tests.security.reach import Employee
from tests.security.rough import Rough
from world.core import discovery
from world.core.settings import Settings
from world.web.pages import Pages

FIELD = re.compile(r"""(?:\[|get\(|pop\(|\(|, )["']([A-Za-z_]+)["'][,)\]]""")
TEXTS = ("", "9" * 30, "9" * 5000, "\N{SUPERSCRIPT TWO}", "2026-13-45", "caf\N{LATIN SMALL LETTER E WITH ACUTE}")
VALUES = ("[]", "{}", "true", "null", "[[]]", "[null]", "[{}]", "9" * 25)  # as JSON


class Form(NamedTuple):
    """An action, or an operation whose arguments pages compose."""

    app: str
    name: str


def list_forms() -> list[Form]:
    """Every form of every app that code of its pages reads."""
    pages = [get_pages(app.name) for app in discovery.apps()]
    return sorted(Form(one.app, name) for one in pages for name in (*one.actions, *one.composers))


def get_pages(app: str) -> Pages:
    """The pages of an app."""
    made: Pages = import_module(f"apps.{app}.pages").pages
    return made


def list_fields(app: str, name: str) -> list[str]:
    """The names that the code of an action mentions as those of fields."""
    pages = get_pages(app)
    return sorted(set(FIELD.findall(inspect.getsource(pages.actions.get(name) or pages.composers[name]))))


def list_bodies(fields: list[str]) -> Iterator[str]:
    """Forms of these fields, each odd in one of them; which way each is odd goes round."""
    usual = dict.fromkeys(fields, "x")
    yield from ("", "unknown=1", urlencode(usual))
    for at, field in enumerate(fields):
        rest = {name: value for name, value in usual.items() if name != field}
        yield urlencode(rest)
        yield urlencode({**rest, field: TEXTS[at % len(TEXTS)]})
        yield urlencode({**rest, f"{field}:json": VALUES[at % len(VALUES)]})
        yield urlencode({**usual}) + f"&{field}=y"


@pytest.fixture(scope="module")
def rough(served: Server) -> Iterator[Rough]:
    served.do(lambda: served.up.host.create("forms", Settings(limits="off")))
    with Employee(served, "forms", "p_0002") as employee:
        yield Rough(employee)


@pytest.mark.parametrize("forms", portions(list_forms()))
def test_no_form_is_a_failure_of_the_server(rough: Rough, forms: list[Form], subtests: pytest.Subtests) -> None:
    for app, name in forms:
        with subtests.test(f"{app} {name}"):
            failed = [
                body
                for body in list_bodies(list_fields(app, name))
                if rough.form(app, name, body.encode()).status_code >= 500
            ]
            assert failed == []
