"""Series of a service whose code is not kept here: a repository of flags, notes and releases, made from the events.

It has the form of a `series.yaml`, but that a commit names its files (`files`) instead of a patch.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from seeds.company import Company, Service
from seeds.events import Checked, Deployed, Event, IssueMade, PullClosed, PullMerged, PullOpened, Pushed, Reviewed
from seeds.rows.references import References
from seeds.spec import Spec
from seeds.stories.pulls import is_flagged, name_flag
from seeds.stories.releases import first_version
from world.core.clock import DAY, HOUR, MINUTE

AGE = 320 * DAY  # of the first commit, before the world's start
LABELS = (
    {"name": "flag", "color": "a2eeef", "description": "Behind a flag"},
    {"name": "bug", "color": "d73a4a", "description": "It does not do what it should"},
    {"name": "small", "color": "c2e0c6", "description": "An hour or less"},
)
HEAD = "# Changelog\n"
README = """# {name}

{about}

What production of {name} runs with: flags, notes for the release, and the version that is live.

- `changes/` one note per issue, until it is released
- `flags/` one file per flag, with the issue it belongs to and who removes it
- `CHANGELOG.md` what every release carried

A merge to main goes out with the next release.
"""


def compose(spec: Spec, company: Company, refs: References, service: str) -> dict[str, Any]:
    """The series of one service: commits, pulls, branches and releases in the order of time."""
    return _Composer(spec, company, refs, company.services[service]).run()


class _Composer:
    """The files of main as they grow, and what became of every pull request."""

    def __init__(self, spec: Spec, company: Company, refs: References, service: Service) -> None:
        self.spec, self.company, self.refs, self.service = spec, company, refs, service
        self.people = company.by_id()
        self.lead = company.teams[service.team].lead if service.team in company.teams else ""
        self.commits: list[dict[str, Any]] = []
        self.pulls: dict[str, dict[str, Any]] = {}
        self.pushed: dict[str, list[Event]] = {}
        self.releases: list[dict[str, Any]] = []
        self.notes: dict[str, str] = {}
        self.log = HEAD
        self.made = {e.facts.issue: e.facts for e in refs.events.values() if isinstance(e.facts, IssueMade)}

    def run(self) -> dict[str, Any]:
        """The whole series; the release that ran when the window began carries everything merged before it."""
        events = self._list_events()
        self._begin(min([self.spec.start - AGE, *(_find_time(event) - DAY for event in events[:1])]))
        released = self.spec.window_start - DAY - 3 * HOUR
        for event in (one for one in events if _find_time(one) <= released):
            self._tell(event)
        self._tag(first_version(self.spec, self.service.id), self.lead, released, tuple(self.notes), "")
        for event in (one for one in events if _find_time(one) > released):
            self._tell(event)
        return {
            "service": self.service.id,
            "team": self.service.team,
            "description": f"Flags, notes and releases of {self.service.id}.",
            "topics": ["configuration", self.service.tier],
            "labels": LABELS,
            "milestones": (),
            "checks": [],
            "commits": self.commits,
            "pulls": {handle: one for handle, one in self.pulls.items() if "merged_days" in one},
            "issues": (),
            "releases": self.releases,
            "branches": self._branches(),
        }

    def _list_events(self) -> list[Event]:
        """What happened to the repository, in the order in which it shows on main."""
        own = [
            event
            for event in self.refs.events.values()
            if isinstance(event.facts, Pushed | Checked | PullOpened | Reviewed | PullMerged | PullClosed | Deployed)
            and event.facts.service == self.service.id
        ]
        return sorted(own, key=_find_time)

    def _tell(self, event: Event) -> None:
        facts = event.facts
        if isinstance(facts, Pushed):
            self.pushed.setdefault(facts.pull, []).append(event)
        elif isinstance(facts, PullOpened):
            self._open(event, facts)
        elif isinstance(facts, Checked):
            commit = len(self.pushed[facts.pull]) - 1
            self.pulls[facts.pull]["checks"].append({"passed": facts.passed, "commit": commit, "event": event})
        elif isinstance(facts, Reviewed):
            self._review(event, facts)
        elif isinstance(facts, PullMerged):
            self._merge(event, facts)
        elif isinstance(facts, PullClosed):
            said = {"by": self._seat(event), "body": facts.text, "days": self._days(event.at)}
            self.pulls[facts.pull] |= {"closed_days": said["days"], "closed_by": said["by"], "comments": [said]}
        elif isinstance(facts, Deployed):
            self._release(event, facts)

    def _begin(self, at: int) -> None:
        """The first commit."""
        name = self.service.id
        files = {
            "README.md": README.format(name=name, about=self.service.description),
            ".github/CODEOWNERS": f"* @{self.refs.domain}/{self.service.team}\n",
            "service.toml": f'name = "{name}"\nteam = "{self.service.team}"\ntier = "{self.service.tier}"\n',
            "flags/README.md": "One file per flag, with its issue and a default. Whoever adds a flag removes it.\n",
        }
        self._commit("first", self.lead, at, f"Flags and notes of {name}", files)

    def _commit(
        self, id: str, seat: str, at: int, subject: str, files: Mapping[str, str | None], **more: object
    ) -> None:
        self.commits.append(
            {"id": id, "files": files, "author": seat, "days": self._days(at), "subject": subject, "body": "", **more}
        )

    def _open(self, event: Event, facts: PullOpened) -> None:
        reviewer = self.people.get(facts.reviewer)
        made = self.made[facts.pull]
        self.pulls[facts.pull] = {
            "title": f"{self.refs.issue_keys[facts.pull]}: {facts.title}",
            "body": facts.text,
            "author": self._seat(event),
            "opened_days": self._days(event.at),
            "merge": "squash",
            "reviewers": [reviewer.seat] if reviewer else [],
            "labels": ["bug"] if made.type == "Bug" else ["flag"] if is_flagged(made) else [],
            "reviews": [],
            "checks": [],
            "jira": facts.pull,
            "event": event,
        }

    def _review(self, event: Event, facts: Reviewed) -> None:
        """A review; what it objects to stands at the first line of the flag, or of the note."""
        made, seat = self.made[facts.pull], self._seat(event)
        path = name_flag(made) if is_flagged(made) else f"changes/{self.refs.issue_keys[facts.pull]}.md"
        remarks = [{"path": path, "line": 1, "body": facts.text}] if facts.state == "CHANGES_REQUESTED" else []
        body = "" if remarks else facts.text
        said = {"by": seat, "state": facts.state, "body": body, "days": self._days(event.at), "comments": remarks}
        self.pulls[facts.pull]["reviews"].append(said)

    def _list_commits(self, handle: str) -> list[dict[str, Any]]:
        """The commits of a pull request's branch: the note and the flag, then what the review asked for."""
        key, made = self.refs.issue_keys[handle], self.made[handle]
        commits: list[dict[str, Any]] = []
        for number, event in enumerate(self.pushed[handle]):
            assert isinstance(event.facts, Pushed)
            files = self._write_files(made, key, event.facts.what)
            commits.append(
                {
                    "id": f"{handle}-{number}",
                    "files": files,
                    "author": self._seat(event),
                    "days": self._days(event.at),
                    "subject": f"{key}: {event.facts.subject}",
                    "body": "",
                }
            )
        return commits

    def _write_files(self, made: IssueMade, key: str, what: str) -> dict[str, str | None]:
        """What a commit of a branch writes: note and flag, the default that CI missed, or what the review asked for."""
        note, flag = f"changes/{key}.md", name_flag(made)
        if not is_flagged(made):
            more = f"\nAsk the {self.service.team} team.\n" if what == "answer" else ""
            return {note: f"{made.title}\n{more}"}
        lines = [f'issue = "{key}"\n', *(["default = false\n"] if what != "draft" else [])]
        if what == "answer":
            return {flag: "".join([*lines, f'owner = "{self.service.team}"\n'])}
        brought: dict[str, str | None] = {} if what == "mend" else {note: f"{made.title}\n"}
        return {flag: "".join(lines), **brought}

    def _merge(self, event: Event, facts: PullMerged) -> None:
        key, made = self.refs.issue_keys[facts.pull], self.made[facts.pull]
        pull = self.pulls[facts.pull]
        pull |= {"merged_days": self._days(event.at), "merged_by": self._seat(event)}
        for remark in (one for review in pull["reviews"] for one in review["comments"]):
            remark["resolved"] = True
        self.commits += [{**one, "pr": facts.pull} for one in self._list_commits(facts.pull)]
        self.notes[facts.pull] = f"- {key} {made.title}\n"

    def _release(self, event: Event, facts: Deployed) -> None:
        self._tag(facts.version, self._seat(event), _find_time(event), facts.issues, event)

    def _tag(self, version: str, seat: str, at: int, issues: Sequence[str], event: Event | str) -> None:
        """A commit that moves the notes into the changelog, and its tag."""
        keys = [self.refs.issue_keys[handle] for handle in issues]
        lines = "".join(
            self.notes.get(one, f"- {self.refs.issue_keys[one]} {self.made[one].title}\n") for one in issues
        )
        told = lines or "- dependency updates\n"
        self.log = f"{HEAD}\n## {version}\n\n{told}{self.log.removeprefix(HEAD)}"
        gone = {f"changes/{self.refs.issue_keys[one]}.md": None for one in issues if self.notes.pop(one, None)}
        files: dict[str, str | None] = {"CHANGELOG.md": self.log, "VERSION": f"{version}\n", **gone}
        subject = f"Release {version}" + (f": {', '.join(keys)}" if keys else "")
        self._commit(version, seat, at, subject, files)
        self.releases.append(
            {
                "tag": f"v{version}",
                "commit": version,
                "days": self._days(at + MINUTE),
                "name": version,
                "body": lines.rstrip() or "Dependency updates.",
                "author": seat,
                "event": event,
            }
        )

    def _branches(self) -> dict[str, Any]:
        """Branches of the pull requests that are open, or were closed unmerged."""
        return {
            handle: {"kind": "plain", "base": self._find_base(one), "commits": self._list_commits(handle), "pull": one}
            for handle, one in self.pulls.items()
            if "merged_days" not in one
        }

    def _find_base(self, pull: dict[str, Any]) -> str:
        """The last commit of main when the branch began; that of a squashed pull request is its last."""
        began = self._days(self.pushed[pull["jira"]][0].at)
        landed = [
            one["id"]
            for one in self.commits
            if self.pulls.get(one.get("pr", ""), one).get("merged_days", one["days"]) > began
        ]
        return landed[-1]

    def _seat(self, event: Event) -> str:
        return self.people[event.actor].seat

    def _days(self, at: int) -> float:
        return (self.spec.start - at) / DAY


def _find_time(event: Event) -> int:
    """When an event shows in the repository: the commit of a release comes before its deployment."""
    return event.at - 2 * MINUTE if isinstance(event.facts, Deployed) else event.at
