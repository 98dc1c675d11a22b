"""Read, ask, answer, record: what a careful support engineer does, step by step."""

from world.agents.steps import Scene, Step, Steps, wait_until
from world.script.stage import Facts


def oracle(scene: Scene) -> Steps:
    """Ask at once, answer in time, do the rest when the second mail is there and Jira is back."""
    yield from wait_until(scene, 5)
    yield from ask_engineer(scene)
    yield from wait_until(scene, 14)
    yield from reply(scene)
    yield from wait_until(scene, 27)
    yield from confirm(scene)
    yield from record(scene)
    yield from wait_until(scene, 34)
    yield from issue(scene)
    yield from wait_until(scene, 61)
    truth = scene.facts("truth")
    yield Step(
        "finish",
        "world.finish",
        {
            "answer": {
                "tier": truth["tier"],
                "minutes": truth["minutes"],
                "credit": f"{truth['credit']} EUR",
                "issue": scene.facts("issue")["key"],
            }
        },
    )


def ask_engineer(scene: Scene) -> Steps:
    """The engineer on call, for the customer's minutes."""
    thread, truth = scene.facts("thread"), scene.facts("truth")
    who = f"<@{scene.find('account', app='slack', person_id=truth['engineer'])['external_id']}>"
    yield Step(
        "ask",
        "chat.postMessage",
        {
            "channel": thread["channel"],
            "thread_ts": thread["ts"],
            "text": (
                f"{who} for how many minutes was {truth['customer']} cut off, and when do the missed events follow?"
            ),
        },
        repeatable=True,
        paraphrases={
            "text": (
                f"{who} how long was {truth['customer']} without events?",
                f"Hi {who}, since when was {truth['customer']} down and until when? I need the exact duration please.",
            )
        },
    )


def reply(scene: Scene) -> Steps:
    """Send the first answer: the facts, and what the terms give."""
    truth = scene.facts("truth")
    minutes, clock, credit = truth["minutes"], truth["clock"], money(truth)
    yield Step(
        "answer",
        "mail.send",
        {
            "mode": "reply",
            "inReplyTo": mine(scene, "complaint"),
            "text": (
                f"I am sorry for this. You received no order events for {minutes} minutes because our relay dropped the"
                f" connection. New events arrive again. The ones you missed are kept and will follow at {clock} Berlin"
                f" time. Your terms give you a credit of EUR {credit} for this."
            ),
        },
        paraphrases={
            "text": (
                (
                    f"We were cut off from you for {minutes} minutes, please excuse us. The missed events have not gone"
                    f" out yet, they are due at {clock}. The credit under your contract is {credit} EUR."
                ),
                (
                    f"Please accept our apologies. Credit: €{credit}. Length: {minutes} min. The missing events will be"
                    f" delivered at {clock} CET. I cannot offer more than the terms give."
                ),
            )
        },
    )


def confirm(scene: Scene) -> Steps:
    """The second mail, and the manager's question."""
    truth, advice = scene.facts("truth"), scene.facts("advice")
    month, credit = truth["invoice"], money(truth)
    yield Step(
        "confirm",
        "mail.send",
        {
            "mode": "reply",
            "inReplyTo": mine(scene, "second"),
            "text": f"I confirm that the credit is on your {month} invoice.",
        },
        after=("answer",),
        paraphrases={
            "text": (
                f"Yes, it is noted for the {month} invoice.",
                f"Done: the invoice of {month} carries it. I cannot promise that it never happens again.",
            )
        },
    )
    yield Step(
        "manager",
        "chat.postMessage",
        {
            "channel": advice["channel"],
            "thread_ts": advice["ts"],
            "text": (
                f"Their terms give EUR {credit}, that is what I have written to them. I promise nothing beyond the"
                " contract."
            ),
        },
        paraphrases={
            "text": (
                (
                    f"By contract it is {credit} EUR. Three months free is not in there, and nobody can promise that it"
                    " never happens again."
                ),
                f"I would leave it at what the terms of their tier say: €{credit}.",
            )
        },
    )


def record(scene: Scene) -> Steps:
    """The row of the ledger, and the mail to the account owner."""
    truth, books, key = scene.facts("truth"), scene.facts("books"), scene.facts("issue")["key"]
    row = books["row"] + 1
    yield Step(
        "record",
        "spreadsheets.values.update",
        {
            "spreadsheetId": books["key"],
            "range": f"Ledger!A{row}:G{row}",
            "valueInputOption": "USER_ENTERED",
            "values": [
                [
                    truth["customer"],
                    key,
                    truth["minutes"],
                    truth["fee"],
                    truth["percent"],
                    f"=ROUND(D{row}*E{row}/100,2)",
                    truth["invoice"],
                ]
            ],
        },
        repeatable=True,
    )
    yield Step(
        "tell_owner",
        "mail.send",
        {
            "to": [truth["owner_mail"]],
            "subject": "Escalation",
            "text": (
                f"{truth['customer']} was promised a credit of EUR {money(truth)} on the {truth['invoice']} invoice."
                f" The issue is {key}."
            ),
        },
        paraphrases={
            "text": (
                (
                    f"For your account {truth['customer']}: {key}, credit {money(truth)} EUR as the terms say. Nothing"
                    " else was promised."
                ),
            )
        },
    )


def issue(scene: Scene) -> Steps:
    """The issue that is there already."""
    truth, key = scene.facts("truth"), scene.facts("issue")["key"]
    yield Step(
        "priority",
        "editIssue",
        {
            "issueIdOrKey": key,
            "fields": {"priority": {"name": truth["priority"]}, "labels": ["customer-escalation"]},
        },
    )
    yield Step(
        "comment",
        "addComment",
        {
            "issueIdOrKey": key,
            "contentFormat": "markdown",
            "body": f"This hit {truth['customer']} ({truth['tier']}) for {truth['minutes']} minutes.",
        },
        paraphrases={"body": (f"Customer escalation: {truth['customer']}, {truth['minutes']} min without events.",)},
    )


# look-ups


def money(truth: Facts) -> str:
    """The credit as it is written in a mail."""
    return f"{float(truth['credit']):,.2f}"


def mine(scene: Scene, event: str) -> str:
    """The agent's copy of a mail an event sent."""
    mail = scene.find("gmail_mail", message_id=scene.facts(event)["message_id"])
    return scene.find("gmail_message", mail_id=mail["id"], person_id=scene.me)["id"]
