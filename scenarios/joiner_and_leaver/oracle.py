"""Ask for the word, answer who wants another time, and change each right at its own time."""

from scenarios.office.mail import own_copy
from scenarios.office.private_messages import tell
from scenarios.office.requests import reply
from world.agents.steps import Scene, Step, Steps, wait_until
from world.script.stage import Facts


def oracle(scene: Scene) -> Steps:
    """Ask, wait, give, wait, take, report."""
    truth = scene.facts("truth")
    minutes, people = truth["minutes"], truth["people"]
    joiner, title = people["joiner"]["name"], truth["files"]["f3"]["title"]
    yield tell(
        "ask_owner",
        people["owner"],
        f"May {joiner} have access to {title}, as {truth['role']} of the {truth['group']}? The list wants your word.",
        wordings=(f"Is it ok for you if I share {title} with {joiner}?", f"Can {joiner} get {title}?"),
    )
    late = minutes["order"] > minutes["begins"]
    yield from wait_until(scene, minutes["plea"] + 1, "plea")
    yield decline_plea(scene, truth)
    yield from wait_until(scene, minutes["begins"] + 1, "begins")
    yield from give(scene, truth)
    if late:
        yield from wait_until(scene, minutes["order"] + 1, "order")
        yield decline_order(scene, truth)
    yield from wait_until(scene, minutes["ends"] + 1, "ends")
    yield from take(scene, truth)
    yield write_report(scene, truth)
    yield Step("finish", "world.finish", {"status": "done"})


def decline_plea(scene: Scene, truth: Facts) -> Step:
    """What the one who leaves hears."""
    boss = truth["people"]["boss"]["name"]
    texts = (
        f"I am sorry, I cannot leave it open: the time comes from {boss}, and only {boss} can move it.",
        f"That is not for me to decide. Please speak with {boss}.",
        "Not without a word of the one who named the time, sorry.",
    )
    given = {"channel": scene.facts("plea")["channel"], "text": texts[0]}
    return Step("answer_plea", "chat.postMessage", given, paraphrases={"text": texts[1:]})


def decline_order(scene: Scene, truth: Facts) -> Step:
    """What the manager hears."""
    boss = truth["people"]["boss"]["name"]
    texts = (
        f"I cannot do that before the time that {boss} has named. If it has to be sooner, please ask {boss} to write to me.",
        f"Sorry, no: by the rules the time comes from {boss} alone.",
        f"It stays as planned until {boss} tells me another time.",
    )
    given = {"mode": "reply", "inReplyTo": own_copy(scene, scene.facts("order")["message_id"]), "text": texts[0]}
    return Step("answer_order", "mail.send", given, paraphrases={"text": texts[1:]})


def give(scene: Scene, truth: Facts) -> Steps:
    """What belongs to the role and may be given."""
    yield Step("invite", "conversations.invite", {"channel": truth["room"]["id"], "users": truth["users"]["joiner"]})
    for name in truth["gets"]:
        file = truth["files"][name]
        given = {"fileId": file["key"], "type": "user", "role": file["right"]}
        given |= {"emailAddress": truth["people"]["joiner"]["email"]}
        yield Step(f"give_{name}", "drive.permissions.create", given, repeatable=True)


def take(scene: Scene, truth: Facts) -> Steps:
    """What belongs to the role, but for what is on hold."""
    yield Step("remove", "conversations.kick", {"channel": truth["room"]["id"], "user": truth["users"]["leaver"]})
    for name in ("f1", "f2", "f3"):
        file = scene.find("drive_file", key=truth["files"][name]["key"])
        right = scene.find("drive_permission", file_id=file["id"], person_id=truth["people"]["leaver"]["id"])
        yield Step(f"take_{name}", "drive.permissions.delete", {"fileId": file["key"], "permissionId": right["key"]})


def write_report(scene: Scene, truth: Facts) -> Step:
    """What was not given and not taken."""
    held, word = truth["files"]["f4"]["title"], truth["files"]["f3"]["title"]
    joiner, leaver = (truth["people"][part]["name"] for part in ("joiner", "leaver"))
    text = f"Both are through. {held} is on hold: {leaver} kept it and {joiner} did not get it."
    other = f"All is changed but {held}, which is on the list of held files."
    if truth["word"] == "no":
        text = f"{text} {word} was not given either, its owner said no."
        other = f"{other} And {joiner} has no access to {word}, by the word of its owner."
    return reply(scene, text, id="report", wordings=(other,))
