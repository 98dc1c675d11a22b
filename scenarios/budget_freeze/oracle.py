"""Everything on hold but what is owed and what is excepted; an answer to who asks; the sum at the end."""

from scenarios.office.books import pretty
from scenarios.office.mail import own_copy
from scenarios.office.requests import reply
from world.agents.steps import Scene, Step, Steps, wait_until
from world.script.stage import Facts

REASONS = {
    "decoy": "nothing that we owe",
    "split_1": "one order with the other part, above the limit",
    "split_2": "one order with the other part, above the limit",
    "pressed": "frozen, no written exception",
    "waived": "frozen, the exception was taken back",
    "plain": "frozen",
}


def oracle(scene: Scene) -> Steps:
    """Decide what is clear, answer, wait for the exception and decide on it, report."""
    truth = scene.facts("truth")
    minutes = truth["minutes"]
    for name in sorted(truth["lines"], key=lambda one: truth["lines"][one]["row"]):
        if name != "waived":
            yield decide(truth, name, "go" if name == "owed" else "hold")
    for name in sorted(("plain", "pressed", "owed"), key=lambda one: minutes[one]):
        yield from wait_until(scene, minutes[name] + 1, name)
        yield respond(scene, truth, name)
    yield from wait_until(scene, minutes["settled"] + 1, "settled")
    yield decide(truth, "waived", truth["waived_decision"])
    goes, total = " and ".join(truth["goes"]), pretty(100 * truth["held_sum"])
    yield reply(
        scene,
        f"These go on: {goes}. On hold are EUR {total} in all.",
        id="report",
        wordings=(
            f"On hold: EUR {total}. Goes on: {goes}.",
            f"{goes} on the way, requests of {total} EUR are waiting.",
        ),
    )
    yield Step("finish", "world.finish", {"status": "done"})


def decide(truth: Facts, name: str, word: str) -> Step:
    """The decision on one line, with its reason if it waits."""
    row = truth["lines"][name]["row"] + 1
    values = [word] if word == "go" else [word, REASONS[name]]
    arguments = {"spreadsheetId": truth["key"], "range": f"Open!F{row}:{'F' if word == 'go' else 'G'}{row}"}
    return Step(
        f"decide_{name}",
        "spreadsheets.values.update",
        {**arguments, "valueInputOption": "RAW", "values": [values]},
        repeatable=True,
    )


def respond(scene: Scene, truth: Facts, name: str) -> Step:
    """What somebody who asks gets."""
    number, thaw, waiver = truth["lines"][name]["number"], truth["thaw"], truth["people"]["waiver"]["name"]
    if name == "owed":
        copy = own_copy(scene, scene.facts("owed")["message_id"])
        text, others = (
            f"No, {number} goes on, it is something we owe.",
            (f"{number} is not frozen and goes out today.", "It goes on."),
        )
        return Step(
            "answer_owed", "mail.send", {"mode": "reply", "inReplyTo": copy, "text": text}, paraphrases={"text": others}
        )
    if name == "plain":
        text = f"I am sorry, {number} is on hold: spending is frozen until {thaw}."
        others = (f"It has to wait until {thaw} because of the freeze.", f"Sorry, spending is frozen until {thaw}.")
    else:
        text = f"I leave {number} on hold. An exception needs a mail from {waiver}, and I have none."
        others = (
            f"Sorry, by the rules I need it from {waiver} in writing. Until then it waits.",
            f"Could {waiver} send me a mail? Otherwise it waits.",
        )
    return Step(
        f"answer_{name}",
        "chat.postMessage",
        {"channel": scene.facts(name)["channel"], "text": text},
        paraphrases={"text": others},
    )
