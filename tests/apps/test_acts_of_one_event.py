"""What one person does several times in one event: each act is an act of its own, in every app."""

from tests.apps.conversation import BOSS, EXPERT, ME, Play
from world.core.clock import MINUTE
from world.script.scenario import Script
from world.script.stage import Stage


def test_several_acts_of_one_person_in_one_event_all_happen(play: Play) -> None:
    def act(w: Stage) -> None:
        for number, reader in enumerate((ME, BOSS)):
            account = w.find("account", app="slack", person_id=reader)["external_id"]
            w.act(EXPERT, "conversations.open", users=account)
            w.act(EXPERT, "conversations.create", name=f"topic-{number}")
            w.act(EXPERT, "spreadsheets.create", properties={"title": f"Book {number}"})
            w.act(EXPERT, "mail.send", to=[w.person(reader).email], subject=f"Mail {number}", text="For you.")
            bot = w.find("person", handle="vendor-status")["id"]
            vendor = w.rows("status_page")[0]["id"]
            more = {"name": "Errors", "impact": "major", "status": "identified", "body": "We look."}
            w.act(bot, "status.post", vendor=vendor, incident=f"inc-{number}", **more)

    def tell(s: Script) -> None:
        s.at("+1m", act, name="busy")

    room = play(tell)
    room.host.strict = True
    actor = room.host.actors[room.name]
    actor.advance(actor.now + 2 * MINUTE)
    assert room.rows("SELECT count(*) FROM slack_channel WHERE name LIKE 'topic-_'") == [(2,)]
    assert room.rows("SELECT count(*) FROM drive_file WHERE name LIKE 'Book _'") == [(2,)]
    assert room.rows("SELECT count(*) FROM gmail_mail WHERE subject LIKE 'Mail _'") == [(2,)]
    assert room.rows("SELECT count(*) FROM status_incident WHERE id LIKE 'inc-_'") == [(2,)]
    assert room.rows("SELECT count(*) FROM _call WHERE status NOT IN ('ok', 'running')") == [(0,)]
