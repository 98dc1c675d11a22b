"""Push requests, and the report that answers them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from apps.github.git.repo import SHA
from apps.github.git.wire import limits
from apps.github.git.wire.fetch import OLD_BAND
from apps.github.git.wire.pkt import FLUSH, MOST, Lines, MalformedRequest, Mark, iter_sideband, pkt


@dataclass(frozen=True, slots=True)
class Command:
    """A ref to move from `old` to `new`; 40 zeros for an absent ref."""

    ref: str
    old: str
    new: str


@dataclass(slots=True)
class Push:
    """A push request: its ref updates, the client's capabilities, and the pack of objects."""

    commands: list[Command] = field(default_factory=list)
    words: set[str] = field(default_factory=set)
    options: list[str] = field(default_factory=list)
    pack: bytes = b""


def parse_push(data: bytes) -> Push:
    """Parse a receive-pack request; an empty one has no commands. Raises Malformed."""
    lines, push = Lines(data), Push()
    for line in lines.until(Mark.FLUSH):
        if line.startswith("shallow ") and SHA.fullmatch(line[8:]):
            continue
        command, nul, words = line.partition("\0")
        if nul and push.commands:
            raise MalformedRequest("capabilities come with the first command")
        push.words |= set(words.split())
        push.commands.append(_command(command))
    if len(push.commands) > limits.MAX_COMMANDS:
        raise MalformedRequest("too many commands")
    if "push-options" in push.words:
        push.options = list(lines.until(Mark.FLUSH))
    push.pack = data[lines.position :]
    return push


def _command(line: str) -> Command:
    old, new, ref = [*line.split(" ", 2), "", ""][:3]
    if not SHA.fullmatch(old) or not SHA.fullmatch(new) or not ref:
        raise MalformedRequest("protocol error: expected old/new/ref")
    return Command(ref, old, new)


def report(
    push: Push, unpacked: str, results: Sequence[Mapping[str, str | None]], said: Iterable[str]
) -> Iterator[bytes]:
    """Render the response: messages to the user, then the result of unpacking and of each ref update."""
    band = MOST if "side-band-64k" in push.words else OLD_BAND if "side-band" in push.words else None
    if band is not None:
        text = "".join(f"{line}\n" for line in said)
        yield from iter_sideband(2, text.encode("utf-8", "surrogateescape"), band)
    if push.words & {"report-status", "report-status-v2"}:
        told = b"".join([pkt(f"unpack {unpacked}\n"), *(pkt(_result(one)) for one in results), FLUSH])
        yield from [told] if band is None else iter_sideband(1, told, band)
    if band is not None:
        yield FLUSH


def _result(one: Mapping[str, str | None]) -> str:
    return f"ng {one['ref']} {one['error']}\n" if one["error"] else f"ok {one['ref']}\n"
