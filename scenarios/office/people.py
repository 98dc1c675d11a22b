"""People of the company, and their accounts in the apps."""

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
