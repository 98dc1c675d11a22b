"""The company as the seed had it: people by id, address and name, and their on-call shifts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from world.grading.rows import Rows
from world.grading.tables import Table


@dataclass(frozen=True, slots=True)
class Person:
    """An employee, a bot, or a contact outside (`kind` contact)."""

    id: str
    full_name: str = ""
    display_name: str = ""
    first_name: str = ""
    last_name: str = ""
    handle: str = ""
    email: str = ""
    title: str = ""
    team_id: str | None = None
    manager_id: str | None = None
    tz: str = "UTC"
    kind: str = "employee"
    status: str = "active"


@dataclass(frozen=True, slots=True)
class Shift:
    """On-call shift from `start_at` (included) to `end_at` (excluded), us."""

    schedule_id: str
    person_id: str
    start_at: int
    end_at: int


@dataclass(frozen=True, eq=False)
class Directory:
    """A snapshot of the seed's people; nothing an agent does can change it."""

    people: Sequence[Person] = ()
    aliases: Sequence[tuple[str, str, str]] = ()  # person id, kind, value
    accounts: Sequence[tuple[str, str, str]] = ()  # app, external id, person id
    logins: Sequence[tuple[str, str, str]] = ()  # app, name in it, person id
    shifts: Sequence[Shift] = ()
    schedules: Sequence[tuple[str, str, str]] = ()  # id, name, service id or ""
    teams: Sequence[tuple[str, str, str]] = ()  # id, name, lead id or ""
    services: Sequence[tuple[str, str, str]] = ()  # id, name, team id or ""
    company: Mapping[str, Any] = field(default_factory=dict[str, Any])
    organisations: Sequence[tuple[str, str, str, str]] = ()  # id, name, domain, customer or vendor
    employers: Sequence[tuple[str, str]] = ()  # contact id, organisation id
    entities: Sequence[tuple[str, str, str]] = ()  # channel, project or product; id; name

    @classmethod
    def read(cls, rows: Rows, tables: Mapping[str, Table] | None = None) -> "Directory":
        """The snapshot of a state's directory tables, and of the apps' tables whose rows are entities."""
        names = tuple(Person.__dataclass_fields__)
        people = [Person(**{n: row[n] for n in names if n in row}) for row in rows.rows("person")]
        outside = [
            Person(row["id"], row["full_name"], email=row["email"], title=row.get("title", ""), kind="contact")
            for row in rows.rows("contact")
        ]
        return cls(
            people=(*people, *outside),
            aliases=_triples(rows.rows("alias"), "person_id", "kind", "value"),
            accounts=_triples(rows.rows("account"), "app", "external_id", "person_id"),
            logins=tuple(_logins(rows, tables or {})),
            shifts=tuple(
                Shift(row["schedule_id"], row["person_id"], row["start_at"], row["end_at"])
                for row in rows.rows("shift")
            ),
            schedules=_triples(rows.rows("schedule"), "id", "name", "service_id"),
            teams=_triples(rows.rows("team"), "id", "name", "lead_id"),
            services=_triples(rows.rows("service"), "id", "name", "team_id"),
            company=next(iter(rows.rows("company")), dict[str, Any]()),
            organisations=tuple(
                (row["id"], row["name"], row["domain"], row["kind"]) for row in rows.rows("organisation")
            ),
            employers=tuple(
                (row["id"], row["organisation_id"]) for row in rows.rows("contact") if row.get("organisation_id")
            ),
            entities=tuple(_entities(rows, tables or {})),
        )

    @cached_property
    def by_id(self) -> Mapping[str, Person]:
        """Everybody, by directory id."""
        return {person.id: person for person in self.people}

    @cached_property
    def _external(self) -> Mapping[tuple[str, str], str]:
        return {(app, external): person for app, external, person in self.accounts}

    @cached_property
    def _anywhere(self) -> Mapping[str, str]:
        """External id -> person where every app that knows the id means the same person."""
        return _unambiguous((external, person) for _, external, person in self.accounts)

    def external(self, value: str) -> str | None:
        """The person an app knows by exactly this id."""
        return self._anywhere.get(value)

    @cached_property
    def addresses(self) -> Mapping[str, str]:
        """Mail address, lower case -> person id; aliases included."""
        own = {p.email.lower(): p.id for p in self.people if p.email}
        return {value.lower(): person for person, kind, value in self.aliases if kind == "email"} | own

    @cached_property
    def handles(self) -> Mapping[str, str]:
        """Handle without @, lower case -> person id."""
        return {p.handle.lower(): p.id for p in self.people if p.handle}

    @cached_property
    def _by_login(self) -> Mapping[tuple[str, str], str]:
        """App and the name in it, lower case -> person id; without an app where all apps mean the same person."""
        found = {(app, login.casefold()): person for app, login, person in self.logins}
        anywhere = _unambiguous((login.casefold(), person) for _, login, person in self.logins)
        return {("", login): person for login, person in anywhere.items()} | found

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Name as spoken, case-folded -> person id, where it can mean one person only."""
        pairs = [(name, p.id) for p in self.people for name in self.list_spoken_names(p.id)]
        return _unambiguous((name.casefold(), person) for name, person in pairs)

    def list_spoken_names(self, person_id: str) -> list[str]:
        """The names a person is called by: full, display, first, nicknames. Not all of them need be unique."""
        person = self.by_id.get(person_id)
        if person is None:
            return []
        nicks = self._nicks.get(person_id, [])
        names = [person.full_name, person.display_name, person.first_name, *nicks]
        return list(dict.fromkeys(name for name in names if name))

    @cached_property
    def _nicks(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = {}
        for person, kind, value in self.aliases:
            if kind != "email":
                found.setdefault(person, []).append(value)
        return found

    def identify(self, value: object, app: str = "") -> str | None:
        """The person a cell means: directory id, the app's user id or login, address, handle or an unambiguous name."""
        if not isinstance(value, str) or not value:
            return None
        if value in self.by_id:
            return value
        external = self._external.get((app, value)) or self._anywhere.get(value)
        if external:
            return external
        text = value.strip()
        if "<" in text and text.endswith(">"):
            text = text[text.rindex("<") + 1 : -1]
        text = text.lstrip("@").casefold()
        if app and (person := self._by_login.get((app, text))):
            return person
        own = self.addresses.get(text) or self.handles.get(text) or self.names.get(text)
        return own or self._by_login.get(("", text))

    def schedule(self, name: str) -> str | None:
        """The id of a rota by id, name or the service it covers."""
        wanted = name.casefold()
        services = {service for service, title, _ in self.services if wanted in (service.casefold(), title.casefold())}
        for id, title, service in self.schedules:
            if wanted in (id.casefold(), title.casefold()) or service in services:
                return id
        return None

    def on_call(self, schedule: str, at: int) -> str | None:
        """Return the person on call on a rota at a simulated time, or None."""
        for shift in self.shifts:
            if shift.schedule_id == schedule and shift.start_at <= at < shift.end_at:
                return shift.person_id
        return None

    def lead_of(self, name: str) -> str | None:
        """The lead of a team (by id or name), or of the team that owns a service."""
        wanted = name.casefold()
        owner = {team for id, title, team in self.services if wanted in (id.casefold(), title.casefold())}
        for id, title, lead in self.teams:
            if wanted in (id.casefold(), title.casefold()) or id in owner:
                return lead or None
        return None


def _triples(rows: Iterable[Mapping[str, Any]], *names: str) -> tuple[tuple[str, str, str], ...]:
    return tuple((row[names[0]], row[names[1]], row[names[2]] or "") for row in rows)


def _logins(rows: Rows, tables: Mapping[str, Table]) -> Iterable[tuple[str, str, str]]:
    for table in tables.values():
        if table.login:
            login, person = table.login
            yield from ((table.app, row[login], row[person]) for row in rows.rows(table.name) if row[person])


def _entities(rows: Rows, tables: Mapping[str, Table]) -> Iterable[tuple[str, str, str]]:
    for table in tables.values():
        if table.entity:
            for row in rows.rows(table.name):
                for label in ("key", "name"):
                    if row.get(label):
                        yield table.entity, str(table.key_of(row)[0]), str(row[label])


def _unambiguous(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, set[str]] = {}
    for name, person in pairs:
        found.setdefault(name, set()).add(person)
    return {name: min(people) for name, people in found.items() if len(people) == 1}
