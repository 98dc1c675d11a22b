"""An export of an image: one archive per service that holds anything, in the formats that an import reads."""

from collections.abc import Sequence
from pathlib import Path

from apps.github.models import Repository
from apps.jira.models import Issue
from apps.slack.models import Channel
from seeds.imports.code_host_writer import write_hub_archive
from seeds.imports.company_file import write_company_file
from seeds.imports.jira_writer import write_jira_backup
from seeds.imports.mbox_writer import write_mboxes
from seeds.imports.slack_writer import write_slack_export
from seeds.imports.table_reader import Tables


def run_export(image: Path, folder: Path) -> Sequence[Path]:
    """Write the archives of an image into a folder, which is made; returns them, the company file first."""
    folder.mkdir(parents=True, exist_ok=True)
    tables = Tables(image)
    try:
        company = folder / "company.json"
        company.write_bytes(write_company_file(tables))
        written = [company]
        if tables.rows(Channel):
            written.append(folder / "slack.zip")
            write_slack_export(tables, written[-1])
        if tables.rows(Issue):
            written.append(folder / "jira.json")
            write_jira_backup(tables, written[-1])
        if tables.rows(Repository):
            written.append(folder / "github.tar.gz")
            write_hub_archive(tables, written[-1])
        written += write_mboxes(tables, folder)
        return written
    finally:
        tables.close()
