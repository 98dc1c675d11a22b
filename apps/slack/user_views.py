"""People in the Web API's form: users and profiles."""

from typing import Any, NamedTuple

from apps.slack.emoji_names import describe_emoji
from apps.slack.profiles import SLACKBOT, Roster, avatar_hash, list_images, user_colour
from world.core.call import Call
from world.core.clock import SECOND, to_datetime
from world.core.json_types import JsonObject


class UserRow(NamedTuple):
    """A person's row, as selected by `_COLUMNS`."""

    person: str
    user_id: str
    kind: str
    status: str
    handle: str
    full: str
    first: str
    last: str
    display: str
    email: str
    title: str
    phone: str
    pronouns: str
    tz: str
    starts: int
    ends: int
    locale: str | None
    status_text: str | None
    emoji: str | None
    expires: int | None
    presence: str | None
    admin: bool | None
    owner: bool | None
    primary: bool | None
    guest: bool | None
    bot_id: str | None
    app_id: str | None
    updated: int | None

    @property
    def is_bot(self) -> bool:
        """Whether an app posts as this user."""
        return self.kind == "bot"


def user_to_json(call: Call, row: Any, roster: Roster, *, locale: bool = False) -> JsonObject:
    """The user object: docs.slack.dev/reference/objects/user-object."""
    b = UserRow(*row)
    gone = b.status != "active"
    out: JsonObject = {
        "id": b.user_id,
        "team_id": roster.team.id,
        "name": b.handle,
        "deleted": gone,
        "is_bot": b.is_bot,
        "is_app_user": False,
        "updated": (b.updated or 0) // SECOND,
        "profile": profile_to_json(call, b, roster),
    }
    if gone:
        return out
    local = to_datetime(call.now, b.tz)
    offset = local.utcoffset()
    out |= {
        "color": user_colour(b.user_id),
        "real_name": b.full,
        "tz": b.tz,
        "tz_label": local.tzname() or b.tz,
        "tz_offset": int(offset.total_seconds()) if offset else 0,
        "is_admin": bool(b.admin or b.owner),
        "is_owner": bool(b.owner),
        "is_primary_owner": bool(b.primary),
        "is_restricted": bool(b.guest),
        "is_ultra_restricted": False,
        "is_email_confirmed": not b.is_bot,
        "who_can_share_contact_card": "EVERYONE",
    }
    if locale:
        out["locale"] = (b.locale or "en_US").replace("_", "-")
    return out


def profile_to_json(call: Call, b: UserRow, roster: Roster) -> JsonObject:
    """The profile object; a status that has run out is empty."""
    over = b.expires is not None and 0 < b.expires <= call.now
    portrait = roster.portrait(b.person, b.first, b.pronouns) if b.kind == "employee" else ""
    out: JsonObject = {
        "title": b.title,
        "phone": b.phone,
        "skype": "",
        "real_name": b.full,
        "real_name_normalized": b.full,
        "display_name": b.display,
        "display_name_normalized": b.display,
        "status_text": "" if over else b.status_text or "",
        "status_emoji": "" if over else b.emoji or "",
        "status_emoji_display_info": [] if over else describe_emoji(b.emoji or ""),
        "status_expiration": 0 if over else (b.expires or 0) // SECOND,
        "status_text_canonical": "",
        "avatar_hash": avatar_hash(b.user_id, portrait),
        "team": roster.team.id,
        "first_name": b.first,
        "last_name": b.last,
        **list_images(call.base_url, b.user_id, portrait=portrait),
    }
    if b.pronouns:
        out["pronouns"] = b.pronouns
    if b.is_bot:
        user = roster.get(b.person)
        out |= {"bot_id": user.bot_id if user else "", "api_app_id": user.app_id if user else "", "always_active": True}
    else:
        out["email"] = b.email
    return out


def slackbot_to_json(call: Call, roster: Roster) -> JsonObject:
    name = {
        "real_name": "Slackbot",
        "real_name_normalized": "Slackbot",
        "display_name": "Slackbot",
        "display_name_normalized": "Slackbot",
    }
    return {
        "id": SLACKBOT,
        "team_id": roster.team.id,
        "name": "slackbot",
        "deleted": False,
        "color": "757575",
        "real_name": "Slackbot",
        "tz": "America/Los_Angeles",
        "tz_label": "Pacific Standard Time",
        "tz_offset": -28800,
        "is_admin": False,
        "is_owner": False,
        "is_primary_owner": False,
        "is_restricted": False,
        "is_ultra_restricted": False,
        "is_bot": False,
        "is_app_user": False,
        "updated": 0,
        "is_email_confirmed": False,
        "who_can_share_contact_card": "EVERYONE",
        "profile": {
            "title": "",
            "phone": "",
            "skype": "",
            **name,
            "status_text": "",
            "status_emoji": "",
            "status_expiration": 0,
            "avatar_hash": avatar_hash(SLACKBOT),
            "always_active": True,
            "first_name": "Slackbot",
            "last_name": "",
            "team": roster.team.id,
            **list_images(call.base_url, SLACKBOT),
        },
    }
