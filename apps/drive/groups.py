"""Group addresses: a team with the teams below it, and everybody. The directory has their members."""

from typing import NamedTuple

from world.core.call import Call

EVERYONE = "everyone"
_TEAMS = "SELECT id, name, parent_id FROM team ORDER BY id"
_PERSON = "SELECT team_id, kind, status FROM person WHERE id = :id"
_PEOPLE = "SELECT id, team_id FROM person WHERE kind = 'employee' AND status = 'active' ORDER BY id"


class Group(NamedTuple):
    """A group address; `team` is empty for everybody."""

    address: str
    name: str
    team: str


def _local(team_id: str) -> str:
    return team_id.removeprefix("t_").lower()


def get_company_domain(call: Call) -> str:
    """The company's domain."""
    return str(call.scalar("SELECT domain FROM company WHERE id = 1") or "")


def is_employee(call: Call, person: str) -> bool:
    """Whether somebody works here."""
    found = call.first(_PERSON, {"id": person})
    return found is not None and found[1:] == ("employee", "active")


def of(call: Call, person: str) -> frozenset[str]:
    """The addresses of the groups somebody is in."""
    found = call.first(_PERSON, {"id": person})
    if found is None or found[1:] != ("employee", "active"):
        return frozenset()
    above = {row[0]: row[2] for row in call.all(_TEAMS)}
    names, team = [EVERYONE], found[0]
    while team in above and _local(team) not in names:
        names.append(_local(team))
        team = above[team]
    domain = get_company_domain(call)
    return frozenset(f"{name}@{domain}" for name in names)


def find_group(call: Call, address: str) -> Group | None:
    """The group of an address."""
    local, _, domain = address.strip().lower().partition("@")
    if domain != get_company_domain(call):
        return None
    if local == EVERYONE:
        return Group(f"{local}@{domain}", "Everyone", "")
    team = next((row for row in call.all(_TEAMS) if _local(row[0]) == local), None)
    return None if team is None else Group(f"{local}@{domain}", team[1], team[0])


def every(call: Call) -> list[Group]:
    """All groups there are: everybody, then the teams."""
    domain = call.directory.company().domain
    teams = [Group(f"{_local(row[0])}@{domain}", row[1], row[0]) for row in call.all(_TEAMS)]
    return [Group(f"{EVERYONE}@{domain}", "Everyone", ""), *sorted(teams, key=lambda team: team.name)]


def members(call: Call, group: Group) -> list[str]:
    """The people in a group."""
    if not group.team:
        return [row[0] for row in call.all(_PEOPLE)]
    inside, teams = {group.team}, call.all(_TEAMS)
    for _ in teams:
        inside |= {row[0] for row in teams if row[2] in inside}
    return [row[0] for row in call.all(_PEOPLE) if row[1] in inside]
