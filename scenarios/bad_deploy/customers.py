"""Customers: the tab that says who uses what, and the mail of one who is affected."""

from apps.gmail.external_people import write_mail
from scenarios.office.changes import REPOSITORIES
from world.script.stage import Facts, Stage

from .deployments import TAB
from .texts import ASKED, SUBJECTS

BOOK = "Customers & contracts"
AFFECTED = 3


def write_tab(w: Stage, repo: str) -> Facts:
    """Write who uses what: three customers use the repository, one no longer does, the others use something else."""
    draws, book = w.rng("customers"), w.find("drive_file", name=BOOK)
    owner = w.find("person", title="Head of Customer Success", status="active")["id"]
    customers = draws.shuffled(w.rows("organisation", kind="customer"))
    rows, known = [["Customer", "Uses", "Contact", "Mail"]], dict[str, Facts]()
    for at, one in enumerate(customers):
        who = draws.choice(w.rows("contact", organisation_id=one["id"]))
        rows.append([one["name"], _uses(w, repo, at), who["full_name"], who["email"]])
        known[f"c{at + 1}"] = {"name": one["name"], "mail": who["email"], "contact": who["full_name"]}
    rows[1:] = draws.shuffled(rows[1:])
    add = {"addSheet": {"properties": {"title": TAB}}}
    w.act(owner, "spreadsheets.batchUpdate", spreadsheetId=book["key"], requests=[add])
    area = f"{TAB}!A1:D{len(rows)}"
    given = {"spreadsheetId": book["key"], "range": area, "valueInputOption": "RAW"}
    w.act(owner, "spreadsheets.values.update", values=rows, **given)
    return {"book": book["key"], "customers": known}


def _uses(w: Stage, repo: str, at: int) -> str:
    draws = w.rng("uses", at)
    others = draws.shuffled([name for name, _ in REPOSITORIES if name != repo])[: draws.integer(1, 3)]
    if at == AFFECTED:
        return ", ".join([*others, f"{repo} until February"])
    return ", ".join(draws.shuffled([*others, repo]) if at < AFFECTED else others)


def customer_asks(w: Stage) -> None:
    """A customer who is affected asks since when."""
    draws, known = w.rng("asks"), w.fact("truth", "customers")["c2"]
    text, subject = draws.choice(ASKED).format(name=known["contact"]), draws.choice(SUBJECTS)
    to = [w.person(w.fact("truth", "me")).email]
    w.note(message_id=write_mail(w, known["mail"], to, subject, text)["messageId"])
