"""The shared company: people, teams, offices, absence, customers, services; every app refers to it."""

# SQLModel types __tablename__ as a declared attribute
# pyright: reportAssignmentType=false

from collections.abc import Sequence
from typing import Any, Protocol

from sqlalchemy import Column, LargeBinary
from sqlmodel import Field, Session, SQLModel, col, select

READ_ONLY = {"info": {"directory": True}}


class Company(SQLModel, table=True):
    """The one row about the company itself."""

    __tablename__ = "company"
    __table_args__ = READ_ONLY
    id: int = Field(default=1, primary_key=True)
    name: str
    domain: str
    tz: str
    founded_at: int
    slack_domain: str
    jira_site: str


class Office(SQLModel, table=True):
    """A place people work at; `tz` is an IANA zone, `locale` like de_DE."""

    __tablename__ = "office"
    __table_args__ = READ_ONLY
    id: str = Field(primary_key=True)
    name: str
    city: str
    tz: str
    locale: str


class Team(SQLModel, table=True):
    """A group of people with a lead."""

    __tablename__ = "team"
    __table_args__ = READ_ONLY
    id: str = Field(primary_key=True)
    name: str
    lead_id: str | None = None
    parent_id: str | None = None


class Person(SQLModel, table=True):
    """An employee or a bot. `hours_*` are minutes of the local day; `status` is active or left."""

    __tablename__ = "person"
    __table_args__ = READ_ONLY
    id: str = Field(primary_key=True)
    full_name: str
    display_name: str
    first_name: str
    last_name: str
    handle: str = Field(unique=True)
    email: str = Field(unique=True)
    title: str
    team_id: str | None = Field(default=None, index=True)
    manager_id: str | None = None
    office_id: str | None = None
    tz: str
    hours_start: int = 540
    hours_end: int = 1080
    kind: str = "employee"
    status: str = "active"
    joined_at: int = 0
    left_at: int | None = None
    phone: str = ""
    pronouns: str = ""


class Alias(SQLModel, table=True):
    """Another address (`email`) or name (`nick`) of a person."""

    __tablename__ = "alias"
    __table_args__ = READ_ONLY
    id: int = Field(primary_key=True)
    person_id: str = Field(index=True)
    kind: str
    value: str = Field(index=True)


class Absence(SQLModel, table=True):
    """Time away from work, with who stands in."""

    __tablename__ = "absence"
    __table_args__ = READ_ONLY
    id: int = Field(primary_key=True)
    person_id: str = Field(index=True)
    start_at: int
    end_at: int
    kind: str
    note: str = ""
    delegate_id: str | None = None


class Organisation(SQLModel, table=True):
    """A customer or a vendor."""

    __tablename__ = "organisation"
    __table_args__ = READ_ONLY
    id: str = Field(primary_key=True)
    name: str
    domain: str
    kind: str
    tier: str = ""
    owner_id: str | None = None


class Contact(SQLModel, table=True):
    """A person at a customer or vendor."""

    __tablename__ = "contact"
    __table_args__ = READ_ONLY
    id: str = Field(primary_key=True)
    organisation_id: str = Field(index=True)
    full_name: str
    email: str = Field(unique=True)
    title: str = ""
    tz: str = "UTC"


class Service(SQLModel, table=True):
    """A piece of software the company runs."""

    __tablename__ = "service"
    __table_args__ = READ_ONLY
    id: str = Field(primary_key=True)
    name: str
    team_id: str | None = None
    tier: str = ""
    description: str = ""


class Schedule(SQLModel, table=True):
    """An on-call rota; its id is what a rubric names."""

    __tablename__ = "schedule"
    __table_args__ = READ_ONLY
    id: str = Field(primary_key=True)
    name: str
    service_id: str | None = None


class Shift(SQLModel, table=True):
    """On-call shift of a person, from `start_at` (included) to `end_at` (excluded)."""

    __tablename__ = "shift"
    __table_args__ = READ_ONLY
    id: int = Field(primary_key=True)
    schedule_id: str = Field(index=True)
    person_id: str
    start_at: int
    end_at: int


class Account(SQLModel, table=True):
    """A person's id in one app, in that vendor's form."""

    __tablename__ = "account"
    __table_args__ = READ_ONLY
    app: str = Field(primary_key=True)
    person_id: str = Field(primary_key=True)
    external_id: str = Field(index=True)


class Blob(SQLModel, table=True):
    """Content-addressed bytes; names and media types belong to the owning row."""

    __tablename__ = "blob"
    __table_args__ = {"info": {"derived_from": "*"}}
    sha256: str = Field(primary_key=True)
    size: int
    data: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class StoryRef(SQLModel, table=True):
    """Links rows to the story that made them. No operation reads it; outside journal, diff and hash."""

    __tablename__ = "story_ref"
    __table_args__ = {"info": {"control": True}}
    table_name: str = Field(primary_key=True)
    row_id: str = Field(primary_key=True)
    event_id: str = Field(primary_key=True)
    story: str = Field(default="", index=True)
    part: str = ""


TABLES = frozenset(
    str(vars(found)["__tablename__"]) for found in SQLModel.__subclasses__() if found.__module__ == __name__
)


_OWNER = (
    "SELECT id, status, 0 FROM person WHERE email = :email UNION ALL SELECT p.id, p.status, a.id FROM alias a"
    " JOIN person p ON p.id = a.person_id WHERE a.kind = 'email' AND a.value = :email ORDER BY 3 LIMIT 1"
)
_COMPANY = f"SELECT {', '.join(Company.model_fields)} FROM company WHERE id = 1"
_AWAY = "SELECT 1 FROM absence WHERE person_id = :id AND start_at <= :now AND end_at > :now"


class Reader(Protocol):
    """Interface for reading a world at one moment, such as a call."""

    @property
    def now(self) -> int: ...

    @property
    def session(self) -> Session: ...

    def first(self, statement: object, parameters: object = None) -> Sequence[Any] | None: ...

    def scalar(self, statement: object, parameters: object = None) -> Any: ...


class Directory:
    """Look-ups of the company as the calling world has it now."""

    __slots__ = ("_reader",)

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def person(self, person_id: str) -> Person | None:
        """The person with an id like `p_0007`, active or left."""
        return self._reader.session.get(Person, person_id)

    def people(self, *, active: bool = True, kinds: Sequence[str] = ("employee",)) -> list[Person]:
        """People by full name then id; only the active ones unless told."""
        query = select(Person).where(col(Person.kind).in_(list(kinds))).order_by(Person.full_name, Person.id)
        if active:
            query = query.where(Person.status == "active")
        return list(self._reader.session.exec(query))

    def by_email(self, email: str) -> Person | None:
        """The person a mail address belongs to, aliases included; case does not matter."""
        address = email.strip().lower()
        found = self._reader.session.exec(select(Person).where(Person.email == address)).first()
        return found or self._by_alias("email", address)

    # Single columns, asked for in every call of some app: a query through the session would be most of that call.

    def full_name(self, person_id: str) -> str:
        """A person's name; empty for nobody."""
        return str(self._reader.scalar("SELECT full_name FROM person WHERE id = :id", {"id": person_id}) or "")

    def zone(self, person_id: str) -> str:
        """A person's IANA zone; UTC for nobody."""
        return str(self._reader.scalar("SELECT tz FROM person WHERE id = :id", {"id": person_id}) or "UTC")

    def owner(self, email: str) -> tuple[str, str] | None:
        """Id and status of the person a mail address belongs to, aliases included."""
        found = self._reader.first(_OWNER, {"email": email.strip().lower()})
        return None if found is None else (found[0], found[1])

    def is_away(self, person_id: str) -> bool:
        """Whether a person is absent now."""
        return self._reader.first(_AWAY, {"id": person_id, "now": self._reader.now}) is not None

    def by_handle(self, handle: str) -> Person | None:
        """The person with a handle (without @)."""
        found = self._reader.scalar("SELECT id FROM person WHERE handle = :handle", {"handle": handle.strip().lower()})
        return None if found is None else self.person(str(found))

    def _by_alias(self, kind: str, value: str) -> Person | None:
        query = select(Alias).where(Alias.kind == kind, Alias.value == value).order_by(col(Alias.id))
        alias = self._reader.session.exec(query).first()
        return self.person(alias.person_id) if alias else None

    def account(self, app: str, person_id: str) -> str | None:
        """A person's id in an app, or None without an account there."""
        found = self._reader.session.get(Account, (app, person_id))
        return found.external_id if found else None

    def accounts(self, app: str) -> dict[str, str]:
        """person id -> external id, for lists that would otherwise ask one by one."""
        rows = self._reader.session.exec(select(Account.person_id, Account.external_id).where(Account.app == app))
        return {person: external for person, external in rows}

    def on_call(self, schedule_id: str, at: int | None = None) -> Person | None:
        """Return the person on call on a schedule at a simulated time (now by default); None without a shift."""
        moment = self._reader.now if at is None else at
        query = (
            select(Shift)
            .where(Shift.schedule_id == schedule_id, Shift.start_at <= moment, Shift.end_at > moment)
            .order_by(col(Shift.id))
        )
        shift = self._reader.session.exec(query).first()
        return self.person(shift.person_id) if shift else None

    def absent(self, person_id: str, at: int | None = None) -> Absence | None:
        """The absence a person is on at a simulated time (now by default)."""
        moment = self._reader.now if at is None else at
        query = select(Absence).where(
            Absence.person_id == person_id, Absence.start_at <= moment, Absence.end_at > moment
        )
        return self._reader.session.exec(query.order_by(col(Absence.id))).first()

    def list_company_names(self) -> dict[str, Any]:
        """The columns of the company's own row, by name. Raises LookupError in an unseeded world."""
        found = self._reader.first(_COMPANY)
        if found is None:
            raise LookupError("the world has no company")
        return dict(zip(Company.model_fields, found, strict=True))

    def company(self) -> Company:
        """The company's own row. Raises LookupError in an unseeded world."""
        found = self._reader.session.get(Company, 1)
        if found is None:
            raise LookupError("the world has no company")
        return found
