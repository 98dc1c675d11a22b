"""Resolvers of repositories: fields, people with access, and connections."""

import fnmatch
from collections.abc import Sequence

from sqlmodel import col, select

from apps.github.boilerplate.licenses import IMPLEMENTATION, LICENSES
from apps.github.domain import markup
from apps.github.domain.context import ROLE, git_node, node, rank, stamp
from apps.github.domain.languages import languages
from apps.github.domain.protection import is_among, may_push, rule_for
from apps.github.graphql.accounts import repository_page
from apps.github.graphql.connections import Page, page_of_rows
from apps.github.graphql.git_types import HEADS, GitObject, RefAt, find_object, language, object_at, ref_at, refs_page
from apps.github.graphql.loader import Loader
from apps.github.graphql.registry import TYPES, Fact, Values, batch, each, field
from apps.github.graphql.values import Args
from apps.github.models import Account, Protection, Repository, Star, Watch
from apps.github.models_issues import CommitComment
from apps.github.views.licenses import license_node

TYPES[Repository] = "Repository"
TYPES[Protection] = "BranchProtectionRule"
TEMPLATES = (".github/ISSUE_TEMPLATE", "ISSUE_TEMPLATE", "docs/ISSUE_TEMPLATE")
PULL_TEMPLATES = (
    "PULL_REQUEST_TEMPLATE.md",
    ".github/PULL_REQUEST_TEMPLATE.md",
    "docs/PULL_REQUEST_TEMPLATE.md",
    "pull_request_template.md",
    ".github/pull_request_template.md",
    "docs/pull_request_template.md",
)
_STARS = "SELECT repo_id, count(*) FROM github_star WHERE repo_id IN (SELECT value FROM json_each(:ids)) GROUP BY 1"
_FORKS = (
    "SELECT fork_of, count(*) FROM github_repository WHERE fork_of IN (SELECT value FROM json_each(:ids)) GROUP BY 1"
)

each(
    "Repository",
    id=lambda near, row: node("Repository", row.id),
    databaseId=lambda near, row: row.id,
    name=lambda near, row: row.name,
    nameWithOwner=lambda near, row: near.context.full_name(row),
    owner=lambda near, row: near.context.account(row.owner_id),
    description=lambda near, row: row.description,
    descriptionHTML=lambda near, row: f"<div>{markup.strip_markup(row.description)}</div>",
    shortDescriptionHTML=lambda near, row: markup.strip_markup(row.description),
    homepageUrl=lambda near, row: row.homepage or None,
    createdAt=lambda near, row: stamp(row.created_at),
    updatedAt=lambda near, row: stamp(row.updated_at),
    pushedAt=lambda near, row: stamp(row.pushed_at),
    resourcePath=lambda near, row: near.path(row),
    url=lambda near, row: near.url(near.path(row)),
    diskUsage=lambda near, row: row.size_kb,
    projectsResourcePath=lambda near, row: f"{near.path(row)}/projects",
    projectsUrl=lambda near, row: near.url(f"{near.path(row)}/projects"),
    openGraphImageUrl=lambda near, row: near.context.avatar(near.context.account(row.owner_id)),
    sshUrl=lambda near, row: f"git@{near.context.reached.partition('://')[2]}:{near.context.full_name(row)}.git",
    visibility=lambda near, row: row.visibility.upper(),
    isPrivate=lambda near, row: row.visibility != "public",
    isArchived=lambda near, row: row.archived,
    archivedAt=lambda near, row: stamp(row.updated_at) if row.archived else None,
    isFork=lambda near, row: row.fork_of is not None,
    isTemplate=lambda near, row: row.is_template,
    isInOrganization=lambda near, row: near.context.account(row.owner_id).kind == "Organization",
    isBlankIssuesEnabled=lambda near, row: True,
    isEmpty=lambda near, row: not near.git(row).refs(HEADS),
    hasIssuesEnabled=lambda near, row: row.has_issues,
    hasProjectsEnabled=lambda near, row: row.has_projects,
    hasWikiEnabled=lambda near, row: row.has_wiki,
    hasDiscussionsEnabled=lambda near, row: row.has_discussions,
    mergeCommitAllowed=lambda near, row: row.allow_merge_commit,
    squashMergeAllowed=lambda near, row: row.allow_squash_merge,
    rebaseMergeAllowed=lambda near, row: row.allow_rebase_merge,
    autoMergeAllowed=lambda near, row: row.allow_auto_merge,
    allowUpdateBranch=lambda near, row: row.allow_update_branch,
    deleteBranchOnMerge=lambda near, row: row.delete_branch_on_merge,
    forkingAllowed=lambda near, row: row.allow_forking,
    mergeCommitTitle=lambda near, row: row.merge_title,
    mergeCommitMessage=lambda near, row: row.merge_message,
    squashMergeCommitTitle=lambda near, row: row.squash_title,
    squashMergeCommitMessage=lambda near, row: row.squash_message,
    squashPrTitleUsedAsDefault=lambda near, row: row.squash_title == "PR_TITLE",
    webCommitSignoffRequired=lambda near, row: row.web_commit_signoff_required,
    parent=lambda near, row: near.repo(row.fork_of),
    viewerPermission=lambda near, row: _permission(near.context.level(row)),
    viewerCanAdminister=lambda near, row: near.context.may(row, "admin"),
    viewerCanUpdateTopics=lambda near, row: near.may(row, "maintain"),
    viewerCanCreateProjects=lambda near, row: near.may(row, "push"),
    viewerCanSubscribe=lambda near, row: True,
    viewerSubscription=lambda near, row: _get_subscription_state(near, row),
    viewerDefaultCommitEmail=lambda near, row: near.me.email,
    viewerPossibleCommitEmails=lambda near, row: [near.me.email] if near.me.email else [],
    viewerHasStarred=lambda near, row: near.call.session.get(Star, (row.id, near.me.id)) is not None,
    viewerDefaultMergeMethod=lambda near, row: _default_method(row),
    defaultBranchRef=lambda near, row: ref_at(near, row, HEADS + row.default_branch),
    licenseInfo=lambda near, row: license_of(row.license),
    primaryLanguage=lambda near, row: _languages(near, row)[0] if _languages(near, row) else None,
)


def _permission(level: str) -> str | None:
    return None if level == "none" else ROLE[level].upper()


def _get_subscription_state(near: Loader, row: Repository) -> str:
    found = near.call.session.get(Watch, (row.id, near.me.id))
    return "UNSUBSCRIBED" if found is None else "IGNORED" if found.ignored else "SUBSCRIBED"


def _default_method(row: Repository) -> str:
    return "MERGE" if row.allow_merge_commit else "SQUASH" if row.allow_squash_merge else "REBASE"


def license_of(key: str | None) -> Fact | None:
    """Return a licence by its key."""
    if key is None:
        return None
    known = LICENSES.get(key)
    if known is None:
        return Fact(
            "License", id=license_node(key), key=key, name="Other", spdxId="NOASSERTION", body="", pseudoLicense=True
        )
    return Fact(
        "License",
        id=license_node(key),
        key=key,
        name=known.name,
        spdxId=known.spdx_id,
        body=known.body,
        description=known.description,
        implementation=IMPLEMENTATION,
        featured=known.featured,
        url=f"http://choosealicense.com/licenses/{key}/",
        pseudoLicense=False,
    )


@batch("Repository", "planFeatures")
def plan(near: Loader, rows: Values, args: Args) -> Values:
    """Return the features of repositories' plans."""
    made = Fact(
        "RepositoryPlanFeatures",
        codeowners=True,
        draftPullRequests=True,
        maximumAssignees=10,
        maximumManualReviewRequests=15,
        teamReviewRequests=True,
    )
    return [made] * len(rows)


@batch("Repository", "stargazerCount")
def stargazer_counts(near: Loader, rows: Sequence[Repository], args: Args) -> Values:
    """Return the number of stars of repositories."""
    found = near.counts("stars", _STARS, [row.id for row in rows])
    return [found[row.id] for row in rows]


@batch("Repository", "forkCount")
def fork_counts(near: Loader, rows: Sequence[Repository], args: Args) -> Values:
    """Return the number of forks of repositories."""
    found = near.counts("forks", _FORKS, [row.id for row in rows])
    return [found[row.id] for row in rows]


# -- people


def readers(near: Loader, repo: Repository, level: str = "pull") -> list[Account]:
    """Return the people with at least a permission, by login."""

    def find() -> list[Account]:
        people = near.call.session.exec(
            select(Account).where(Account.kind != "Organization").order_by(col(Account.login))
        )
        return [one for one in people if rank(near.context.level(repo, one)) >= rank(level)]

    return near.once("readers", (repo.id, level), find)


def _filter_by_name(people: list[Account], query: str | None) -> list[Account]:
    word = (query or "").lower()
    return [one for one in people if word in one.login.lower() or word in (one.name or "").lower()]


def list_involved_people(near: Loader, repo: Repository) -> list[Account]:
    """List the people of a repository: the owner, collaborators, and members of the organisation who see it."""
    near.context.account(repo.owner_id)
    if repo.visibility != "public":
        return readers(near, repo)
    values = {"repo": repo.id, "owner": repo.owner_id}
    sql = """SELECT account_id FROM github_collaborator WHERE repo_id = :repo UNION SELECT account_id FROM
        github_org_member WHERE org_id = :owner
        UNION SELECT :owner"""
    known = {row[0] for row in near.call.all(sql, values)}
    return [one for one in readers(near, repo) if one.id in known]


@field("Repository", "assignableUsers")
@field("Repository", "mentionableUsers")
def people_of(near: Loader, row: Repository, args: Args) -> Page:
    """Return the people who can be assigned or mentioned."""
    return page_of_rows(
        _filter_by_name(list_involved_people(near, row), args.get("query")), args, lambda one: one.login
    )


@field("Repository", "collaborators")
def collaborators(near: Loader, row: Repository, args: Args) -> Page | None:
    """Return the people with access, for callers who may push."""
    if not near.context.may(row, "push"):
        return None
    people = _filter_by_name(list_involved_people(near, row), args.get("query"))
    if args.get("login"):
        people = [one for one in people if one.login.lower() == args["login"].lower()]
    return page_of_rows(
        people, args, lambda one: one.login, fact=lambda one: {"permission": _permission(near.context.level(row, one))}
    )


@field("Repository", "stargazers")
def stargazers(near: Loader, row: Repository, args: Args) -> Page:
    """Return the people who starred a repository."""
    stars = {
        one.account_id: one
        for one in near.call.session.exec(
            select(Star).where(Star.repo_id == row.id).order_by(col(Star.created_at), col(Star.account_id))
        )
    }
    near.accounts(stars)
    return page_of_rows(
        [near.context.account(id) for id in stars],
        args,
        lambda one: [stars[one.id].created_at, one.id],
        fact=lambda one: {"starredAt": stamp(stars[one.id].created_at)},
    )


@field("Repository", "watchers")
def watchers(near: Loader, row: Repository, args: Args) -> Page:
    """Return the watchers of a repository."""
    rows = near.call.all(
        "SELECT account_id FROM github_watch WHERE repo_id = :repo AND NOT ignored ORDER BY 1", {"repo": row.id}
    )
    return page_of_rows([near.context.account(id) for (id,) in rows], args, lambda one: one.id)


# -- git, languages, templates


@field("Repository", "object")
def git_object(near: Loader, row: Repository, args: Args) -> GitObject | None:
    """Return a git object by its SHA, or by an expression like `HEAD:README.md`."""
    if args.get("oid"):
        return object_at(near, row, args["oid"])
    return find_object(near, row, args["expression"]) if args.get("expression") else None


@field("Repository", "ref")
def ref(near: Loader, row: Repository, args: Args) -> RefAt | None:
    """Return a ref by name."""
    return ref_at(near, row, args["qualifiedName"])


@field("Repository", "refs")
def refs(near: Loader, row: Repository, args: Args) -> Page:
    """Return refs under a prefix."""
    return refs_page(near, row, args)


def _languages(near: Loader, row: Repository) -> list[Fact]:
    found = near.once("languages", row.id, lambda: languages(near.context, row))
    return [made for name in found if (made := language(name)) is not None]


@field("Repository", "languages")
def repository_languages(near: Loader, row: Repository, args: Args) -> Page:
    """Return the languages of the default branch."""
    shown, sizes = _languages(near, row), near.once("languages", row.id, dict)
    if (args.get("orderBy") or {}).get("direction") == "ASC":
        shown = shown[::-1]
    return page_of_rows(
        shown,
        args,
        lambda one: one["name"],
        ordered=False,
        fact=lambda one: {"size": sizes[one["name"]]},
        totalSize=sum(sizes.values()),
    )


@field("Repository", "repositoryTopics")
def topics(near: Loader, row: Repository, args: Args) -> Page:
    """Return the topics of a repository."""
    return page_of_rows(
        [topic_of(near, row, name) for name in row.topics], args, lambda one: one["topic"]["name"], ordered=False
    )


def topic_of(near: Loader, row: Repository, name: str) -> Fact:
    """Return a topic of a repository."""
    made = Fact("Topic", id=git_node("TO", 0, name), name=name)
    return Fact(
        "RepositoryTopic",
        id=git_node("RT", row.id, name),
        topic=made,
        resourcePath=f"/topics/{name}",
        url=near.url(f"/topics/{name}"),
    )


def _file(near: Loader, repo: Repository, path: str) -> str | None:
    git = near.git(repo)
    head = git.branch(repo.default_branch)
    entry = git.at(git.tree_of(head), path) if head is not None else None
    return git.blob(entry.sha).decode("utf-8", "replace") if entry is not None and entry.kind == "blob" else None


def _folder(near: Loader, repo: Repository, path: str) -> list[str]:
    git = near.git(repo)
    head = git.branch(repo.default_branch)
    entry = git.at(git.tree_of(head), path) if head is not None else None
    return [one.path for one in git.entries(entry.sha, path)] if entry is not None and entry.kind == "tree" else []


@field("Repository", "issueTemplates")
def issue_templates(near: Loader, row: Repository, args: Args) -> list[Fact]:
    """Return the issue templates on the default branch."""
    paths = [path for folder in TEMPLATES for path in _folder(near, row, folder) if fnmatch.fnmatchcase(path, "*.md")]
    return [_template(near, row, path, _file(near, row, path) or "") for path in paths]


def _template(near: Loader, repo: Repository, path: str, written: str) -> Fact:
    head, body = {}, written
    if written.startswith("---\n") and "\n---" in written[4:]:
        front, _, body = written[4:].partition("\n---")
        head = {
            name.strip(): value.strip().strip("'\"")
            for name, _, value in (line.partition(":") for line in front.splitlines())
        }
    filename = path.rpartition("/")[2]
    return Fact(
        "IssueTemplate",
        filename=filename,
        name=head.get("name") or filename,
        about=head.get("about"),
        title=head.get("title"),
        body=body.lstrip("\n"),
        assignees=Page([]),
        labels=Page([]),
    )


@field("Repository", "pullRequestTemplates")
def pull_templates(near: Loader, row: Repository, args: Args) -> list[Fact]:
    """Return the pull request templates."""
    found = [(path, text) for path in PULL_TEMPLATES if (text := _file(near, row, path)) is not None]
    return [
        Fact("PullRequestTemplate", filename=path.rpartition("/")[2], body=text, repository=row) for path, text in found
    ]


# -- lists of other things


@field("Repository", "forks")
def forks(near: Loader, row: Repository, args: Args) -> Page:
    """Return the forks that the caller sees."""
    return repository_page(
        near, [col(Repository.id).in_(near.visible_repositories), Repository.fork_of == row.id], args
    )


@field("Repository", "commitComments")
def commit_comments(near: Loader, row: Repository, args: Args) -> Page:
    """Return the comments on commits."""
    return near.page_of(
        CommitComment, [CommitComment.repo_id == row.id], args, col(CommitComment.created_at), asks=args.asks
    )


# -- protection


@field("Repository", "branchProtectionRules")
def rules(near: Loader, row: Repository, args: Args) -> Page:
    """Return the branch protection rules, for callers who may push."""
    if not near.context.may(row, "push"):
        return Page([])
    rows = near.call.session.exec(
        select(Protection).where(Protection.repo_id == row.id).order_by(col(Protection.pattern))
    )
    return page_of_rows(list(rows), args, lambda one: one.pattern)


@batch("Ref", "branchProtectionRule")
def rule_of_ref(near: Loader, rows: Sequence[RefAt], args: Args) -> Values:
    """Return the protection rules of branches, for callers who may push."""
    return [_rule(near, row) if near.context.may(near.home(row), "push") else None for row in rows]


def _rule(near: Loader, row: RefAt) -> Protection | None:
    return rule_for(near.context, near.home(row), row.short) if row.name.startswith(HEADS) else None


@batch("Ref", "refUpdateRule")
def update_rule(near: Loader, rows: Sequence[RefAt], args: Args) -> Values:
    """Return the caller's permissions on protected branches."""
    return [_update_rule(near, row) for row in rows]


def _update_rule(near: Loader, row: RefAt) -> Fact | None:
    repo = near.home(row)
    rule = _rule(near, row)
    if rule is None:
        return None
    return Fact(
        "RefUpdateRule",
        pattern=rule.pattern,
        allowsDeletions=rule.deletions,
        allowsForcePushes=rule.force_pushes,
        blocksCreations=rule.block_creations,
        requiredApprovingReviewCount=rule.reviews,
        requiredStatusCheckContexts=rule.contexts,
        requiresCodeOwnerReviews=rule.code_owners,
        requiresConversationResolution=rule.conversation_resolution,
        requiresLinearHistory=rule.linear_history,
        requiresSignatures=rule.signatures,
        viewerAllowedToDismissReviews=near.may(repo, "push")
        and (rule.dismissers is None or is_among(near.context, rule.dismissers, near.me)),
        viewerCanPush=near.may(repo, "push") and may_push(near.context, repo, rule),
    )


each(
    "BranchProtectionRule",
    id=lambda near, row: git_node("BPR", row.repo_id, row.pattern),
    pattern=lambda near, row: row.pattern,
    repository=lambda near, row: near.home(row),
    allowsDeletions=lambda near, row: row.deletions,
    allowsForcePushes=lambda near, row: row.force_pushes,
    blocksCreations=lambda near, row: row.block_creations,
    dismissesStaleReviews=lambda near, row: row.dismiss_stale,
    isAdminEnforced=lambda near, row: row.enforce_admins,
    lockBranch=lambda near, row: row.lock_branch,
    lockAllowsFetchAndMerge=lambda near, row: row.fork_syncing,
    requireLastPushApproval=lambda near, row: row.last_push_approval,
    requiredApprovingReviewCount=lambda near, row: row.reviews,
    requiresApprovingReviews=lambda near, row: row.reviews is not None,
    requiredStatusCheckContexts=lambda near, row: row.contexts,
    requiresStatusChecks=lambda near, row: row.contexts is not None,
    requiresStrictStatusChecks=lambda near, row: row.strict,
    requiresCodeOwnerReviews=lambda near, row: row.code_owners,
    requiresCommitSignatures=lambda near, row: row.signatures,
    requiresConversationResolution=lambda near, row: row.conversation_resolution,
    requiresLinearHistory=lambda near, row: row.linear_history,
    restrictsPushes=lambda near, row: row.pushers is not None,
    restrictsReviewDismissals=lambda near, row: row.dismissers is not None,
)


@field("BranchProtectionRule", "matchingRefs")
def list_matching_refs(near: Loader, row: Protection, args: Args) -> Page:
    """Return the branches that a rule matches."""
    repo = near.home(row)
    names = near.git(repo).refs(HEADS)
    found = [
        RefAt(repo.id, name, target)
        for name, target in names.items()
        if rule_for(near.context, repo, name.removeprefix(HEADS)) is row
    ]
    return page_of_rows(found, args, lambda one: one.name)
