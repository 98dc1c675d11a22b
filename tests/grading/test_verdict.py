"""What a verdict says: score, vetoes, gates, guards, the smallest counterexample, the same bytes."""

from grading_company import Bench, Desk, share, unclaimed

POST = """
refs:
  agent: {employee: self}
  channel: {table: chat_channel, where: {name: incidents}}
expect:
  - id: post
    insert: chat_message
    where: {channel: {ref: channel}, sender: {ref: agent}}
    text: {field: text, mentions: DynamoDB}
"""


def test_a_claimed_row_passes(bench: Bench, desk: Desk) -> None:
    row = desk.say("DynamoDB is failing")
    verdict = bench.grade(POST, desk)
    assert verdict.passed and verdict.score == 1.0
    assert verdict.items[0].rows == [f"chat_message:{row['id']}"]
    assert verdict.error is None


def test_doing_nothing_scores_nothing(bench: Bench, desk: Desk) -> None:
    verdict = bench.grade(POST, desk)
    assert not verdict.passed and verdict.score == 0.0
    assert list(verdict.minimal) == ["post"]


def test_an_unclaimed_row_vetoes_the_score(bench: Bench, desk: Desk) -> None:
    desk.say("DynamoDB is failing")
    extra = desk.say("lunch?", channel="C0000002A")
    verdict = bench.grade(POST, desk)
    assert not verdict.passed and verdict.score == 0.0 and verdict.raw_score == 1.0
    assert unclaimed(verdict) == [f"chat_message:{extra['id']}"] == list(verdict.minimal)
    assert share(verdict, "post") == 1
