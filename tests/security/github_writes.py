"""For every writing operation on a repository: what it needs, and arguments with which it goes through on the vault."""

import base64
from typing import Any

from tests.security.vault import WORD, Vault

TEXT = base64.b64encode(b"x").decode()
RULE: dict[str, Any] = dict.fromkeys(
    ("required_status_checks", "enforce_admins", "required_pull_request_reviews", "restrictions")
)
B = f"{WORD}-branch"
# level -> operations that need it of somebody who wrote none of what they change
NEEDS = {
    "pull": """issues/create issues/create-comment repos/create-commit-comment repos/create-fork pulls/create web/pulls/open pulls/create-review
        pulls/create-review-comment pulls/create-reply-for-review-comment web/pulls/draft-comment web/pulls/mark-file-viewed web/subscribe web/watch
        activity/set-repo-subscription activity/delete-repo-subscription activity/mark-repo-notifications-as-read
        activity/star-repo-for-authenticated-user activity/unstar-repo-for-authenticated-user reactions/create-for-issue
        reactions/create-for-issue-comment reactions/create-for-pull-request-review-comment reactions/create-for-commit-comment
        reactions/create-for-release""",
    "triage": """issues/create-milestone issues/update-milestone issues/delete-milestone issues/update issues/add-assignees issues/remove-assignees
        issues/add-labels issues/set-labels issues/remove-all-labels issues/remove-label issues/add-sub-issue issues/remove-sub-issue
        issues/reprioritize-sub-issue issues/add-blocked-by-dependency issues/remove-dependency-blocked-by pulls/request-reviewers
        pulls/remove-requested-reviewers""",
    "push": """issues/lock issues/unlock web/issues/pin web/issues/unpin web/issues/transfer
        issues/create-label issues/update-label issues/delete-label issues/update-comment issues/delete-comment
        repos/rename-branch pulls/update web/pulls/edit pulls/merge pulls/update-branch pulls/dismiss-review pulls/update-review-comment
        pulls/delete-review-comment web/pulls/delete-head-branch web/pulls/restore-head-branch web/pulls/revert web/pulls/mark-ready
        web/pulls/convert-to-draft web/pulls/enable-auto-merge web/pulls/disable-auto-merge web/pulls/resolve-conflicts
        web/pulls/apply-suggestions web/threads/resolve web/threads/unresolve web/push-files checks/create checks/update checks/rerequest-run
        checks/rerequest-suite checks/create-suite repos/update-commit-comment repos/delete-commit-comment
        repos/create-or-update-file-contents repos/delete-file repos/create-deployment repos/delete-deployment repos/create-deployment-status
        repos/create-release repos/update-release repos/delete-release repos/generate-release-notes repos/upload-release-asset
        repos/update-release-asset repos/delete-release-asset repos/merge repos/merge-upstream repos/create-dispatch-event
        repos/create-commit-status git/create-blob git/create-commit git/create-tag git/create-ref git/update-ref git/delete-ref
        git/create-tree git/receive-pack actions/disable-workflow actions/enable-workflow actions/create-workflow-dispatch
        actions/cancel-workflow-run actions/force-cancel-workflow-run actions/re-run-workflow actions/re-run-workflow-failed-jobs
        actions/delete-workflow-run actions/delete-workflow-run-logs actions/re-run-job-for-workflow-run actions/create-repo-variable
        actions/update-repo-variable actions/delete-repo-variable actions/create-or-update-repo-secret actions/delete-repo-secret""",
    "maintain": "repos/replace-all-topics",
    "admin": """checks/set-suites-preferences repos/update repos/delete repos/add-collaborator repos/remove-collaborator repos/update-invitation
        repos/delete-invitation repos/create-or-update-environment repos/delete-an-environment repos/create-webhook repos/update-webhook
        repos/delete-webhook repos/update-webhook-config-for-repo repos/ping-webhook repos/test-push-webhook repos/redeliver-webhook-delivery
        repos/create-repo-ruleset repos/update-repo-ruleset repos/delete-repo-ruleset repos/create-autolink repos/delete-autolink
        repos/update-branch-protection repos/delete-branch-protection repos/update-pull-request-review-protection
        repos/delete-pull-request-review-protection repos/update-status-check-protection repos/remove-status-check-protection
        repos/set-admin-branch-protection repos/delete-admin-branch-protection repos/add-status-check-contexts
        repos/set-status-check-contexts repos/remove-status-check-contexts repos/delete-access-restrictions
        repos/add-user-access-restrictions repos/set-user-access-restrictions repos/remove-user-access-restrictions
        repos/add-team-access-restrictions repos/set-team-access-restrictions repos/remove-team-access-restrictions
        reactions/delete-for-issue reactions/delete-for-issue-comment reactions/delete-for-pull-request-comment
        reactions/delete-for-commit-comment reactions/delete-for-release teams/add-or-update-repo-permissions-in-org
        teams/remove-repo-in-org""",
    "author": "pulls/update-review pulls/delete-pending-review pulls/submit-review",  # whatever one may do besides
}
# allowed, but there is nothing to do: a check of another app, a run that is over, no conflict, no fork, and so on
NOTHING_TO_DO = {
    "web/pulls/enable-auto-merge": "unprocessable",
    "checks/update": "refused",
    "web/pulls/resolve-conflicts": "unprocessable",
    "repos/delete-deployment": "unprocessable",
    "repos/merge-upstream": "unprocessable",
    "actions/cancel-workflow-run": "conflict",
    "actions/force-cancel-workflow-run": "conflict",
    "issues/reprioritize-sub-issue": "unprocessable",
    "web/issues/unpin": "unprocessable",
    "web/issues/transfer": "unprocessable",
}


def arguments(vault: "Changing", operation: str) -> dict[str, Any]:
    """Arguments for an operation, most of them ids of what is in the vault."""
    ids = vault.ids
    fields = vault.operations[operation].params.model_fields
    given = {name: ids[name][0] for name, field in fields.items() if name in ids and field.is_required()}
    return {
        "owner": "tiny",
        "repo": "vault",
        **{n: v for n, v in PLAIN.items() if n in fields and fields[n].is_required()},
        **given,
        **special(vault).get(operation, {}),
    }


PLAIN: dict[str, Any] = {
    "title": "T",
    "body": "B",
    "message": "M",
    "content": TEXT,
    "state": "success",
    "subscribed": True,
    "permission": "push",
    "labels": ["bug"],
    "contexts": [WORD],
    "users": ["bo"],
    "teams": [],
    "names": ["a"],
    "new_name": "other",
    "head_sha": "",
    "context": "x",
    "event": "COMMENT",
    "head": "topic",
    "base": "main",
    "files": [{"path": "N.md", "content": "x"}],
    "value": "v",
    "color": "ff0000",
    "tag_name": "v9",
    "event_type": "go",
    "key_id": "1",
    "encrypted_value": TEXT,
    "permissions": "read",
}


def special(vault: "Changing") -> dict[str, dict[str, Any]]:
    """What an operation is given besides or instead."""
    ids = vault.ids
    issue, line, said = ids["comment_id"]
    sha, blob = ids["sha"][0], ids["file_sha"][0]
    child = vault.child
    release = ids["release_id"][0]
    return {
        "issues/update": {"title": "T"},
        "web/issues/transfer": {"target": "vault"},
        "issues/update-milestone": {"title": "T"},
        "issues/add-assignees": {"assignees": ["bo"]},
        "issues/remove-assignees": {"assignees": ["bo"]},
        "issues/create-label": {"name": "new"},
        "issues/update-label": {"name": f"{WORD} label", "description": "x"},
        "issues/delete-label": {"name": f"{WORD} label"},
        "issues/remove-label": {"name": f"{WORD} label"},
        "issues/add-labels": {"labels": [f"{WORD} label"]},
        "issues/set-labels": {"labels": [f"{WORD} label"]},
        "issues/create-milestone": {"title": "new"},
        "issues/add-sub-issue": {"sub_issue_id": vault.loose},
        "issues/remove-sub-issue": {"sub_issue_id": child},
        "issues/reprioritize-sub-issue": {"sub_issue_id": child, "after_id": None, "before_id": None},
        "issues/add-blocked-by-dependency": {"issue_id": vault.loose},
        "issues/remove-dependency-blocked-by": {"issue_id": child},
        "issues/update-comment": {"comment_id": issue},
        "issues/delete-comment": {"comment_id": issue},
        "repos/update-commit-comment": {"comment_id": said},
        "repos/delete-commit-comment": {"comment_id": said},
        "pulls/update-review-comment": {"comment_id": line},
        "pulls/delete-review-comment": {"comment_id": line},
        "pulls/create-reply-for-review-comment": {"comment_id": line},
        "reactions/create-for-issue": {"content": "heart"},
        "reactions/create-for-issue-comment": {"content": "heart"},
        "reactions/create-for-pull-request-review-comment": {"comment_id": line, "content": "heart"},
        "reactions/create-for-commit-comment": {"comment_id": said, "content": "heart"},
        "reactions/create-for-release": {"content": "heart"},
        "reactions/delete-for-issue-comment": {"reaction_id": vault.reactions["comment"]},
        "reactions/delete-for-pull-request-comment": {"comment_id": line, "reaction_id": vault.reactions["line"]},
        "reactions/delete-for-commit-comment": {"comment_id": said, "reaction_id": vault.reactions["said"]},
        "reactions/delete-for-release": {"reaction_id": vault.reactions["release"]},
        "pulls/update": {"title": "T"},
        "pulls/request-reviewers": {"reviewers": ["ada"]},
        "pulls/remove-requested-reviewers": {"reviewers": ["dee"]},
        "pulls/create": {"title": "T", "head": f"{WORD}-ahead"},
        "web/pulls/open": {"title": "T", "head": f"{WORD}-ahead"},
        "web/pulls/edit": {"title": "T"},
        "web/pulls/delete-head-branch": {"pull_number": vault.closed},
        "pulls/create-review": {"body": "x", "event": "COMMENT"},
        "pulls/create-review-comment": {"path": "src/a.py", "line": 1, "commit_id": vault.head, "body": "x"},
        "web/pulls/draft-comment": {"path": "src/a.py", "subject_type": "file"},
        "web/pulls/mark-file-viewed": {"path": "src/a.py"},
        "pulls/dismiss-review": {"review_id": vault.approval},
        "web/threads/resolve": {},
        "web/threads/unresolve": {},
        "web/pulls/convert-to-draft": {},
        "web/pulls/enable-auto-merge": {"pull_number": vault.behind},
        "pulls/update-branch": {"pull_number": vault.behind},
        "web/pulls/apply-suggestions": {"comment_ids": [vault.suggestion]},
        "web/pulls/revert": {"pull_number": vault.merged},
        "web/pulls/restore-head-branch": {"pull_number": vault.merged},
        "web/pulls/disable-auto-merge": {"pull_number": vault.automatic},
        "web/pulls/mark-ready": {"pull_number": vault.drafted},
        "pulls/merge": {"pull_number": vault.behind},
        "checks/create": {"name": "c", "head_sha": sha},
        "checks/create-suite": {"head_sha": vault.head},
        "checks/set-suites-preferences": {"auto_trigger_checks": [{"app_id": 15368, "setting": True}]},
        "repos/add-collaborator": {"username": "eve"},
        "repos/remove-collaborator": {"username": "cyrus"},
        "repos/update": {"description": "x"},
        "repos/update-invitation": {"invitation_id": vault.invited},
        "repos/delete-invitation": {"invitation_id": vault.invited},
        "repos/create-or-update-file-contents": {"path": "new.txt"},
        "repos/delete-file": {"path": f"{WORD}.txt", "sha": blob},
        "repos/create-deployment": {"ref": "main", "required_contexts": []},
        "repos/delete-deployment": {"deployment_id": vault.idle},
        "repos/update-release": {"release_id": release, "body": "x"},
        "repos/upload-release-asset": {"name": "n.txt"},
        "repos/update-release-asset": {"label": "x"},
        "repos/merge": {"head": f"{WORD}-ahead", "base": "main"},
        "git/create-blob": {"content": "x"},
        "git/create-commit": {"tree": ids["tree_sha"][0], "parents": [sha]},
        "git/create-tag": {"tag": "t", "object": sha, "type": "commit"},
        "git/create-ref": {"ref": "refs/heads/made", "sha": sha},
        "git/update-ref": {"ref": f"heads/{WORD}-free", "sha": vault.head},
        "git/delete-ref": {"ref": f"heads/{WORD}-free"},
        "git/create-tree": {"tree": [{"path": "a", "mode": "100644", "type": "blob", "content": "x"}]},
        "repos/rename-branch": {"branch": f"{WORD}-free", "new_name": "other"},
        "repos/create-webhook": {"config": {"url": "https://a.test"}, "name": "web"},
        "repos/update-webhook": {"active": False},
        "repos/update-webhook-config-for-repo": {"content_type": "json"},
        "web/watch": {"state": "watching"},
        "repos/create-repo-ruleset": {"name": "new", "enforcement": "disabled"},
        "repos/update-repo-ruleset": {"ruleset_id": vault.ruleset, "name": "other"},
        "repos/delete-repo-ruleset": {"ruleset_id": vault.ruleset},
        "repos/create-autolink": {"key_prefix": "NEW-", "url_template": "https://a.test/<num>"},
        "repos/delete-autolink": {"autolink_id": vault.autolink},
        "repos/update-branch-protection": RULE,
        "repos/update-status-check-protection": {"strict": False},
        "repos/delete-branch-protection": {},
        "repos/add-status-check-contexts": {"contexts": ["y"]},
        "repos/update-pull-request-review-protection": {"branch": "guarded", "dismiss_stale_reviews": True},
        "repos/delete-pull-request-review-protection": {"branch": "guarded"},
        "repos/delete-access-restrictions": {"branch": "guarded"},
        "repos/add-user-access-restrictions": {"branch": "guarded"},
        "repos/set-user-access-restrictions": {"branch": "guarded"},
        "repos/remove-user-access-restrictions": {"branch": "guarded"},
        "repos/add-team-access-restrictions": {"branch": "guarded"},
        "repos/set-team-access-restrictions": {"branch": "guarded"},
        "repos/remove-team-access-restrictions": {"branch": "guarded"},
        "git/receive-pack": {"commands": [{"ref": "refs/heads/pushed", "old": "0" * 40, "new": sha}]},
        "actions/create-repo-variable": {"name": "NEW"},
        "actions/update-repo-variable": {"name": f"{WORD}_VAR".upper(), "value": "y"},
        "actions/delete-repo-variable": {"name": f"{WORD}_VAR".upper()},
        "actions/create-workflow-dispatch": {"ref": "main"},
        "repos/create-commit-status": {"state": "success"},
        "teams/add-or-update-repo-permissions-in-org": {"team_slug": "core"},
        "web/push-files": {"branch": f"{WORD}-free"},
        "repos/generate-release-notes": {},
        "actions/create-or-update-repo-secret": {"key_id": vault.key},
    }


class Changing(Vault):
    """The vault with something for every operation to change."""

    def fill(self) -> None:
        """More issues, branches and pull requests, in every state that an operation asks for."""
        super().fill()
        say, ids = self.say, self.ids
        [child] = say("issues/list-sub-issues", issue_number=ids["issue_number"][0])
        self.child, self.loose = child["id"], say("issues/create", title="Loose")["id"]
        self.key = say("actions/get-repo-public-key")["key_id"]
        line, said = ids["comment_id"][1:]
        self.reactions = {
            "comment": say("reactions/create-for-issue-comment", comment_id=ids["comment_id"][0], content="eyes")["id"],
            "line": say("reactions/create-for-pull-request-review-comment", comment_id=line, content="eyes")["id"],
            "said": say("reactions/create-for-commit-comment", comment_id=said, content="eyes")["id"],
            "release": say("reactions/create-for-release", release_id=ids["release_id"][0], content="eyes")["id"],
        }
        for name in (f"{WORD}-free", f"{WORD}-ahead", "guarded", "a1", "a2", "a3", "a4", "a5"):
            say("git/create-ref", ref=f"refs/heads/{name}", sha=ids["sha"][0])
        for name in (f"{WORD}-ahead", "a1", "a2", "a3", "a4", "a5"):
            say("repos/create-or-update-file-contents", path=f"{name}.txt", content=TEXT, message=name, branch=name)
        self.head = say("pulls/get", pull_number=ids["pull_number"][0])["head"]["sha"]
        self.approval = say(
            "pulls/create-review", "dee", pull_number=ids["pull_number"][0], event="REQUEST_CHANGES", body="x"
        )["id"]
        place = {"path": "src/a.py", "line": 1, "body": "```suggestion\none = 3\n```", "commit_id": self.head}
        self.suggestion = say("pulls/create-review-comment", pull_number=ids["pull_number"][0], **place)["id"]
        self.closed, self.merged, self.drafted, self.automatic, self.behind = (
            say("pulls/create", title=name, head=name, base="main", draft=name == "a3")["number"]
            for name in ("a1", "a2", "a3", "a4", "a5")
        )
        say("pulls/update", pull_number=self.closed, state="closed")
        say("pulls/merge", pull_number=self.merged)
        say("web/pulls/delete-head-branch", pull_number=self.merged)
        rule = {
            "required_status_checks": {"strict": True, "contexts": ["never"]},
            "required_pull_request_reviews": {"required_approving_review_count": 1},
        }
        say(
            "repos/update-branch-protection",
            branch="guarded",
            **{**RULE, **rule, "restrictions": {"users": [], "teams": []}},
        )
        self.ruleset = say("repos/create-repo-ruleset", name="kept", enforcement="disabled")["id"]
        self.autolink = say("repos/create-autolink", key_prefix="KEPT-", url_template="https://a.test/<num>")["id"]
        self.invited = 0
        say("repos/add-collaborator", username="eve")
        self.invited = say("repos/list-invitations")[0]["id"]
        self.idle = say("repos/create-deployment", ref="main", required_contexts=[], auto_merge=False)["id"]
        self.host.actor("w").events.fire_until(self.host.actor("w").now)
