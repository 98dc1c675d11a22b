"""Formulas first, then figures as they come, one more look when the workbook is final, then the result."""

from world.agents.steps import Scene, Step, Steps, wait_until

REVENUE, CREDITS, NET = 8, 9, 10


def oracle(scene: Scene) -> Steps:
    """Open the workbook, mend it, ask, wait, report."""
    yield from wait_until(scene, 8)
    yield from formulas(scene)
    yield from ask_support(scene)
    yield from wait_until(scene, 46)
    truth = scene.facts("truth")
    yield cell(scene, "missing", truth["missing_cell"], truth["missing_typed"])
    yield cell(scene, "credit", truth["credit_cell"], int(truth["credit"]))
    yield from wait_until(scene, 76)
    yield from look_again(scene)
    yield from result(scene)


def formulas(scene: Scene) -> Steps:
    """The wrong formulas, and the figure that the ticket has."""
    truth = scene.facts("truth")
    for name in ("typed", "short"):
        row = truth[f"{name}_row"]
        yield cell(
            scene,
            f"quarter_{name}",
            f"E{row}",
            f"=SUM(B{row}:D{row})",
            f"=B{row}+C{row}+D{row}",
            f"=SUM($B{row}:$D{row})",
        )
    yield revenue(scene, "revenue_sum", truth["revenue_column"])
    column, row = truth["net_column"], truth["plan_row"]
    yield cell(
        scene,
        "net_reference",
        f"{column}{NET}",
        f"={column}{REVENUE}-{column}{CREDITS}",
        f"=SUM({column}2:{column}7)-{column}9",
    )
    yield cell(
        scene, "plan_reference", f"F{row}", f"=Plan!B{row}", f"=Plan!$B${row}", f"=VLOOKUP(A{row},Plan!A2:B7,2,FALSE)"
    )
    yield cell(scene, "wrong", truth["wrong_cell"], int(truth["wrong"]))


def revenue(scene: Scene, id: str, column: str) -> Step:
    """A month's revenue over all customers."""
    plus = "+".join(f"{column}{row}" for row in range(2, 8))
    return cell(
        scene,
        id,
        f"{column}{REVENUE}",
        f"=SUM({column}2:{column}7)",
        f"={plus}",
        f"=SUM({column}2:{column}4,{column}5:{column}7)",
    )


def ask_support(scene: Scene) -> Steps:
    """Ask the head of support which amount was really credited."""
    expert = scene.find("person", title="Head of Support", status="active")["id"]
    room = yield Step(
        "open_dm",
        "conversations.open",
        {"users": [scene.find("account", app="slack", person_id=expert)["external_id"]]},
    )
    yield Step(
        "ask",
        "chat.postMessage",
        {
            "channel": room["channel"]["id"],
            "text": "Our statement and your list differ about the credits of a month. Which amount is right?",
        },
        after=("open_dm",),
        repeatable=True,
        paraphrases={
            "text": (
                "What did we credit in the end, is it the statement or your list?",
                "Hi Matthias, which figure for the credits is right?",
            )
        },
    )


def look_again(scene: Scene) -> Steps:
    """A colleague may have typed over a total; then its formula is written once more."""
    close = scene.facts("book")["close"]
    for col, column in enumerate("BCD", 1):
        if scene.find("sheets_cell", sheet_id=close, row=REVENUE - 1, col=col)["kind"] != "formula":
            yield revenue(scene, f"revenue_again_{column}", column)


def result(scene: Scene) -> Steps:
    """The answer in the conversation, the ticket, the end."""
    truth, key = scene.facts("truth"), scene.facts("ticket")["key"]
    net, credits = f"{truth['net']:,.2f}", f"{truth['credits']:,.2f}"
    yield Step(
        "mail",
        "mail.send",
        {
            "mode": "reply",
            "inReplyTo": get_mailbox_id(scene, scene.facts("request")["message_id"]),
            "text": f"The fourth quarter is final: net revenue EUR {net}, credits EUR {credits}.",
        },
        paraphrases={
            "text": (
                f"Dear Henrik,\n\nnet revenue of Q4 is {net} euros after credits of {credits} euros.\n\nBest regards",
                f"Q4 2025 is closed. Net revenue: €{net}. Credits: €{credits}.",
            )
        },
    )
    yield Step(
        "comment",
        "addComment",
        {
            "issueIdOrKey": key,
            "contentFormat": "markdown",
            "body": f"Corrected. Net revenue of the quarter is EUR {net}.",
        },
        paraphrases={"body": (f"Done, the quarter closes with a net revenue of €{net}.",)},
    )
    yield Step("done", "doTransition", {"issueIdOrKey": key, "transition": {"id": "41"}}, repeatable=True)
    yield Step(
        "finish",
        "world.finish",
        {"answer": {name: f"EUR {truth[name]:.2f}" for name in ("revenue", "credits", "net", "variance")}},
    )


# look-ups


def cell(scene: Scene, id: str, place: str, value: object, *others: str) -> Step:
    """One cell of the sheet Close, typed; `others` are formulas as good."""
    return Step(
        id,
        "spreadsheets.values.update",
        {
            "spreadsheetId": scene.facts("book")["key"],
            "range": f"Close!{place}",
            "valueInputOption": "USER_ENTERED",
            "values": [[value]],
        },
        repeatable=True,
        paraphrases={"values": tuple([[other]] for other in others)},
    )


def get_mailbox_id(scene: Scene, message_id: str) -> str:
    """The id, in the own mailbox, of the mail with a Message-ID."""
    return scene.find(
        "gmail_message", mail_id=scene.find("gmail_mail", message_id=message_id)["id"], person_id=scene.me
    )["id"]
