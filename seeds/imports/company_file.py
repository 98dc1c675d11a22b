"""`company.json`: who is who, as `firm seed export` writes it and an author may state it by hand."""

from dataclasses import asdict, dataclass, field
from typing import Any

import orjson

from apps.github.models import Account as Login
from seeds.imports.identities import Identity
from seeds.imports.intake import Intake
from seeds.imports.json_document import JsonNode
from seeds.imports.table_reader import Tables
from world.core import directory as d

FORMAT = "firmament company 1"
PERSON = ("full_name", "display_name", "first_name", "last_name", "email", "title", "tz", "phone", "pronouns", "kind")


@dataclass(frozen=True, slots=True)
class CompanyFile:
    """The company's own facts, and columns of people that no other format holds, by handle."""

    name: str = ""
    domain: str = ""
    tz: str = ""
    founded_at: int = 0
    workspace: str = ""  # first label of the chat workspace's address
    tracker: str = ""  # first label of the issue tracker's address
    columns: dict[str, dict[str, Any]] = field(default_factory=dict)
    organisations: tuple[dict[str, Any], ...] = ()
    contacts: tuple[dict[str, Any], ...] = ()


def is_company_file(document: JsonNode) -> bool:
    """Whether a JSON document is one."""
    return isinstance(document.value, dict) and document.value.get("format") == FORMAT


def read_company_file(document: JsonNode, intake: Intake) -> CompanyFile:
    """The facts of a company file; its people become identities. Raises ImportRefused."""
    columns: dict[str, dict[str, Any]] = {}
    for one in document.field("people").objects():
        handle = one.need("handle")
        columns[handle] = {
            "first_name": one.text("first_name"),
            "last_name": one.text("last_name"),
            "hours_start": one.number("hours_start") or 540,
            "hours_end": one.number("hours_end") or 1080,
            "joined_at": one.number("joined_at"),
            "left_at": one.number("left_at"),
        }
        intake.identities.append(_identity(one, handle))
        intake.see_times([one.number("joined_at"), one.number("left_at")])
    company = document.field("company")
    return CompanyFile(
        company.text("name") if company.value else "",
        company.text("domain") if company.value else "",
        company.text("tz") if company.value else "",
        company.number("founded_at") if company.value else 0,
        company.text("workspace") if company.value else "",
        company.text("tracker") if company.value else "",
        columns,
        tuple(
            _columns(one, ("id", "name", "domain", "kind", "tier")) for one in document.field("organisations").objects()
        ),
        tuple(
            _columns(one, ("id", "organisation_id", "full_name", "email", "title", "tz"))
            for one in document.field("contacts").objects()
        ),
    )


def _identity(one: JsonNode, handle: str) -> Identity:
    accounts = one.field("accounts")
    stated = tuple((app, accounts.text(app)) for app in sorted(accounts.value or {}))
    return Identity(
        "people",
        handle,
        name=one.text("full_name"),
        handle=handle,
        emails=tuple(
            dict.fromkeys(address.lower() for address in (one.text("email"), *one.texts("aliases")) if address)
        ),
        display=one.text("display_name"),
        title=one.text("title"),
        tz=one.text("tz"),
        phone=one.text("phone"),
        pronouns=one.text("pronouns"),
        kind=one.text("kind") or "employee",
        is_active=one.text("status") != "left",
        place=one.place,
        accounts=stated,
    )


def _columns(one: JsonNode, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: one.text(name) for name in names}


def write_company_file(tables: Tables) -> bytes:
    """The company file of an image."""
    company = tables.rows(d.Company)[0]
    accounts: dict[str, dict[str, str]] = {}
    for row in tables.rows(d.Account):
        accounts.setdefault(row["person_id"], {})[row["app"]] = row["external_id"]
    for row in tables.rows(Login):
        if row["person_id"]:
            accounts.setdefault(row["person_id"], {})["github"] = row["login"]
    aliases: dict[str, list[str]] = {}
    for row in tables.rows(d.Alias):
        if row["kind"] == "email":
            aliases.setdefault(row["person_id"], []).append(row["value"])
    people = [
        {
            "handle": row["handle"],
            **{name: row[name] for name in PERSON},
            **{name: row[name] for name in ("hours_start", "hours_end", "status", "joined_at", "left_at")},
            "aliases": aliases.get(row["id"], []),
            "accounts": accounts.get(row["id"], {}),
        }
        for row in tables.rows(d.Person)
    ]
    facts = CompanyFile(
        company["name"],
        company["domain"],
        company["tz"],
        company["founded_at"],
        company["slack_domain"],
        company["jira_site"],
    )
    head = {
        name: value for name, value in asdict(facts).items() if name not in ("columns", "organisations", "contacts")
    }
    document = {
        "format": FORMAT,
        "company": head,
        "people": people,
        "organisations": [dict(row) for row in tables.rows(d.Organisation)],
        "contacts": [dict(row) for row in tables.rows(d.Contact)],
    }
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
