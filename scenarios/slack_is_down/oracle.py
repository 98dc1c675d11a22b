"""A careful captain: ask by mail, wait for the last word, decide, tell, and answer."""

from datetime import UTC, datetime

from scenarios.office.mail import own_copy
from world.agents.steps import Scene, Step, Steps, wait_until
from world.core.clock import SECOND
from world.script.stage import Facts


def oracle(scene: Scene) -> Steps:
    """Go on without Slack, decide, and tell everybody."""
    truth = scene.facts("truth")
    yield from go_on_by_mail(scene, truth)
    yield from wait_until(scene, truth["minutes"]["settled"] + 1, "settled")
    if truth["case"] == "go":
        yield from release(scene, truth)
    else:
        yield from hold(scene, truth)
    yield from answer_questions(scene, truth)
    yield Step("finish", "world.finish", {"status": "done"})


def go_on_by_mail(scene: Scene, truth: Facts) -> Steps:
    """Note that Slack is away, ask the owners whose word is missing, answer who worries."""
    yield from wait_until(scene, truth["minutes"]["down"] + 1, "down")
    version = truth["version"]
    yield comment(
        truth,
        "noted",
        "Slack is down, so the go/no-go goes on by mail and here.",
        "Slack is unavailable. We go on by mail, this ticket is the record.",
        "We cannot reach Slack at the moment; the missing owners are asked by mail.",
    )
    for part in ("b", "c"):
        yield Step(
            f"ask_{part}",
            "mail.send",
            {
                "to": [truth["people"][part]["email"]],
                "subject": f"{version}: your word, please",
                "text": f"Slack is away, so by mail: is {version} a go or a no-go from you? I need it by {truth['deadline']} UTC.",
            },
            paraphrases={
                "text": (
                    f"May {truth['repo']} {version} go out from your side? Please answer here, Slack does not work.",
                    f"Your word on {version} is still missing. Go or no-go, please?",
                )
            },
        )
    yield from wait_until(scene, truth["minutes"]["down"] + 7, "worry")
    copy = own_copy(scene, scene.facts("worry")["message_id"])
    yield Step(
        "worry_answered",
        "mail.send",
        {
            "mode": "reply",
            "inReplyTo": copy,
            "text": "We go on by mail. It is not decided yet, I write to you as soon as it is.",
        },
        paraphrases={
            "text": (
                "It is still on, by mail. The owners decide, and you hear from me either way.",
                "The go/no-go continues without Slack. I will mail you the outcome this afternoon.",
            )
        },
    )


def comment(truth: Facts, id: str, text: str, *others: str, after: tuple[str, ...] = ()) -> Step:
    """A comment on the release ticket."""
    arguments = {"issueIdOrKey": truth["key"], "contentFormat": "markdown", "body": text}
    return Step(id, "addComment", arguments, after=after, paraphrases={"body": others})


def release(scene: Scene, truth: Facts) -> Steps:
    """Merge, and say since when."""
    owner = scene.find("github_account", kind="Organization")["login"]
    place = {"owner": owner, "repo": truth["repo"], "pull_number": truth["number"]}
    yield Step("merge", "pulls/merge", {**place, "merge_method": "squash"})
    at, version = f"{datetime.fromtimestamp(scene.now // SECOND, UTC):%H:%M}", truth["version"]
    texts = (
        f"{version} is released, since {at} UTC.",
        f"{truth['repo']} {version} went out at {at} UTC.",
        f"Released at {at} UTC: {truth['repo']} {version}. All three owners had said go.",
    )
    yield from tell(scene, truth, texts)


def hold(scene: Scene, truth: Facts) -> Steps:
    """Say that it waits, and until when."""
    version, day = truth["version"], truth["next"]
    texts = (
        f"{version} is held until the next window on {day}.",
        f"{truth['repo']} {version} does not go out today, it waits until {day}.",
        f"No release of {version} today: not every owner has said go. Next window: {day}.",
    )
    yield from tell(scene, truth, texts)


def tell(scene: Scene, truth: Facts, texts: tuple[str, ...]) -> Steps:
    """The ticket and the people it names; the channel when Slack is back."""
    after = ("merge",) if truth["case"] == "go" else ()
    yield comment(truth, "recorded", *texts, after=after)
    for part in ("p", "q"):
        yield Step(
            f"tell_{part}",
            "mail.send",
            {
                "to": [truth["people"][part]["email"]],
                "subject": f"How it went with {truth['version']}",
                "text": texts[0],
            },
            after=after,
            paraphrases={"text": texts[1:]},
        )
    yield from wait_until(scene, truth["minutes"]["back"] + 1, "back")
    yield Step(
        "in_channel",
        "chat.postMessage",
        {"channel": truth["room"], "text": texts[0]},
        after=after,
        paraphrases={"text": texts[1:]},
    )


def answer_questions(scene: Scene, truth: Facts) -> Steps:
    """Answer who presses, and who keeps the log."""
    yield from wait_until(scene, truth["minutes"]["back"] + 7, "pressure")
    out = truth["case"] == "go"
    yield answer_in_thread(
        scene,
        "pressure",
        "It is out, we wait for nobody." if out else "No, it is held: what came late does not count.",
        "Released already." if out else "I do not merge it today, it stays held until the next window.",
    )
    yield from wait_until(scene, truth["minutes"]["back"] + 25, "audit")
    a, b, c = (truth["people"][part]["name"] for part in ("a", "b", "c"))
    last = {
        "go": ("go", "go"),
        "veto_a": ("no-go", "go"),
        "veto_b": ("go", "no-go"),
        "silent": ("go", "nothing in time"),
    }
    one, other = last[truth["case"]]
    yield answer_in_thread(
        scene,
        "audit",
        f"{a}: {one}. {b}: {other}. {c}: go.",
        f"The owners were {a} ({one}), {b} ({other}) and {c} (go).",
    )


def answer_in_thread(scene: Scene, event: str, text: str, *others: str) -> Step:
    """An answer in the thread of a question."""
    asked = scene.facts(event)
    arguments = {"channel": scene.facts("truth")["room"], "thread_ts": asked["ts"], "text": text}
    return Step(f"answer_{event}", "chat.postMessage", arguments, paraphrases={"text": others})
