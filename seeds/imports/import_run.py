"""An import from the archives to the sealed image: read, merge people, shift times, make rows, seal, report."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from sqlalchemy import Connection
from sqlmodel import SQLModel

from apps.drive import app as drive
from apps.github import app as github
from apps.gmail import app as gmail
from apps.jira import app as jira
from apps.sheets import app as sheets
from apps.sheets.files.content import Content
from apps.slack import app as slack
from apps.status import app as status
from seeds.build import index_mail
from seeds.imports.archive import open_tar, open_zip, read_file
from seeds.imports.code_host_archive import add_committers, is_hub_archive, is_hub_list, read_hub_archive, read_hub_list
from seeds.imports.code_host_records import HubExport
from seeds.imports.code_host_rows import add_hub_rows
from seeds.imports.company_file import CompanyFile, is_company_file, read_company_file
from seeds.imports.company_rows import add_company
from seeds.imports.git_data import is_git_folder, read_git_folder
from seeds.imports.identities import Individual, MergeReport, find_domain, merge_identities, name_people
from seeds.imports.intake import Intake, Landing, find_shift
from seeds.imports.jira_backup import is_jira_backup, read_jira_backup
from seeds.imports.jira_records import JiraExport
from seeds.imports.jira_rows import add_jira_rows
from seeds.imports.jira_table import is_jira_table, read_jira_table, read_lines
from seeds.imports.json_document import parse_json
from seeds.imports.mail_rows import add_mail_rows
from seeds.imports.mbox_archive import MailExport, add_mail_identities, is_list_address, read_mbox
from seeds.imports.pseudonyms import Pseudonyms
from seeds.imports.sheet_rows import add_sheet_rows, read_table, read_xlsx
from seeds.imports.slack_archive import SlackExport, is_slack_export, read_slack_export
from seeds.imports.slack_rows import add_slack_rows
from seeds.rows.row_collector import Sink
from seeds.spec import START
from world.core import discovery, image_builder
from world.core.clock import DAY, iso
from world.core.json_types import JsonObject
from world.run.imports import ImportOutcome, ImportRefused, ImportRequest

CHANGED = (
    "slack_",
    "jira_",
    "drive_",
    "sheets_",
    "github_issue",
    "github_comment",
    "github_pull",
    "github_re",
    "github_m",
)


@dataclass(slots=True)
class _Sources:
    """What the readers found, by format."""

    company: CompanyFile = field(default_factory=CompanyFile)
    slack: SlackExport | None = None
    mail: MailExport = field(default_factory=MailExport)
    jira: JiraExport = field(default_factory=JiraExport)
    hub: HubExport = field(default_factory=HubExport)
    books: dict[str, Content] = field(default_factory=dict)
    formats: dict[str, str] = field(default_factory=dict)  # file -> format


def run_import(request: ImportRequest) -> ImportOutcome:
    """Import archives into one sealed image. Raises ImportRefused; then nothing is written."""
    intake, sources = Intake(), _Sources()
    for path in sorted(request.sources, key=lambda one: (one.is_dir(), one.name)):
        _read_source(path, sources, intake)
    add_mail_identities(sources.mail, intake)
    intake.identities += [*sources.jira.people.values(), *sources.hub.people.values()]
    people, merges = merge_identities(intake.identities)
    domain = request.domain.lower() or sources.company.domain or find_domain(people)
    lists = [one for one in people if not one.is_inside and _is_list(one, domain, sources.mail)]
    inside = [one for one in people if one not in lists and (one.is_inside or _is_inside(one, domain))]
    if not inside:
        raise ImportRefused(", ".join(sorted(sources.formats)), "", "nobody in it belongs to the company")
    outside = [one for one in people if one not in inside and one not in lists]
    merges.guessed += [f"{one.identities[0].label} is taken for a mailing list" for one in lists]
    name = request.name or sources.company.name or domain.partition(".")[0].capitalize()
    landing = _open_landing(intake, inside, domain, name)
    if request.pseudonym_key:
        landing = _pseudonymise(landing, sources, inside, [*outside, *lists], request.pseudonym_key)
    login = sources.hub.organisation
    if login and landing.pseudonyms is not None:
        login = landing.pseudonyms.change_handle(login)
    add_company(landing, sources.company, outside, login)
    if sources.slack is not None:
        add_slack_rows(landing, sources.slack)
    add_mail_rows(landing, sources.mail, lists)
    add_jira_rows(landing, sources.jira)
    add_hub_rows(landing, sources.hub)
    add_sheet_rows(landing, sources.books)
    if landing.pseudonyms is not None:
        _change_rows(landing.sink, landing.pseudonyms)
    image = _seal(landing, request.images)
    return ImportOutcome(image, _report(landing, sources, merges))


def _open_landing(intake: Intake, inside: list[Individual], domain: str, name: str) -> Landing:
    keys = {(one.app, one.key): person for person in inside for one in person.identities}
    named = {person.id: person for person in name_people(inside, domain)}
    people = {key: person.id for key, person in keys.items()}
    return Landing(Sink(), find_shift(intake.times), people, named, domain, name, intake)


def _pseudonymise(
    landing: Landing, sources: _Sources, inside: list[Individual], outside: list[Individual], key: str
) -> Landing:
    """The same landing with everybody, the company and its domain under other names."""
    pseudonyms = Pseudonyms(key, [*inside, *outside], landing.domain, landing.name)
    keys = {(one.app, one.key): person for person in inside for one in person.identities}
    for person in (*inside, *outside):
        person.identities = [pseudonyms.change_identity(one) for one in person.identities]
    domain, name = pseudonyms.change_domain(landing.domain), pseudonyms.change(landing.name)
    named = {person.id: person for person in name_people(inside, domain)}
    sources.company = CompanyFile(tz=sources.company.tz, founded_at=sources.company.founded_at)
    people = {pair: person.id for pair, person in keys.items()}
    return replace(landing, people=people, individuals=named, domain=domain, name=name, pseudonyms=pseudonyms)


def _change_rows(sink: Sink, pseudonyms: Pseudonyms) -> None:
    """Replace names, addresses and secrets in the texts of services; people and mail are changed where they are made."""
    for model, rows in sink.rows.items():
        if str(vars(model)["__tablename__"]).startswith(CHANGED):
            for row in rows:
                row.update({name: pseudonyms.change_value(value) for name, value in row.items()})


def _is_inside(person: Individual, domain: str) -> bool:
    return any(address.endswith(f"@{domain}") for address in person.emails)


def _is_list(person: Individual, domain: str, mail: MailExport) -> bool:
    one = person.identities[0]
    return (
        len(person.identities) == 1
        and one.app == "gmail"
        and one.key.endswith(f"@{domain}")
        and one.kind == "employee"
        and is_list_address(one.key, one.name, mail)
    )


def _read_source(path: Path, sources: _Sources, intake: Intake) -> None:
    """Read one archive by what it is. Raises ImportRefused."""
    readers = {
        ".json": _read_json,
        ".csv": _read_csv,
        ".xlsx": _read_xlsx,
        ".mbox": _read_mail,
        ".zip": _read_zip,
        ".gz": _read_tar,
        ".tgz": _read_tar,
    }
    reader = _read_repository if path.is_dir() else readers.get(path.suffix.lower())
    found = reader(path, sources, intake) if reader else ""
    if not found:
        raise ImportRefused(path.name, "", "no format that is known")
    sources.formats[path.name] = found


def _read_json(path: Path, sources: _Sources, intake: Intake) -> str:
    document = parse_json(read_file(path), path.name)
    if is_company_file(document):
        sources.company = read_company_file(document, intake)
        return "company file"
    if is_jira_backup(document):
        read_jira_backup(document, sources.jira, intake)
        return "Jira backup"
    if is_hub_list(document):
        read_hub_list(document, sources.hub, intake)
        return "issues of a code host"
    return ""


def _read_csv(path: Path, sources: _Sources, intake: Intake) -> str:
    lines = read_lines(read_file(path), path.name)
    if not lines:
        return ""
    if not is_jira_table(lines[0]):
        sources.books[path.name] = read_table(lines, path.name)
        return "table"
    read_jira_table(lines, path.name, sources.jira, intake)
    return "Jira table"


def _read_xlsx(path: Path, sources: _Sources, intake: Intake) -> str:
    sources.books[path.name] = read_xlsx(read_file(path), path.name)
    return "workbook"


def _read_mail(path: Path, sources: _Sources, intake: Intake) -> str:
    read_mbox(path, sources.mail, intake)
    return "mailbox"


def _read_zip(path: Path, sources: _Sources, intake: Intake) -> str:
    archive = open_zip(path)
    if not is_slack_export(archive):
        return ""
    if sources.slack is not None:
        raise ImportRefused(path.name, "", "a second Slack export; one company has one workspace")
    sources.slack = read_slack_export(archive, intake)
    return "Slack export"


def _read_tar(path: Path, sources: _Sources, intake: Intake) -> str:
    archive = open_tar(path)
    if not is_hub_archive(archive):
        return ""
    read_hub_archive(archive, sources.hub, intake)
    return "migration archive"


def _read_repository(path: Path, sources: _Sources, intake: Intake) -> str:
    """A git repository on this machine; its name is that of its folder, its owner that of the lists of issues."""
    if not is_git_folder(path):
        return ""
    name = path.absolute().name.removesuffix(".git")
    listed = [one for one in sources.hub.repositories.values() if one.name == name]
    repository = listed[0] if listed else sources.hub.get_repository(f"local/{name}")
    repository.git = read_git_folder(path, path.name)
    add_committers(repository, sources.hub, intake)
    return "git repository"


def _seal(landing: Landing, images: Path) -> Path:
    sink = landing.sink
    _sort_rows(sink)

    def load(connection: Connection) -> None:
        sink.flush(connection)
        index_mail(connection, sink)

    apps = {app.name: app for app in (*discovery.apps(), drive, github, gmail, jira, sheets, slack, status)}
    return image_builder.build(images, apps.values(), load, now=START)


def _sort_rows(sink: Sink) -> None:
    """Order tables by name and rows by key, so that equal companies have equal bytes."""
    tables = sorted(sink.rows, key=lambda model: str(vars(model)["__tablename__"]))
    sink.rows = {model: _by_key(model, sink) for model in tables}


def _by_key(model: type[SQLModel], sink: Sink) -> list[dict[str, object]]:
    table = SQLModel.metadata.tables[str(vars(model)["__tablename__"])]
    columns = [column.name for column in table.primary_key.columns]
    return sorted(sink.rows[model], key=lambda row: tuple(row[name] for name in columns))


def _report(landing: Landing, sources: _Sources, merges: MergeReport) -> JsonObject:
    """What an author must know of an import."""
    return {
        "company": landing.name,
        "domain": landing.domain,
        "sources": dict(sources.formats),
        "shift_days": landing.shift // DAY,
        "starts_at": iso(START),
        "rows": {str(vars(model)["__tablename__"]): len(rows) for model, rows in landing.sink.rows.items()},
        **_list_merges(landing, merges),
        "dropped": dict(sorted(landing.intake.dropped.items())),
    }


def _list_merges(landing: Landing, merges: MergeReport) -> JsonObject:
    """The merges; only their numbers in a company under pseudonyms, for they name people."""
    found = {"merged": merges.merged, "guessed": merges.guessed, "refused": merges.refused}
    if landing.pseudonyms is not None:
        return {name: len(listed) for name, listed in found.items()}
    return dict(found)
