"""A code host with one private repository whose every part holds a word, and people at every distance from it."""

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import Connection
from sqlmodel import Session

import apps.github
from apps.github.git import Repo, Signature
from apps.github.models import Account, Collaborator, OrgMember, RepoTeam, Team, TeamMember
from apps.github.models_actions import Bug, CheckRun, CheckSuite, Job, Run, Verdict, Workflow
from tests.apps.github.conftest import ADA, APP, AT, DAY, ORG, SITE, Rows, account, history, repository, rows
from tests.company import START, as_person, company_rows, person
from world.core.access import Tokens
from world.core.errors import OperationError
from world.core.image_builder import build
from world.core.settings import Settings
from world.run.host import Host
from world.store import Base, Store

VAULT, WORD = 504, "qzvaultzq"
GWEN, HAL = 106, 107
LEVEL = {
    "ada": "admin",
    "gwen": "maintain",
    "bo": "push",
    "dee": "triage",
    "hal": "pull",
    "cyrus": "none",
    "eve": "none",
}  # on the vault
MEMBERS = ("ada", "bo", "cyrus", "dee")
WORKFLOW = f"name: {WORD} flow\non: workflow_dispatch\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: 'true'\n"
CONTROL = "qzcontrolzq"  # what only graders and the world itself may read


def people() -> list[Any]:
    """Two more outside the organisation, and who may do what: Cy is a member without access, Eve a stranger."""
    return [
        person("p_gwen", "Gwen Hall", "gwen", "Engineer", "p_ada"),
        person("p_hal", "Hal Berg", "hal", "Engineer", "p_ada"),
        account(GWEN, "gwen", "gwen", "Gwen Hall"),
        account(HAL, "hal", "hal", "Hal Berg"),
        repository(
            VAULT, "vault", description=f"{WORD} described", homepage=f"https://{WORD}.test", topics=[WORD.lower()]
        ),
        Team(
            id=9,
            org_id=ORG,
            slug=f"{WORD}-team",
            name=f"{WORD} team",
            privacy="secret",
            created_at=START - DAY,
            updated_at=START - DAY,
        ),
        TeamMember(team_id=9, account_id=102),
        RepoTeam(repo_id=VAULT, team_id=9, permission="push"),
        Collaborator(repo_id=VAULT, account_id=GWEN, permission="maintain", created_at=START - DAY),
        Collaborator(repo_id=VAULT, account_id=104, permission="triage", created_at=START - DAY),
        Collaborator(repo_id=VAULT, account_id=HAL, permission="pull", created_at=START - DAY),
    ]


def runs(sha: str, tree: str) -> list[Any]:
    """A finished run of a workflow of the vault, and the rows that no operation may read."""
    at = START - DAY
    step = {
        "name": f"{WORD} step",
        "number": 1,
        "status": "completed",
        "conclusion": "failure",
        "started_at": None,
        "completed_at": None,
    }
    note = {
        "path": "a",
        "start_line": 1,
        "end_line": 1,
        "annotation_level": "failure",
        "message": f"{WORD} noted",
        "title": None,
        "start_column": None,
        "end_column": None,
        "raw_details": None,
        "blob_href": "",
    }
    return [
        Workflow(
            id=81,
            repo_id=VAULT,
            path=".github/workflows/ci.yml",
            name=f"{WORD} flow",
            runs=1,
            created_at=at,
            updated_at=at,
        ),
        CheckSuite(
            id=82,
            repo_id=VAULT,
            head_sha=sha,
            head_branch="main",
            status="completed",
            conclusion="failure",
            created_at=at,
            updated_at=at,
        ),
        CheckRun(
            id=83,
            repo_id=VAULT,
            suite_id=82,
            head_sha=sha,
            name=f"{WORD} check",
            status="completed",
            conclusion="failure",
            annotations=[note],
            title=f"{WORD} checked",
            summary=f"{WORD} summary",
            started_at=at,
            completed_at=at,
            created_at=at,
        ),
        Run(
            id=84,
            repo_id=VAULT,
            workflow_id=81,
            suite_id=82,
            number=1,
            event="push",
            title=f"{WORD} run",
            head_branch="main",
            head_sha=sha,
            tree_sha=tree,
            actor_id=ADA,
            trigger_id=ADA,
            status="completed",
            conclusion="failure",
            created_at=at,
            updated_at=at,
            started_at=at,
        ),
        Job(
            id=85,
            repo_id=VAULT,
            run_id=84,
            attempt=1,
            key="test",
            name=f"{WORD} job",
            check_run_id=83,
            status="completed",
            conclusion="failure",
            steps=[step],
            log=f"2026-03-01T08:00:00.0000000Z {WORD} logged\n",
            created_at=at,
            started_at=at,
            completed_at=at,
        ),
        Bug(
            repo_id=SITE,
            id=CONTROL,
            introduced_sha="1" * 40,
            serve=CONTROL,
            tests={CONTROL: CONTROL},
            fails=[CONTROL],
            passes=[],
        ),
        Verdict(tree_sha=tree, suite=CONTROL, conclusion=CONTROL, steps=[{"name": CONTROL}]),
    ]


def image(folder: Path) -> Path:
    """The sealed image."""

    def load(connection: Connection) -> None:
        with Session(bind=connection) as session:
            session.add_all([*company_rows(), *rows(), *people()])
            session.flush()
            org = session.get(Account, ORG)
            assert org is not None and session.get(OrgMember, (ORG, ADA))
            org.base_permission = "none"
            session.commit()
        raw: Any = Rows(connection)
        for id in (APP, SITE):
            history(Repo(raw, id))
        git = Repo(raw, VAULT)
        sha = first(git)
        with Session(bind=connection) as session:
            session.add_all(runs(sha, git.tree_of(sha)))
            session.commit()

    return build(folder / "images", [apps.github.app], load, now=START)


def first(git: Repo) -> str:
    """The vault's first commit on main, and one more on the branch `topic`, with names and texts of the word."""
    ada = Signature(f"{WORD} author", f"{WORD}@tiny.example", AT, 60)
    files = {
        "README.md": f"# {WORD}\n",
        f"{WORD}.txt": f"{WORD} kept\n",
        ".github/workflows/ci.yml": WORKFLOW,
        "src/a.py": "one = 1\n",
    }
    tree = git.put_changed_tree(None, {path: (0o100644, git.put_blob(text.encode())) for path, text in files.items()})
    one = git.put_commit(tree, [], f"{WORD} begins\n", ada, ada)
    more = git.put_changed_tree(tree, {"src/a.py": (0o100644, git.put_blob(f"one = '{WORD}'\n".encode()))})
    two = git.put_commit(more, [one], f"{WORD} goes on\n", ada, ada)
    git.set_ref("refs/heads/main", one, None)
    git.set_ref("refs/heads/topic", two, None)
    git.set_ref(f"refs/heads/{WORD}-branch", one, None)
    return one


class Vault:
    """A world over it; `ids` are of everything in the vault, by parameter name."""

    def __init__(self, folder: Path) -> None:
        self.host = Host(Store(folder / "worlds", Base(image(folder))), [apps.github.app], Tokens("test secret"))
        self.host.create("w", Settings(limits="off"))
        self.operations = self.host.apps["github"].operations
        self.ids: dict[str, list[Any]] = {}
        self.nodes: dict[str, str] = {}
        self.fill()

    def say(self, operation: str, who: str = "ada", world: str = "w", **arguments: Any) -> Any:
        """Call an operation, on the vault unless told otherwise."""
        where = {
            n: v
            for n, v in (("owner", "tiny"), ("repo", "vault"))
            if n in self.operations[operation].params.model_fields
        }
        return self.host.call(as_person(self.host, who, world), "rest", operation, {**where, **arguments})

    def refused(self, operation: str, who: str = "ada", **arguments: Any) -> str:
        """The code of a refusal that must come."""
        try:
            self.say(operation, who, **arguments)
        except OperationError as refusal:
            return refusal.code
        raise AssertionError(f"{who} may {operation} {arguments}")

    def without(self) -> None:
        """A world `bare`, which has no vault."""
        if "bare" not in self.host.actors:
            self.host.fork(self.host.actor("w"), "bare")
            self.say("repos/delete", world="bare")

    def answer(self, who: str, operation: str, arguments: Mapping[str, Any], world: str = "w") -> tuple[str, str]:
        """Code of the refusal ("" for none), and the text of whatever is answered."""
        me = as_person(self.host, who, world)
        try:
            found = self.host.peek(me, "rest", operation, arguments)
        except OperationError as refusal:
            return refusal.code, orjson.dumps(dict(refusal.detail), default=str).decode()
        return "", text(found)

    def fill(self) -> None:
        """Say the word everywhere it can be said."""
        say, ids = self.say, self.ids
        say("repos/create-for-authenticated-user", "eve", name="own", auto_init=True)
        say("issues/create", "eve", owner="eve", repo="own", title="Mine")
        milestone = say("issues/create-milestone", title=f"{WORD} milestone", description=WORD)
        label = say("issues/create-label", name=f"{WORD} label", color="ff0000", description=WORD)
        issue = say(
            "issues/create",
            title=f"{WORD} issue",
            body=f"{WORD} #1 @bo tiny/site#1",
            labels=[label["name"]],
            milestone=milestone["number"],
        )
        child = say("issues/create", title=f"{WORD} child", body=f"see tiny/vault#{issue['number']}", assignees=["ada"])
        say("issues/add-sub-issue", issue_number=issue["number"], sub_issue_id=child["id"])
        say("issues/add-blocked-by-dependency", issue_number=issue["number"], issue_id=child["id"])
        comment = say("issues/create-comment", issue_number=issue["number"], body=f"{WORD} comment")
        pull = say("pulls/create", "bo", title=f"{WORD} pull", body=f"{WORD} body", head="topic", base="main")
        place = {"path": "src/a.py", "line": 1, "body": f"{WORD} line"}
        review = say(
            "pulls/create-review", pull_number=pull["number"], event="COMMENT", body=f"{WORD} review", comments=[place]
        )
        [line] = say("pulls/list-comments-for-review", pull_number=pull["number"], review_id=review["id"])
        say("pulls/request-reviewers", "bo", pull_number=pull["number"], reviewers=["dee"])
        sha = say("git/get-ref", ref="heads/main")["object"]["sha"]
        tree = say("git/get-commit", commit_sha=sha)["tree"]["sha"]
        blob = say("repos/get-content", path=f"{WORD}.txt")["sha"]
        tag = say("git/create-tag", tag=f"{WORD}-1", message=f"{WORD} tag", object=sha, type="commit")
        say("git/create-ref", ref=f"refs/tags/{WORD}-1", sha=tag["sha"])
        release = say("repos/create-release", tag_name=f"{WORD}-1", name=f"{WORD} release", body=WORD)
        draft = say("repos/create-release", tag_name=f"{WORD}-2", name=f"{WORD} draft", body=WORD, draft=True)
        given = {"content": base64.b64encode(WORD.encode()).decode(), "name": f"{WORD}.bin"}
        asset = say("repos/upload-release-asset", release_id=release["id"], **given)
        said = say("repos/create-commit-comment", commit_sha=sha, body=f"{WORD} commit comment")
        say("repos/create-commit-status", sha=sha, state="failure", context=WORD, description=WORD)
        deployment = say(
            "repos/create-deployment",
            ref="main",
            auto_merge=False,
            required_contexts=[],
            description=WORD,
            environment=f"{WORD}-env",
        )
        state = say("repos/create-deployment-status", deployment_id=deployment["id"], state="success", description=WORD)
        hook = say(
            "repos/create-webhook", config={"url": f"https://{WORD}.test/", "secret": "qzhooksecretzq"}, events=["push"]
        )
        say("repos/ping-webhook", hook_id=hook["id"])
        [delivery, *_] = say("repos/list-webhook-deliveries", hook_id=hook["id"])
        say("actions/create-repo-variable", name=f"{WORD}_VAR".upper(), value=WORD)
        key = say("actions/get-repo-public-key")["key_id"]
        say(
            "actions/create-or-update-repo-secret",
            secret_name="HIDDEN",
            encrypted_value=base64.b64encode(b"qzsealedzq").decode(),
            key_id=key,
        )
        say("repos/create-or-update-environment", environment_name=f"{WORD}-env")
        rule: dict[str, Any] = dict.fromkeys(
            ("required_status_checks", "enforce_admins", "required_pull_request_reviews", "restrictions")
        )
        say(
            "repos/update-branch-protection",
            branch=f"{WORD}-branch",
            **{**rule, "required_status_checks": {"strict": True, "contexts": [WORD]}},
        )
        reaction = say("reactions/create-for-issue", issue_number=issue["number"], content="eyes")
        self.host.actor("w").events.fire_until(self.host.actor("w").now)
        events = say("issues/list-events-for-repo")
        ids.update(
            {
                "issue_number": [issue["number"]],
                "pull_number": [pull["number"]],
                "number": [issue["number"]],
                "comment_id": [comment["id"], line["id"], said["id"]],
                "review_id": [review["id"]],
                "milestone_number": [milestone["number"]],
                "release_id": [release["id"], draft["id"]],
                "asset_id": [asset["id"]],
                "tag": [f"{WORD}-1"],
                "commit_sha": [sha],
                "file_sha": [blob],
                "tree_sha": [tree, sha],
                "tag_sha": [tag["sha"]],
                "sha": [sha],
                "ref": ["main", sha, "heads/main"],
                "basehead": ["main...topic", f"{sha}...topic"],
                "branch": [f"{WORD}-branch"],
                "path": [f"{WORD}.txt", ""],
                "deployment_id": [deployment["id"]],
                "status_id": [state["id"]],
                "hook_id": [hook["id"]],
                "delivery_id": [delivery["id"]],
                "name": [f"{WORD} label", f"{WORD}_VAR".upper()],
                "secret_name": ["HIDDEN"],
                "environment_name": [f"{WORD}-env"],
                "event_id": [events[0]["id"]],
                "reaction_id": [reaction["id"]],
                "workflow_id": ["81"],
                "run_id": [84],
                "job_id": [85],
                "check_run_id": [83],
                "check_suite_id": [82],
                "attempt_number": [1],
                "assignee": ["ada"],
                "username": ["bo"],
                "numbers": [[pull["number"]]],
                "shas": [[sha]],
                "place": ["main", f"main/{WORD}.txt"],
                "form": ["zip"],
                "which": ["all"],
                "service": ["git-upload-pack"],
                "wants": [[sha]],
                "dir": ["src"],
                "thread_id": [1],
                "page": [1],
                "q": [WORD],
                "repository_id": [VAULT],
                "org": ["tiny"],
                "team_slug": [f"{WORD}-team"],
                "account_id": [GWEN],
                "invitation_id": [1],
                "gist_id": ["x"],
                "attempt": [1],
                "query": ["{viewer{login}}"],
                "text": [""],
            }
        )
        self.nodes = {
            name: made["node_id"]
            for name, made in (
                ("issue", issue),
                ("comment", comment),
                ("pull", pull),
                ("review", review),
                ("line", line),
                ("label", label),
                ("milestone", milestone),
                ("release", release),
                ("draft", draft),
                ("said", said),
                ("deployment", deployment),
                ("reaction", reaction),
            )
        }
        self.nodes |= {"repository": say("repos/get")["node_id"], "commit": say("repos/get-commit", ref=sha)["node_id"]}


def text(found: Any) -> str:
    """An answer as text, whatever it is made of."""
    if isinstance(found, bytes):
        return found.decode("utf-8", "replace")
    return orjson.dumps(
        found,
        default=lambda value: (
            bytes(value).decode("utf-8", "replace") if isinstance(value, (bytes, bytearray)) else str(value)
        ),
    ).decode()
