"""Customers: the tab that says who may be written to, their reports, questions and mails."""

from apps.gmail import external_people
from world.script.stage import Stage

from .people import account_owner, channel, contact, customer, find_by_title, mention, say, seat
from .texts import ASKED, BY_MAIL, MUTED


def contracts(w: Stage, order: list[int]) -> None:
    """The customers' workbook says who runs where, and who may be written to: three, one who may not, and those who run
    elsewhere.
    """
    book = w.find("drive_file", name="Customers & contracts")
    owner = w.person(find_by_title(w, "Head of Customer Success"))
    three, muted, late, others = order[:3], order[3], order[4], order[5:]
    rows = [["Customer", "Runs in", "Incident contact", "Mail", "In an incident", "Account owner"]]
    rows += [contact_row(w, index, three, muted) for index in w.rng("contact rows").shuffled(order)]
    w.act(
        owner,
        "spreadsheets.batchUpdate",
        spreadsheetId=book["key"],
        requests=[{"addSheet": {"properties": {"title": TAB}}}],
    )
    w.act(
        owner,
        "spreadsheets.values.update",
        spreadsheetId=book["key"],
        range=f"{TAB}!A1:F{len(rows)}",
        valueInputOption="RAW",
        values=rows,
    )
    people = [contact(w, index) for index in order]
    w.note(
        book=book["key"],
        muted=people[3]["email"],
        muted_name=customer(w, muted)["name"],
        owner=account_owner(w, muted).email,
    )
    w.note(**{f"name_{n}": customer(w, index)["name"] for n, index in enumerate(three, 1)})
    w.note(**{f"mail_{n}": people[n - 1]["email"] for n in (1, 2, 3)})
    w.note(name_4=customer(w, late)["name"], mail_4=people[4]["email"])
    w.note(**{f"other_{n}": people[n + 4]["email"] for n in range(1, len(others) + 1)})


TAB = "Incident contacts"


def correct_region(w: Stage, index: int, said: str) -> None:
    """The owner of the sheet corrects a customer's region if its line is still there, and says so unless nothing shall
    be said.
    """
    book, name = w.find("drive_file", name="Customers & contracts"), customer(w, index)["name"]
    tabs = w.rows("sheets_sheet", file_id=book["id"], title=TAB)
    lines = w.rows("sheets_cell", sheet_id=tabs[0]["id"], col=0, input=name) if tabs else []
    owner = w.person(find_by_title(w, "Head of Customer Success"))
    if lines:
        w.act(
            owner,
            "spreadsheets.values.update",
            spreadsheetId=book["key"],
            range=f"{TAB}!B{lines[0]['row'] + 1}",
            valueInputOption="RAW",
            values=[["us-east-1"]],
        )
    if said:
        say(w, owner, channel(w, "support-escalations"), said.format(name=name))
    w.note(customer=name)


def contact_row(w: Stage, index: int, three: list[int], muted: int) -> list[str]:
    """One line of the tab."""
    person, here = contact(w, index), index in three or index == muted
    word = "Do not write, the account owner calls" if index == muted else "Write"
    region = "us-east-1" if here else "eu-west-1"
    return [
        customer(w, index)["name"],
        region,
        person["full_name"],
        person["email"],
        word,
        account_owner(w, index).full_name,
    ]


def report(w: Stage, who: str, summary: str) -> None:
    fields = {
        "project": {"key": "INC"},
        "issuetype": {"name": "Incident"},
        "summary": summary,
        "description": (
            "Several merchants called within five minutes. Buyers see an error after they confirm the payment."
        ),
    }
    made = w.act(seat(w, who), "createIssue", fields=fields)
    w.note(key=made["key"] if made else "")


def duplicate(w: Stage, index: int) -> None:
    name = customer(w, index)["name"]
    fields = {
        "project": {"key": "INC"},
        "issuetype": {"name": "Incident"},
        "summary": f"{name}: payment page fails, orders do not go through",
        "description": (
            f"{name} says no order has gone through since a few minutes ago. Error page after the last step."
        ),
    }
    made = w.act(seat(w, "success-1"), "createIssue", fields=fields)
    w.note(key=made["key"] if made else "", customer=name)


def escalation(w: Stage, index: int, text: str) -> None:
    name = customer(w, index)["name"]
    where = channel(w, "support-escalations")
    asked = text.format(oncall=mention(w, w.on_call("payments")), name=name)
    ts = say(w, find_by_title(w, "Head of Support"), where, asked)
    w.note(channel=where, ts=ts, customer=name)


def customer_asks(w: Stage) -> None:
    """A customer of the affected region writes to the engineer."""
    mail_on_call(w, w.fact("contracts", "mail_2"), "Payments failing in our shop", ASKED)


def muted_asks(w: Stage) -> None:
    """Send the question of a customer whom only the account owner may inform."""
    mail_on_call(w, w.fact("contracts", "muted"), "Failed payments, need an answer today", MUTED)


def mail_on_call(w: Stage, address: str, subject: str, text: str) -> None:
    """Send a customer's mail to the person on call."""
    name = w.find("contact", email=address)["full_name"]
    sent = external_people.write_mail(w, address, [w.on_call("payments").email], subject, text.format(name=name))
    w.note(message_id=sent["messageId"] if sent else "")


def by_mail(w: Stage) -> None:
    """Support cannot reach anybody in Slack and writes a mail."""
    head = w.person(find_by_title(w, "Head of Support"))
    sent = w.act(
        head,
        "mail.send",
        to=[w.on_call("payments").email],
        subject="Slack is gone, where do we stand?",
        text=BY_MAIL.format(name=head.first_name),
    )
    w.note(message_id=header(w, sent["id"]) if sent else "")


def header(w: Stage, message: str) -> str:
    """The Message-ID of a message somebody sent."""
    return w.find("gmail_mail", id=w.find("gmail_message", id=message)["mail_id"])["message_id"]
