"""People of the company, by title or work, and their accounts in the apps."""

from world.core.clock import DAY
from world.core.rows import PersonRow
from world.script.chore import Draw
from world.script.errors import ScenarioError
from world.script.stage import Stage


def account(w: Stage, person: str, app: str) -> str:
    """A person's id in an app, in that vendor's form. Raises ScenarioError without an account."""
    return w.find("account", app=app, person_id=person)["external_id"]


def common_channels(w: Stage, *people: str) -> list[str]:
    """Names of the public channels of Slack that all of these people are in, by name."""
    rooms = [{one["channel_id"] for one in w.rows("slack_member", person_id=person)} for person in people]
    shared = set[str].intersection(*rooms)
    return sorted(one["name"] for one in w.rows("slack_channel", kind="public") if one["id"] in shared)


def mention(w: Stage, person: str) -> str:
    """`<@U…>`: a mention of a person in Slack."""
    return f"<@{account(w, person, 'slack')}>"


def find_titled(d: Draw, *beginnings: str) -> list[PersonRow]:
    """The people at work whose title begins with one of these words."""
    return [one for one in d.people() if one["title"].startswith(beginnings)]


def list_titled(d: Draw, *beginnings: str) -> list[str]:
    """The ids of the people at work whose title begins with one of these words."""
    return [one["id"] for one in find_titled(d, *beginnings)]


def get_superior(person: PersonRow) -> str:
    """Id of a person's superior. Raises ScenarioError for somebody who has none."""
    if person["manager_id"] is None:
        raise ScenarioError(f"{person['full_name']} has no superior")
    return person["manager_id"]


def software_engineers(d: Draw) -> list[PersonRow]:
    """The software engineers who are at work."""
    return [one for one in d.people() if "Software Engineer" in one["title"]]


def engineers(d: Draw) -> list[PersonRow]:
    """People who write code and are here now and for the next two weeks, by id."""
    soon = {one["person_id"] for one in d.w.rows("absence") if d.w.now < one["start_at"] < d.w.now + 14 * DAY}
    found = [one for one in d.people() if "Engineer" in one["title"] and one["team_id"] != support_team(d.w)]
    return [one for one in found if one["id"] not in soon]


def support_team(w: Stage) -> str:
    """Id of the support team."""
    return next(one["id"] for one in w.rows("team") if one["name"] == "Support")
