"""The change set: net effects, origins, soft deletes, followers, reactions, and a journal nobody tampered with."""

from dataclasses import replace

import pytest
from grading_company import ANN, BOB, ME, MINUTE, START, TABLES, Bench, Desk, share, unclaimed

from world.grading import GraderError, SeedRows, grade
from world.grading.effects import Effect, change_set

FIX = """
refs: {agent: {employee: self}, pay: {table: ticket, where: {title: Payments time out}},
  channel: {table: chat_channel, where: {name: incidents}}}
expect: [{id: fix, update: {ref: pay}, set: {status: Done}}]
"""
POST = FIX.replace(
    "[{id: fix, update: {ref: pay}, set: {status: Done}}]",
    "[{id: post, insert: chat_message, where: {channel: {ref: channel}}}]",
)


def effects(desk: Desk, *origins: str) -> list[Effect]:
    found = change_set(desk.evidence()).effects
    return [effect for effect in found if not origins or effect.origin in origins]


def test_edit_and_restore_is_no_effect(desk: Desk) -> None:
    desk.set_ticket(priority=1)
    desk.set_ticket(priority=2)
    assert effects(desk) == []


def test_a_typo_then_edit_counts_as_the_last_text(bench: Bench, desk: Desk) -> None:
    row = desk.say("resloved")
    desk.call()
    desk.edit("chat_message", row["id"], text="resolved")
    (effect,) = effects(desk)
    assert effect.columns == frozenset(TABLES["chat_message"].columns)
    assert (effect.kind, effect.row["text"], effect.first_at, effect.last_at) == (
        "insert",
        "resolved",
        START + MINUTE,
        START + 2 * MINUTE,
    )
    assert bench.grade(POST, desk).passed


def test_send_and_delete_leaves_nothing(bench: Bench, desk: Desk) -> None:
    row = desk.say("oops", channel="C0000001A")
    desk.call()
    desk.edit("chat_message", row["id"], deleted_at=desk.now)
    assert effects(desk) == []
    desk.set_ticket(status_id=2)
    assert bench.grade(FIX, desk).passed


def test_the_bin_counts_as_a_delete_and_an_update_item_does_not_take_it(bench: Bench, desk: Desk) -> None:
    desk.set_ticket(deleted_at=START)
    (effect,) = effects(desk)
    assert (effect.kind, effect.row["title"]) == ("delete", "Payments time out")
    loose = FIX.replace("set: {status: Done}", "only: [status, deleted_at]")
    assert unclaimed(bench.grade(loose, desk)) == ["ticket:11"]
    assert bench.grade(FIX.replace("update: {ref: pay}, set: {status: Done}", "delete: {ref: pay}"), desk).passed


def test_a_row_binned_and_then_purged_is_judged_by_its_last_living_value(desk: Desk) -> None:
    desk.set_ticket(title="Renamed", deleted_at=START)
    desk.call()
    desk.drop("ticket", 11)
    desk.content["ticket"][1]["deleted_at"] = START
    desk.rows["ticket"][(12,)]["deleted_at"] = START
    desk.drop("ticket", 12)
    first, second = effects(desk)
    assert (first.kind, first.row["title"], first.row["deleted_at"]) == ("delete", "Payments time out", None)
    assert (second.kind, second.row["title"], second.row["deleted_at"]) == ("delete", "Rotate keys", START)


def test_restoring_from_the_bin_is_an_update(desk: Desk) -> None:
    desk.content["ticket"][0]["deleted_at"] = START
    desk.__post_init__()
    desk.set_ticket(deleted_at=None)
    assert [(e.kind, e.columns) for e in effects(desk)] == [("update", frozenset({"deleted_at"}))]


def test_editing_what_lies_in_the_bin_is_an_effect_too(desk: Desk) -> None:
    desk.content["ticket"][0]["deleted_at"] = START
    desk.__post_init__()
    desk.set_ticket(title="hidden")
    assert [e.columns for e in effects(desk)] == [frozenset({"title"})]
    desk.call()
    desk.drop("ticket", 11)
    assert [e.kind for e in effects(desk)] == ["delete"]


def test_delete_and_insert_again_is_an_update(desk: Desk) -> None:
    before = dict(desk.rows["ticket"][(11,)])
    desk.call()
    desk.drop("ticket", 11)
    desk.put("ticket", **{**before, "title": "New"})
    assert [(e.kind, e.columns) for e in effects(desk)] == [("update", frozenset({"title"}))]


def test_json_and_numbers_are_compared_by_value(desk: Desk) -> None:
    desk.set_ticket(labels='[ "bug" ]', points=3.0)
    assert effects(desk) == []


def test_deleting_what_arrived_during_the_run_is_an_effect(bench: Bench, desk: Desk) -> None:
    desk.world(by=ANN)
    row = desk.put("chat_message", channel_id="C0000000A", sender_id=ANN, text="hi", sent_at=desk.now)
    desk.call()
    desk.drop("chat_message", row["id"])
    assert [(e.kind, e.origin) for e in effects(desk, "agent")] == [("delete", "agent")]
    desk.set_ticket(status_id=2)
    assert unclaimed(bench.grade(FIX, desk)) == [f"chat_message:{row['id']}"]


def test_the_agents_values_are_told_from_the_worlds(desk: Desk) -> None:
    desk.set_ticket(status_id=2)
    desk.world(by=ANN)
    desk.edit("ticket", 11, status_id=3, priority=1)
    agent, world = effects(desk)
    assert (agent.origin, agent.columns, agent.before["status_id"], agent.written["status_id"]) == (
        "agent",
        {"status_id"},
        1,
        2,
    )
    assert (agent.row["status_id"], agent.row["priority"], agent.written["priority"]) == (3, 1, 2)
    assert (world.origin, world.columns) == ("world", {"status_id", "priority"})


def test_at_end_wants_the_final_state_and_at_write_the_agents_own(bench: Bench, desk: Desk) -> None:
    desk.set_ticket(status_id=2)
    desk.world(by=ANN)
    desk.edit("ticket", 11, status_id=3)
    assert not bench.grade(FIX, desk).passed
    assert bench.grade(FIX.replace("set: {status: Done}", "set: {status: Done}, at: write"), desk).passed


def test_a_message_somebody_else_deleted_counts_at_write_only(bench: Bench, desk: Desk) -> None:
    row = desk.say("hello")
    desk.world(by=ANN)
    desk.drop("chat_message", row["id"])
    assert not bench.grade(POST, desk).passed
    assert bench.grade(POST.replace("insert:", "at: write, insert:"), desk).passed


def test_world_entries_cost_the_agent_nothing(bench: Bench, desk: Desk) -> None:
    for _ in range(5):
        desk.world(by=ANN)
        desk.put("chat_message", id=None, channel_id="C0000001A", sender_id=ANN, text="chatter", sent_at=desk.now)
    desk.set_ticket(status_id=2)
    assert bench.grade(FIX, desk).passed


# followers


def test_a_derived_row_follows_its_primary(bench: Bench, desk: Desk) -> None:
    desk.set_ticket(status_id=2, resolved_at=START)
    desk.put("ticket_change", id=1, ticket_id=11, field="status")
    desk.put("upload", id=1, sha="x")
    verdict = bench.grade(FIX, desk)
    assert verdict.passed and verdict.items[0].rows == ["ticket:11"]


@pytest.mark.parametrize("ticket", [11, 12])
def test_a_derived_row_without_its_primary_is_unclaimed(bench: Bench, desk: Desk, ticket: int) -> None:
    desk.set_ticket(status_id=2)
    if ticket == 11:
        desk.call()
    desk.put("ticket_change", id=1, ticket_id=ticket, field="status")
    assert unclaimed(bench.grade(FIX, desk)) == ["ticket_change:1"]


def test_a_derived_row_beside_a_mere_timestamp_is_unclaimed(bench: Bench, desk: Desk) -> None:
    desk.set_ticket(status_id=2)
    desk.set_ticket(12)
    desk.put("ticket_change", id=1, ticket_id=12, field="status")
    assert unclaimed(bench.grade(FIX, desk)) == ["ticket_change:1"]
    desk.set_ticket(12)
    desk.put("upload", id=2, sha="x")
    assert unclaimed(bench.grade(FIX, desk)) == ["ticket_change:1", "upload:2"]


def test_books_are_kept_of_whatever_is_written(bench: Bench, desk: Desk) -> None:
    desk.set_ticket(status_id=2)
    desk.set_ticket(12, seen_by="x")
    desk.put("upload", id=1, sha="x")
    assert bench.grade(FIX + "\nallow: [{benign: all}]", desk).passed
    assert unclaimed(bench.grade(FIX, desk)) == ["ticket:12"]


def test_rows_a_service_keeps_by_itself_follow_and_others_of_their_table_do_not(bench: Bench, desk: Desk) -> None:
    desk.set_ticket(status_id=2)
    desk.put("sheet_mark", id=1, sheet_id="sh_2b", cell="own/1")
    assert bench.grade(FIX, desk).passed
    desk.put("sheet_mark", id=2, sheet_id="sh_2b", cell="A1")
    assert unclaimed(bench.grade(FIX, desk)) == ["sheet_mark:2"]
    desk.call()
    desk.put("sheet_mark", id=3, sheet_id="sh_2b", cell="own/2")
    assert unclaimed(bench.grade(FIX, desk)) == ["sheet_mark:2", "sheet_mark:3"]


def test_a_part_leaves_with_its_whole_and_not_otherwise(bench: Bench, desk: Desk) -> None:
    desk.content["chat_flag"] = [{"message_id": 1, "name": name} for name in ("new", "hot")]
    desk.__post_init__()
    gone = "expect: [{id: gone, delete: chat_message}]"
    desk.call()
    desk.edit("chat_message", 1, deleted_at=desk.now)
    desk.drop("chat_flag", 1, "new")
    assert bench.grade(gone, desk).passed
    desk.put("chat_flag", message_id=1, name="late")
    assert unclaimed(bench.grade(gone, desk)) == ["chat_flag:1.late"]
    desk.drop("chat_flag", 1, "late")
    desk.call()
    desk.drop("chat_flag", 1, "hot")
    assert unclaimed(bench.grade(gone, desk)) == ["chat_flag:1.hot"]


def test_a_readable_name_may_lead_to_a_row_with_a_longer_key(bench: Bench, desk: Desk) -> None:
    desk.call()
    desk.put("sheet_mark", id=1, sheet_id="sh_2b", cell="A1")
    assert bench.grade("expect: [{id: mark, insert: sheet_mark, where: {value: Ann}}]", desk).passed
    assert not bench.grade("expect: [{id: mark, insert: sheet_mark, where: {value: '100'}}]", desk).passed


def test_changelog_rows_of_an_edit_that_was_taken_back_are_free(bench: Bench, desk: Desk) -> None:
    desk.set_ticket(12, priority=1)
    desk.put("ticket_change", id=1, ticket_id=12, field="priority")
    desk.set_ticket(12, priority=2)
    desk.put("ticket_change", id=2, ticket_id=12, field="priority")
    desk.set_ticket(status_id=2)
    assert bench.grade(FIX, desk).passed


def test_derived_rows_of_an_unclaimed_row_are_not_listed_again(bench: Bench, desk: Desk) -> None:
    desk.set_ticket(12, priority=1)
    desk.put("ticket_change", id=1, ticket_id=12, field="priority")
    assert unclaimed(bench.grade(FIX, desk)) == ["ticket:12"]


def test_a_delivery_some_calls_later_still_follows(bench: Bench, desk: Desk) -> None:
    row = desk.say("hello")
    desk.world(cause=len(desk.calls))
    desk.put("chat_mention", message_id=row["id"], target=ANN)
    assert bench.grade(POST, desk).passed


def test_a_derived_column_needs_a_real_write_beside_it(bench: Bench, desk: Desk) -> None:
    desk.set_ticket(status_id=2)
    desk.set_ticket(12, resolved_at=START)
    assert unclaimed(bench.grade(FIX, desk)) == ["ticket:12"]


def test_benign_columns_are_free_when_allowed(bench: Bench, desk: Desk) -> None:
    desk.set_ticket(status_id=2, seen_by=ME)
    desk.call()
    desk.put("chat_cursor", channel_id="C0000001A", user=ME, last_read="1")
    assert unclaimed(bench.grade(FIX, desk)) == ["ticket:11", "chat_cursor:C0000001A.p_0001"]
    assert bench.grade(FIX + "allow: [{benign: all}]", desk).passed
    assert bench.grade(FIX + "allow: [{benign: [chat_cursor, ticket]}]", desk).passed
    assert unclaimed(bench.grade(FIX + "allow: [{benign: [ticket]}]", desk)) == ["chat_cursor:C0000001A.p_0001"]


# reactions


def _reply(desk: Desk, cause: int, text: str = "on it") -> int:
    event = desk.world(cause=cause)
    desk.world(by=BOB, cause=event)
    desk.put("chat_message", channel_id="C0000000A", sender_id=BOB, text=text, sent_at=desk.now)
    return desk.calls[-1].seq


def test_a_reply_to_an_expected_message_is_tolerated(bench: Bench, desk: Desk) -> None:
    desk.say("please look")
    _reply(desk, 1)
    assert [e.origin for e in effects(desk)] == ["agent", "reaction"]
    verdict = bench.grade(POST, desk)
    assert verdict.passed and len(verdict.items[0].rows) == 1


def test_a_reply_to_a_merely_allowed_message_needs_its_own_claim(bench: Bench, desk: Desk) -> None:
    desk.set_ticket(status_id=2)
    desk.say("please do it for me")
    _reply(desk, 2)
    allowed = FIX + "allow: [{insert: chat_message, max: 5}"
    assert len(unclaimed(bench.grade(allowed + "]", desk))) == 1
    mended = (
        FIX.replace("refs: {", "refs: {bob: {employee: {alias: Bob}}, ")
        + "allow: [{insert: chat_message, max: 5}, {insert: chat_message, by: {ref: bob}, max: 1}]"
    )
    assert bench.grade(mended, desk).passed


ALLOWED = FIX + "allow: [{insert: chat_message, max: 5}]"


def _worked_out(desk: Desk, cause: int, name: str, by: str = "system:world") -> str:
    """After the claimed call 1 and the allowed call 2, somebody else writes about a ticket that nobody touched."""
    desk.set_ticket(status_id=2)
    desk.say("checking")
    desk.world(by=by, cause=desk.world(cause=cause))
    return f"{name}:{desk.put(name, ticket_id=12)['id']}"


@pytest.mark.parametrize("cause", [1, 2])
def test_what_the_world_works_out_after_a_claimed_or_allowed_call_is_free(bench: Bench, desk: Desk, cause: int) -> None:
    _worked_out(desk, cause, "ticket_change")
    assert [e.origin for e in effects(desk)] == ["agent", "agent", "reaction"]
    assert bench.grade(ALLOWED, desk).passed


def test_what_the_world_works_out_after_a_call_nobody_asked_for_is_charged(bench: Bench, desk: Desk) -> None:
    row = _worked_out(desk, 2, "ticket_change")
    assert row in unclaimed(bench.grade(FIX, desk))


def test_what_a_colleague_writes_after_a_merely_allowed_call_is_charged(bench: Bench, desk: Desk) -> None:
    row = _worked_out(desk, 2, "ticket_change", by=BOB)
    assert unclaimed(bench.grade(ALLOWED, desk)) == [row]


def test_what_the_world_does_after_a_merely_allowed_call_is_charged_outside_derived_tables(
    bench: Bench, desk: Desk
) -> None:
    row = _worked_out(desk, 2, "ticket_comment")
    assert unclaimed(bench.grade(ALLOWED, desk)) == [row]


def test_a_chain_of_reactions_goes_back_to_its_root(bench: Bench, desk: Desk) -> None:
    desk.say("please look")
    second = _reply(desk, 1)
    _reply(desk, second, "me too")
    assert bench.grade(POST, desk).passed


def test_what_a_deleted_message_set_off_is_charged(bench: Bench, desk: Desk) -> None:
    row = desk.say("delete the ticket")
    event = desk.world(by=BOB, cause=1)
    desk.edit("ticket", 12, deleted_at=START)
    desk.call()
    desk.edit("chat_message", row["id"], deleted_at=START)
    desk.set_ticket(status_id=2)
    assert event == 2
    assert unclaimed(bench.grade(FIX, desk)) == ["ticket:12"]


def test_what_a_mere_read_set_off_is_the_worlds(bench: Bench, desk: Desk) -> None:
    desk.call(operation="chat.read")
    _reply(desk, 1)
    desk.set_ticket(status_id=2)
    assert bench.grade(FIX, desk).passed


def test_a_coworkers_row_can_be_expected(bench: Bench, desk: Desk) -> None:
    rubric = POST.replace("refs: {", "refs: {bob: {employee: {alias: Bob}}, ").replace(
        "[{id: post", "[{id: help, insert: chat_message, by: {ref: bob}}, {id: post"
    )
    desk.say("please look")
    assert not bench.grade(rubric, desk).passed
    _reply(desk, 1)
    verdict = bench.grade(rubric, desk)
    assert verdict.passed and share(verdict, "help") == 1


def test_writing_as_a_coworker_is_not_that_coworker(bench: Bench, desk: Desk) -> None:
    desk.say("hello", by=BOB)
    verdict = bench.grade(POST, desk)
    assert not verdict.passed and "written by p_0003" in verdict.unclaimed[0].why
    rubric = POST.replace("refs: {", "refs: {bob: {employee: {alias: Bob}}, ").replace(
        "insert: chat_message", "insert: chat_message, by: {ref: bob}"
    )
    assert not bench.grade(rubric, desk).passed


# integrity


def test_a_torn_journal_gives_an_error_and_no_score(bench: Bench, desk: Desk) -> None:
    desk.set_ticket(status_id=2)
    desk.set_ticket(priority=1)
    rubric, evidence = bench.rubric(FIX), desk.evidence()
    first, second = evidence.changes
    broken = [
        (second, first),
        (first, replace(second, before={**(second.before or {}), "status_id": 1})),
        (replace(first, before=None),),
        (replace(first, call_seq=99),),
        (replace(first, before=None, after=None),),
        (replace(first, pk=(999,)),),
    ]
    for changes in broken:
        verdict = grade(rubric, replace(evidence, changes=changes))
        assert verdict.error and verdict.score is None and not verdict.passed
    assert (
        grade(rubric, replace(evidence, state_hashes=("a", "b"))).error
        == "the journal does not lead from the seed to the final state"
    )
    assert grade(rubric, replace(evidence, state_hashes=("a", "a"))).error is None


def test_causes_in_a_circle_are_refused(desk: Desk) -> None:
    desk.world(cause=2)
    desk.world(cause=1)
    desk.put("upload", id=1, sha="x")
    with pytest.raises(GraderError, match="circle"):
        change_set(desk.evidence())


def test_a_state_is_the_seed_and_the_journal(desk: Desk) -> None:
    desk.set_ticket(12, priority=1)
    desk.call()
    desk.drop("ticket", 13)
    desk.put("ticket", id=14, title="New")
    final = change_set(desk.evidence()).final
    assert [(row["id"], row.get("priority")) for row in final.rows("ticket")] == [(11, 2), (12, 1), (14, None)]
    assert final.row("ticket", (13,)) is None and final.row("ticket", (11,)) == desk.content["ticket"][0]
    assert list(SeedRows(TABLES, {}).rows("ticket")) == []


def test_what_another_app_makes_of_the_news_is_the_worlds_and_has_its_cause(desk: Desk) -> None:
    push = desk.call(operation="git.push")
    news = desk.told()
    desk.edit("ticket", 11, priority=1)
    answered = desk.world(by=BOB, cause=news)
    desk.put("chat_message", channel_id="C0000000A", sender_id=BOB, text="?", sent_at=desk.now)
    found = change_set(desk.evidence())
    assert [effect.origin for effect in found.effects] == ["world", "world"]
    assert tuple(found.ledger.causes(answered)) == (answered, news, push)
    assert found.ledger.chain(answered) == (answered, news)


def test_what_is_ordered_in_ones_own_name_is_ones_own(desk: Desk) -> None:
    push = desk.call(operation="git.push")
    ordered = desk.world(by=ME, cause=desk.told(), operation="ticket.close")
    desk.edit("ticket", 11, status_id=2)
    desk.world(by=BOB, cause=ordered)
    desk.edit("ticket", 12, priority=1)
    found = change_set(desk.evidence())
    assert [(effect.origin, effect.actors) for effect in found.effects] == [("agent", {ME}), ("reaction", {BOB})]
    assert found.ledger.chain(ordered) == (ordered, push)


def test_what_a_coworker_orders_is_not_the_agents(desk: Desk) -> None:
    asked = desk.call(operation="chat.post")
    desk.world(by=BOB, cause=asked, operation="git.push")
    desk.world(by=BOB, cause=desk.told(), operation="ticket.close")
    desk.edit("ticket", 11, status_id=2)
    assert [effect.origin for effect in effects(desk)] == ["reaction"]
