"""Names of emoji: several names of one picture are one reaction, and a word without a picture is no emoji.

docs.slack.dev/reference/methods/reactions.add (`invalid_name`); the aliases are those of the picker's data set.
"""

import re
from functools import cache

from apps.slack.models import Emoji
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.lazy import Lazy
from world.web.emoji import ALIASES, BY_NAME

PRIMARY = {"thumbsup": "+1", "thumbsdown": "-1"}  # what the service itself calls what the picker lists otherwise
TONE = re.compile(r"(?P<name>.+?)(?P<tone>::skin-tone-[2-6])?")
FLAG = re.compile(r"flag-[a-z]{2}|flag-(england|scotland|wales)")
PERSON = re.compile(r"(male|man|female|woman)-(?P<what>\w+)")
MAX_NAME = 100
PICTURES = "https://a.slack-edge.com/production-standard-emoji-assets/14.0/apple-large/{}.png"


def find_stored_name(call: Call, name: str) -> str:
    """The name under which the service keeps an emoji, whichever of its names is given. Raises invalid_name."""
    found = TONE.fullmatch(name.strip().strip(":").lower()[: MAX_NAME + 1])
    if found is None or len(name) > MAX_NAME:
        raise OperationError("invalid_name")
    stored = _find_custom(call, found["name"]) or find_primary_name(found["name"])
    if stored is None:
        raise OperationError("invalid_name")
    return stored + (found["tone"] or "")


def _find_custom(call: Call, name: str) -> str | None:
    row = call.session.get(Emoji, name)
    if row is None:
        return None
    return find_primary_name(row.alias_for) or row.alias_for if row.alias_for else row.name


@cache
def find_primary_name(name: str) -> str | None:
    """Return the first name of an emoji's picture; None for a word that is no emoji."""
    known = ALIASES.get(name, name)
    if known in BY_NAME:
        return PRIMARY.get(known, known)
    if FLAG.fullmatch(name):
        return name
    picture = _find_picture(name)
    return None if picture is None else _names_of_pictures().get(picture, name)


def describe_emoji(name: str) -> list[JsonObject]:
    """Return the display data of a status emoji: its name, its character as hex, the address of its picture."""
    plain = name.strip(":")
    picture = BY_NAME.get(ALIASES.get(plain, plain)) or _find_picture(plain)
    if not picture:
        return []
    code = "-".join(f"{ord(one):x}" for one in picture)
    return [{"emoji_name": plain, "display_url": PICTURES.format(code), "unicode": code}]


def _find_picture(name: str) -> str | None:
    pictures: dict[str, str] = Lazy("rich._emoji_codes").EMOJI
    person = PERSON.fullmatch(name)
    spelled = f"{'man' if person[1] in ('male', 'man') else 'woman'}_{person['what']}" if person else name
    found = pictures.get(spelled)
    return None if found is None else _bare(found)


@cache
def _names_of_pictures() -> dict[str, str]:
    """The first name of each picture: the picker's, or the shortest there is."""
    pictures: dict[str, str] = Lazy("rich._emoji_codes").EMOJI
    named: dict[str, str] = {}
    for name in sorted(pictures, key=lambda one: (len(one), one)):
        named.setdefault(_bare(pictures[name]), name)
    return named | {_bare(char): PRIMARY.get(name, name) for name, char in BY_NAME.items()}


def _bare(picture: str) -> str:
    return picture.replace("\ufe0f", "")
