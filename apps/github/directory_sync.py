"""What a change of the directory does to copies kept here: names of accounts, teams of the organisation."""

from sqlmodel import col, select

from apps.github.app import app
from apps.github.models import Account, OrgMember, Team, TeamMember
from apps.github.models_pulls import ReviewRequest
from world.core.app import Facts
from world.core.call import Call
from world.script.personnel import LEFT, MOVED, RENAMED


def _account(call: Call, facts: Facts) -> Account | None:
    return call.session.exec(select(Account).where(Account.person_id == str(facts["person"]))).first()


@app.on(RENAMED)
def rename_account(call: Call, facts: Facts) -> None:
    """Update name and address of the profile where they are those of the directory; the login stays."""
    account = _account(call, facts)
    if account is None:
        return
    account.name = str(facts["name"]) if account.name == facts["old_name"] else account.name
    account.email = str(facts["email"]) if account.email == facts["old_email"] else account.email
    account.updated_at = call.now


@app.on(MOVED)
def move_member(call: Call, facts: Facts) -> None:
    """Out of the old team, into the new one, by name; what CODEOWNERS gives a team goes to who is in it."""
    account = _account(call, facts)
    if account is None:
        return
    for team in call.session.exec(select(Team).where(Team.name == facts["old_team_name"])).all():
        row = call.session.get(TeamMember, (team.id, account.id))
        if row is not None:
            call.session.delete(row)
    belongs = (
        select(Team)
        .join(OrgMember, col(OrgMember.org_id) == col(Team.org_id))
        .where(OrgMember.account_id == account.id)
    )
    for team in call.session.exec(belongs.where(Team.name == facts["team_name"])).all():
        if call.session.get(TeamMember, (team.id, account.id)) is None:
            call.session.add(TeamMember(team_id=team.id, account_id=account.id))


@app.on(LEFT)
def suspend(call: Call, facts: Facts) -> None:
    """Suspended: out of organisations and teams, and no longer asked to review anything."""
    account = _account(call, facts)
    if account is None:
        return
    for model in (OrgMember, TeamMember, ReviewRequest):
        for row in call.session.exec(select(model).where(model.account_id == account.id)).all():
            call.session.delete(row)
