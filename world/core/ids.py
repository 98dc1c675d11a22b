"""Identifiers: vendor-shaped ids from (seed, actor, time, ordinal), so that the same call mints the same id."""

from world.core.rng import Stream

UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class Ids:
    """Mints the ids of one call. `ordinal` counts the caller's earlier calls at the same time, as the acts of one event
    are, so ids never repeat in a world.
    """

    __slots__ = ("_path", "_stream")

    def __init__(self, seed: int, actor: str, now: int, ordinal: int = 0) -> None:
        self._path = (seed, "ids", actor, now, *([ordinal] if ordinal else []))
        self._stream = None

    def _draws(self) -> Stream:
        if self._stream is None:
            self._stream = Stream(*self._path)
        return self._stream

    def _text(self, alphabet: str, length: int) -> str:
        draws = self._draws()
        return "".join(alphabet[draws.bits() % len(alphabet)] for _ in range(length))

    def token(self, prefix: str = "", length: int = 10) -> str:
        """`prefix` and `length` upper-case letters and digits, as chat services give them."""
        return prefix + self._text(UPPER, length)

    def base62(self, length: int) -> str:
        """Letters and digits of both cases."""
        return self._text(BASE62, length)

    def hex(self, length: int) -> str:
        """Lower-case hex digits."""
        return self._text("0123456789abcdef", length)

    def digits(self, length: int) -> str:
        """Decimal digits, the first not 0."""
        return self._text("123456789", 1) + self._text("0123456789", length - 1)

    def uuid(self) -> str:
        """A version-4-shaped UUID."""
        raw = self.hex(32)
        return f"{raw[:8]}-{raw[8:12]}-4{raw[13:16]}-{'89ab'[int(raw[16], 16) % 4]}{raw[17:20]}-{raw[20:]}"
