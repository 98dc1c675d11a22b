"""What a pack may not contain."""

import re
from collections.abc import Iterable, Iterator

from seeds.content_packs import SLOT, ContentLibrary, Ticket, Turn

BANNED = (
    "hope this finds you well",
    "delve",
    "great question",
    "i'd be happy to",
    "i'm happy to help",
    "certainly!",
    "absolutely!",
    "as an ai",
    "let's dive",
    "dive into",
    "game-changer",
    "game changer",
    "leverage",
    "seamless",
    "robust solution",
    "circle back",
    "touch base",
    "rest assured",
    "it's worth noting",
    "in conclusion",
    "furthermore",
    "moreover",
    "kindly be informed",
    "tapestry",
    "lorem ipsum",
)
DASH = re.compile("\u2014|\\w \u2013 \\w")
US_DATE = re.compile(r"\b(?:1[0-2]|0?[1-9])/(?:1[3-9]|2\d|3[01])/(?:20)?\d\d\b")
LONG = 3  # words a turn may have and still be repeated


def complaints(library: ContentLibrary) -> list[str]:
    """Everything a reader would stumble over in the packs' texts; empty when clean."""
    said: list[str] = []
    seen: dict[str, str] = {}
    for where, text in texts(library):
        lower = text.lower()
        said += [f"{where}: {phrase!r}" for phrase in BANNED if phrase in lower]
        if DASH.search(text):
            said.append(f"{where}: a dash nobody types in a chat: {text[:60]!r}")
        if US_DATE.search(text):
            said.append(f"{where}: a date only Americans read: {text[:60]!r}")
        plain = " ".join(SLOT.sub("", lower).split()).strip(" .!")
        if len(plain.split()) > LONG:
            if plain in seen:
                said.append(f"{where}: says what {seen[plain]} says: {text[:60]!r}")
            seen[plain] = where
    return [*said, *_stiff(library)]


def _stiff(library: ContentLibrary) -> Iterator[str]:
    """Conversations in which every turn is a full sentence with a full stop, by more than one voice."""
    for chat in library.chats:
        if (
            len(chat.turns) >= 4
            and len({turn.by for turn in chat.turns}) > 1
            and all(turn.say.endswith(".") for turn in chat.turns)
        ):
            yield f"{chat.id}: everybody writes full sentences with a full stop"


def texts(library: ContentLibrary) -> Iterator[tuple[str, str]]:
    """Every authored text with where it stands."""
    for chat in library.chats:
        yield from _turns(chat.id, chat.turns)
    for epic in library.epics:
        for ticket in epic.tickets:
            yield from _ticket(ticket)
    for letter in library.letters:
        yield f"{letter.id} subject", letter.subject
        for number, mail in enumerate(letter.mails, 1):
            yield f"{letter.id} {number}", mail.say
    for incident in library.incidents:
        for scene in incident.scenes:
            yield from _turns(incident.id, scene.turns)
        for ticket in (incident.ticket, *incident.actions):
            yield from _ticket(ticket)


def _ticket(ticket: Ticket) -> Iterator[tuple[str, str]]:
    yield f"{ticket.id} title", ticket.title
    if ticket.desc:
        yield f"{ticket.id} description", ticket.desc
    yield from _turns(ticket.id, (*ticket.comments, *ticket.log))
    for scene in ticket.scenes:
        yield from _turns(ticket.id, scene.turns)


def _turns(where: str, turns: Iterable[Turn]) -> Iterator[tuple[str, str]]:
    for number, turn in enumerate(turns, 1):
        yield f"{where} {number}", turn.say
