"""Questions that customers ask about the product, with the values a team keeps as answers."""

from world.script.chore import Draw
from world.script.stage import Facts

# topic: (what it is called, the question, the note with its value, how it is answered, values as facts)
TOPICS: dict[str, tuple[str, str, str, str, tuple[str, ...]]] = {
    "export": (
        "the order export",
        "How long can we download an order export before it is gone?",
        "Order exports can be downloaded for {value}.",
        "An order export can be downloaded for {value}.",
        ("12 days", "21 days", "40 days", "75 days"),
    ),
    "sandbox": (
        "sandbox keys",
        "After how many days does a sandbox key expire?",
        "Sandbox keys expire after {value}.",
        "A sandbox key expires after {value}.",
        ("55 days", "80 days", "120 days", "150 days"),
    ),
    "webhooks": (
        "webhook retries",
        "For how long do you try to deliver a webhook when our side is down?",
        "Webhooks are tried again for {value}.",
        "We try to deliver a webhook for {value}.",
        ("18 hours", "30 hours", "42 hours", "66 hours"),
    ),
    "upload": (
        "the size of catalogue files",
        "How large may a catalogue file be when we upload it?",
        "Catalogue files: at most {value} per upload.",
        "A catalogue file may have {value} at most.",
        ("25 MB", "45 MB", "85 MB", "130 MB"),
    ),
    "sessions": (
        "sessions of buyers",
        "After what time without a click is a buyer logged out?",
        "Buyers are logged out after {value} without activity.",
        "A buyer is logged out after {value} without activity.",
        ("25 minutes", "35 minutes", "50 minutes", "70 minutes"),
    ),
    "quotes": (
        "saved carts",
        "How long does a saved cart keep its prices?",
        "Saved carts keep their prices for {value}.",
        "A saved cart keeps its prices for {value}.",
        ("9 days", "16 days", "24 days", "36 days"),
    ),
    "logs": (
        "the access log",
        "How far back does the access log of our account go?",
        "The access log of an account goes back {value}.",
        "The access log goes back {value}.",
        ("110 days", "200 days", "270 days", "400 days"),
    ),
    "invites": (
        "invitations of users",
        "How long is an invitation for a new user valid?",
        "Invitations for new users are valid for {value}.",
        "An invitation is valid for {value}.",
        ("5 days", "8 days", "11 days", "17 days"),
    ),
}

# words by which the topic is known in an answer
WORDS = {
    "export": ("export", "exports"),
    "sandbox": ("sandbox", "key", "keys"),
    "webhooks": ("webhook", "webhooks"),
    "upload": ("catalogue", "upload", "uploads", "file", "files"),
    "sessions": ("session", "sessions", "buyer", "buyers", "logged out"),
    "quotes": ("cart", "carts", "prices"),
    "logs": ("log", "logs", "access log"),
    "invites": ("invitation", "invitations", "invite", "invites"),
}


def draw_topic(d: Draw, name: str) -> Facts:
    """A topic with a value of this draw: `called`, `question`, `note`, `answer`, `value`, `words`."""
    called, question, note, said, values = TOPICS[name]
    value = d.pick(values, f"value of {name}")
    return {
        "called": called,
        "question": question,
        "note": note.format(value=value),
        "answer": said.format(value=value),
        "value": value,
        "words": WORDS[name],
    }
