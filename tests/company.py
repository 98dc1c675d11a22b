"""A tiny company for kernel and app tests: six people, two offices, one customer."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy
from sqlmodel import Session, SQLModel

from world.core.access import Tokens
from world.core.app import App
from world.core.clock import from_datetime
from world.core.directory import Account, Alias, Company, Office, Organisation, Person, Schedule, Shift, Team
from world.core.image_builder import build
from world.core.principal import Principal
from world.core.settings import Settings
from world.run.home import Home
from world.run.host import Host
from world.run.sandbox_results import HostResults
from world.store import Base, Store

Say = Callable[..., Any]
START = from_datetime(datetime(2026, 3, 2, 8, 0, tzinfo=UTC))
PEOPLE = (
    ("p_ada", "Ada Novak", "ada", "Staff Engineer", None),
    ("p_bo", "Bo Lindqvist", "bo", "Engineer", "p_ada"),
    ("p_cy", "Cyrus Patel", "cyrus", "Support Lead", "p_ada"),
    ("p_dee", "Dee Okafor", "dee", "Product Manager", "p_ada"),
    ("p_eve", "Eve Martin", "eve", "Engineer", "p_ada"),
)


def person(id: str, full_name: str, handle: str, title: str, manager: str | None, **more: object) -> Person:
    """A person with the plain defaults of the fixture company."""
    first, last = full_name.split(" ", 1)
    values: dict[str, object] = {
        "id": id,
        "full_name": full_name,
        "display_name": first,
        "first_name": first,
        "last_name": last,
        "handle": handle,
        "email": f"{handle}@tiny.example",
        "title": title,
        "team_id": "t_core",
        "manager_id": manager,
        "office_id": "o_ber",
        "tz": "Europe/Berlin",
    }
    return Person(**{**values, **more})


def company_rows() -> list[SQLModel]:
    """The directory of the fixture company."""
    people = [person(*row) for row in PEOPLE]
    people.append(person("p_gone", "Gus Weber", "gus", "Engineer", "p_ada", status="left", left_at=START - 1))
    people.append(person("p_bot", "Pager Bot", "pager", "Bot", None, kind="bot"))
    accounts = [
        Account(app=app, person_id=p.id, external_id=form.format(p.handle.upper()))
        for p in people
        for app, form in (("slack", "U0{}"), ("jira", "5f{}"))
    ]
    return [
        Company(
            name="Tiny", domain="tiny.example", tz="Europe/Berlin", founded_at=0, slack_domain="tiny", jira_site="tiny"
        ),
        Office(id="o_ber", name="Berlin", city="Berlin", tz="Europe/Berlin", locale="de_DE"),
        Team(id="t_core", name="Core", lead_id="p_ada"),
        *people,
        *accounts,
        Alias(id=1, person_id="p_bo", kind="email", value="b.lindqvist@tiny.example"),
        Organisation(id="org_acme", name="Acme", domain="acme.example", kind="customer", tier="gold", owner_id="p_cy"),
        Schedule(id="core", name="Core on-call"),
        Shift(id=1, schedule_id="core", person_id="p_bo", start_at=START - 1, end_at=START + 10**12),
    ]


def image(folder: Path, apps: Iterable[App], rows: Callable[[], list[SQLModel]] = list) -> Path:
    """A sealed image of the fixture company with the apps' tables and extra rows."""

    def load(connection: sqlalchemy.Connection) -> None:
        with Session(bind=connection) as session:
            session.add_all([*company_rows(), *rows()])
            session.commit()

    return build(folder / "images", list(apps), load, now=START)


def host(folder: Path, apps: Iterable[App], rows: Callable[[], list[SQLModel]] = list) -> Host:
    """A host over the fixture company with one world, `w`."""
    listed = list(apps)
    made = closed(image(folder, listed, rows), folder, *listed)
    made.create("w")
    return made


def closed(image: Path, folder: Path, *apps: App) -> Host:
    """A host over an image, without worlds."""
    outcomes = HostResults(Home().path / "verdicts")
    return Host(Store(folder / "worlds", Base(image)), list(apps), Tokens("test secret"), outcomes=outcomes)


def unmetered(image: Path, folder: Path, *apps: App, worlds: Iterable[str] = ("w",)) -> Host:
    """A host over an image whose worlds have no quotas."""
    made = closed(image, folder, *apps)
    for world in worlds:
        made.create(world, Settings(limits="off"))
    return made


def as_person(host: Host, who: str = "ada", world: str = "w", **more: object) -> Principal:
    """A principal of the fixture company."""
    return host.principal(world, who, **more)  # type: ignore[arg-type]


def saying(host: Host, app: App, **usual: Any) -> Say:
    """`say("users.messages.send", "bo", raw=...)`: call an app's operations as somebody (Ada unless told); what is
    `usual` goes where it is taken.
    """

    def call(operation: str, who: str = "ada", *, kind: str = "user", **arguments: Any) -> Any:
        taken = host.operation(operation).params.model_fields
        given = {name: value for name, value in usual.items() if name in taken}
        return host.call(
            as_person(host, who, kind=kind),
            "rest",
            operation,
            {**given, **arguments},
            base_url=f"http://{app.name}.test",
        )

    return call
