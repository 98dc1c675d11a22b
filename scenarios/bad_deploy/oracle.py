"""A careful engineer: acknowledge, find the change, tell, take it back through CI, wait until it is over, tell again."""

from scenarios.office.mail import own_copy
from scenarios.office.requests import reply
from scenarios.office.waits import wait_for
from world.agents.steps import Scene, Step, Steps
from world.core.clock import MINUTE
from world.script.stage import Facts


def oracle(scene: Scene) -> Steps:
    """From the alert to the report."""
    truth = scene.facts("truth")
    yield from wait_for(scene, "alert")
    yield in_thread(scene, "alert", "Acknowledged, I am looking into it.", "ack, on it", "Got it, investigating.")
    yield from tell_broken(scene, truth)
    yield from take_back(scene, truth)
    yield from finish(scene, truth)


def in_thread(scene: Scene, event: str, text: str, *others: str) -> Step:
    """An answer in the thread of a message."""
    asked = scene.facts(event)
    arguments = {"channel": asked["channel"], "thread_ts": asked["ts"], "text": text}
    return Step(f"answer_{event}", "chat.postMessage", arguments, paraphrases={"text": others})


def post_status(scene: Scene, id: str, text: str, *others: str) -> Step:
    """A post for the company."""
    room = scene.find("slack_channel", name="status-updates")["id"]
    return Step(id, "chat.postMessage", {"channel": room, "text": text}, paraphrases={"text": others})


def mail_customers(truth: Facts, id: str, text: str, *others: str) -> Steps:
    """A mail of their own to each who is affected."""
    for at in (1, 2, 3) if id == "clear" else (1, 3):  # one asks, and is answered
        given = {"to": [truth["customers"][f"c{at}"]["mail"]], "subject": truth["repo"], "text": text}
        yield Step(f"{id}_{at}", "mail.send", given, paraphrases={"text": others})


def tell_broken(scene: Scene, truth: Facts) -> Steps:
    """The company and the customers who are affected hear since when it fails."""
    repo, since = truth["repo"], truth["since"]
    yield Step(
        "read",
        "spreadsheets.values.get",
        {"spreadsheetId": truth["book"], "range": "Who uses what!A1:D10"},
        optional=True,
    )
    yield post_status(
        scene,
        "status_broken",
        f"Part of the requests of {repo} fails since {since} UTC. The cause is known, a revert is on its way.",
        f"{repo} has been failing for part of the requests since {since} UTC, because of a deployment. A revert is on its way.",
        f"Since {since} UTC {repo} is partly broken. Cause known, we are undoing it.",
    )
    yield from mail_customers(
        truth,
        "told",
        f"Part of your requests fails since {since} UTC. It is on our side, we are working on it and write again.",
        f"Since {since} UTC some of your requests fail because of an error of ours. You hear from us when that has ended.",
        f"Hello,\n\nwe have a problem since {since} UTC: part of your requests fails. We are on it.",
    )
    yield from answer_customer(scene, truth)
    yield from wait_for(scene, "voice")
    yield in_thread(
        scene,
        "voice",
        f"No, please leave #{truth['last']} alone. The errors began earlier, with #{truth['guilty']}. I revert that one.",
        f"It is not #{truth['last']}: by the error and the time it was #{truth['guilty']}.",
    )


def take_back(scene: Scene, truth: Facts) -> Steps:
    """The revert, its build, its review, its merge."""
    place = {"owner": scene.find("github_account", kind="Organization")["login"], "repo": truth["repo"]}
    made = yield Step("revert", "web/pulls/revert", {**place, "pull_number": truth["guilty"]})
    number = made["number"]
    yield from wait_for(scene, "built_1")
    if scene.rows("github_check_run", head_sha=scene.facts("head_1")["built"])[-1]["conclusion"] == "failure":
        given = {**place, "issue_number": number, "body": truth["word"]}
        yield Step("rebuild", "issues/create-comment", given, after=("revert",), repeatable=True)
        yield from wait_for(scene, "rebuilt_1")
    call = {**place, "issue_number": number, "body": f"@{truth['login']} this is green, could you review it please?"}
    yield Step("call", "issues/create-comment", call, after=("revert",), repeatable=True)
    yield from wait_for_approval(scene, truth, number)
    yield Step("merge", "pulls/merge", {**place, "pull_number": number, "merge_method": "squash"}, after=("call",))


def wait_for_approval(scene: Scene, truth: Facts, number: int) -> Steps:
    """Wait until the reviewer has approved."""
    here = scene.find("github_repository", name=truth["repo"])["id"]
    found = scene.rows("github_issue", repo_id=here, number=number)
    end = scene.now + 30 * MINUTE
    while found and scene.now < end and not scene.rows("github_review", issue_id=found[0]["id"], state="APPROVED"):
        yield Step(f"wait_for_review_{scene.now}", "world.wait", {"seconds": 120}, optional=True)


def answer_customer(scene: Scene, truth: Facts) -> Steps:
    """The customer who asks hears since when."""
    yield from wait_for(scene, "customer_asks")
    given = {"mode": "reply", "inReplyTo": own_copy(scene, scene.facts("customer_asks")["message_id"])}
    since = truth["since"]
    text = f"It is on our side, since {since} UTC. We are taking the change back and write again when it is over."
    others = (
        f"That is our fault. It began at {since} UTC, there is nothing to check for you.",
        f"Since {since} UTC. It is us.",
    )
    yield Step("answer_customer", "mail.send", {**given, "text": text}, paraphrases={"text": others})


def finish(scene: Scene, truth: Facts) -> Steps:
    """Nobody calls it over before it is; then everybody hears it."""
    yield from wait_for(scene, "hope")
    yield in_thread(
        scene,
        "hope",
        "Not yet. The alert is still firing, please tell nobody that it is fixed.",
        "No, we wait for the alert to clear.",
        "Too early, Alertmanager has not posted RESOLVED.",
    )
    yield from wait_for(scene, "cleared", step=4)
    ended, since, repo = scene.facts("cleared").get("ended", ""), truth["since"], truth["repo"]
    yield post_status(
        scene,
        "status_over",
        f"{repo} works again, no request has failed since {ended} UTC.",
        f"Resolved: {repo} was broken from {since} to {ended} UTC and is back to normal.",
        f"It is over. {repo} is fine since {ended} UTC.",
    )
    yield from mail_customers(
        truth,
        "clear",
        f"The problem is solved: it lasted from {since} to {ended} UTC. We apologise.",
        f"Your requests go through again since {ended} UTC. Sorry for the trouble.",
        f"Hello,\n\nit works again, the last error was at {ended} UTC.",
    )
    guilty = truth["guilty"]
    texts = (
        f"It was #{guilty}, from {since} to {ended} UTC.",
        f"#{guilty} caused it. Broken since {since}, fine since {ended} UTC.",
    )
    yield reply(
        scene, f"It was #{guilty}. It lasted from {since} to {ended} UTC and is over.", id="report", wordings=texts
    )
    yield Step("finish", "world.finish", {"status": "done"})
