"""A question comes, somebody takes the work."""

from world.script.loader import Card
from world.script.scenario import Script
from world.script.stage import Stage

card = Card(
    title="Who takes the retry job?",
    agent={"handle": "dkowalski"},
    apps=("slack", "jira"),
    start="1h",
    horizon="2h",
    size="XS",
)


def scenario(s: Script) -> None:
    """One question after ten minutes; the job's name differs from seed to seed."""
    job = f"retry-{s.rng('job').integer(100, 999)}"
    s.at("+10m", lambda w: ask(w, job), name="question")


def ask(w: Stage, job: str) -> None:
    """The question, by the manager; its place is left for the rubric."""
    channel = w.find("slack_channel", name="incidents")["id"]
    asked = w.act(w.person("sweber"), "chat.postMessage", channel=channel, text=f"{job} is stuck again. Who takes it?")
    w.note(channel=channel, ts=asked["ts"] if asked else "", job=job)
