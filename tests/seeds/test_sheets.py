"""The spreadsheets of the generated company: what they compute to is what the log says, and where not, that is on record."""

import base64
import csv
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from apps.sheets.cells import Fault, Value
from seeds.build import GeneratedCompany, build_story, rows
from seeds.events import SHEETS, TOKEN, ChannelMade, Deployed, Event, IssueMade, Joined, Mailed, Posted
from seeds.inspection.consistency import find_problems
from seeds.mailing_lists import circles
from seeds.rows.references import sheet_key
from seeds.rows.sheets_builder import FIRST_DAY, serial
from seeds.rows.sheets_facts import MONTHS
from seeds.spec import Spec
from tests.seeds.conftest import Tell
from tests.seeds.shelf import Shelf
from world.core.errors import OperationError
from world.core.settings import Settings
from world.run.host import Host, open_host

COMPANIES = [("S", 7), ("S", 4), ("XS", 7)]
_SHELVES: dict[tuple[str, int], Shelf] = {}


@pytest.fixture(scope="module", params=COMPANIES, ids=lambda one: f"{one[0]}-{one[1]}")
def shelf(request: pytest.FixtureRequest, tell: Tell) -> Shelf:
    """The workbooks of a company."""
    if request.param not in _SHELVES:
        story = tell(*request.param)
        _SHELVES[request.param] = Shelf(story, rows(story))
    return _SHELVES[request.param]


def by(lines: list[dict[str, Value]], column: str) -> dict[Value, dict[str, Value]]:
    return {line[column]: line for line in lines}


def day(value: Value) -> date:
    assert isinstance(value, float)
    return date.fromordinal(int(value) + FIRST_DAY)


def test_no_cell_shows_an_error_that_is_not_on_record(shelf: Shelf):
    known = {place for kind, place, _ in shelf.blemishes() if kind.startswith("error.")}
    for handle, title in shelf.tabs.values():
        grid = shelf.grid(handle, title)
        found = {
            (handle, title, row, column)
            for row, line in enumerate(grid)
            for column, value in enumerate(line)
            if isinstance(value, Fault)
        }
        assert found == {place for place in known if place[:2] == (handle, title)}


def test_contracts_are_those_of_the_directory_and_their_totals_those_of_the_story(shelf: Shelf):
    company, contracts = shelf.story.company, shelf.known.contracts
    lines = by(shelf.records("accounts", "Accounts"), "Customer")
    assert (
        {one.client.name for one in contracts}
        == {one.name for one in company.clients.values() if one.kind == "customer"}
        == set(lines)
    )
    for one in contracts:
        line = lines[one.client.name]
        assert (line["Tier"], line["Contract value"], line["Fee per month"]) == (
            one.client.tier,
            one.value / 100,
            one.fee / 100,
        )
        assert (line["Mail"], line["Account owner"]) == (
            one.client.contacts[0].email,
            company.staff[one.client.owner or "ceo"].full,
        )
    total = shelf.grid("accounts", "Accounts")[-1]
    assert total[3] == sum(one.value for one in contracts) / 100
    regions = shelf.records("accounts", "By region")
    assert (regions[-1]["Customers"], regions[-1]["Contract value"]) == (len(contracts), total[3])
    assert len(shelf.records("accounts", "Contacts")) == sum(len(one.client.contacts) for one in contracts)


def test_renewals_say_what_mail_and_tickets_say(shelf: Shelf):
    lines = by(shelf.records("accounts", "Renewals"), "Customer")
    outlooks = [line["Outlook"] for line in lines.values()]
    shares = (5, 2, 2) if len(lines) == 9 else (1, 1, 1)
    assert tuple(map(outlooks.count, ("certain", "likely", "depends on us"))) == shares
    asked = [
        event.facts
        for event in shelf.story.events
        if isinstance(event.facts, IssueMade) and event.facts.issue == "esc-credit"
    ]
    written = shelf.known.mails("cust/renewal-may")
    may = {facts.customer for facts in asked} | {shelf.known.by_mail[event.facts.to[0]].name for event in written[:1]}  # type: ignore[union-attr]
    assert all(day(lines[name]["Renews on"]) == date(2026, 5, 31) for name in may)
    assert len(may) >= (shelf.story.spec.size == "S")
    assert all(day(line["Renews on"]) < date(2026, 7, 1) for line in lines.values())
    assert [line["Days left"] for line in lines.values()] == [
        (day(line["Renews on"]) - date(2026, 3, 2)).days for line in lines.values()
    ]


def test_revenue_by_month_adds_up_and_grows_as_the_company_was_told(shelf: Shelf):
    invoices, months = shelf.known.invoices, shelf.grid("revenue", "Months")
    total = months[0].index("Total")
    for number, month in enumerate(MONTHS, 1):
        assert months[number][total] == pytest.approx(sum(one.cents for one in invoices if one.month == month) / 100)
    year = next(line for line in months if line[0] == "2025")
    assert year[total] == pytest.approx(sum(one.cents for one in invoices if one.month.year == 2025) / 100)
    quarters = [line for line in months if re.fullmatch(r"Q\d 2025", str(line[0]))]
    assert len(quarters) == 4 and sum(float(line[total] or 0) for line in quarters) == pytest.approx(year[total])  # type: ignore[arg-type]
    assert months[13][total + 2] == pytest.approx(0.09, abs=1e-6)
    above = [line[0] for line in shelf.grid("revenue", "Customers 2025") if line[-1] == "above 10 %"]
    assert len(above) == 2 or shelf.story.spec.size == "XS"


def test_credits_are_those_that_mails_promise_and_add_up(shelf: Shelf):
    fees = {one.client.name: one.fee / 100 for one in shelf.known.contracts}
    mails = {event.id: event for event in shelf.story.events if isinstance(event.facts, Mailed)}
    promised = [
        event for event in mails.values() if re.search(r"credit of one month|tenth of the monthly", event.facts.text)
    ]  # type: ignore[union-attr]
    lines = shelf.records("credits", "Credits")
    assert len(lines) == len(promised) == len(shelf.known.credits)
    for line, event in zip(lines, promised, strict=True):
        assert isinstance(event.facts, Mailed)
        part = 1 if "one month" in event.facts.text else 0.1
        assert line["Credit"] == pytest.approx(fees[str(line["Customer"])] * part)
        assert line["Customer"] == shelf.known.by_mail[event.facts.to[0]].name
        assert (day(line["Promised on"]), line["Promised by"]) == (shelf.known.day(event.at), event.facts.sender[0])
    total = sum(one.cents for one in shelf.known.credits) / 100
    assert (
        shelf.grid("credits", "Credits")[-1][4]
        == shelf.records("credits", "By customer")[-1]["Credited"]
        == pytest.approx(total)
    )
    assert lines or shelf.story.spec.size == "XS"


def test_the_rota_is_the_directorys(shelf: Shelf):
    names = {row["id"]: row["full_name"] for row in shelf.tables["person"]}
    schedules = {row["id"]: row["name"] for row in shelf.tables["schedule"]}
    wanted = sorted(
        (shelf.known.day(row["start_at"]), schedules[row["schedule_id"]], names[row["person_id"]])
        for row in shelf.tables["shift"]
    )
    lines = shelf.records("rota", "Rota")
    assert sorted((day(line["From"]), line["Schedule"], line["On call"]) for line in lines) == wanted


def test_the_release_calendar_is_what_was_deployed_tagged_and_planned(shelf: Shelf):
    shipped = [event for event in shelf.story.events if isinstance(event.facts, Deployed)]
    lines = shelf.records("releases", "Shipped")
    assert [(line["Service"], line["Version"]) for line in lines] == [
        (event.facts.service, event.facts.version) for event in shipped
    ]  # type: ignore[union-attr]
    assert [line["Live since (UTC)"] for line in lines] == [serial(event.at, "UTC") for event in shipped]
    totals = by(shelf.records("releases", "By service"), "Service")
    assert totals["Total"]["Releases"] == len(shipped)
    assert len(shelf.records("releases", "Tags")) == len(shelf.tables["github_release"])
    wrong = {place[2] for kind, place, _ in shelf.blemishes() if kind == "contradiction.sheet_vs_jira_date"}
    due = {row["key"]: row["due_on"] for row in shelf.tables["jira_issue"] if row["due_on"]}
    planned = shelf.records("releases", "Planned")
    assert {line["Issue"] for line in planned} == set(due)
    differing = {row for row, line in enumerate(planned, 1) if day(line["Date"]).isoformat() != due[str(line["Issue"])]}
    assert differing == wrong and len(wrong) == min(len(planned), 1)


def test_the_incident_log_is_the_trackers(shelf: Shelf):
    keys = [row["key"] for row in shelf.tables["jira_issue"] if row["key"].startswith("INC-")]
    severe = [
        event.facts for event in shelf.story.events if isinstance(event.facts, IssueMade) and event.facts.severity
    ]
    if not severe:
        assert "incidents" not in shelf.handles.values()
        return
    lines = shelf.records("incidents", "Log")
    assert {line["Key"] for line in lines} <= set(keys) and len(lines) == len(severe)
    assert sorted(str(line["Severity"]) for line in lines) == sorted(facts.severity for facts in severe)
    for line in lines:
        if line["Resolved"] is not None:
            assert line["Minutes"] == round((float(line["Resolved"]) - float(line["Began"])) * 1440)  # type: ignore[arg-type]
    sums = by(shelf.records("incidents", "By severity"), "Severity")
    assert sums["All"]["Incidents"] == len(lines)


def test_the_budget_is_the_one_that_went_round_by_mail(shelf: Shelf):
    lines = by(shelf.records("budget", "Q2"), "Line")
    sent = shelf.known.attachment("hr/budget-q2", "budget-q2.csv")
    assert sent or shelf.story.spec.size == "XS"
    for line in csv.DictReader(sent[1].splitlines() if sent else ()):
        assert (lines[line["line"]]["Plan"], lines[line["line"]]["Forecast"]) == (
            float(line["plan"]),
            float(line["forecast"]),
        )
    total = lines.pop("Total")
    for column in ("Plan", "Forecast", "Variance"):
        assert total[column] == sum(float(line[column] or 0) for line in lines.values())  # type: ignore[arg-type]


def test_what_is_wrong_has_a_witness_and_a_tidy_company_has_nothing_wrong(shelf: Shelf):
    keys = {"organisation": "id", "gmail_mail": "id", "jira_issue": "id"}
    found = shelf.blemishes()
    for kind, place, (table, row) in found:
        if table == "sheets_cell":
            sheet, line, column = map(int, row.split(","))
            assert not isinstance(shelf.grid(*shelf.tabs[sheet])[line][column], (Fault, type(None))), (kind, place)
        else:
            assert any(str(one[keys[table]]) == row for one in shelf.tables[table]), (kind, place)
    kinds = {kind for kind, *_ in found}
    assert {"error.ref", "error.not_found", "key.trailing_blank", "total.omits_last_row"} <= kinds
    if shelf.story.spec.size == "S":
        assert {"date.day_first", "number.as_text", "number.decimal_comma", "contradiction.sheet_vs_jira_date"} <= kinds


def test_a_tidy_company_has_nothing_wrong():
    story = build_story(Spec(size="XS", mess="tidy"))
    tidy = Shelf(story, rows(story))
    assert tidy.blemishes() == []
    assert not [
        value
        for place in tidy.tabs.values()
        for line in tidy.grid(*place)
        for value in line
        if isinstance(value, Fault)
    ]


def test_the_total_that_omits_a_row_is_short_by_that_row(shelf: Shelf):
    copied, true = shelf.grid("accounts-copy", "Accounts"), shelf.grid("accounts", "Accounts")
    assert copied[-1][3] == float(true[-1][3] or 0) - float(copied[-2][3] or 0)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def host(small: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    made = open_host(small, tmp_path_factory.mktemp("sheets") / "worlds")
    made.create("w", Settings(read_s=0, write_s=0, limits="off"))
    yield made


Ask = Callable[..., Any]


@pytest.fixture(scope="module")
def ask(host: Host) -> Ask:
    """`ask(person, operation, **params)` in the S company."""
    return lambda person, operation, **params: host.call(host.principal("w", person), "rest", operation, params)


def linked(story: GeneratedCompany) -> list[tuple[Event, str]]:
    """Messages and mails that link spreadsheets."""
    said = [(event, event.facts.text) for event in story.events if isinstance(event.facts, (Mailed, Posted))]
    return [(event, ref) for event, text in said for kind, ref in TOKEN.findall(text) if kind == "s"]


def told_of(story: GeneratedCompany, event: Event) -> set[str]:
    """The employees who read a message: who is in the channel, or in To and Cc of the mail."""
    if isinstance(event.facts, Mailed):
        addresses = {event.facts.sender[1], *event.facts.to, *event.facts.cc}
        lists = {one.address: one.members(story.company, event.at) for one in circles(story.company).values()}
        people = [one for one in story.company.staff.values() if one.email in addresses]
        return {one.id for one in (*people, *(one for address in addresses for one in lists.get(address, [])))}
    assert isinstance(event.facts, Posted)
    room = event.facts.channel
    joined = {one.actor for one in story.events if isinstance(one.facts, Joined) and one.facts.channel == room}
    made = next(one.facts for one in story.events if isinstance(one.facts, ChannelMade) and one.facts.channel == room)
    return joined | set(made.members)


def test_those_who_are_sent_a_link_may_open_it(tell: Tell, ask: Ask):
    story = tell("S", 7)
    here = {one.id for one in story.company.staff.values() if one.is_employed(story.spec.start)}
    assert {ref for _, ref in linked(story)} == SHEETS
    for event, ref in linked(story):
        readers = told_of(story, event) & here
        assert readers
        for person in sorted(readers):
            key = sheet_key(story.spec, ref)
            assert ask(person, "spreadsheets.get", spreadsheetId=key)["spreadsheetId"] == key, (event.id, ref, person)


def test_what_is_not_for_everybody_is_not_found_by_others(tell: Tell, ask: Ask):
    story = tell("S", 7)
    staff = story.company.staff
    for handle, strange in (
        ("salaries", "support-1"),
        ("hiring", "support-1"),
        ("budget", "payments-1"),
        ("revenue", "designer"),
        ("untitled", "ceo"),
    ):
        with pytest.raises(OperationError) as refused:
            ask(staff[strange].id, "spreadsheets.get", spreadsheetId=sheet_key(story.spec, handle))
        assert refused.value.code in ("forbidden", "not_found")
    assert (
        ask(staff["finance"].id, "spreadsheets.get", spreadsheetId=sheet_key(story.spec, "budget"))["properties"][
            "title"
        ]
        == "Budget 2026"
    )


def test_the_value_column_of_the_contracts_is_closed_to_most(tell: Tell, ask: Ask):
    story = tell("S", 7)
    key, other = sheet_key(story.spec, "accounts"), story.company.staff["success-2"].id
    with pytest.raises(OperationError) as refused:
        ask(
            other,
            "spreadsheets.values.update",
            spreadsheetId=key,
            range="Accounts!D2",
            values=[[1]],
            valueInputOption="RAW",
        )
    assert refused.value.code == "protected"
    ask(
        other,
        "spreadsheets.values.update",
        spreadsheetId=key,
        range="Renewals!F2",
        values=[["likely"]],
        valueInputOption="RAW",
    )


def test_folders_names_and_comments_are_there_for_the_drive(tell: Tell, ask: Ask):
    story = tell("S", 7)
    ceo = story.company.staff["ceo"].id
    found = {one["name"]: one["id"] for one in ask(ceo, "drive.files.list", pageSize=1000)["files"]}
    assert {"Finance", "Customers & contracts", "Budget 2026"} <= set(found)
    inside = ask(ceo, "drive.files.list", q=f"'{found['Finance']}' in parents")["files"]
    assert {one["name"] for one in inside} >= {"Budget 2026", "Revenue 2025–26", "Credits 2026", "Vendors"}
    engineer = ask(story.company.staff["payments-1"].id, "drive.files.list", pageSize=1000)["files"]
    assert {"Engineering", "On-call", "Release calendar"} <= {one["name"] for one in engineer}
    said = ask(ceo, "drive.comments.list", fileId=found["Budget 2026"], fields="*")["comments"]
    assert [one["author"]["displayName"] for one in said] and said[0]["replies"]
    named = ask(ceo, "spreadsheets.values.get", spreadsheetId=found["Customers & contracts"], range="ContractValue")[
        "values"
    ]
    assert len(named) == 9


def test_links_in_mail_and_chat_are_addresses_of_spreadsheets_that_exist(small: Path):
    with sqlite3.connect(f"file:{small}?immutable=1", uri=True) as connection:
        texts = [
            row[0] for row in connection.execute("SELECT text FROM slack_message UNION ALL SELECT text FROM gmail_mail")
        ]
        keys = {row[0] for row in connection.execute("SELECT key FROM drive_file")}
    connection.close()
    found = [
        key for text in texts for key in re.findall(r"https://docs\.google\.com/spreadsheets/d/([^/\s]+)/edit", text)
    ]
    assert len(set(found)) == len(SHEETS) and set(found) <= keys


def test_the_check_sees_a_cell_beyond_its_sheet_and_a_second_owner(tiny: Path, tmp_path: Path):
    copy = tmp_path / "copy.db"
    shutil.copyfile(tiny, copy)
    copy.chmod(0o600)
    with sqlite3.connect(copy) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            connection.execute(f'DROP TRIGGER "{name}"')
        connection.execute(
            "UPDATE sheets_cell SET col = 99 WHERE (sheet_id, row, col) = (SELECT sheet_id, row, col FROM sheets_cell"
            " LIMIT 1)"
        )
        connection.execute(
            "UPDATE drive_permission SET role = 'owner' WHERE rowid = (SELECT min(rowid) FROM drive_permission WHERE"
            " role = 'writer')"
        )
        connection.execute(
            "UPDATE drive_file SET modified_at = created_at - 1 WHERE id = (SELECT max(id) FROM drive_file)"
        )
    connection.close()
    said = "\n".join(find_problems(copy))
    assert (
        re.search("outside its sheet", said)
        and re.search("exactly one owner", said)
        and re.search("lies in no folder", said)
    )


def test_files_that_came_by_mail_can_be_downloaded(tell: Tell, ask: Ask):
    story = tell("S", 7)
    finance = story.company.staff["finance"].id
    sent = [
        event.facts.files[0]
        for event in story.events
        if isinstance(event.facts, Mailed) and event.story == "regular.nordacq-statement"
    ]
    files = {
        one["name"]: one
        for one in ask(
            finance, "drive.files.list", q="name contains 'settlement'", fields="files(id,name,size,mimeType)"
        )["files"]
    }
    assert len(sent) == 4 and set(files) == {name for name, _ in sent}
    for name, text in sent:
        assert (int(files[name]["size"]), files[name]["mimeType"]) == (len(text.encode()), "text/csv")
        got = ask(finance, "drive.files.get", fileId=files[name]["id"], alt="media")
        assert base64.urlsafe_b64decode(got["content"]) == text.encode()
