"""Listings of refs: the advertisement of protocols 0 and 1, the capabilities and `ls-refs` of protocol 2."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from apps.github.git.repo import ZERO
from apps.github.git.wire.pkt import FLUSH, Lines, MalformedRequest, Mark, pkt

Service = Literal["git-upload-pack", "git-receive-pack"]
UPLOADING: Service = "git-upload-pack"
RECEIVING: Service = "git-receive-pack"
AGENT = "agent=git/github-9f0c2a6d1b7e"
UPLOAD = (
    "multi_ack thin-pack side-band side-band-64k ofs-delta shallow deepen-since deepen-not deepen-relative no-progress"
    " include-tag multi_ack_detailed allow-tip-sha1-in-want allow-reachable-sha1-in-want no-done{} filter"
    " object-format=sha1 " + AGENT
)
RECEIVE = (
    "report-status report-status-v2 delete-refs side-band-64k ofs-delta atomic object-format=sha1 quiet push-options "
    + AGENT
)
VERSION_2 = (
    "version 2",
    AGENT,
    "ls-refs=unborn",
    "fetch=shallow wait-for-done filter",
    "server-option",
    "object-format=sha1",
)


@dataclass(frozen=True, slots=True)
class AdvertisedRef:
    """A ref as listed to a client. `sha` is None for a HEAD whose branch has no commit yet."""

    name: str
    sha: str | None
    symref: str | None = None
    peeled: str | None = None


@dataclass(frozen=True, slots=True)
class LsRefs:
    """A protocol 2 request for refs."""

    peel: bool = False
    symrefs: bool = False
    unborn: bool = False
    prefixes: tuple[str, ...] = ()

    def shows(self, name: str) -> bool:
        """Whether the client asked for a ref."""
        return not self.prefixes or name.startswith(self.prefixes)


def ls_refs(lines: Lines) -> LsRefs:
    """Parse the arguments of `ls-refs`, after its delimiter. Raises Malformed."""
    given: set[str] = set()
    prefixes: list[str] = []
    for line in lines.until(Mark.FLUSH):
        word, _, rest = line.partition(" ")
        if word == "ref-prefix" and rest:
            prefixes.append(rest)
        elif line in ("peel", "symrefs", "unborn"):
            given.add(line)
        else:
            raise MalformedRequest("unexpected line in ls-refs")
    return LsRefs("peel" in given, "symrefs" in given, "unborn" in given, tuple(prefixes))


def advertisement(service: Service, refs: Iterable[AdvertisedRef], version: int) -> Iterator[bytes]:
    """Render the response to `info/refs` in protocols 0 and 1."""
    yield pkt(f"# service={service}\n") + FLUSH
    if version == 1:
        yield pkt("version 1\n")
    upload = service == UPLOADING
    listed = [one for one in refs if one.sha is not None and (upload or one.name != "HEAD")]
    symref = next((f" symref=HEAD:{one.symref}" for one in listed if one.symref), "")
    words = UPLOAD.format(symref) if upload else RECEIVE
    first = f"{listed[0].sha} {listed[0].name}" if listed else f"{ZERO} capabilities^{{}}"
    yield pkt(f"{first}\0{words}\n")
    for number, one in enumerate(listed):
        if number:
            yield pkt(f"{one.sha} {one.name}\n")
        if upload and one.peeled:
            yield pkt(f"{one.peeled} {one.name}^{{}}\n")
    yield FLUSH


def capabilities() -> bytes:
    """Render the response to `info/refs` in protocol 2."""
    return pkt("# service=git-upload-pack\n") + FLUSH + b"".join(pkt(f"{line}\n") for line in VERSION_2) + FLUSH


def iter_ls_refs(asked: LsRefs, refs: Iterable[AdvertisedRef]) -> Iterator[bytes]:
    """Yield the response to `ls-refs`."""
    for one in refs:
        if not asked.shows(one.name) or (one.sha is None and not asked.unborn):
            continue
        symref = f" symref-target:{one.symref}" if one.symref and (asked.symrefs or one.sha is None) else ""
        peeled = f" peeled:{one.peeled}" if one.peeled and asked.peel else ""
        yield pkt(f"{one.sha or 'unborn'} {one.name}{symref}{peeled}\n")
    yield FLUSH


def command(lines: Lines) -> str | None:
    """Read the command of a protocol 2 request, up to its arguments; None for an empty request. Raises Malformed."""
    found: str | None = None
    while not isinstance(line := lines.text(), Mark):
        name, _, value = line.partition("=")
        if name == "command" and found is None:
            found = value
        elif line == "object-format=sha1" or name in ("agent", "server-option", "session-id"):
            continue
        else:
            raise MalformedRequest("unknown capability")
    if line is Mark.FLUSH and found is None:
        return None
    if found not in ("ls-refs", "fetch"):
        raise MalformedRequest("no known command")
    if line is not Mark.DELIM:
        lines.position -= len(FLUSH)  # a command without arguments: they end where they begin
    return found
