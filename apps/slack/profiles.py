"""People by user id, their profiles, user groups, and the workspace."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import orjson

from world.core.call import Call
from world.core.errors import OperationError
from world.core.portraits import portrait_mark
from world.core.rng import digest

SLACKBOT = "USLACKBOT"

_PEOPLE = """SELECT p.id, a.external_id, p.kind, p.status, p.handle, p.full_name, p.display_name, s.bot_id, s.app_id,
  coalesce(s.is_guest, 0), coalesce(s.is_admin, 0) OR coalesce(s.is_owner, 0), s.display_name
  FROM person p JOIN account a ON a.app = 'slack' AND a.person_id = p.id LEFT JOIN slack_profile s ON s.person_id =
  p.id"""
_BY_ID = f"{_PEOPLE} WHERE p.id IN (SELECT value FROM json_each(:ids))"
_BY_EXTERNAL = f"{_PEOPLE} WHERE a.external_id IN (SELECT value FROM json_each(:ids))"
_BY_HANDLE = f"{_PEOPLE} WHERE p.handle = :handle"
_TEAM = "SELECT id, name, domain, email_domain FROM slack_workspace ORDER BY id LIMIT 1"


class User(NamedTuple):
    """A person as others see them on this service."""

    person_id: str
    id: str
    kind: str
    status: str
    handle: str
    real_name: str
    display_name: str
    bot_id: str = ""
    app_id: str = ""
    is_guest: bool = False
    is_admin: bool = False

    @property
    def is_bot(self) -> bool:
        """Whether an app posts as this user."""
        return self.kind == "bot"


@dataclass(frozen=True, slots=True)
class Team:
    """The workspace."""

    id: str
    name: str
    domain: str
    email_domain: str


class Roster:
    """The users that one call needs; reads many at once, and each only once."""

    __slots__ = ("_by_id", "_call", "_domain", "_team")

    def __init__(self, call: Call) -> None:
        self._call = call
        self._by_id: dict[str, User] = {}
        self._team: Team | None = None
        self._domain: str | None = None

    def portrait(self, person: str, first_name: str, pronouns: str) -> str:
        """The mark of an employee's portrait, of their id, name and pronouns in the directory."""
        if self._domain is None:
            self._domain = self._call.directory.company().domain
        return portrait_mark(self._domain, person, first_name, pronouns)

    @property
    def team(self) -> Team:
        """The workspace. Raises LookupError in a world without one."""
        if self._team is None:
            row = self._call.first(_TEAM)
            if row is None:
                raise LookupError("the world has no Slack workspace")
            self._team = Team(*row)
        return self._team

    def need(self, people: Iterable[str]) -> None:
        """Read these people now, in one query."""
        missing = sorted({person for person in people if person not in self._by_id})
        if missing:
            self._add(self._call.all(_BY_ID, {"ids": orjson.dumps(missing).decode()}))

    def _add(self, rows: Iterable[object]) -> None:
        for row in rows:
            user = _user_from_row(tuple(row))  # type: ignore[arg-type]
            self._by_id[user.person_id] = user

    def get(self, person: str) -> User | None:
        """The user of a directory id; None for somebody without an account here."""
        if person not in self._by_id:
            self.need([person])
        return self._by_id.get(person)

    def user_id(self, person: str | None) -> str:
        """The U… of a directory id; Slackbot's for the service itself."""
        found = self.get(person) if person else None
        return found.id if found else SLACKBOT

    def user_ids(self, people: Iterable[str]) -> list[str]:
        """The U… of several, in their order."""
        listed = list(people)
        self.need(listed)
        return [self.user_id(person) for person in listed]

    @property
    def me(self) -> User:
        """The caller. Raises account_inactive for somebody without an account here."""
        found = self.get(self._call.person)
        if found is None:
            raise OperationError("account_inactive")
        return found

    def find(self, user_id: str) -> User | None:
        """The user of an id U…."""
        found = self.find_all([user_id])
        return found[0] if found else None

    def find_all(self, user_ids: Iterable[str]) -> list[User]:
        """The users of several ids, in their order; unknown ids are left out."""
        listed = list(dict.fromkeys(user_ids))
        self._add(self._call.all(_BY_EXTERNAL, {"ids": orjson.dumps(listed).decode()}))
        by_external = {user.id: user for user in self._by_id.values()}
        return [by_external[one] for one in listed if one in by_external]

    def by_handle(self, handle: str) -> User | None:
        """The user called @handle."""
        row = self._call.first(_BY_HANDLE, {"handle": handle.lower()})
        if row is None:
            return None
        user = _user_from_row(tuple(row))
        self._by_id[user.person_id] = user
        return user


def _user_from_row(row: tuple[object, ...]) -> User:
    person, external, kind, status, handle, full, shown, bot, app, guest, admin, own = row
    is_bot = kind == "bot"
    return User(
        str(person),
        str(external),
        str(kind),
        str(status),
        str(handle),
        str(full),
        str(own if own is not None else shown),
        str(bot or "B" + str(external)[1:]) if is_bot else "",
        str(app or "A" + str(external)[1:]) if is_bot else "",
        bool(guest),
        bool(admin),
    )


def list_group_ids(call: Call, person: str) -> list[str]:
    """Ids of the enabled user groups a person is in."""
    rows = call.all(_GROUPS, {"person": person})
    return [row[0] for row in rows]


_GROUPS = (
    "SELECT g.id FROM slack_usergroup_member m JOIN slack_usergroup g ON g.id = m.usergroup_id"
    " WHERE m.person_id = :person AND g.disabled_at IS NULL ORDER BY g.id"
)


def avatar_hash(user_id: str, portrait: str = "") -> str:
    """Return the hash that names a user's picture: the mark of their portrait, or `g` and a hash for whom has none."""
    return portrait or "g" + digest("slack avatar", user_id, size=6).hex()[1:]


def list_images(
    base_url: str, user_id: str, sizes: Iterable[int] = (24, 32, 48, 72, 192, 512), portrait: str = ""
) -> Mapping[str, str]:
    """Addresses of a user's picture."""
    mark = avatar_hash(user_id, portrait)
    return {f"image_{size}": f"{base_url}/avatars/{user_id}-{mark}-{size}.svg" for size in sizes}


COLOURS = ("9f69e7", "4bbe2e", "e7392d", "3c989f", "674b1b", "e96699", "e0a729", "684b6c", "5b89d5", "2b6836")


def user_colour(user_id: str) -> str:
    """The colour of a user's name in compact views."""
    return COLOURS[digest("slack colour", user_id, size=1)[0] % len(COLOURS)]
