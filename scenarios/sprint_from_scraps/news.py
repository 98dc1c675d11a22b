"""What changes on the second and the third day, and what people want who do not decide it."""

from scenarios.office.cast import ask_directly, write_to
from scenarios.office.tickets import comment, move_ticket, post
from world.script.stage import Stage

from .scraps import ROOM, name_tickets, write_directly
from .texts import BACK, GO, HURRY, ILL, LATE, PRESSURE, RAISED, TAKEN, UNBLOCKED

PLACES = {"easy": ("mail",), "medium": ("mail", "dm"), "hard": ("dm", "room")}
"""Where engineers say what is new about themselves."""


def pick(w: Stage, texts: tuple[str, ...], purpose: str, **more: object) -> str:
    """One of several texts, with keys, customers and names."""
    boss = w.fact("truth", "boss_name")
    known = {**w.fact("truth", "known"), **name_tickets(w), "boss": boss, **more}
    return w.rng(purpose).choice(texts).format(**known)


def tell(w: Stage, part: str, subject: str, text: str, difficulty: str) -> None:
    """An engineer says what is new where engineers do at this difficulty."""
    who, place = w.fact("truth", "cast")[part], w.rng("place", part).choice(PLACES[difficulty])
    if place == "room":
        post(w, who, ROOM, text)
    elif place == "dm":
        write_directly(w, who, text)
    else:
        write_to(w, who, w.fact("truth", "me"), subject, text)
    w.note(place=place)


def fall_ill(w: Stage, difficulty: str) -> None:
    """One is ill for the first days of the sprint."""
    days, last = w.fact("truth", "days"), w.fact("truth", "away")[1]["e2"] - 2
    tell(w, "e2", "Ill", pick(w, ILL, "ill", day=days[last]), difficulty)


def take_back(w: Stage) -> None:
    """A promise is taken back, by mail."""
    _write(w, "seller", "A promise less", pick(w, TAKEN, "taken"))


def press(w: Stage, difficulty: str) -> None:
    """Somebody wants a ticket in the sprint; at the hardest they say that who decides agrees."""
    texts = PRESSURE["borrowed" if difficulty == "hard" else "plain"]
    ask_directly(w, "presser", pick(w, texts, "press"))


def come_back(w: Stage, difficulty: str) -> None:
    """A holiday is cancelled."""
    tell(w, "e3", "My holiday", pick(w, BACK, "back"), difficulty)


def resolve(w: Stage, difficulty: str) -> None:
    """What a ticket waits for is done; at the hardest nobody says so."""
    blocker = w.fact("truth", "tickets")["blocker"]
    move_ticket(w, blocker["by"], blocker["key"], "Done")
    if difficulty != "hard":
        post(w, blocker["by"], ROOM, pick(w, UNBLOCKED, "unblocked"))


def estimate_anew(w: Stage, difficulty: str) -> None:
    """An assignee corrects an estimate in a comment; at the easiest they also write a mail."""
    ticket = w.fact("truth", "tickets")["raised"]
    text = pick(w, RAISED, "raised", points=w.fact("truth", "points")[2]["raised"])
    comment(w, ticket["by"], ticket["key"], text)
    if difficulty == "easy":
        write_to(w, ticket["by"], w.fact("truth", "me"), ticket["key"], text)


def promise_late(w: Stage) -> None:
    """A new promise, by mail."""
    _write(w, "seller", "A new promise", pick(w, LATE, "late"))


def hurry(w: Stage) -> None:
    """Somebody wants the sprint started."""
    ask_directly(w, "e5", pick(w, HURRY, "hurry"))


def let_start(w: Stage) -> None:
    """Who decides says when the sprint starts."""
    text = pick(w, GO, "go", sprint=w.fact("truth", "sprint")["name"])
    _write(w, "boss", "The start", text)


def _write(w: Stage, part: str, subject: str, text: str) -> None:
    cast = w.fact("truth", "cast")
    w.note(message_id=write_to(w, cast[part], cast["me"], subject, text))
