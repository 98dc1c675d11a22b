"""Search of issues and pull requests: `i` is the issue, `r` its repository, `p` its pull request, if any.

Own choices where the vendor is silent: `is:`, `type:`, `state:` and the like match nothing for unknown values; `head:`
matches the beginning of a branch's name, `base:` the whole; seven and more hex digits also match a pull request with
this commit as head or base. Source:
docs.github.com/search-github/searching-on-github/searching-issues-and-pull-requests.
"""

import re
from collections.abc import Callable, Iterator
from functools import cached_property

from sqlalchemy.orm import Mapped
from sqlmodel import col

from apps.github.domain import check_states, cross_references, markup, review_approvals
from apps.github.models import Repository
from apps.github.models_issues import Issue, IssueType, Label, Milestone
from apps.github.models_pulls import Pull
from apps.github.query.compiler import FALSE, TRUE, Compiler
from apps.github.query.repositories import in_language
from apps.github.query.tokens import hint, holds
from apps.github.spellings import spellings

FROM = """github_issue i JOIN github_repository r ON r.id = i.repo_id LEFT JOIN github_pull p ON p.issue_id = i.id
    WHERE i.repo_id IN (SELECT value FROM json_each(:seen))"""
# What was said on an issue by others than its text; a pending review is its author's alone, so nobody finds it
TALK = """(SELECT repo_id, issue_id, author_id, body FROM github_comment
    UNION ALL SELECT repo_id, issue_id, author_id, body FROM github_review WHERE state <> 'PENDING' AND body <> ''
    UNION ALL SELECT c.repo_id, c.issue_id, c.author_id, c.body FROM github_review_comment c JOIN github_review r ON
    r.id = c.review_id
    WHERE r.state <> 'PENDING')"""
_SEEN = "repo_id IN (SELECT value FROM json_each(:seen))"
_TEXTS = f"SELECT id, title, body FROM github_issue WHERE {_SEEN} AND (title LIKE :hint OR body LIKE :hint)"
_SAID = f"SELECT issue_id, body FROM {TALK} WHERE {_SEEN} AND body LIKE :hint"
_NAMING = f"""SELECT id, body FROM github_issue WHERE {_SEEN} AND instr(lower(body), :name)
    UNION ALL SELECT issue_id, body FROM {TALK} WHERE {_SEEN} AND instr(lower(body), :name)"""
_COMMENTS = "(SELECT count(*) FROM github_comment c WHERE c.issue_id = i.id)"
_REACTIONS = "(SELECT count(*) FROM github_reaction e WHERE e.subject = 'issue' AND e.subject_id = i.id)"
_LABELS = "SELECT 1 FROM github_issue_label il JOIN github_label l ON l.id = il.label_id WHERE il.issue_id = i.id"
_REVIEWED = "SELECT 1 FROM github_review v WHERE v.issue_id = i.id AND v.state <> 'PENDING'"
_ASKED = "SELECT 1 FROM github_review_request q WHERE q.issue_id = i.id"
_CHECKED = """(EXISTS(SELECT 1 FROM github_status s WHERE s.repo_id = p.repo_id AND s.sha = p.head_sha)
    OR EXISTS(SELECT 1 FROM github_check_run s WHERE s.repo_id = p.repo_id AND s.head_sha = p.head_sha))"""
IS = {
    "open": "i.state = 'open'",
    "closed": "i.state = 'closed'",
    "merged": "p.merged_at IS NOT NULL",
    "unmerged": "(i.is_pull AND p.merged_at IS NULL)",
    "draft": "coalesce(p.draft, 0)",
    "issue": "NOT i.is_pull",
    "pr": "i.is_pull",
    "pull-request": "i.is_pull",
    "locked": "i.locked",
    "unlocked": "NOT i.locked",
    "public": "r.visibility = 'public'",
    "private": "r.visibility = 'private'",
    "internal": "r.visibility = 'internal'",
    "archived": "r.archived",
    "queued": FALSE,
    "blocked": "EXISTS(SELECT 1 FROM github_blocking b WHERE b.issue_id = i.id)",
    "blocking": "EXISTS(SELECT 1 FROM github_blocking b WHERE b.blocked_by_id = i.id)",
}
HAS = {
    "label": "EXISTS(SELECT 1 FROM github_issue_label il WHERE il.issue_id = i.id)",
    "milestone": "i.milestone_id IS NOT NULL",
    "assignee": "EXISTS(SELECT 1 FROM github_assignee a WHERE a.issue_id = i.id)",
    "project": FALSE,
    "type": "i.type_id IS NOT NULL",
    "parent-issue": "EXISTS(SELECT 1 FROM github_sub_issue s WHERE s.issue_id = i.id)",
    "sub-issue": "EXISTS(SELECT 1 FROM github_sub_issue s WHERE s.parent_id = i.id)",
}
DATES = {"created": "i.created_at", "updated": "i.updated_at", "closed": "i.closed_at", "merged": "p.merged_at"}
COUNTS = {"comments": _COMMENTS, "reactions": _REACTIONS, "interactions": f"({_COMMENTS} + {_REACTIONS})"}
REACTIONS = {  # sort -> reaction
    "+1": "+1",
    "-1": "-1",
    "smile": "laugh",
    "laugh": "laugh",
    "tada": "hooray",
    "hooray": "hooray",
    "thinking_face": "confused",
    "confused": "confused",
    "heart": "heart",
    "rocket": "rocket",
    "eyes": "eyes",
}
_SHA = re.compile(r"(?=.*\d)[0-9a-f]{7,40}")
_REASONS = {
    "completed": "completed",
    "not planned": "not_planned",
    "not_planned": "not_planned",
    "duplicate": "duplicate",
    "reopened": "reopened",
}


class Issues(Compiler):
    """Compiles an issue search to a condition."""

    names = frozenset(
        {
            "is",
            "state",
            "reason",
            "type",
            "author",
            "assignee",
            "mentions",
            "team",
            "commenter",
            "involves",
            "label",
            "milestone",
            "no",
            "has",
            "review",
            "review-requested",
            "user-review-requested",
            "team-review-requested",
            "reviewed-by",
            "status",
            "head",
            "base",
            "sha",
            "linked",
            "draft",
            "archived",
            "language",
            "project",
            *DATES,
            *COUNTS,
        }
    )
    several = frozenset({"label", "type", "is", "state", "author", "assignee"})
    fields = frozenset({"title", "body", "comments", "comment"})
    default = frozenset({"title", "body", "comments"})

    def qualifier(self, name: str, value: str) -> str:
        """Return the condition of a qualifier."""
        if name in DATES:
            return self.at(DATES[name], value)
        if name in COUNTS:
            return self.compile_count(COUNTS[name], value)
        plain = value.lower()
        known = {"is": IS, "has": HAS, "no": HAS, "state": {key: IS[key] for key in ("open", "closed")}}
        if name in known:
            found = known[name].get(plain, FALSE if name != "no" else TRUE)
            return f"NOT ({found})" if name == "no" else found
        return self._by_name[name](plain)

    @cached_property
    def _by_name(self) -> dict[str, Callable[[str], str]]:
        return {
            "reason": self._reason,
            "type": self._type,
            "author": self._author,
            "assignee": self._assignee,
            "mentions": self._mentions,
            "team": lambda value: self._match_mentions(value),
            "commenter": self._commenter,
            "involves": self._involves,
            "label": self._label,
            "milestone": self._milestone,
            "review": self._review,
            "review-requested": self._match_review_request,
            "user-review-requested": self._match_direct_request,
            "team-review-requested": self._team_requested,
            "reviewed-by": self._match_reviewer,
            "status": self._status,
            "head": self._head,
            "base": self._base,
            "sha": self._sha,
            "linked": self._match_linked,
            "draft": self._draft,
            "archived": self._match_archived,
            "language": self._language,
            "project": lambda _: FALSE,
        }

    # -- words

    def match_words(self, sought: tuple[str, ...], fields: frozenset[str]) -> str:
        """Match the words in the title, the text or comments; or the beginning of a commit's SHA."""
        values = {"seen": self.seen.json, "hint": hint(sought)}
        found: set[int] = set()
        if fields & {"title", "body"}:
            for id, title, body in self.context.call.all(_TEXTS, values):
                if ("title" in fields and holds(title, sought)) or ("body" in fields and holds(body, sought)):
                    found.add(id)
        if fields & {"comments", "comment"}:
            found |= {
                id for id, body in self.context.call.all(_SAID, values) if id not in found and holds(body, sought)
            }
        here = self.among("i.id", found)
        return f"({here} OR {self._sha(sought[0])})" if len(sought) == 1 and _SHA.fullmatch(sought[0]) else here

    # -- what it is

    def _reason(self, value: str) -> str:
        if value not in _REASONS:
            return FALSE
        if value == "completed":
            return "(i.state = 'closed' AND NOT i.is_pull AND coalesce(i.state_reason, 'completed') = 'completed')"
        return f"coalesce(i.state_reason, '') = {self.bind(_REASONS[value])}"

    def _type(self, value: str) -> str:
        if value in ("issue", "pr", "pull-request"):
            return IS[value]
        named = self._compare_name("t.name", col(IssueType.name), value)
        return f"EXISTS(SELECT 1 FROM github_issue_type t WHERE t.id = i.type_id AND {named})"

    def _label(self, value: str) -> str:
        return f"EXISTS({_LABELS} AND {self._compare_name('l.name', col(Label.name), value)})"

    def _milestone(self, value: str) -> str:
        if value == "*":
            return HAS["milestone"]
        named = self._compare_name("m.title", col(Milestone.title), value)
        return f"EXISTS(SELECT 1 FROM github_milestone m WHERE m.id = i.milestone_id AND {named})"

    def _compare_name(self, place: str, column: Mapped[str], name: str) -> str:
        return self.among(place, spellings(self.context.call, column, name))

    def _match_archived(self, value: str) -> str:
        return {"true": "r.archived", "false": "NOT r.archived"}.get(value, FALSE)

    def _language(self, value: str) -> str:
        return self.among("r.id", in_language(self.context, self.seen, value))

    # -- who

    def _author(self, value: str) -> str:
        return f"i.author_id = {self.bind(self.person(value))}"

    def _assignee(self, value: str) -> str:
        if value == "*":
            return HAS["assignee"]
        return (
            "EXISTS(SELECT 1 FROM github_assignee a WHERE a.issue_id = i.id AND a.account_id ="
            f" {self.bind(self.person(value))})"
        )

    def _commenter(self, value: str) -> str:
        return (
            f"EXISTS(SELECT 1 FROM {TALK} t WHERE t.issue_id = i.id AND t.author_id = {self.bind(self.person(value))})"
        )

    def _mentions(self, value: str) -> str:
        return self._match_mentions(self.context.account(self.person(value)).login.lower())

    def _match_mentions(self, name: str) -> str:
        name = name.removeprefix("@")
        rows = self.context.call.all(_NAMING, {"seen": self.seen.json, "name": f"@{name}"})
        return self.among("i.id", {id for id, body in rows if name in (one.lower() for one in markup.mentions(body))})

    def _involves(self, value: str) -> str:
        return (
            f"({self._author(value)} OR {self._assignee(value)} OR {self._mentions(value)} OR {self._commenter(value)})"
        )

    # -- pull requests

    def _draft(self, value: str) -> str:
        return {"true": "coalesce(p.draft, 0)", "false": "(i.is_pull AND NOT p.draft)"}.get(value, FALSE)

    def _head(self, value: str) -> str:
        bound = self.bind(value)
        return f"coalesce(substr(lower(p.head_ref), 1, length({bound})) = {bound}, 0)"

    def _base(self, value: str) -> str:
        return f"coalesce(lower(p.base_ref) = {self.bind(value)}, 0)"

    def _sha(self, value: str) -> str:
        if len(value) < 7:
            return FALSE
        bound = self.bind(value)
        return (
            f"coalesce(substr(p.head_sha, 1, length({bound})) = {bound} OR substr(p.merge_sha, 1, length({bound})) ="
            f" {bound}, 0)"
        )

    def _match_reviewer(self, value: str) -> str:
        return f"EXISTS({_REVIEWED} AND v.author_id = {self.bind(self.person(value))})"

    def _match_review_request(self, value: str) -> str:
        person = self.person(value)
        teams = self.among("q.team_id", self.context.teams_of(self.context.account(person)))
        return f"EXISTS({_ASKED} AND (q.account_id = {self.bind(person)} OR {teams}))"

    def _match_direct_request(self, value: str) -> str:
        return f"EXISTS({_ASKED} AND q.account_id = {self.bind(self.person(value))})"

    def _team_requested(self, value: str) -> str:
        org, _, slug = value.partition("/")
        team = f"""SELECT t.id FROM github_team t JOIN github_account o ON o.id = t.org_id
            WHERE lower(o.login) = {self.bind(org)} AND t.slug = {self.bind(slug)}"""
        return f"EXISTS({_ASKED} AND q.team_id IN ({team}))"

    def _review(self, value: str) -> str:
        if value == "none":
            return f"(i.is_pull AND NOT EXISTS({_REVIEWED}))"
        wanted = {"required": "REVIEW_REQUIRED", "approved": "APPROVED", "changes_requested": "CHANGES_REQUESTED"}.get(
            value
        )
        if wanted is None:
            return FALSE
        some = (
            f"EXISTS({_REVIEWED})"
            if value != "required"
            else "EXISTS(SELECT 1 FROM github_protection t WHERE t.repo_id = i.repo_id)"
        )
        context = self.context
        return self.among(
            "i.id",
            {
                issue.id
                for repo, issue, pull in self._pulls(some)
                if review_approvals.decision(context, repo, issue, pull) == wanted
            },
        )

    def _status(self, value: str) -> str:
        wanted = {"success": "success", "pending": "pending", "failure": "failing", "error": "failing"}.get(value)
        context = self.context
        found = {
            issue.id
            for repo, issue, pull in self._pulls(_CHECKED)
            if check_states.rollup(check_states.states(context, repo, pull.head_sha)) == wanted
        }
        return self.among("i.id", found) if wanted else FALSE

    def _match_linked(self, value: str) -> str:
        if value not in ("pr", "issue"):
            return FALSE
        pulls, issues = set[int](), set[int]()
        for repo, issue, _ in self._pulls("instr(i.body, '#') OR instr(i.body, '/issues/')"):
            for _, target in cross_references.list_referenced_issues(self.context, repo, issue.body, closing=True):
                if not target.is_pull:
                    pulls.add(issue.id)
                    issues.add(target.id)
        return self.among("i.id", issues if value == "pr" else pulls)

    def _pulls(self, where: str) -> Iterator[tuple[Repository, Issue, Pull]]:
        rows = self.context.call.all(
            f"SELECT i.id FROM {FROM} AND i.is_pull AND ({where}) ORDER BY i.id", {"seen": self.seen.json}
        )
        for (id,) in rows:
            issue, pull = self.context.call.session.get(Issue, id), self.context.call.session.get(Pull, id)
            repo = self.context.repo_by_id(issue.repo_id) if issue is not None else None
            if issue is not None and pull is not None and repo is not None:
                yield repo, issue, pull


def order(sort: str | None, direction: str) -> str:
    """Return the ORDER BY of a sort option; newest first where the vendor sorts by best match."""
    down = "ASC" if direction == "asc" else "DESC"
    name = sort or "created"
    key = DATES.get(name) or COUNTS.get(name)
    if name.startswith("reactions-") and (kind := REACTIONS.get(name.removeprefix("reactions-"))):
        key = (
            "(SELECT count(*) FROM github_reaction e WHERE e.subject = 'issue' AND e.subject_id = i.id AND e.content ="
            f" '{kind}')"
        )
    return f"{key or 'i.created_at'} {down}, i.id {down}"
