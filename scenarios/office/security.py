"""People and rules of security."""

from scenarios.office.people import account
from scenarios.office.tickets import pin
from world.script.chore import Draw


def security_members(d: Draw) -> list[str]:
    """People at work who may read and write the tickets of SEC, which others do not see, by id."""
    project = d.w.find("jira_project", key="SEC")["id"]
    inside = {one["actor"] for one in d.w.rows("jira_role_actor", project_id=project)}
    return [one["id"] for one in d.people() if one["id"] in inside]


def choose_security_member(d: Draw) -> str:
    """The agent, who is one of them; whoever stands in for one on a composed day is let in first."""
    inside = security_members(d)
    me = d.pick(inside, "member of SEC", me=True)
    if me not in inside:
        project = d.w.find("jira_project", key="SEC")["id"]
        admin = d.w.find("jira_role_actor", project_id=project, role="Administrator")["actor"]
        roles = d.w.act(admin, "getProjectRoles", projectIdOrKey="SEC")
        number = str(roles["Member"]).rsplit("/", 1)[1]
        d.w.act(admin, "addActorUsers", projectIdOrKey="SEC", id=number, user=[account(d.w, me, "jira")])
    return me


def pin_for_engineers(d: Draw, me: str, text: str) -> None:
    """Pin a rule in #engineering, as somebody of the security project who is not the agent."""
    pin(d.w, d.pick([one for one in security_members(d) if one != me], "author of the rule"), "engineering", text)
