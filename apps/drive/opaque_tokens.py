"""Opaque tokens that seal numbers: they reveal no row counts and are worthless to anybody but their caller."""

from world.core.call import Call
from world.core.errors import OperationError
from world.core.rng import digest

TAG, EACH = 3, 5  # bytes of a seal, of a number


def seal_numbers(call: Call, kind: str, *numbers: int) -> bytes:
    """Seal numbers in a token for the caller."""
    text = b"".join(number.to_bytes(EACH, "big") for number in numbers)
    tag = _tag(call, kind, text)
    return tag + _mask_text(call, tag, text)


def open_token(call: Call, kind: str, token: bytes, count: int) -> list[int]:
    """Return the numbers of a token given to this caller for this purpose. Raises bad_page_token."""
    tag, text = token[:TAG], _mask_text(call, token[:TAG], token[TAG:])
    if len(text) != count * EACH or _tag(call, kind, text) != tag:
        raise OperationError("bad_page_token")
    return [int.from_bytes(text[at : at + EACH], "big") for at in range(0, len(text), EACH)]


def _tag(call: Call, kind: str, text: bytes) -> bytes:
    return digest("drive page", call.rng.seed, call.person, kind, text.hex(), size=TAG)


def _mask_text(call: Call, tag: bytes, text: bytes) -> bytes:
    return bytes(
        one ^ other
        for one, other in zip(text, digest("drive token", call.rng.seed, tag.hex(), size=2 * EACH), strict=False)
    )
