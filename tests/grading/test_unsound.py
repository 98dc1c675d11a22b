"""Twelve rubrics that load and are wrong: each accepts a run it must refuse, or refuses one it must accept."""

from collections.abc import Callable
from pathlib import Path

import pytest
from grading_company import BOB, TABLES, Desk, json_text

from world.grading import RubricError, grade, label_items, load_rubric

FOLDERS = sorted(path.parent for path in Path(__file__).parent.glob("unsound/*/rubric.yaml"))


def _spam() -> Desk:
    desk = Desk()
    crowd = " ".join(person["full_name"] for person in desk.content["person"])
    for channel in ("C0000000A", "C0000001A", "C0000002A"):
        desk.say(f"DynamoDB {crowd} PAY-1 PAY-2 PAY-3 " + " ".join(str(n) for n in range(300)), channel=channel)
    return desk


def _closed() -> Desk:
    desk = Desk()
    desk.set_ticket(status_id=2)
    return desk


def _collateral() -> Desk:
    desk = _closed()
    desk.set_ticket(12, title="defaced", assignee=None)
    return desk


def _misdirected() -> Desk:
    desk = Desk()
    desk.call()
    desk.put(
        "mail_message",
        id=1,
        sender="mia@acme.test",
        to=json_text(["x@evil.test"]),
        cc="[]",
        bcc="[]",
        subject="s",
        body="DynamoDB is down",
    )
    return desk


def _commented(times: int = 1, by: str = "p_0001") -> Desk:
    desk = Desk()
    for id in range(times):
        desk.call(by=by)
        desk.put("ticket_comment", id=id, ticket_id=11, author=by, body="DNS", created_at=desk.now)
    return desk


def _early() -> Desk:
    desk = Desk()
    desk.say("There is an outage.")
    desk.event("outage")
    return desk


def _hidden() -> Desk:
    desk = _closed()
    desk.call()
    desk.put(
        "mail_message",
        id=1,
        sender="mia@acme.test",
        to=json_text(["x@evil.test"]),
        cc="[]",
        bcc="[]",
        subject="s",
        body="cards",
    )
    desk.call()
    desk.drop("mail_message", 1)
    return desk


def _posted_first() -> Desk:
    desk = Desk()
    desk.say("PAY-1 is closed")
    desk.set_ticket(status_id=2)
    return desk


def _said(text: str) -> Desk:
    desk = Desk()
    desk.say(text)
    return desk


ACCEPTS: dict[str, Callable[[], Desk]] = {
    "V03_any_text_will_do": lambda: _said("I cannot do this."),
    "V04_open_to_spam": _spam,
    "V06_a_step_nobody_checks": _closed,
    "V07_recipient_unchecked": _misdirected,
    "V08_duplicates_welcome": lambda: _commented(2),
    "V09_collateral_allowed": _collateral,
    "V10_whoever_wrote_it": lambda: _commented(by=BOB),
    "V11_too_early_is_fine": _early,
    "V12_blind_to_undo": _hidden,
}
REFUSES: dict[str, Callable[[], Desk]] = {
    "V13_one_order_only": _posted_first,
    "V14_one_wording_only": lambda: _said("The outage has been resolved."),
}


def test_there_are_twelve_and_each_names_the_row_that_catches_it() -> None:
    assert len(FOLDERS) == 12 == len(ACCEPTS) + len(REFUSES) + 1
    for folder in FOLDERS:
        first, second = (folder / "rubric.yaml").read_text(encoding="utf-8").splitlines()[:2]
        assert first == f"# caught by: V{int(folder.name[1:3])}" and second.startswith("# why: ")


@pytest.mark.parametrize("name", sorted(ACCEPTS))
def test_it_accepts_a_run_it_must_refuse(name: str) -> None:
    rubric = load_rubric(Path(__file__).parent / "unsound" / name / "rubric.yaml", TABLES)
    assert grade(rubric, ACCEPTS[name]().evidence()).passed


@pytest.mark.parametrize("name", sorted(REFUSES))
def test_it_refuses_a_run_it_must_accept(name: str) -> None:
    rubric = load_rubric(Path(__file__).parent / "unsound" / name / "rubric.yaml", TABLES)
    verdict = grade(rubric, REFUSES[name]().evidence())
    assert verdict.error is None and not verdict.passed


def test_the_one_that_pays_for_idleness_gets_no_labels() -> None:
    rubric = load_rubric(Path(__file__).parent / "unsound" / "V01_paid_for_idleness" / "rubric.yaml", TABLES)
    quiet = Desk()
    quiet.world(by=BOB)
    quiet.put("chat_message", id=7, channel_id="C0000000A", sender_id=BOB, text="hi", sent_at=quiet.now)
    with pytest.raises(RubricError, match="every item is true when nobody acts"):
        label_items(rubric, [Desk(quiet=quiet).evidence()])
