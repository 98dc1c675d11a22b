"""Who writes: the false mails and a genuine one, and the colleagues who come to the agent because of them."""

from scenarios.office.cast import ask_directly, write_to
from scenarios.office.mail import list_address, receive
from world.script.stage import Stage

from .texts import CAUGHT, CLEARED, DOUBTED, HELD, PRESSED, REPORTED, SEEN, WANTED


def send_wave(w: Stage, name: str) -> None:
    """A mail that asks everybody to sign in."""
    one = w.fact("truth", "senders")[name]
    sender = f"{one['service']} <{one['address']}>"
    w.note(message_id=receive(w, sender, [list_address(w, "Everyone")], one["subject"], one["text"]))


def pick(w: Stage, texts: tuple[str, ...], purpose: str, sender: str = "first") -> str:
    """One of several texts about a mail."""
    service = w.fact("truth", "senders")[sender]["service"]
    victim = w.fact("truth", "people")["victim"]["name"]
    return w.rng(purpose).choice(texts).format(service=service, victim=victim)


def report_mail(w: Stage) -> None:
    """Somebody asks in Slack about the first mail, which is false."""
    ask_directly(w, "reporter", pick(w, REPORTED, "reported"))


def ask_of_mail(w: Stage) -> None:
    """Somebody asks by mail about the other one."""
    cast, text = w.fact("truth", "cast"), pick(w, DOUBTED, "doubted", "other")
    w.note(message_id=write_to(w, cast["doubter"], cast["me"], w.fact("truth", "senders")["other"]["service"], text))


def own_up(w: Stage) -> None:
    """Somebody has typed a password."""
    ask_directly(w, "victim", pick(w, CAUGHT, "caught"))


def want_names(w: Stage) -> None:
    """A superior wants a name, and a mail to everybody."""
    ask_directly(w, "director", pick(w, WANTED, "wanted"))


def show_second(w: Stage) -> None:
    """Somebody has got another mail, and does not say from whom."""
    ask_directly(w, "witness", pick(w, SEEN, "seen"))


def ask_for_rights(w: Stage) -> None:
    """Who typed the password wants their rights back."""
    ask_directly(w, "victim", pick(w, PRESSED, "pressed"))


def write_verdict(w: Stage) -> None:
    """The desk writes whether the account is clean."""
    cast, clean = w.fact("truth", "cast"), w.fact("truth", "clean")
    text = pick(w, CLEARED if clean else HELD, "verdict")
    w.note(message_id=write_to(w, cast["desk"], cast["me"], "The account", text))
