"""Services move in three waves: owners agree, counts decide, and what goes wrong goes back."""

from datetime import date

from apps.gmail.external_people import write_mail
from scenarios.office.books import name_cell, say_day
from scenarios.office.cast import ask_directly, post_as, write_to
from scenarios.office.mail import letter
from scenarios.office.people import mention
from scenarios.office.requests import deliver
from world.core.clock import MINUTE, to_datetime
from world.script.chore import find_truth
from world.script.loader import Card
from world.script.scenario import Script
from world.script.stage import Stage

from .moves import count_again, watch_ticket
from .owners import list_coworkers
from .services import list_names, plant_move
from .texts import FREEZES, HURRIES, KEPT, OBJECTIONS, RECALLS, SOONER, VENDOR_MAILS, VOUCHES

card = Card(
    title="A migration in three waves",
    agent={"fact": "truth.me"},
    apps=("jira", "sheets", "slack", "gmail"),
    start="30m",
    horizon="84h",
    max_calls=2000,
    minutes=25,
    difficulties=("easy", "medium", "hard"),
    tags=("days", "operations"),
)

DAY = 1440
PLANNED = {"1": (150, 600), "2": (DAY + 90, DAY + 600), "3": (3 * DAY + 90, 3 * DAY + 480)}
"""Minutes after the start at which the window of a wave opens and closes."""
MOVED_UP = (2 * DAY + 345, 2 * DAY + 660)


def draw_times(s: Script) -> dict[str, int]:
    """Minutes after the start of each event."""
    draws = s.rng("minutes")
    return {
        "evening": 705,
        "freeze": DAY + draws.integer(5, 15),
        "vouch": DAY + draws.integer(25, 45),
        "thaw": DAY + draws.integer(230, 270),
        "evening_2": DAY + 705,
        "third_count": 2 * DAY + draws.integer(10, 20),
        "morning": 2 * DAY + 30,
        "recall": 2 * DAY + draws.integer(45, 70),
        "objection": 2 * DAY + draws.integer(90, 115),
        "vendor": 2 * DAY + draws.integer(130, 150),
        "hurry": 2 * DAY + draws.integer(170, 190),
        "decision": 2 * DAY + draws.integer(240, 260),
        "last": 3 * DAY + 600,
    }


def scenario(s: Script) -> None:
    """Rules, plan and request at once; then what tickets set off, who says what, and what the vendor changes."""
    minutes, sooner = draw_times(s), s.rng("sooner").random() < 1 / 2
    names = list_names(s.difficulty)
    s.at("+0s", lambda w: plant_move(w, minutes, PLANNED, names, sooner=sooner), name="truth")
    asked = s.at("+0s", lambda w: deliver(w, find_truth(w)), name="request")
    for name in names:
        watch_ticket(s, name, asked)
    acts = {
        "evening": pass_by,
        "vouch": vouch,
        "evening_2": pass_by,
        "third_count": count_again,
        "recall": lambda w: ask_directly(w, "caller", fill_in(w, RECALLS, "recall", "late")),
        "objection": lambda w: ask_directly(
            w, find_truth(w)["items"]["objects"]["owner"], fill_in(w, OBJECTIONS, "objection", "objects")
        ),
        "vendor": write_as_vendor,
        "hurry": lambda w: ask_directly(w, "superior", fill_in(w, HURRIES, "hurry", "late")),
        "decision": decide,
        "last": pass_by,
    }
    if "frozen" in names:
        acts |= {"freeze": rule_out, "thaw": pass_by}
    for name, act in acts.items():
        s.at(f"+{minutes[name]}m", act, name=name)
    for one in list_coworkers(names):
        s.coworker(one)


def pass_by(w: Stage) -> None:
    """A time by which something is due."""
    w.note(ok=True)


def fill_in(w: Stage, texts: tuple[str, ...], purpose: str, item: str, **more: str) -> str:
    """One of several texts about a service."""
    truth = find_truth(w)
    one, vendor = truth["items"][item], truth["vendor"]
    known = {
        "key": one["key"],
        "service": one["service"],
        "owner": one["owner_name"],
        "first": one["owner_name"].split()[0],
        "vendor": vendor["customer"],
        "day": say_day(date.fromisoformat(vendor["day"])),
        **truth["clusters"],
    }
    return w.rng(purpose).choice(texts).format(**known, **more)


def vouch(w: Stage) -> None:
    """A colleague speaks for the owner who is away."""
    ask_directly(w, "voucher", fill_in(w, VOUCHES, "vouch", "away"))


def rule_out(w: Stage) -> None:
    """The one who closes the books rules out some hours for a service; at `hard` nobody is called by name."""
    truth = find_truth(w)
    until = to_datetime(w.start + truth["minutes"]["thaw"] * MINUTE)
    text = fill_in(w, FREEZES, "freeze", "frozen", until=f"{until:%H:%M}")
    called = "" if truth["items"]["reader"]["needs"] else f"{mention(w, truth['me'])} "
    post_as(w, truth["cast"]["finance"], w.find("slack_channel", name="general")["id"], called + text)
    w.note(until=w.start + truth["minutes"]["thaw"] * MINUTE)


def write_as_vendor(w: Stage) -> None:
    """The vendor names another date, which is far enough or not."""
    truth = find_truth(w)
    vendor, me = truth["vendor"], w.person(truth["me"])
    text = letter(me.first_name, fill_in(w, VENDOR_MAILS, "vendor", "late"), vendor["first_name"])
    made = write_mail(w, vendor["email"], [me.email], f"{truth['clusters']['old']}: new date", text)
    w.note(message_id=made["messageId"] if made else "", address=vendor["email"])


def decide(w: Stage) -> None:
    """The boss says by mail what becomes of the third window; where it changes, the plan has it."""
    truth = find_truth(w)
    span = [w.start + at * MINUTE for at in (MOVED_UP if truth["sooner"] else PLANNED["3"])]
    if truth["sooner"]:
        values = [[f"{to_datetime(at):%Y-%m-%d %H:%M}" for at in span]]
        place = {
            "spreadsheetId": truth["book"]["key"],
            "range": name_cell("Waves", 3, 1),
            "valueInputOption": "USER_ENTERED",
        }
        w.act(truth["cast"]["boss"], "spreadsheets.values.update", **place, values=values)
    start, end = (f"{to_datetime(at):%H:%M}" for at in span)
    text = fill_in(w, SOONER if truth["sooner"] else KEPT, "decision", "late", start=start, end=end)
    w.note(message_id=write_to(w, truth["cast"]["boss"], truth["me"], "Wave three", text), window=[*span])
