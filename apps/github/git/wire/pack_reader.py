"""Reader of packs: every limit is checked before the memory is spent."""

import hashlib
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from apps.github.git.store import KINDS
from apps.github.git.wire import limits

OFS_DELTA, REF_DELTA = 6, 7
HEADER, TRAILER = 12, 20
LEAST = 9  # bytes of the smallest entry: a header, and zlib's form of nothing
PIECE = 64 * 1024

Base = Callable[[str], tuple[int, bytes] | None]  # an object the store has, by sha


class PackRefused(Exception):
    """A refused pack; the texts are for the person who pushed, `why` is the last of them."""

    def __init__(self, why: str, *before: str) -> None:
        super().__init__(why)
        self.why, self.before = why, list(before)


class FileTooLarge(PackRefused):
    """Error for an object above the limit of one file."""

    def __init__(self, size: int) -> None:
        super().__init__("pre-receive hook declined")
        self.size = size


@dataclass(slots=True)
class _Delta:
    """A delta whose base is not known yet. `size` is that of its result."""

    offset: int
    data: bytes
    start: int
    base_size: int
    size: int


@dataclass(slots=True)
class _Grown:
    """A resolved object, and the number of deltas applied."""

    offset: int | None
    kind: int
    raw: bytes
    depth: int


def unpack(pack: bytes, base: Base) -> Iterator[tuple[str, int, bytes]]:
    """Yield SHA, kind and content of every object of a pack; `base` supplies missing bases. Raises PackRefused."""
    reader = _Reader(pack, _count(pack))
    whole = list(reader.entries())
    yield from reader.grow(whole, base)


def _count(pack: bytes) -> int:
    """Return the number of objects that a complete pack declares."""
    if len(pack) > limits.MAX_PACK:
        raise PackRefused(f"pack exceeds maximum allowed size ({limits.MAX_PACK / limits.MIB:.2f} MiB)")
    if len(pack) < HEADER + TRAILER or pack[:4] != b"PACK":
        raise PackRefused("bad pack header")
    version, count = struct.unpack(">II", pack[4:HEADER])
    if version not in (2, 3):
        raise PackRefused(f"unsupported pack version {version}")
    if count > limits.MAX_OBJECTS:
        raise PackRefused(f"pack has more than {limits.MAX_OBJECTS} objects")
    if count * LEAST > len(pack):
        raise PackRefused("early EOF")
    if hashlib.sha1(memoryview(pack)[:-TRAILER], usedforsecurity=False).digest() != pack[-TRAILER:]:
        raise PackRefused("pack is corrupted (SHA1 mismatch)")
    return count


class _Reader:
    """Reads the entries in one pass, then the deltas in another."""

    def __init__(self, pack: bytes, count: int) -> None:
        self.pack, self.count, self.end = pack, count, len(pack) - TRAILER
        self.view = memoryview(pack)[: self.end]
        self._kept, self._total, self._steps = 0, 0, limits.MAX_STEPS
        self._depth: dict[int, int] = {}
        self._on_offset: dict[int, list[_Delta]] = {}
        self._on_sha: dict[str, list[_Delta]] = {}
        self._deltas = 0

    def entries(self) -> Iterator[_Grown]:
        """Yield the entries that are whole; deltas are put aside."""
        place = HEADER
        for _ in range(self.count):
            start, (kind, size, place) = place, self._header(place)
            if kind in KINDS:
                self._claim(size)
                raw, place = self._inflate(place, size)
                self._depth[start] = 0
                yield _Grown(start, kind, raw, 0)
            elif kind in (OFS_DELTA, REF_DELTA):
                place = self._delta(start, kind, size, place)
            else:
                raise PackRefused(f"unknown object type {kind}")
        if place != self.end:
            raise PackRefused("pack has junk at the end")

    def _byte(self, place: int) -> int:
        if place >= self.end:
            raise PackRefused("early EOF")
        return self.pack[place]

    def _header(self, place: int) -> tuple[int, int, int]:
        byte = self._byte(place)
        kind, size, shift = byte >> 4 & 7, byte & 15, 4
        while byte & 0x80:
            place += 1
            byte = self._byte(place)
            size |= (byte & 0x7F) << shift
            shift += 7
            if shift > 39:
                raise FileTooLarge(size)
        if size > limits.MAX_FILE:
            raise FileTooLarge(size)
        return kind, size, place + 1

    def _claim(self, size: int) -> None:
        """Count an object against the limits before it is inflated."""
        self._kept += size
        if self._kept > limits.FLOOR + limits.RATIO * len(self.pack):
            raise PackRefused("pack inflates to more than is accepted")
        self._count_total(size)

    def _count_total(self, size: int) -> None:
        self._total += size
        if self._total > limits.MAX_TOTAL:
            raise PackRefused("objects of the pack take more than is accepted")

    def _inflate(self, place: int, size: int) -> tuple[bytes, int]:
        """Return the content of an entry, which must have the declared length, and the start of the next."""
        engine, parts, left = zlib.decompressobj(), list[bytes](), size
        step = min(PIECE, size + 64)
        while not engine.eof:
            chunk = self.view[place : place + step]
            if not chunk:
                raise PackRefused("early EOF")
            try:
                data = engine.decompress(chunk, left + 1)
            except zlib.error as error:
                raise PackRefused(f"inflate returned an error: {error}") from None
            left -= len(data)
            if left < 0:
                raise PackRefused("inflated data is longer than declared")
            parts.append(data)
            place += len(chunk) - len(engine.unconsumed_tail) - len(engine.unused_data)
        if left:
            raise PackRefused("inflated data is shorter than declared")
        return b"".join(parts), place

    def _delta(self, start: int, kind: int, size: int, place: int) -> int:
        """Put a delta aside, under its base."""
        self._claim(size)
        if kind == OFS_DELTA:
            back, place = self._back(place)
            base = start - back
            if base not in self._depth:
                raise PackRefused("delta base offset is out of bound")
            self._depth[start] = self._deeper(self._depth[base])
            waiting = self._on_offset.setdefault(base, [])
        else:
            self._byte(place + 19)
            waiting = self._on_sha.setdefault(self.pack[place : place + 20].hex(), [])
            self._depth[start], place = 1, place + 20
        data, place = self._inflate(place, size)
        base_size, at = _varint(data, 0)
        result, at = _varint(data, at)
        if result > limits.MAX_FILE:
            raise FileTooLarge(result)
        self._count_total(result)
        waiting.append(_Delta(start, data, at, base_size, result))
        self._deltas += 1
        return place

    def _back(self, place: int) -> tuple[int, int]:
        """Parse the distance from an offset delta to its base."""
        byte = self._byte(place)
        back = byte & 0x7F
        while byte & 0x80:
            place += 1
            byte = self._byte(place)
            back = (back + 1) << 7 | byte & 0x7F
            if back > self.end:
                raise PackRefused("delta base offset is out of bound")
        return back, place + 1

    @staticmethod
    def _deeper(depth: int) -> int:
        if depth >= limits.MAX_CHAIN:
            raise PackRefused(f"delta chain is longer than {limits.MAX_CHAIN}")
        return depth + 1

    def grow(self, whole: list[_Grown], base: Base) -> Iterator[tuple[str, int, bytes]]:
        """Yield every object: whole ones and the deltas on them, then the deltas on objects of the store."""
        whole.reverse()
        while whole:
            yield from self._from(whole.pop())
        for sha in sorted(self._on_sha):
            found = base(sha) if sha in self._on_sha else None
            if found is not None:
                yield from self._branches(_Grown(None, *found, 0), sha)
        if self._deltas:
            raise PackRefused(f"pack has {self._deltas} unresolved deltas")

    def _from(self, root: _Grown) -> Iterator[tuple[str, int, bytes]]:
        sha = sha_of(root.kind, root.raw)
        yield sha, root.kind, root.raw
        yield from self._branches(root, sha)

    def _branches(self, root: _Grown, root_sha: str) -> Iterator[tuple[str, int, bytes]]:
        """Yield the objects that are deltas on an object, depth first; a base is freed with its last delta."""
        waiting = [(root, delta) for delta in self._pop_deltas(root, root_sha)]
        while waiting:
            base, delta = waiting.pop()
            self._deltas -= 1
            raw = self._apply_delta(base.raw, delta)
            grown = _Grown(delta.offset, base.kind, raw, self._deeper(base.depth))
            sha = sha_of(grown.kind, raw)
            yield sha, grown.kind, raw
            waiting += ((grown, below) for below in self._pop_deltas(grown, sha))

    def _pop_deltas(self, base: _Grown, sha: str) -> list[_Delta]:
        by_offset = [] if base.offset is None else self._on_offset.pop(base.offset, [])
        return (by_offset + self._on_sha.pop(sha, []))[::-1]

    def _apply_delta(self, base: bytes, delta: _Delta) -> bytes:
        if delta.base_size != len(base):
            raise PackRefused("delta base size does not match")
        out, self._steps = apply(base, delta.data, delta.start, delta.size, self._steps)
        return out


def _varint(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while at < len(data) and shift < 63:
        byte = data[at]
        number, shift, at = number | (byte & 0x7F) << shift, shift + 7, at + 1
        if not byte & 0x80:
            return number, at
    raise PackRefused("delta is cut off")


def sha_of(kind: int, raw: bytes) -> str:
    """Return the SHA of an object."""
    digest = hashlib.sha1(b"%s %d\0" % (KINDS[kind].encode(), len(raw)), usedforsecurity=False)
    digest.update(raw)
    return digest.hexdigest()


def apply(base: bytes, delta: bytes, at: int, size: int, steps: int) -> tuple[bytes, int]:
    """Apply a delta to its base; return the result and the steps left.

    Never builds more than `size` bytes. Raises PackRefused.
    """
    out, left, end, source = bytearray(), size, len(delta), memoryview(base)
    while at < end:
        steps -= 1
        if steps < 0:
            raise PackRefused("deltas take more steps than are accepted")
        order = delta[at]
        at += 1
        if order & 0x80:
            start, length, at = _copy(delta, order, at)
            if start + length > len(base):
                raise PackRefused("delta copies from outside its base")
            out += source[start : start + length]
        elif order and at + order <= end:
            length = order
            out += delta[at : at + order]
            at += order
        else:
            raise PackRefused("delta is malformed")
        left -= length
        if left < 0:
            raise PackRefused("delta makes more than declared")
    if left:
        raise PackRefused("delta makes less than declared")
    return bytes(out), steps


def _copy(delta: bytes, order: int, at: int) -> tuple[int, int, int]:
    """Return start and length of a copy, and the position of the next instruction."""
    numbers = [0, 0]
    for bit in range(7):
        if order >> bit & 1:
            if at >= len(delta):
                raise PackRefused("delta is cut off")
            numbers[bit // 4] |= delta[at] << 8 * (bit % 4)
            at += 1
    return numbers[0], numbers[1] or 0x10000, at
