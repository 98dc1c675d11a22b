"""Effects of directory changes on copies kept here: account names, teams of the organisation."""

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
    """Update the profile's name and address if they still match the directory; the login stays."""
    account = _account(call, facts)
    if account is None:
        return
    account.name = str(facts["name"]) if account.name == facts["old_name"] else account.name
    account.email = str(facts["email"]) if account.email == facts["old_email"] else account.email
    account.updated_at = call.now


@app.on(MOVED)
def move_member(call: Call, facts: Facts) -> None:
    """Move a member to the new team, by name; files of a team in CODEOWNERS go to its present members."""
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
    """Suspend an account: remove it from organisations and teams, and drop its review requests."""
    account = _account(call, facts)
    if account is None:
        return
    for model in (OrgMember, TeamMember, ReviewRequest):
        for row in call.session.exec(select(model).where(model.account_id == account.id)).all():
            call.session.delete(row)
