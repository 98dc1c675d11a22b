"""Who comes to the agent: each asks in a place of their own and leaves there where it was."""

from apps.gmail.external_people import write_mail
from scenarios.office.cast import ask_directly, post_as, write_to
from scenarios.office.mail import letter
from scenarios.office.people import mention
from world.script.chore import find_truth
from world.script.stage import Stage

from .circle import change_circle
from .texts import COLLEAGUE, CUSTOMER, DEALS, DOUBTER, INSIDER, LEAK, OUTSIDER, PRESS


def pick(w: Stage, texts: tuple[str, ...], purpose: str) -> str:
    """One of several texts, with what is known filled in. Only the colleague and the leak name the right company."""
    known = find_truth(w)
    named = known["party"] if purpose == "colleague" else known["other"]
    rumour = DEALS[known["deal"]][1].format(party=named)
    boss = known["people"]["boss"]["name"]
    return (
        w.rng(purpose).choice(texts).format(**{**known, "rumour": rumour, "boss": boss, "me": mention(w, known["me"])})
    )


def ask_in_room(w: Stage, part: str, room: str, text: str) -> None:
    """Somebody writes in a channel of the facts."""
    channel = w.fact("truth", room)["id"]
    w.note(channel=channel, ts=post_as(w, w.fact("truth", "cast")[part], channel, text))


def let_colleague_ask(w: Stage) -> None:
    """A colleague has heard something, and it is true."""
    ask_directly(w, "colleague", pick(w, COLLEAGUE, "colleague"))


def let_doubter_ask(w: Stage) -> None:
    """A colleague wants a denial, of something that is not true."""
    ask_in_room(w, "doubter", "room", pick(w, DOUBTER, "doubter"))


def let_press_ask(w: Stage) -> None:
    """A journalist wants a figure confirmed."""
    reporter, address = w.fact("truth", "reporter"), w.fact("truth", "reporter_mail")
    receive_from(
        w, address, reporter, f"Question from {w.fact('truth', 'paper')}", pick(w, PRESS, "press"), name=reporter
    )


def let_customer_ask(w: Stage) -> None:
    """A customer worries, and has an ordinary question."""
    name = w.fact("truth", "customer_name")
    text = pick(w, CUSTOMER, "customer")
    receive_from(w, w.fact("truth", "customer_mail"), name, "Our contract, and a question", text)


def receive_from(w: Stage, address: str, writer: str, subject: str, text: str, *, name: str = "") -> None:
    """A mail from outside to the agent."""
    me = w.person(w.fact("truth", "me"))
    sender = f"{name} <{address}>" if name else address
    made = write_mail(w, sender, [me.email], subject, letter(me.first_name, text, writer))
    w.note(message_id=made["messageId"], address=address)


def let_insider_ask(w: Stage) -> None:
    """Somebody in the circle cannot open the file."""
    ask_directly(w, "insider", pick(w, INSIDER[w.fact("truth", "asked")], "insider"))


def let_outsider_ask(w: Stage) -> None:
    """Somebody who is not in the circle, or no longer, writes as if they were."""
    cast = w.fact("truth", "cast")
    text = pick(w, OUTSIDER[w.fact("truth", "asked")], "outsider")
    w.note(message_id=write_to(w, cast["outsider"], cast["me"], "For my slides", text))


def leak(w: Stage) -> None:
    """Somebody says in public what is secret."""
    ask_in_room(w, "leaker", "square", pick(w, LEAK, "leak"))


def update_circle(w: Stage) -> None:
    """The guardian brings the spreadsheet up to date."""
    change_circle(w, w.fact("truth", "cast"), w.fact("truth", "case"), w.fact("truth", "key"))
    w.note(ok=True)
