"""A world with a mailbox for each of the small company's people, and a short way to call operations in it."""

from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import SQLModel

import apps.gmail
from apps.gmail.models import ListMember, Mailbox, MailingList
from tests.company import PEOPLE, START, closed, image, person
from tests.conformance.mail import MailClient
from world.core.app import App
from world.core.directory import Contact
from world.core.settings import Settings
from world.run.host import Host
from world.script.scenario import Script, compile_script

Say = Callable[..., Any]
Play = Callable[..., Host]


def mail_rows() -> list[SQLModel]:
    """Mailboxes (Gus has left his), a list of a team, one that the world may write to, a contact, and what brings mail
    from outside.
    """
    return [
        *(Mailbox(person_id=id, email=f"{handle}@tiny.example") for id, _, handle, *_ in PEOPLE),
        Mailbox(person_id="p_gone", email="gus@tiny.example"),
        person("p_mail", "Mail Gateway", "mail-gateway", "Bot", None, kind="bot"),
        MailingList(address="hello@tiny.example", name="Hello", allows_outside=True),
        ListMember(address="hello@tiny.example", person_id="p_cy"),
        ListMember(address="hello@tiny.example", person_id="p_dee"),
        MailingList(address="core@tiny.example", name="Core", team_id="t_core"),
        Contact(id="c_zoe", organisation_id="org_acme", full_name="Zoe Quist", email="zoe@acme.example"),
    ]


def eml(to: str, subject: str = "Hello", text: str = "Good morning.", **headers: str) -> str:
    """A plain mail as `raw` takes it."""
    lines = [
        f"To: {to}",
        f"Subject: {subject}",
        *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items()),
    ]
    return urlsafe_b64encode("\r\n".join([*lines, "", text, ""]).encode()).decode()


@pytest.fixture
def app() -> App:
    """The app under test."""
    return apps.gmail.app


@pytest.fixture(scope="session")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sealed image of the small company's mail."""
    return image(tmp_path_factory.mktemp("gmail"), [apps.gmail.app], mail_rows)


@pytest.fixture
def play(sealed: Path, tmp_path: Path) -> Play:
    """A host whose world `w` plays a script."""

    def begin(*parts: Callable[[Script], object]) -> Host:
        made = closed(sealed, tmp_path / "played", apps.gmail.app)
        script = Script("post", START, "Europe/Berlin")
        for part in parts:
            part(script)
        made.create("w", Settings(limits="off"), compile_script(script, horizon="2d"))
        return made

    return begin


@pytest.fixture
def client(host: Host) -> Iterator[MailClient]:
    """An HTTP client of the REST door whose every answer must be as published."""
    made = MailClient(host)
    with made.http:
        yield made
