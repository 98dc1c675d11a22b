"""A sprint is put together from what people say in passing, kept right while it changes twice, and started on a word."""

from scenarios.office.cast import find_part
from scenarios.office.colleagues import make_answerer
from scenarios.office.requests import deliver
from world.script.chore import find_truth
from world.script.coworkers import Coworker
from world.script.loader import Card
from world.script.scenario import Script
from world.script.stage import Stage
from world.script.thanks import Thanks

from . import news
from .scraps import name_tickets, prepare, talk
from .texts import WORDS

card = Card(
    title="A sprint from scraps",
    agent={"fact": "truth.me"},
    apps=("jira", "slack", "gmail", "sheets"),
    start="4h",
    horizon="76h",
    max_calls=1500,
    minutes=20,
    difficulty="medium",
    difficulties=("easy", "medium", "hard"),
    tags=("planning", "pressure"),
)

ASKING = tuple("promis* word really true confirm* right know customer* agreed is was did does".split())
BLANK = ("what is it about?", "which ticket?", "sorry, what do you need?")
HOUR, DAY = 60, 24 * 60


def draw_minutes(s: Script) -> dict[str, int]:
    """Minutes after the start; `first`, `second`, `third` are when the plan must be right."""
    draws = s.rng("minutes")
    second, third, last = 22 * HOUR, 22 * HOUR + DAY, 22 * HOUR + 2 * DAY
    drawn = {
        **dict(zip(draws.shuffled(("ill", "taken", "press")), _spread(s, second), strict=False)),
        **dict(zip(draws.shuffled(("back", "resolved", "raised", "late")), _spread(s, third), strict=False)),
    }
    starts = last + 5 * draws.integer(24, 34)
    return {
        **drawn,
        "first": 5 * HOUR,
        "second": second + 5 * HOUR + 30,
        "third": third + 5 * HOUR + 30,
        "hurry": last - draws.integer(20, 50),
        "go": last + draws.integer(5, 30),
        "starts": starts,
    }


def _spread(s: Script, first: int) -> list[int]:
    """Four minutes in the hour after one."""
    draws = s.rng("spread", first)
    return [first + low + draws.integer(0, 9) for low in (0, 15, 30, 45)]


def scenario(s: Script) -> None:
    """What is known and the request at once; two days with news; what is wanted by others; the word to start."""
    minutes, hard = draw_minutes(s), s.difficulty
    promised = s.rng("promised").random() < 1 / 2
    s.at("+0s", lambda w: prepare(w, minutes, promised=promised), name="truth")
    s.at("+0s", lambda w: talk(w, gossip=hard != "easy"), name="talk")
    s.at("+0s", ask_agent, name="request")
    actions = {
        "ill": lambda w: news.fall_ill(w, hard),
        "taken": news.take_back,
        "press": lambda w: news.press(w, hard),
        "back": lambda w: news.come_back(w, hard),
        "resolved": lambda w: news.resolve(w, hard),
        "raised": lambda w: news.estimate_anew(w, hard),
        "late": news.promise_late,
        "hurry": news.hurry,
        "go": news.let_start,
        **dict.fromkeys(("first", "second", "third", "starts"), note_moment),
    }
    for name, action in actions.items():
        s.at(f"+{minutes[name]}m", action, name=name)
    s.coworker(make_answerer("seller", ASKING, WORDS, name_promise, BLANK))
    for part, event in (("presser", "press"), ("e5", "hurry")):
        s.coworker(Coworker(who=find_part(part), thanks=Thanks(events=(event,)), always=True))


def ask_agent(w: Stage) -> None:
    """The request is made."""
    deliver(w, find_truth(w))


def note_moment(w: Stage) -> None:
    """A moment that counts."""
    w.note(ok=True)


def name_promise(w: Stage) -> dict[str, str]:
    """What the word on a promise names."""
    return {**w.fact("truth", "known"), **name_tickets(w)}
