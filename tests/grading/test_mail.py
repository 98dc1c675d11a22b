"""The manual's rubric of mail against a company with mail: what it claims, what follows from that, and what is one too
many.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import ROOT, blocks
from world.gate.variant_runner import VariantRunner
from world.grading import Verdict
from world.run import episode
from world.run.episode import Episode
from world.run.home import Home
from world.run.host import open_host
from world.run.images import get_image
from world.script import loader

TASK = (
    "Answer the customer in the conversation, file it under Refunds, write a draft to Sabine, and throw the newsletter"
    " away."
)
SCENARIO = '''"""A customer writes."""

from apps.gmail import external_people
from world.script.loader import Card
from world.script.scenario import Script
from world.script.stage import Stage

card = Card(title="A refund", agent={"handle": "dkowalski"}, apps=("gmail",), start="1h", horizon="2h", size="XS")


def scenario(s: Script) -> None:
    """Two mails, and a label to file one under."""
    order = str(s.rng("order").integer(1000, 9999))
    s.at("+10m", lambda w: ask(w, order), name="question")


def ask(w: Stage, order: str) -> None:
    """The customer's question."""
    me = w.person("dkowalski")
    w.act(me, "users.labels.create", name="Refunds")
    to = [w.find("person", handle="dkowalski")["email"]]
    customer = w.rows("contact")[0]["email"]
    asked = external_people.write_mail(w, customer, to, f"Refund of {order}", f"Where is the refund of {order}?")
    external_people.write_mail(w, "news@shop.example", to, "50 % off everything", "Buy now.")
    w.note(message_id=asked["messageId"], address=customer, order=order, subject=f"Refund of {order}")
'''
ORACLE = '''"""The work."""

from collections.abc import Generator
from typing import Any

from world.agents.steps import Scene, Step


def oracle(scene: Scene) -> Generator[Step, Any, None]:
    """Wait, answer, file."""
    yield Step("wait", "world.wait", {"seconds": 700})
    asked = scene.facts("question")
    found = yield Step("find", "users.messages.list", {"q": f"rfc822msgid:{asked['message_id']}"})
    news = yield Step("news", "users.messages.list", {"q": "subject:everything in:inbox"})
    labels = yield Step("labels", "users.labels.list", {})
    refunds = next(one["id"] for one in labels["labels"] if one["name"] == "Refunds")
    id = found["messages"][0]["id"]
    yield Step("answer", "mail.send", {"mode": "reply", "inReplyTo": id, "text": f"The refund of {asked['order']} is on its way."})
    to = [scene.find("person", handle="sweber")["email"]]
    yield Step("draft", "mail.saveDraft", {"to": to, "subject": "Refund", "text": f"Please look at {asked['order']}."})
    yield Step("file", "users.messages.modify", {"id": id, "addLabelIds": [refunds], "removeLabelIds": ["INBOX", "UNREAD"]})
    yield Step("away", "users.messages.trash", {"id": news["messages"][0]["id"]})
'''


@pytest.fixture(scope="module")
def bench(home: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[VariantRunner]:
    """A workbench over the smallest company."""
    folder: Path = tmp_path_factory.mktemp("refund")
    rubric = [b.text for b in blocks(ROOT / "docs" / "rubric.md") if b.language == "yaml"][1]
    rubric += "\nscore: {unclaimed: veto}\n"
    for name, text in {"task.md": TASK, "scenario.py": SCENARIO, "oracle.py": ORACLE, "rubric.yaml": rubric}.items():
        (folder / name).write_text(text, encoding="utf-8")
    host = open_host(get_image(home, "XS", 7), tmp_path_factory.mktemp("mail"))
    yield VariantRunner(host, loader.load(folder), 0)
    host.store.close()


@pytest.fixture
def run(bench: VariantRunner) -> Iterator[Episode]:
    """The solution, not yet at its end."""
    yield bench.play_solution(run_on=False)[0]


def do(bench: VariantRunner, run: Episode, operation: str, **arguments: Any) -> Any:
    return bench.host.call(bench.host.principal(run.world, run.agent), "rest", operation, arguments)


def verdict(bench: VariantRunner, run: Episode) -> Verdict:
    episode.finish(run)
    return bench.grade_and_drop(run)


def extra(found: Verdict) -> list[str]:
    """The tables of what nobody claims."""
    return sorted(one.row.partition(":")[0] for one in found.unclaimed)


def test_what_follows_from_answering_filing_and_throwing_away_costs_nothing(bench: VariantRunner, run: Episode) -> None:
    found = verdict(bench, run)
    assert found.passed and len(found.items) == 5, found.unclaimed


def test_reading_a_mail_is_no_effect(bench: VariantRunner, run: Episode) -> None:
    for kind in ("from:news@shop.example in:trash", "is:unread"):
        for one in do(bench, run, "users.messages.list", q=kind, includeSpamTrash=True)["messages"][:2]:
            do(bench, run, "users.messages.modify", id=one["id"], removeLabelIds=["UNREAD"])
    assert verdict(bench, run).passed


def test_a_mail_more_is_one_effect_whoever_got_it(bench: VariantRunner, run: Episode) -> None:
    do(
        bench,
        run,
        "mail.send",
        to=["news@shop.example", "dkowalski@quayline.example", "nobody@quayline.example"],
        subject="x",
        text="y",
    )
    assert set(extra(verdict(bench, run))) == {"gmail_mail"}


@pytest.mark.parametrize(
    ("operation", "given", "tables"),
    [
        ("users.messages.modify", {"addLabelIds": ["STARRED"]}, ["gmail_message_label"]),
        ("users.messages.modify", {"removeLabelIds": ["INBOX"]}, ["gmail_message_label"]),
        ("users.messages.trash", {}, ["gmail_message"]),
        ("users.messages.modify", {"addLabelIds": ["SPAM"]}, ["gmail_message"]),
        ("users.messages.modify", {"addLabelIds": ["TRASH", "STARRED"]}, ["gmail_message", "gmail_message_label"]),
        ("users.messages.delete", {}, ["gmail_message"]),
    ],
)
def test_whatever_is_done_to_another_mail_shows(
    bench: VariantRunner, run: Episode, operation: str, given: dict[str, Any], tables: list[str]
) -> None:
    other = do(bench, run, "users.messages.list", q="in:inbox -is:starred")["messages"][0]
    do(bench, run, operation, id=other["id"], **given)
    assert extra(verdict(bench, run)) == tables
