"""Users, bots, organisations and teams."""

from collections.abc import Sequence

from sqlmodel import col, select

from apps.github.columns import Condition
from apps.github.domain import markup
from apps.github.domain.context import ROLE, node, stamp
from apps.github.graphql.connections import Page, page_of_rows
from apps.github.graphql.issue_lists import issue_page
from apps.github.graphql.loader import Loader
from apps.github.graphql.registry import TYPES, Fact, Values, batch, each, field
from apps.github.graphql.values import Args
from apps.github.models import Account, Follow, Gist, OrgMember, Repository, RepoTeam, Star, Team, TeamMember, Watch
from apps.github.models_issues import Comment
from apps.github.operations.organisation.orgs import role_of

TYPES[Account] = lambda row: row.kind
TYPES[Team] = "Team"
TYPES[Gist] = "Gist"
ACCOUNTS = "User Organization Bot"
PEOPLE = "User Organization"
ORDERS = {
    "CREATED_AT": Repository.created_at,
    "UPDATED_AT": Repository.updated_at,
    "PUSHED_AT": Repository.pushed_at,
    "NAME": Repository.name_key,
}

each(
    ACCOUNTS,
    id=lambda near, row: node(row.kind, row.id),
    databaseId=lambda near, row: row.id,
    login=lambda near, row: row.login,
    name=lambda near, row: row.name,
    resourcePath=lambda near, row: _path(row),
    url=lambda near, row: near.url(_path(row)),
    createdAt=lambda near, row: stamp(row.created_at),
    updatedAt=lambda near, row: stamp(row.updated_at),
    location=lambda near, row: row.location,
    websiteUrl=lambda near, row: row.blog if ":" in (row.blog or "") else None,
    twitterUsername=lambda near, row: row.twitter,
)
each(
    PEOPLE,
    projectsResourcePath=lambda near, row: f"{_path(row)}/projects",
    projectsUrl=lambda near, row: near.url(f"{_path(row)}/projects"),
    viewerCanCreateProjects=lambda near, row: row.id == near.me.id,
    pinnedItemsRemaining=lambda near, row: 6,
)
each(
    "User",
    email=lambda near, row: row.email or "",
    bio=lambda near, row: row.bio,
    bioHTML=lambda near, row: markup.html(row.bio),
    company=lambda near, row: row.company,
    companyHTML=lambda near, row: markup.html(row.company),
    isViewer=lambda near, row: row.id == near.me.id,
    isHireable=lambda near, row: bool(row.hireable),
    viewerCanFollow=lambda near, row: row.id != near.me.id,
    userViewType=lambda near, row: "PRIVATE" if row.id == near.me.id else "PUBLIC",
)
each(
    "Organization",
    email=lambda near, row: row.email,
    description=lambda near, row: row.bio,
    descriptionHTML=lambda near, row: markup.html(row.bio),
    viewerIsAMember=lambda near, row: role_of(near.context, row, near.me) is not None,
    viewerCanAdminister=lambda near, row: _owns(near, row),
    viewerCanCreateTeams=lambda near, row: _owns(near, row),
    viewerCanCreateRepositories=lambda near, row: role_of(near.context, row, near.me) is not None,
    archivedAt=lambda near, row: None,
    teamsResourcePath=lambda near, row: f"/orgs/{row.login}/teams",
    teamsUrl=lambda near, row: near.url(f"/orgs/{row.login}/teams"),
    newTeamResourcePath=lambda near, row: f"/orgs/{row.login}/new-team",
    newTeamUrl=lambda near, row: near.url(f"/orgs/{row.login}/new-team"),
    ipAllowListEnabledSetting=lambda near, row: "DISABLED",
    ipAllowListForInstalledAppsEnabledSetting=lambda near, row: "DISABLED",
    notificationDeliveryRestrictionEnabledSetting=lambda near, row: "DISABLED",
)


def _path(row: Account) -> str:
    return f"/apps/{row.login.removesuffix('[bot]')}" if row.kind == "Bot" else f"/{row.login}"


def _owns(near: Loader, row: Account) -> bool:
    return role_of(near.context, row, near.me) == "admin"


@field(ACCOUNTS, "avatarUrl")
def avatar(near: Loader, row: Account, args: Args) -> str:
    """Return the address of an account's avatar."""
    return near.context.avatar(row)


# -- repositories of somebody


@field(PEOPLE, "repositories")
def repositories(near: Loader, row: Account, args: Args) -> Page:
    """Return the repositories of an account that the caller can see."""
    where: list[Condition] = [col(Repository.id).in_(near.visible_repositories), Repository.owner_id == row.id]
    return repository_page(near, where, args)


def repository_page(near: Loader, where: list[Condition], args: Args) -> Page:
    """Return a page of repositories under the filters common to such connections."""
    if args.get("isFork") is not None:
        where.append(col(Repository.fork_of).is_not(None) if args["isFork"] else col(Repository.fork_of).is_(None))
    if args.get("isArchived") is not None:
        where.append(Repository.archived == args["isArchived"])
    if args.get("privacy"):
        where.append(
            Repository.visibility == "public" if args["privacy"] == "PUBLIC" else Repository.visibility != "public"
        )
    if args.get("visibility"):
        where.append(Repository.visibility == args["visibility"].lower())
    if args.get("hasIssuesEnabled") is not None:
        where.append(Repository.has_issues == args["hasIssuesEnabled"])
    chosen = args.get("orderBy") or {"field": "NAME", "direction": "ASC"}
    order = col(ORDERS.get(chosen["field"], Repository.id))
    return near.page_of(
        Repository, where, args, order, descending=chosen["direction"] == "DESC", asks=args.asks, totalDiskUsage=0
    )


@field(PEOPLE, "repository")
def repository(near: Loader, row: Account, args: Args) -> Repository | None:
    """Return a repository of an account by name."""
    found = near.call.first(
        "SELECT id FROM github_repository WHERE owner_id = :owner AND name_key = :name",
        {"owner": row.id, "name": args["name"].lower()},
    )
    return near.repo(found[0]) if found else None


@field("User", "starredRepositories")
def list_starred_repositories(near: Loader, row: Account, args: Args) -> Page:
    """Return the repositories that an account starred."""
    rows = near.call.session.exec(
        select(Star).where(Star.account_id == row.id).order_by(col(Star.created_at), col(Star.repo_id))
    )
    stars = {one.repo_id: one for one in rows if one.repo_id in near.visible_repositories}
    found = [repo for id in stars if (repo := near.repo(id)) is not None]
    descending = (args.get("orderBy") or {}).get("direction") == "DESC"
    return page_of_rows(
        found[::-1] if descending else found,
        args,
        lambda repo: [stars[repo.id].created_at, repo.id],
        descending=descending,
        fact=lambda repo: {"starredAt": stamp(stars[repo.id].created_at)},
        isOverLimit=False,
    )


@field("User", "watching")
def list_watched_repositories(near: Loader, row: Account, args: Args) -> Page:
    """Return the repositories that an account watches."""
    watched = select(Watch.repo_id).where(Watch.account_id == row.id, col(Watch.ignored).is_(False))
    return repository_page(
        near, [col(Repository.id).in_(near.visible_repositories), col(Repository.id).in_(watched)], args
    )


def _page_follows(near: Loader, row: Account, args: Args, own: int, other: int) -> Page:
    joined = select(Account).join(Follow, col(Account.id) == col(other)).where(own == row.id)
    people = list(near.call.session.exec(joined.order_by(col(Follow.created_at), col(Account.id))))
    return page_of_rows(people, args, lambda one: one.id, ordered=False)


@field("User", "followers")
def followers(near: Loader, row: Account, args: Args) -> Page:
    """Return the followers of an account."""
    return _page_follows(near, row, args, Follow.followed_id, Follow.account_id)


@field("User", "following")
def list_followed_accounts(near: Loader, row: Account, args: Args) -> Page:
    """Return the accounts that an account follows."""
    return _page_follows(near, row, args, Follow.account_id, Follow.followed_id)


def _follows(near: Loader, one: int, other: int) -> bool:
    return near.call.session.get(Follow, (one, other)) is not None


each(
    "User",
    viewerIsFollowing=lambda near, row: _follows(near, near.me.id, row.id),
    isFollowingViewer=lambda near, row: _follows(near, row.id, near.me.id),
)


@field("User", "topRepositories")
@field("User", "repositoriesContributedTo")
def list_contributed_repositories(near: Loader, row: Account, args: Args) -> Page:
    """Return the repositories an account committed to."""
    wrote = [
        one[0]
        for one in near.call.all(
            "SELECT DISTINCT repo_id FROM github_commit WHERE author_email = :email", {"email": row.email or ""}
        )
    ]
    return repository_page(near, [col(Repository.id).in_(near.visible_repositories & set(wrote))], args)


@field("User", "issues")
def issues(near: Loader, row: Account, args: Args) -> Page:
    """Return the issues an account opened."""
    return _page_opened_issues(near, row, args, False)


@field("User", "pullRequests")
def pulls(near: Loader, row: Account, args: Args) -> Page:
    """Return the pull requests an account opened."""
    return _page_opened_issues(near, row, args, True)


def _page_opened_issues(near: Loader, row: Account, args: Args, pull: bool) -> Page:
    where = near.in_seen()
    where.add("author_id = :opened_by", opened_by=row.id)
    return issue_page(near, where, args, pull)


@field("User", "issueComments")
def issue_comments(near: Loader, row: Account, args: Args) -> Page:
    """Return the comments of an account."""
    where = [col(Comment.repo_id).in_(near.visible_repositories), Comment.author_id == row.id]
    return near.page_of(Comment, where, args, col(Comment.created_at), asks=args.asks)


# -- organisations and teams


@field("User", "organizations")
def organizations(near: Loader, row: Account, args: Args) -> Page:
    """Return the organisations of an account, as far as the caller may see the membership."""
    members = near.call.session.exec(
        select(OrgMember).where(OrgMember.account_id == row.id).order_by(col(OrgMember.org_id))
    )
    shown = [
        one.org_id
        for one in members
        if one.public or role_of(near.context, near.context.account(one.org_id), near.me) is not None
    ]
    return page_of_rows([near.context.account(id) for id in shown], args, lambda org: org.id)


@field("User", "organization")
def organization(near: Loader, row: Account, args: Args) -> Account | None:
    """Return an organisation of an account."""
    found = near.context.find_login(args["login"])
    return (
        found
        if found is not None and found.kind == "Organization" and role_of(near.context, found, row) is not None
        else None
    )


@field("Organization", "membersWithRole")
def members(near: Loader, row: Account, args: Args) -> Page:
    """Return the members of an organisation; outsiders see only the public ones."""
    rows = near.call.session.exec(
        select(OrgMember).where(OrgMember.org_id == row.id).order_by(col(OrgMember.account_id))
    )
    inside = role_of(near.context, row, near.me) is not None
    roles = {one.account_id: one.role for one in rows if inside or one.public}
    near.accounts(roles)
    return page_of_rows(
        [near.context.account(id) for id in roles],
        args,
        lambda one: one.id,
        fact=lambda one: {"role": "ADMIN" if roles[one.id] == "admin" else "MEMBER", "hasTwoFactorEnabled": None},
    )


def list_visible_teams(near: Loader, org: Account) -> list[Team]:
    """Return the teams of an organisation that the caller sees: for a member, all but secret teams of others."""
    if role_of(near.context, org, near.me) is None:
        return []
    rows = near.call.session.exec(select(Team).where(Team.org_id == org.id).order_by(col(Team.slug)))
    own = near.context.teams_of(near.me)
    return [one for one in rows if one.privacy != "secret" or one.id in own or _owns(near, org)]


@field("Organization", "teams")
def teams(near: Loader, row: Account, args: Args) -> Page:
    """Return the teams of an organisation."""
    found = list_visible_teams(near, row)
    if args.get("query"):
        found = [one for one in found if args["query"].lower() in one.slug or args["query"].lower() in one.name.lower()]
    if args.get("rootTeamsOnly"):
        found = [one for one in found if one.parent_id is None]
    if args.get("userLogins"):
        people = {account.id for login in args["userLogins"] if (account := near.context.find_login(login)) is not None}
        found = [one for one in found if people & set(_members(near, one))]
    return page_of_rows(found, args, lambda one: one.slug)


@field("Organization", "team")
def team(near: Loader, row: Account, args: Args) -> Team | None:
    """Return a team by its slug."""
    return next((one for one in list_visible_teams(near, row) if one.slug == args["slug"].lower()), None)


def _members(near: Loader, row: Team) -> dict[int, str]:
    rows = near.call.session.exec(
        select(TeamMember).where(TeamMember.team_id == row.id).order_by(col(TeamMember.account_id))
    )
    return {one.account_id: one.role for one in rows}


@field("Team", "members")
def team_members(near: Loader, row: Team, args: Args) -> Page:
    """Return the members of a team."""
    roles = _members(near, row)
    near.accounts(roles)
    found = [near.context.account(id) for id in roles if not args.get("role") or roles[id] == args["role"].lower()]
    return page_of_rows(
        found,
        args,
        lambda one: one.id,
        fact=lambda one: {
            "role": roles[one.id].upper(),
            "memberAccessResourcePath": f"{_team(near, row)}/members",
            "memberAccessUrl": near.url(f"{_team(near, row)}/members"),
        },
    )


@field("Team", "repositories")
def team_repositories(near: Loader, row: Team, args: Args) -> Page:
    """Return the repositories shared with a team."""
    rows = near.call.session.exec(select(RepoTeam).where(RepoTeam.team_id == row.id).order_by(col(RepoTeam.repo_id)))
    granted = {one.repo_id: one.permission for one in rows if one.repo_id in near.visible_repositories}
    return page_of_rows(
        [repo for id in granted if (repo := near.repo(id)) is not None],
        args,
        lambda repo: repo.id,
        fact=lambda repo: {"permission": ROLE[granted[repo.id]].upper()},
    )


@field("Team", "childTeams")
def child_teams(near: Loader, row: Team, args: Args) -> Page:
    """Return the teams below a team."""
    return page_of_rows(
        [one for one in list_visible_teams(near, near.context.account(row.org_id)) if one.parent_id == row.id],
        args,
        lambda one: one.slug,
    )


@field("Team", "avatarUrl")
def team_avatar(near: Loader, row: Team, args: Args) -> str:
    """Return the address of a team's avatar."""
    return f"{near.context.reached}/avatars/t/{row.id}?v=4"


def _team(near: Loader, row: Team) -> str:
    return f"/orgs/{near.context.account(row.org_id).login}/teams/{row.slug}"


def _pages(name: str, path: str) -> None:
    each(
        "Team",
        **{
            f"{name}ResourcePath": lambda near, row: _team(near, row) + path,
            f"{name}Url": lambda near, row: near.url(_team(near, row) + path),
        },
    )


for _name, _below in (
    ("discussions", "/discussions"),
    ("editTeam", "/edit"),
    ("members", "/members"),
    ("newTeam", "/new"),
    ("repositories", "/repositories"),
    ("teams", "/teams"),
):
    _pages(_name, _below)
each(
    "Team",
    id=lambda near, row: node("Team", row.id),
    databaseId=lambda near, row: row.id,
    slug=lambda near, row: row.slug,
    name=lambda near, row: row.name,
    description=lambda near, row: row.description,
    createdAt=lambda near, row: stamp(row.created_at),
    updatedAt=lambda near, row: stamp(row.updated_at),
    organization=lambda near, row: near.context.account(row.org_id),
    combinedSlug=lambda near, row: f"{near.context.account(row.org_id).login}/{row.slug}",
    resourcePath=lambda near, row: _team(near, row),
    url=lambda near, row: near.url(_team(near, row)),
    parentTeam=lambda near, row: near.row(Team, row.parent_id),
    privacy=lambda near, row: "SECRET" if row.privacy == "secret" else "VISIBLE",
    notificationSetting=lambda near, row: row.notification.upper(),
    viewerCanAdminister=lambda near, row: _owns(near, near.context.account(row.org_id)),
)


# -- snippets


@field("User", "gists")
def gists(near: Loader, row: Account, args: Args) -> Page:
    """Return the gists of an account; only the owner sees the secret ones."""
    rows = near.call.session.exec(
        select(Gist).where(Gist.owner_id == row.id).order_by(col(Gist.created_at).desc(), col(Gist.id))
    )
    own, privacy = row.id == near.me.id, args.get("privacy") or ("ALL" if row.id == near.me.id else "PUBLIC")
    kept = [one for one in rows if (one.public or own) and privacy in ("ALL", "PUBLIC" if one.public else "SECRET")]
    return page_of_rows(kept, args, lambda one: one.id, ordered=False)


@field("User", "gist")
def gist(near: Loader, row: Account, args: Args) -> Gist | None:
    """Return a gist by its name."""
    found = near.call.session.get(Gist, args["name"])
    return found if found is not None and found.owner_id == row.id else None


@batch("Gist", "files")
def gist_files(near: Loader, rows: Sequence[Gist], args: Args) -> Values:
    """Return the files of gists."""
    return [[_gist_file(name, text) for name, text in sorted(row.files.items())] for row in rows]


def _gist_file(name: str, text: str) -> Fact:
    _, found, ending = name.rpartition(".")
    return Fact(
        "GistFile",
        name=name,
        encodedName=name,
        text=text,
        size=len(text.encode()),
        encoding="UTF-8",
        isImage=False,
        isTruncated=False,
        extension=f".{ending}" if found else "",
    )


each(
    "Gist",
    id=lambda near, row: f"G_{row.id}",
    name=lambda near, row: row.id,
    description=lambda near, row: row.description,
    isPublic=lambda near, row: row.public,
    owner=lambda near, row: near.context.account(row.owner_id),
    createdAt=lambda near, row: stamp(row.created_at),
    updatedAt=lambda near, row: stamp(row.updated_at),
    resourcePath=lambda near, row: f"/{row.id}",
    url=lambda near, row: near.url(f"/gist/{row.id}"),
)
