"""From a spec to a sealed base image."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from apps.drive import app as drive
from apps.github import app as github
from apps.gmail import app as gmail
from apps.gmail.content import add_to_index
from apps.gmail.models import Draft, Mail
from apps.jira import app as jira
from apps.sheets import app as sheets
from apps.slack import app as slack
from apps.status import app as status
from seeds import ci_history
from seeds.company import PACK, Company, create_company
from seeds.content_packs import library
from seeds.events import Event
from seeds.filler import fill
from seeds.rows import directory as directory_rows
from seeds.rows import github as github_rows
from seeds.rows import github_site, gmail_site
from seeds.rows import gmail as gmail_rows
from seeds.rows import jira as jira_rows
from seeds.rows import sheets as sheets_rows
from seeds.rows import slack as slack_rows
from seeds.rows import status as status_rows
from seeds.rows.references import references
from seeds.rows.row_collector import Sink
from seeds.spec import Spec
from seeds.stories.sequence import tell_everything
from seeds.stories.sprints import Sprint
from world.core import discovery, image_builder


@dataclass(frozen=True, slots=True)
class GeneratedCompany:
    """A company and everything that happened in it."""

    spec: Spec
    company: Company
    events: list[Event]
    sprints: dict[str, Sprint]


def build_story(spec: Spec) -> GeneratedCompany:
    """The company of a spec and its ordered event log."""
    company = create_company(spec)
    events, sprints = tell_everything(spec, company, library(PACK[spec.size]))
    return GeneratedCompany(spec, company, events, sprints)


def rows(story: GeneratedCompany) -> Sink:
    """Every row of the company, in all apps."""
    spec, company, events = story.spec, story.company, story.events
    sink, refs = Sink(), references(spec, company.slack_domain, events)
    directory_rows.project(spec, company, sink)
    github_rows.project(spec, company, refs, github_site.project(spec, company, sink), sink)
    slack_rows.project(spec, company, events, refs, sink)
    jira_rows.project(spec, company, events, refs, story.sprints, sink)
    status_rows.project(spec, sink)
    gmail_site.project(spec, company, sink)
    gmail_rows.project(spec, company, events, refs, sink)
    sheets_rows.project(spec, company, events, refs, sink)
    return sink


def index_mail(connection: Connection, sink: Sink) -> None:
    """Make every mail and draft findable, as keeping one does."""
    raw: Any = connection.connection.driver_connection
    execute: Callable[[str, Mapping[str, object]], Any] = raw.execute
    for row in sink.rows.get(Mail, []):
        add_to_index(execute, row["id"], row)
    for row in sink.rows.get(Draft, []):
        add_to_index(execute, row["mail_id"], row)


def build(spec: Spec, images: Path) -> Path:
    """Build and seal the base image of a spec; returns `images/<sha256>.db`."""
    story = build_story(spec)
    sink = rows(story)

    def load(connection: Connection) -> None:
        sink.flush(connection)
        index_mail(connection, sink)
        ci_history.play(connection, spec)
        if spec.size == "bench":
            fill(connection, spec, story.company)

    apps = {app.name: app for app in (*discovery.apps(), drive, github, gmail, jira, sheets, slack, status)}
    return image_builder.build(Path(images), apps.values(), load, now=spec.start)
