"""A deployment broke something: find which, take it back through CI, tell those affected, and say truly when it is over."""

from datetime import UTC, datetime, timedelta

from scenarios.office.cast import describe_member, draw_cast
from scenarios.office.code import login
from scenarios.office.people import common_channels
from scenarios.office.requests import deliver
from world.core.clock import SECOND
from world.script.chore import find_truth
from world.script.loader import Card
from world.script.scenario import Script
from world.script.stage import Facts, Stage

from .cast import PARTS
from .colleagues import blame, clear, fire, hope, list_coworkers
from .customers import customer_asks, write_tab
from .deployments import deploy_all
from .revert import watch_reverts
from .texts import REQUESTS

card = Card(
    title="A bad deploy",
    agent={"fact": "truth.me"},
    apps=("github", "slack", "gmail", "sheets"),
    start="6h",
    horizon="3h",
    max_calls=1500,
    minutes=20,
    tags=("incident", "code"),
)

HOURS = 160  # minutes that the agent has the pager
PLACES = ("mail", "dm")


def scenario(s: Script) -> None:
    """An alert, a wrong suspect, a customer; the revert's builds, its review and its deployment, and a late end."""
    flaky = s.rng("flaky").random() < 2 / 3
    s.at("+0s", plant, name="truth")
    asked = s.at("+0s", ask_watch, name="request")
    s.at(f"+{s.rng('alert').integer(3, 6)}m", fire, name="alert")
    s.at(f"+{s.rng('voice').integer(9, 12)}m", blame, name="voice")
    s.at(f"+{s.rng('customer').integer(7, 8)}m", customer_asks, name="customer_asks")
    deployed = watch_reverts(s, asked, flaky=flaky)
    s.after(deployed, "3m", hope, name="hope")
    s.after(deployed, f"{s.rng('cleared').integer(14, 22)}m", clear, name="cleared")
    for one in list_coworkers():
        s.coworker(one)


def plant(w: Stage) -> None:
    """Draw who plays which part, create what was deployed and who uses it; leave it all as facts."""
    cast, draws = draw_cast(w, PARTS), w.rng("plant")
    made = deploy_all(w, cast, draws.integer(3, 9))
    room = next(name for name in ("alerts-payments", "alerts-checkout") if name in _rooms(w, cast["me"]))
    until = datetime.fromtimestamp(w.now // SECOND, UTC) + timedelta(minutes=HOURS)
    words = "".join(one.capitalize() for one in made["repo"].split("-"))
    facts: Facts = dict(
        me=cast["me"],
        my_login=login(w, cast["me"]),
        asker=cast["asker"],
        asker_name=w.person(cast["asker"]).full_name,
        asker_title=w.person(cast["asker"]).title,
        asker_mail=w.person(cast["asker"]).email,
        cast=cast,
        place=draws.choice(PLACES),
        subject=made["repo"],
        request=draws.choice(REQUESTS).format(repo=made["repo"], until=f"{until:%H:%M}"),
        until=f"{until:%H:%M}",
        alert=f"{words}{draws.choice(('Errors', 'RequestsFail', 'Failing', 'ErrorRate'))}",
        room=w.find("slack_channel", name=room)["id"],
        reviewer=describe_member(w, cast["reviewer"]),
        **made,
        **write_tab(w, made["repo"]),
    )
    w.note(**facts)


def _rooms(w: Stage, person: str) -> list[str]:
    return common_channels(w, person)


def ask_watch(w: Stage) -> None:
    """The request is made."""
    w.note(channel="", ts="", message_id="", key="")
    deliver(w, find_truth(w))
