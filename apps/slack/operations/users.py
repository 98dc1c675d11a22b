"""People of the workspace: profiles, status, presence."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from pydantic import BeforeValidator, Field
from sqlalchemy.dialects.sqlite import insert

from apps.slack import cursors
from apps.slack.answers import EmptyAnswer
from apps.slack.app import app
from apps.slack.cursors import Metadata
from apps.slack.example_objects import A_COLLEAGUE, AN_ADDRESS
from apps.slack.limits import CLIENT, DOCS, TIER2, TIER3, TIER4
from apps.slack.models import Profile
from apps.slack.params import USER, Count, Cursor, Ident, Json, Line, limit_field
from apps.slack.presence import is_active
from apps.slack.profiles import SLACKBOT, Roster, list_images
from apps.slack.user_views import UserRow, profile_to_json, slackbot_to_json, user_to_json
from world.core.call import Call
from world.core.clock import SECOND
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params

MAX_STATUS = 100  # docs.slack.dev/reference/methods/users.profile.set


class UserPage(TypedDict):
    """A page of users."""

    members: list[JsonObject]
    cache_ts: int
    response_metadata: Metadata


class BotAnswer(TypedDict):
    """A bot; nothing for a caller that asks for none and is none."""

    bot: NotRequired[JsonObject]


class UserAnswer(TypedDict):
    """A user."""

    user: JsonObject


class ProfileAnswer(TypedDict):
    """A profile."""

    profile: JsonObject


class OwnProfile(ProfileAnswer):
    """Your profile after a change."""

    username: str


class Presence(TypedDict, total=False):
    """Whether somebody is at work."""

    presence: str
    online: bool
    auto_away: bool
    manual_away: bool
    connection_count: int
    last_activity: int


class FoundUsers(TypedDict):
    """People that match."""

    users: list[JsonObject]


class ListUsers(Params):
    """Page of users."""

    limit: Count = limit_field(1000, 1000)
    cursor: Cursor = ""
    include_locale: bool = Field(default=False, description="Also tell each user's language.")


class GetUser(Params):
    """User to describe."""

    user: Ident = USER
    include_locale: bool = Field(default=False, description="Also tell the user's language.")


class LookupByEmail(Params):
    """Address of a user to find."""

    email: Ident = Field(description="A mail address.", examples=["ada@example.com"])


class GetProfile(Params):
    """User whose profile to read."""

    user: Line = Field(default="", description="User id; yourself if empty.")
    include_labels: bool = Field(default=False, description="Accepted for compatibility.")


class SetProfile(Params):
    """Changes of the caller's profile: `profile` with several fields, or `name` and `value`."""

    profile: Json = Field(
        default=None,
        description="Fields to change: status_text, status_emoji, status_expiration, title ...",
        examples=[{"status_text": "On call", "status_emoji": ":rotating_light:"}],
    )
    name: Line = Field(default="", description="One field to change, instead of `profile`.")
    value: Line = Field(default="", description="The new value of `name`.")


class GetPresence(Params):
    """User whose presence to read."""

    user: Line = Field(default="", description="User id; yourself if empty.")


class SetPresence(Params):
    """Whether you count as away."""

    presence: Literal["auto", "away"] = Field(description="away, or auto to follow your activity.")


class SearchUsers(Params):
    """Words to look for in names, titles and addresses."""

    query: Annotated[Ident, BeforeValidator(lambda v: v.strip() if isinstance(v, str) else v)] = Field(
        description="Part of a name, handle, title or address.", examples=["ada"]
    )
    limit: Count = limit_field(20, 100)


_COLUMNS = """p.id, a.external_id, p.kind, p.status, p.handle, p.full_name, p.first_name, p.last_name,
  coalesce(s.display_name, p.display_name), p.email, coalesce(s.title, p.title), coalesce(s.phone, p.phone), p.pronouns, p.tz,
  p.hours_start, p.hours_end, o.locale, s.status_text, s.status_emoji, s.status_expires_at, s.presence, s.is_admin, s.is_owner,
  s.is_primary_owner, s.is_guest, s.bot_id, s.app_id, s.updated_at"""
_FROM = """FROM person p JOIN account a ON a.app = 'slack' AND a.person_id = p.id
  LEFT JOIN slack_profile s ON s.person_id = p.id LEFT JOIN office o ON o.id = p.office_id"""
_PAGE = f"SELECT {_COLUMNS} {_FROM} WHERE a.external_id > :after ORDER BY a.external_id LIMIT :n"
_ONE = f"SELECT {_COLUMNS} {_FROM} WHERE a.external_id = :user"
_WORDS = (
    f"SELECT {_COLUMNS} {_FROM} WHERE p.status = 'active' AND (instr(lower(p.full_name || ' ' || p.handle || ' ' ||"
    " p.email || ' ' ||"
    " p.title || ' ' || coalesce(s.display_name, p.display_name)), lower(:query)))"
    " ORDER BY instr(lower(p.full_name), lower(:query)) <> 1, p.full_name, p.id LIMIT :n"
)


@app.operation(
    "users.list",
    source=DOCS + "users.list",
    scope="users:read",
    limit=TIER2,
    examples=[{"limit": 50}],
    raises=("invalid_cursor", "invalid_limit", "missing_scope"),
)
def list_users(call: Call, params: ListUsers) -> UserPage:
    """List everybody in the workspace with their profiles, apps and people who left included."""
    roster, n = Roster(call), cursors.page_size(params.limit, 1000, 1000)
    after = cursors.read_cursor(call, "user", params.cursor) or ""
    rows = call.all(_PAGE, {"after": after, "n": n + 1})
    roster.need([row[0] for row in rows])
    members = [user_to_json(call, row, roster, locale=params.include_locale) for row in rows[:n]]
    more = cursors.write_cursor(call, "user", rows[n - 1][1]) if len(rows) >= n else ""
    if not more:
        members.append(slackbot_to_json(call, roster))
    return {"members": members, "cache_ts": call.now // SECOND, "response_metadata": {"next_cursor": more}}


def describe_person(call: Call, user: str) -> JsonObject:
    """The user object of an id U…. Raises user_not_found."""
    return user_to_json(call, _get_user_row(call, user), Roster(call))


def _get_user_row(call: Call, user: str) -> Any:
    row = call.first(_ONE, {"user": user})
    if row is None:
        raise OperationError("user_not_found")
    return row


@app.operation(
    "users.info",
    source=DOCS + "users.info",
    scope="users:read",
    limit=TIER4,
    examples=[{"user": A_COLLEAGUE}],
    raises=("user_not_found", "missing_scope"),
)
def info(call: Call, params: GetUser) -> UserAnswer:
    """Describe one user: names, title, zone, status."""
    roster = Roster(call)
    if params.user == SLACKBOT:
        return {"user": slackbot_to_json(call, roster)}
    return {"user": user_to_json(call, _get_user_row(call, params.user), roster, locale=params.include_locale)}


class GetBot(Params):
    """Bot to describe."""

    bot: Line = Field(default="", description="Bot id, B…; it stands in messages that apps post.")


_BOT = "SELECT a.external_id FROM slack_profile s JOIN account a ON a.app = 'slack' AND a.person_id = s.person_id WHERE s.bot_id = :bot"


@app.operation(
    "bots.info",
    source=DOCS + "bots.info",
    scope="users:read",
    limit=TIER3,
    examples=[{}],
    raises=("bot_not_found", "missing_scope"),
)
def bot_info(call: Call, params: GetBot) -> BotAnswer:
    """Describe the app's user behind a bot id: its name, its pictures, its user id."""
    roster = Roster(call)
    own = roster.me.bot_id if not params.bot and roster.me.is_bot else params.bot
    found = roster.find_all([str(row[0]) for row in call.all(_BOT, {"bot": own})]) if own else []
    if not found:
        if not params.bot:
            return {}
        raise OperationError("bot_not_found")
    user = found[0]
    return {
        "bot": {
            "id": user.bot_id,
            "deleted": user.status != "active",
            "name": user.real_name,
            "updated": 0,
            "app_id": user.app_id,
            "user_id": user.id,
            "icons": dict(list_images(call.base_url, user.id, (36, 48, 72))),
        }
    }


@app.operation(
    "users.lookupByEmail",
    source=DOCS + "users.lookupByEmail",
    scope="users:read.email",
    limit=TIER3,
    examples=[{"email": AN_ADDRESS}],
    raises=("users_not_found", "missing_scope"),
)
def lookup_by_email(call: Call, params: LookupByEmail) -> UserAnswer:
    """Find the user a mail address belongs to."""
    person, roster = call.directory.by_email(params.email), Roster(call)
    user = roster.get(person.id) if person and person.status == "active" else None
    if user is None:
        raise OperationError("users_not_found")
    return {"user": user_to_json(call, _get_user_row(call, user.id), roster)}


@app.operation(
    "users.profile.get",
    source=DOCS + "users.profile.get",
    scope="users.profile:read",
    limit=TIER4,
    examples=[{"user": A_COLLEAGUE}],
    raises=("user_not_found", "missing_scope"),
)
def get_profile(call: Call, params: GetProfile) -> ProfileAnswer:
    """Read a user's profile: title, phone, status, address."""
    roster = Roster(call)
    return {
        "profile": {
            **profile_to_json(call, UserRow(*_get_user_row(call, params.user or roster.me.id)), roster),
            "fields": {},
        }
    }


@app.operation(
    "users.profile.set",
    writes=True,
    source=DOCS + "users.profile.set",
    scope="users.profile:write",
    limit=TIER3,
    examples=[{"profile": {"status_text": "On call", "status_emoji": ":pager:"}}],
    raises={
        "invalid_profile": "",
        "too_long": "status over 100 characters",
        "cannot_update_app_user": "",
        "missing_scope": "",
    },
)
def set_profile(call: Call, params: SetProfile) -> OwnProfile:
    """Change your own profile: status, title, phone, display name.

    Time: status_expiration is seconds since the epoch, UTC; 0 keeps the status.
    """
    roster = Roster(call)
    if roster.me.is_bot:
        raise OperationError("cannot_update_app_user")
    given = params.profile or ({params.name: params.value} if params.name else {})
    values = _read_profile_values(given)
    if not values:
        raise OperationError("invalid_profile")
    set_own_profile(call, values)
    return {
        "profile": profile_to_json(call, UserRow(*_get_user_row(call, roster.me.id)), roster),
        "username": roster.me.handle,
    }


_FIELDS = {
    "status_text": "status_text",
    "status_emoji": "status_emoji",
    "title": "title",
    "phone": "phone",
    "display_name": "display_name",
}


def _read_profile_values(given: Mapping[str, object]) -> JsonObject:
    values: JsonObject = {}
    for name, value in given.items():
        if name == "status_expiration":
            values["status_expires_at"] = _read_epoch(value) * SECOND
        elif name in _FIELDS:
            if not isinstance(value, str):
                raise OperationError("invalid_profile")
            if len(value) > MAX_STATUS:
                raise OperationError("too_long")
            values[_FIELDS[name]] = value
    if "status_text" in values and "status_expires_at" not in values:
        values["status_expires_at"] = 0
    if values.get("status_text") and not values.get("status_emoji"):
        values.setdefault("status_emoji", ":speech_balloon:")
    return values


def _read_epoch(value: object) -> int:
    written = str(value)
    if not (written.isascii() and written.isdigit() and len(written) <= 10):
        raise OperationError("invalid_profile")
    return int(written)


_DEFAULTS: JsonObject = {
    "status_text": "",
    "status_emoji": "",
    "status_expires_at": 0,
    "presence": "auto",
    "snooze_until_at": 0,
    "is_admin": False,
    "is_owner": False,
    "is_primary_owner": False,
    "is_guest": False,
}


def set_own_profile(call: Call, values: JsonObject) -> None:
    """Set columns of the caller's profile row, which is made if need be."""
    changed = {**values, "updated_at": call.now}
    row = insert(Profile).values({**_DEFAULTS, "person_id": call.person, **changed})
    call.execute(row.on_conflict_do_update(index_elements=["person_id"], set_=changed))


@app.operation(
    "users.getPresence",
    source=DOCS + "users.getPresence",
    scope="users:read",
    limit=TIER3,
    examples=[{"user": A_COLLEAGUE}],
    raises=("user_not_found", "missing_scope"),
)
def get_presence(call: Call, params: GetPresence) -> Presence:
    """Read whether a user is active or away now."""
    roster = Roster(call)
    user = roster.find(params.user) if params.user else roster.me
    if user is None:
        raise OperationError("user_not_found")
    active, manual = is_active(call, user.person_id)
    out: Presence = {"presence": "active" if active else "away"}
    if user.person_id == call.person:
        out |= {
            "online": active,
            "auto_away": False,
            "manual_away": manual,
            "connection_count": 1,
            "last_activity": call.now // SECOND,
        }
    return out


@app.operation(
    "users.setPresence",
    writes=True,
    source=DOCS + "users.setPresence",
    scope="users:write",
    limit=TIER2,
    examples=[{"presence": "away"}],
    raises=("missing_scope",),
)
def set_presence(call: Call, params: SetPresence) -> EmptyAnswer:
    """Mark yourself away, or follow your activity again (auto)."""
    set_own_profile(call, {"presence": params.presence})
    return {}


@app.operation(
    "users.search",
    source=CLIENT + " (search.modules)",
    scope="users:read",
    examples=[{"query": "ada"}],
    raises=("invalid_limit", "missing_scope"),
)
def search_users(call: Call, params: SearchUsers) -> FoundUsers:
    """Find people by part of a name, handle, title or mail address."""
    roster = Roster(call)
    rows = call.all(_WORDS, {"query": params.query.removeprefix("@"), "n": cursors.page_size(params.limit, 20, 100)})
    roster.need([row[0] for row in rows])
    return {"users": [user_to_json(call, row, roster) for row in rows]}
