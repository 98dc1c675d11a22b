"""The workspace and the token: identity, custom emoji, quiet hours."""

from typing import NotRequired, TypedDict

from pydantic import ConfigDict, Field, model_validator

from apps.slack.app import app
from apps.slack.limits import DOCS, SPECIAL, TIER2, TIER3, TIER4
from apps.slack.operations.conversations import get_user
from apps.slack.operations.users import set_own_profile
from apps.slack.params import Line, check_storable
from apps.slack.profiles import Roster
from world.core.call import Call
from world.core.clock import DAY, MINUTE, SECOND, from_datetime, to_datetime
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Int64, NoParams, Params

QUIET_FROM, QUIET_TO = 22, 8  # hours of the local day; the service's default notification schedule


class Identity(TypedDict):
    """Identity of the token's owner."""

    url: str
    team: str
    user: str
    team_id: str
    user_id: str
    bot_id: NotRequired[str]
    is_enterprise_install: bool


class Echo(Params):
    """Anything; it comes back."""

    model_config = ConfigDict(extra="allow")
    error: Line = Field(default="", description="Error code to answer with.")

    @model_validator(mode="before")
    @classmethod
    def _check_echo(cls, given: object) -> object:
        return check_storable(given)


class EchoAnswer(TypedDict):
    """The request's arguments."""

    args: JsonObject


class TeamInfo(TypedDict):
    """The workspace."""

    team: JsonObject


class EmojiList(TypedDict):
    """Custom emoji by name."""

    emoji: dict[str, str]
    cache_ts: str


class GetDnd(Params):
    """User whose quiet hours to read."""

    user: Line = Field(default="", description="User id; yourself if empty.")


class Snooze(Params):
    """Length of a snooze."""

    num_minutes: Int64 = Field(ge=1, le=60 * 24 * 7, description="Minutes from now.", examples=[60])


class DndInfo(TypedDict):
    """Quiet hours."""

    dnd_enabled: bool
    next_dnd_start_ts: int
    next_dnd_end_ts: int
    snooze_enabled: NotRequired[bool]
    snooze_endtime: NotRequired[int]
    snooze_remaining: NotRequired[int]


class SnoozeAnswer(TypedDict):
    """Remaining time of a snooze."""

    snooze_enabled: bool
    snooze_endtime: int
    snooze_remaining: int


class SnoozeEnded(TypedDict):
    """Quiet hours after a snooze was ended."""

    dnd_enabled: bool
    next_dnd_start_ts: int
    next_dnd_end_ts: int
    snooze_enabled: bool


@app.operation("auth.test", source=DOCS + "auth.test", limit=SPECIAL, examples=[{}])
def auth_test(call: Call, params: NoParams) -> Identity:
    """Return the identity of this token: user id, workspace and its address."""
    roster = Roster(call)
    me, team = roster.me, roster.team
    out: Identity = {
        "url": call.public_link("/"),
        "team": team.name,
        "user": me.handle,
        "team_id": team.id,
        "user_id": me.id,
        "is_enterprise_install": False,
    }
    if me.is_bot:
        out["bot_id"] = me.bot_id
    return out


@app.operation(
    "api.test",
    source=DOCS + "api.test",
    limit=TIER4,
    examples=[{}],
    raises={"my_error": "or any code given as `error`"},
)
def api_test(call: Call, params: Echo) -> EchoAnswer:
    """Check that the service answers; arguments come back as `args`."""
    if params.error:
        raise OperationError(params.error, args={"error": params.error, **(params.model_extra or {})})
    return {"args": {name: value for name, value in (params.model_extra or {}).items() if name != "token"}}


@app.operation(
    "team.info", source=DOCS + "team.info", scope="team:read", limit=TIER3, examples=[{}], raises=("missing_scope",)
)
def team_info(call: Call, params: NoParams) -> TeamInfo:
    """Describe the workspace: name, domain."""
    team = Roster(call).team
    icons = {
        f"image_{size}": f"{call.base_url}/avatars/{team.id}-team-{size}.svg" for size in (34, 44, 68, 88, 102, 132)
    }
    return {
        "team": {
            "id": team.id,
            "name": team.name,
            "url": call.public_link("/"),
            "domain": team.domain,
            "email_domain": team.email_domain,
            "icon": {**icons, "image_default": True},
            "avatar_base_url": f"{call.base_url}/avatars/",
            "is_verified": False,
        }
    }


_EMOJI = "SELECT name, url, alias_for FROM slack_emoji ORDER BY name"


@app.operation(
    "emoji.list", source=DOCS + "emoji.list", scope="emoji:read", limit=TIER2, examples=[{}], raises=("missing_scope",)
)
def emoji_list(call: Call, params: NoParams) -> EmojiList:
    """List the workspace's custom emoji."""
    listed = {
        name: f"alias:{alias}" if alias else f"{call.base_url}{url}" if url.startswith("/") else url
        for name, url, alias in call.all(_EMOJI)
    }
    return {"emoji": listed, "cache_ts": f"{call.now // SECOND}.000000"}


_SNOOZE = (
    "SELECT p.tz, coalesce(s.snooze_until_at, 0) FROM person p LEFT JOIN slack_profile s ON s.person_id = p.id WHERE"
    " p.id = :id"
)


def _quiet_hours(now: int, zone: str) -> tuple[int, int]:
    """The current or next quiet hours, in seconds since the epoch."""
    local = to_datetime(now, zone)
    start = local.replace(hour=QUIET_FROM, minute=0, second=0, microsecond=0)
    begins = from_datetime(start)
    if local.hour < QUIET_TO:
        begins = from_datetime(to_datetime(begins - DAY, zone).replace(hour=QUIET_FROM))
    ends = from_datetime(to_datetime(begins + DAY // 2, zone).replace(hour=QUIET_TO, minute=0))
    return begins // SECOND, ends // SECOND


@app.operation(
    "dnd.info",
    source=DOCS + "dnd.info",
    scope="dnd:read",
    limit=TIER3,
    examples=[{}],
    raises=("user_not_found", "missing_scope"),
)
def dnd_info(call: Call, params: GetDnd) -> DndInfo:
    """Read a user's quiet hours, and whether they snooze notifications now."""
    roster = Roster(call)
    user = get_user(roster, params.user) if params.user else roster.me
    row = call.first(_SNOOZE, {"id": user.person_id})
    zone, until = (row[0], row[1]) if row else ("UTC", 0)
    starts, ends = _quiet_hours(call.now, zone)
    out: DndInfo = {"dnd_enabled": True, "next_dnd_start_ts": starts, "next_dnd_end_ts": ends}
    if user.person_id == call.person:
        out["snooze_enabled"] = until > call.now
        if until > call.now:
            out["snooze_endtime"], out["snooze_remaining"] = until // SECOND, (until - call.now) // SECOND
    return out


@app.operation(
    "dnd.setSnooze",
    writes=True,
    source=DOCS + "dnd.setSnooze",
    scope="dnd:write",
    limit=TIER2,
    examples=[{"num_minutes": 60}],
    raises=("missing_scope",),
)
def set_snooze(call: Call, params: Snooze) -> SnoozeAnswer:
    """Snooze your notifications for some minutes."""
    until = call.now + params.num_minutes * MINUTE
    set_own_profile(call, {"snooze_until_at": until})
    return {"snooze_enabled": True, "snooze_endtime": until // SECOND, "snooze_remaining": params.num_minutes * 60}


@app.operation(
    "dnd.endSnooze",
    writes=True,
    source=DOCS + "dnd.endSnooze",
    scope="dnd:write",
    limit=TIER2,
    after=["dnd.setSnooze"],
    examples=[{}],
    raises=("snooze_not_active", "missing_scope"),
)
def end_snooze(call: Call, params: NoParams) -> SnoozeEnded:
    """End your snooze."""
    row = call.first(_SNOOZE, {"id": call.person})
    if row is None or row[1] <= call.now:
        raise OperationError("snooze_not_active")
    set_own_profile(call, {"snooze_until_at": 0})
    starts, ends = _quiet_hours(call.now, row[0])
    return {"dnd_enabled": True, "next_dnd_start_ts": starts, "next_dnd_end_ts": ends, "snooze_enabled": False}
