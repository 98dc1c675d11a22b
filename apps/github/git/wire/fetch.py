"""Fetch requests of protocol 2 and of the older protocols, and their responses."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from apps.github.git.repo import SHA
from apps.github.git.wire.pkt import DELIM, FLUSH, MOST, Lines, MalformedRequest, Mark, iter_sideband, pkt

INFINITE = 0x7FFFFFFF  # what `--unshallow` asks for
OLD_BAND = 1000  # bytes of a packet of the first side-band
NUMBER = re.compile(r"\d{1,12}")
FILTER = re.compile(r"blob:none|tree:0|blob:limit=\d{1,12}[kmg]?")
FIRST = len("want ") + 40  # of the first line; what the client can do follows
FLAGS = (
    "done",
    "thin-pack",
    "ofs-delta",
    "no-progress",
    "include-tag",
    "deepen-relative",
    "wait-for-done",
    "sideband-all",
)
COUNTED = "Enumerating objects: {0}, done.\nTotal {0} (delta 0), reused {0} (delta 0), pack-reused {0}\n"


@dataclass(slots=True)
class Fetch:
    """A client's wants and haves. `begun` is False where protocol 0 asks only for the shallow commits."""

    wants: list[str] = field(default_factory=list)
    haves: list[str] = field(default_factory=list)
    shallow: list[str] = field(default_factory=list)
    excluded: list[str] = field(default_factory=list)
    depth: int | None = None
    since: int | None = None
    filter: str | None = None
    flags: set[str] = field(default_factory=set)
    begun: bool = True

    @property
    def done(self) -> bool:
        """Whether negotiation is over."""
        return "done" in self.flags

    @property
    def deepens(self) -> bool:
        """Whether the response begins with shallow commits."""
        return self.depth is not None or self.since is not None or bool(self.excluded)

    def take(self, line: str) -> None:
        """Read a line that both protocols have. Raises Malformed."""
        word, _, rest = line.partition(" ")
        if word in ("want", "have", "shallow") and SHA.fullmatch(rest):
            {"want": self.wants, "have": self.haves, "shallow": self.shallow}[word].append(rest)
        elif word == "deepen" and NUMBER.fullmatch(rest) and 0 < int(rest) <= INFINITE:
            self.depth = int(rest)
        elif word == "deepen-since" and NUMBER.fullmatch(rest):
            self.since = int(rest)
        elif word == "deepen-not" and rest:
            self.excluded.append(rest)
        elif word == "filter" and FILTER.fullmatch(rest):
            self.filter = rest
        else:
            raise MalformedRequest(f"unexpected line: '{line[:60]}'")


@dataclass(frozen=True, slots=True)
class Answer:
    """Response to a Fetch: the common commits, whether they suffice, the new edge of a shallow clone, and a pack."""

    common: list[str]
    ready: bool
    shallow: list[str]
    unshallow: list[str]
    pack: bytes | None
    objects: int = 0


def version_2(lines: Lines) -> Fetch:
    """Parse the arguments of `fetch`, after its delimiter. Raises Malformed."""
    asked = Fetch()
    for line in lines.until(Mark.FLUSH):
        if line in FLAGS:
            asked.flags.add(line)
        else:
            asked.take(line)
    _whole(lines)
    return asked


def version_0(data: bytes) -> Fetch | None:
    """Parse a request of protocols 0 and 1 over HTTP; None for an empty one. Raises Malformed."""
    lines, asked = Lines(data), Fetch()
    for line in lines.until(Mark.FLUSH):
        if not asked.wants:
            asked.flags.update(word for word in line[FIRST:].split() if word != "done")
            line = line[:FIRST]
        asked.take(line)
    if not asked.wants:
        return None
    asked.begun = not lines.at_end
    if asked.begun:
        _haves(lines, asked)
    return asked


def _haves(lines: Lines, asked: Fetch) -> None:
    """Read the haves of one round: they end at a flush, at `done`, or with the request."""
    while not lines.at_end:
        line = lines.text()
        if line == "done":
            asked.flags.add("done")
        if isinstance(line, Mark) or line == "done":
            return
        if not line.startswith("have "):
            raise MalformedRequest("expected a have")
        asked.take(line)


def _whole(lines: Lines) -> None:
    if not lines.at_end:
        raise MalformedRequest("something follows the request")


def answer_2(asked: Fetch, answer: Answer) -> Iterator[bytes]:
    """Render a response in protocol 2."""
    if asked.haves and not asked.done:
        yield (
            pkt("acknowledgments\n")
            + b"".join(pkt(f"ACK {sha}\n") for sha in answer.common)
            + (b"" if answer.common else pkt("NAK\n"))
        )
        if answer.ready:
            yield pkt("ready\n")
        yield FLUSH if answer.pack is None else DELIM
    if answer.pack is None:
        return
    if asked.deepens:
        yield pkt("shallow-info\n") + b"".join(_edge(answer)) + DELIM
    yield pkt("packfile\n")
    yield from _progress(asked, answer, MOST)
    yield from iter_sideband(1, answer.pack)
    yield FLUSH


def answer_0(asked: Fetch, answer: Answer) -> Iterator[bytes]:
    """Render a response in protocols 0 and 1."""
    if asked.deepens:
        yield b"".join(_edge(answer)) + FLUSH
    if not asked.begun:
        return
    yield b"".join(pkt(f"{line}\n") for line in _list_acknowledgements(asked, answer))
    if answer.pack is None:
        return
    band = MOST if "side-band-64k" in asked.flags else OLD_BAND if "side-band" in asked.flags else None
    if band is None:
        yield answer.pack
        return
    yield from _progress(asked, answer, band)
    yield from iter_sideband(1, answer.pack, band)
    yield FLUSH


def _edge(answer: Answer) -> Iterator[bytes]:
    yield from (pkt(f"shallow {sha}") for sha in answer.shallow)
    yield from (pkt(f"unshallow {sha}") for sha in answer.unshallow)


def _progress(asked: Fetch, answer: Answer, band: int) -> Iterator[bytes]:
    if "no-progress" not in asked.flags:
        yield from iter_sideband(2, COUNTED.format(answer.objects).encode(), band)


def _list_acknowledgements(asked: Fetch, answer: Answer) -> Iterator[str]:
    """List the ACK and NAK lines of one round, in upload-pack's order."""
    several = asked.flags & {"multi_ack_detailed", "multi_ack"}
    detailed = "multi_ack_detailed" in asked.flags
    for sha in answer.common if several else answer.common[:1]:
        yield f"ACK {sha}" + (" common" if detailed else " continue" if several else "")
    last = answer.common[-1] if answer.common else None
    if asked.done:
        if last is None or several:
            yield f"ACK {last}" if last else "NAK"
        return
    if answer.ready and detailed:
        yield f"ACK {last} ready"
    if last is None or several:
        yield "NAK"
    if answer.pack is not None:
        yield f"ACK {last}"
