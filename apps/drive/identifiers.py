"""Ids reserved before their file exists; they can be recognised without a row."""

from world.core.call import Call
from world.core.ids import BASE62
from world.core.rng import digest

LENGTH, MARK = 24, 8


def _mark(call: Call, drawn: str) -> str:
    return "".join(BASE62[byte % 62] for byte in digest("generated id", call.rng.seed, drawn, size=MARK))


def draw_id(call: Call) -> str:
    """A new id."""
    text = call.ids.base62(LENGTH)
    return f"1{text}{_mark(call, text)}"


def was_drawn(call: Call, key: str) -> bool:
    """Whether an id was handed out in this world."""
    return len(key) == 1 + LENGTH + MARK and key[0] == "1" and _mark(call, key[1 : 1 + LENGTH]) == key[1 + LENGTH :]
