"""Reader of GitHub's migration archive (tar.gz), and of issues and comments as the REST API lists them.

Form: docs.github.com/migrations, "About migration archives"; entities in numbered files, bare repositories in
`repositories/<owner>/<name>.git`. Review threads, events, releases and reactions are not read.
"""

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from seeds.imports.archive import Archive
from seeds.imports.code_host_records import HubExport, HubIssue, HubNote, HubRepository
from seeds.imports.git_data import list_authors, read_git_folder
from seeds.imports.identities import Identity
from seeds.imports.intake import Intake
from seeds.imports.jira_records import parse_moment
from seeds.imports.json_document import JsonNode, parse_json
from seeds.imports.mbox_archive import ROLES
from world.run.imports import ImportRefused

ENTITY = re.compile(r"([a-z_]+)_\d{6}\.json")
STATES = {"0": "PENDING", "1": "COMMENTED", "30": "CHANGES_REQUESTED", "40": "APPROVED", "50": "DISMISSED"}
READ = (
    "organizations",
    "users",
    "repositories",
    "milestones",
    "issues",
    "pull_requests",
    "issue_comments",
    "pull_request_reviews",
)


def is_hub_archive(archive: Archive) -> bool:
    """Whether an archive is a migration archive."""
    return any(ENTITY.fullmatch(name) and name.startswith("repositories_") for name in archive.names)


def read_hub_archive(archive: Archive, found: HubExport, intake: Intake) -> None:
    """Add repositories with everything in them. Raises ImportRefused."""
    reader = _Reader(archive, found)
    for kind in READ:
        for one in reader.entities(kind):
            getattr(reader, f"read_{kind}")(one)
    for name in archive.names:
        match = ENTITY.fullmatch(name)
        if match and match[1] not in READ and name != "schema.json":
            intake.drop(f"entities of the code host that have no place here: {match[1]}")
    for repository in found.repositories.values():
        folder = f"repositories/{repository.owner}/{repository.name}.git"
        if names := archive.below(folder):
            _read_git(archive, folder, names, repository)
            add_committers(repository, found, intake)
        _see_times(repository, intake)


def _read_git(archive: Archive, folder: str, names: list[str], repository: HubRepository) -> None:
    """A bare repository of the archive, written to a folder of its own for the time of reading."""
    with tempfile.TemporaryDirectory() as place:
        for name in names:
            path = Path(place) / name.removeprefix(f"{folder}/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(archive.read(name))
        if not (Path(place) / "HEAD").is_file():
            raise ImportRefused(archive.file, folder, "no repository: it has no HEAD")
        repository.git = read_git_folder(Path(place), f"{archive.file}/{folder}")


def add_committers(repository: HubRepository, found: HubExport, intake: Intake) -> None:
    """Authors of commits become people, those of machines aside."""
    assert repository.git is not None
    times: list[int] = []
    for name, address, at in list_authors(repository.git):
        times.append(at)
        key = f"git {address}"
        if address and name and address.partition("@")[0] not in ROLES and key not in found.people:
            kind = "bot" if "[bot]" in name else "employee"
            found.people[key] = Identity("named", key, name=name, emails=(address,), kind=kind)
    intake.see_times(times)


def _see_times(repository: HubRepository, intake: Intake) -> None:
    for issue in repository.issues.values():
        intake.see_times(
            [issue.created_at, issue.closed_at, issue.merged_at, *(one.created_at for one in issue.comments)]
        )


class _Reader:
    def __init__(self, archive: Archive, found: HubExport) -> None:
        self.archive, self.found = archive, found

    def entities(self, kind: str) -> Iterator[JsonNode]:
        for name in self.archive.names:
            match = ENTITY.fullmatch(name)
            if match and match[1] == kind:
                yield from parse_json(self.archive.read(name), f"{self.archive.file}/{name}").objects()

    def who(self, one: JsonNode, name: str) -> str:
        """The login that an address of a user ends in."""
        return self.found.meet(_last(one.text(name)) or "ghost", one.place)

    def read_organizations(self, one: JsonNode) -> None:
        self.found.organisation = self.found.organisation or one.need("login")

    def read_users(self, one: JsonNode) -> None:
        login = one.need("login")
        emails = [mail.need("address").lower() for mail in one.field("emails").objects()]
        kind = "bot" if one.text("kind") == "bot" or login.endswith("[bot]") else "employee"
        self.found.people[login] = Identity(
            "github", login, one.text("name"), login.removesuffix("[bot]"), tuple(emails), kind=kind, place=one.place
        )

    def read_repositories(self, one: JsonNode) -> None:
        made = self.found.get_repository(one.need("url"))
        made.description, made.is_private, made.is_archived = (
            one.text("description"),
            one.flag("private"),
            one.flag("is_archived"),
        )
        made.created_at, made.topics = moment(one, "created_at"), one.texts("topics")
        for label in one.field("labels").objects():
            made.labels[label.need("name")] = (label.text("color") or "ededed", label.text("description"))

    def read_milestones(self, one: JsonNode) -> None:
        number = _number(one, "url")
        facts = (one.need("title"), one.text("description"), one.text("state") or "open")
        self.repository(one).milestones[number] = (*facts, moment(one, "due_on"), moment(one, "created_at"))

    def repository(self, one: JsonNode) -> HubRepository:
        return self.found.get_repository(one.need("repository"))

    def read_issues(self, one: JsonNode) -> None:
        self._add(one)

    def read_pull_requests(self, one: JsonNode) -> None:
        made = self._add(one)
        made.head, made.base = ((one.field(end).need("ref"), one.field(end).need("sha")) for end in ("head", "base"))
        made.merged_at, made.merge_sha = moment(one, "merged_at"), one.text("merge_commit_sha")
        made.is_draft = one.flag("work_in_progress")

    def _add(self, one: JsonNode) -> HubIssue:
        number, repository = _number(one, "url"), self.repository(one)
        if number in repository.issues:
            raise one.refuse(f"number {number} of {repository.name} is there twice")
        assignees = [self.found.meet(_last(url), one.place) for url in one.texts("assignees")]
        if not assignees and one.has("assignee"):
            assignees = [self.who(one, "assignee")]
        labels = [_label_of(url) for url in one.texts("labels")]
        for label in labels:
            repository.labels.setdefault(label, ("ededed", ""))
        made = repository.issues[number] = HubIssue(
            number,
            one.text("title") or f"#{number}",
            one.text("body"),
            self.who(one, "user"),
            moment(one, "created_at"),
            moment(one, "updated_at"),
            moment(one, "closed_at"),
            one.text("state_reason"),
            int(_last(one.text("milestone")) or 0) if re.search(r"/\d+$", one.text("milestone")) else 0,
            assignees,
            labels,
        )
        return made

    def read_issue_comments(self, one: JsonNode) -> None:
        issue = self._subject(one)
        issue.comments.append(HubNote(self.who(one, "user"), one.text("body"), moment(one, "created_at")))

    def read_pull_request_reviews(self, one: JsonNode) -> None:
        at = moment(one, "submitted_at") or moment(one, "created_at")
        state = STATES.get(one.text("state"), one.text("state").upper() or "COMMENTED")
        self._subject(one).reviews.append(
            HubNote(self.who(one, "user"), one.text("body"), at, state, one.text("head_sha"))
        )

    def _subject(self, one: JsonNode) -> HubIssue:
        """The issue or pull request that an address in an entity leads to."""
        address = one.text("pull_request") or one.text("issue")
        found = re.fullmatch(r"(.+)/(?:issues|pull|pulls)/(\d+)", address)
        repository = self.found.get_repository(found[1]) if found else None
        if repository is None or found is None or int(found[2]) not in repository.issues:
            raise one.refuse(f"it is about {address!r}, which is not there")
        return repository.issues[int(found[2])]


def is_hub_list(document: JsonNode) -> bool:
    """Whether a document is what the REST API lists of issues or comments."""
    first = document.value[0] if isinstance(document.value, list) and document.value else None
    return isinstance(first, dict) and "user" in first and ("repository_url" in first or "issue_url" in first)


def read_hub_list(document: JsonNode, found: HubExport, intake: Intake) -> None:
    """Add issues or comments of docs.github.com/rest/issues; read the issues before their comments."""
    for one in document.objects():
        author = found.meet(one.field("user").need("login") if one.has("user") else "ghost", one.place)
        if one.has("issue_url"):
            match = re.fullmatch(r"(.+)/issues/(\d+)", one.need("issue_url"))
            issue = found.get_repository(match[1]).issues.get(int(match[2])) if match else None
            if issue is None:
                intake.drop("comments on issues that no list has")
                continue
            issue.comments.append(HubNote(author, one.text("body"), moment(one, "created_at")))
        elif one.has("pull_request"):
            intake.drop("pull requests in lists of issues, which do not say their commits")
        else:
            _read_listed_issue(one, author, found, intake)


def _read_listed_issue(one: JsonNode, author: str, found: HubExport, intake: Intake) -> None:
    repository = found.get_repository(one.need("repository_url"))
    for label in one.field("labels").objects():
        repository.labels[label.need("name")] = (label.text("color") or "ededed", label.text("description"))
    milestone = one.field("milestone")
    if milestone.value:
        due, made = moment(milestone, "due_on"), moment(milestone, "created_at")
        facts = (milestone.need("title"), milestone.text("description"), milestone.text("state") or "open", due, made)
        repository.milestones[milestone.number("number")] = facts
    issue = HubIssue(
        one.number("number"),
        one.need("title"),
        one.text("body"),
        author,
        moment(one, "created_at"),
        moment(one, "updated_at"),
        moment(one, "closed_at"),
        one.text("state_reason"),
        milestone.number("number") if milestone.value else 0,
        [found.meet(person.need("login"), person.place) for person in one.field("assignees").objects()],
        [label.need("name") for label in one.field("labels").objects()],
    )
    repository.issues[issue.number] = issue
    intake.see_times([issue.created_at, issue.closed_at])


def moment(one: JsonNode, name: str) -> int:
    """A time of ISO 8601; 0 for none."""
    text = one.text(name)
    try:
        return parse_moment(text) if text else 0
    except (ValueError, OverflowError) as error:
        raise one.field(name).refuse(f"{text!r} is no time") from error


def _last(address: str) -> str:
    return unquote(address.rstrip("/").rpartition("/")[2])


def _label_of(address: str) -> str:
    return unquote(address.partition("/labels/")[2]) or _last(address)


def _number(one: JsonNode, name: str) -> int:
    text = _last(one.need(name))
    if not re.fullmatch(r"\d{1,9}", text):
        raise one.field(name).refuse("an address that ends in no number")
    return int(text)
