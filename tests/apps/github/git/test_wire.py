"""Git's wire as bytes: packs agree with the git command, and nothing hostile gets further than its refusal."""

import hashlib
import struct
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from apps.github.git import Repo
from apps.github.git.store import BLOB, COMMIT, TAG, TREE
from apps.github.git.wire import fetch, limits, push, refs
from apps.github.git.wire.pack_reader import FileTooLarge, PackRefused, sha_of, unpack
from apps.github.git.wire.pack_writer import pack, select, sort_out
from apps.github.git.wire.pkt import DELIM, FLUSH, Lines, MalformedRequest, Mark, pkt
from apps.github.git.wire.quarantine import take_in
from apps.github.git.wire.reach import can_reach, rows
from tests.apps.github.git.conftest import Git
from tests.apps.github.git.test_history import grown

OFS, REF = 6, 7
WHO = b"Ann <ann@x.example> 1700000000 +0000"
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
MIB = 1024 * 1024


def number(value: int) -> bytes:
    """A size as deltas write it."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*out, value))


def header(kind: int, size: int) -> bytes:
    """The head of a pack's entry."""
    first, rest = kind << 4 | size & 15, size >> 4
    return bytes((first | 0x80,)) + number(rest) if rest else bytes((first,))


def entry(kind: int, data: bytes, base: bytes = b"", *, size: int | None = None) -> bytes:
    """A pack's entry; `base` is what stands before the data of a delta."""
    return header(kind, len(data) if size is None else size) + base + zlib.compress(data, 9)


def sealed_pack(*entries: bytes, count: int | None = None, version: int = 2) -> bytes:
    """A pack of entries with its checksum."""
    body = b"PACK" + struct.pack(">II", version, len(entries) if count is None else count) + b"".join(entries)
    return body + hashlib.sha1(body, usedforsecurity=False).digest()


def back(offset: int) -> bytes:
    """How far back the base of an offset delta is."""
    out = [offset & 0x7F]
    while offset := offset >> 7:
        offset -= 1
        out.append(offset & 0x7F | 0x80)
    return bytes(reversed(out))


def delta(base: int, size: int, *orders: bytes) -> bytes:
    """A delta between two sizes."""
    return number(base) + number(size) + b"".join(orders)


COPY_64K = b"\x80"  # 64 KiB from the start


def chain(length: int, *, by: int = OFS) -> bytes:
    """A blob and deltas on deltas on it."""
    parts, raw = [entry(BLOB, b"x" * 64)], b"x" * 64
    for _ in range(length):
        base = back(len(parts[-1])) if by == OFS else bytes.fromhex(sha_of(BLOB, raw))
        raw += b"y"
        parts.append(
            entry(by, delta(len(raw) - 1, len(raw), bytes((0xB0, *struct.pack("<H", len(raw) - 1))), b"\1y"), base)
        )
    return sealed_pack(*parts)


def cycle() -> bytes:
    """Two deltas, each said to be based on the other."""
    one, two = (bytes((letter,)) * 20 for letter in b"ab")
    return sealed_pack(entry(REF, delta(1, 1, b"\1x"), one), entry(REF, delta(1, 1, b"\1x"), two))


def many_zeros() -> bytes:
    return sealed_pack(*(entry(BLOB, bytes(9 * MIB)) for _ in range(3)))


def delta_bomb(results: int) -> bytes:
    """A blob of 64 KiB and deltas that copy it again and again."""
    base = entry(BLOB, Random(1).randbytes(65536))
    big = delta(65536, 9 * MIB, COPY_64K * (9 * 16))
    parts, far = [base], len(base)
    for _ in range(results):
        parts.append(entry(OFS, big, back(far)))
        far += len(parts[-1])
    return sealed_pack(*parts)


BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "zeros": (many_zeros, "pack inflates to more than is accepted"),
    "more zeros than declared": (lambda: sealed_pack(entry(BLOB, bytes(MIB), size=10)), "longer than declared"),
    "fewer than declared": (lambda: sealed_pack(entry(BLOB, b"x", size=10)), "shorter than declared"),
    "a size of many digits": (lambda: sealed_pack(b"\xbf" + b"\xff" * 40 + b"\x01" * 20), "pre-receive hook declined"),
    "a file too large": (lambda: sealed_pack(entry(BLOB, b"x", size=limits.MAX_FILE + 1)), "pre-receive hook declined"),
    "large deltas": (lambda: delta_bomb(9), "objects of the pack take more than is accepted"),
    "a delta to something huge": (
        lambda: sealed_pack(entry(BLOB, b"x"), entry(OFS, delta(1, 2**40), back(10))),
        "pre-receive hook declined",
    ),
    "a long chain": (lambda: chain(300), "delta chain is longer than 250"),
    "a long chain of names": (lambda: chain(300, by=REF), "delta chain is longer than 250"),
    "a cycle": (cycle, "pack has 2 unresolved deltas"),
    "a delta on itself": (lambda: sealed_pack(entry(OFS, delta(1, 1, b"\1x"), back(0))), "base offset is out of bound"),
    "a delta on what is before the pack": (
        lambda: sealed_pack(entry(OFS, delta(1, 1, b"\1x"), back(2**30))),
        "base offset is out of bound",
    ),
    "a delta into an entry": (
        lambda: sealed_pack(entry(BLOB, b"x"), entry(OFS, delta(1, 1, b"\1x"), back(3))),
        "base offset is out of bound",
    ),
    "a delta on another base": (
        lambda: sealed_pack(entry(BLOB, b"x"), entry(OFS, delta(9, 1, b"\1x"), back(10))),
        "base size does not match",
    ),
    "a copy from outside": (
        lambda: sealed_pack(entry(BLOB, b"x"), entry(OFS, delta(1, 9, b"\x91\x01\x09"), back(10))),
        "from outside its base",
    ),
    "a delta that makes more": (
        lambda: sealed_pack(entry(BLOB, b"x"), entry(OFS, delta(1, 1, b"\2xy"), back(10))),
        "more than declared",
    ),
    "a delta that makes less": (
        lambda: sealed_pack(entry(BLOB, b"x"), entry(OFS, delta(1, 3, b"\2xy"), back(10))),
        "less than declared",
    ),
    "a delta cut off": (
        lambda: sealed_pack(entry(BLOB, b"x"), entry(OFS, delta(1, 9, b"\x7fx"), back(10))),
        "delta is malformed",
    ),
    "a copy cut off": (
        lambda: sealed_pack(entry(BLOB, b"x"), entry(OFS, delta(1, 9, b"\xff\0"), back(10))),
        "delta is cut off",
    ),
    "a delta without sizes": (
        lambda: sealed_pack(entry(BLOB, b"x"), entry(OFS, b"\xff", back(10))),
        "delta is cut off",
    ),
    "order nought": (
        lambda: sealed_pack(entry(BLOB, b"x"), entry(OFS, delta(1, 1, b"\0"), back(10))),
        "delta is malformed",
    ),
    "too few objects": (lambda: sealed_pack(entry(BLOB, b"x" * 50), count=2), "early EOF"),
    "too many objects": (lambda: sealed_pack(entry(BLOB, b"x"), entry(BLOB, b"y"), count=1), "junk at the end"),
    "a huge count": (lambda: sealed_pack(entry(BLOB, b"x"), count=2**32 - 1), "more than 8000 objects"),
    "a count above the size": (lambda: sealed_pack(entry(BLOB, b"x"), count=7_000), "early EOF"),
    "another version": (lambda: sealed_pack(entry(BLOB, b"x"), version=9), "unsupported pack version 9"),
    "another kind": (lambda: sealed_pack(entry(5, b"x")), "unknown object type 5"),
    "no zlib": (lambda: sealed_pack(header(BLOB, 5) + b"hello, world"), "inflate returned an error"),
    "nothing": (lambda: b"", "bad pack header"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bad_pack_is_refused_before_it_costs(repo: Repo, name: str) -> None:
    make, told = BOMBS[name]
    made = make()
    tracemalloc.start()
    try:
        with pytest.raises(PackRefused, match=told):
            take_in(repo, made)
        assert tracemalloc.get_traced_memory()[1] < 40 * MIB
    finally:
        tracemalloc.stop()
    assert not list(repo.store)


def test_what_is_just_within_the_limits_is_taken(repo: Repo) -> None:
    assert len(take_in(repo, chain(limits.MAX_CHAIN)).objects) == limits.MAX_CHAIN + 1
    assert len(take_in(repo, chain(limits.MAX_CHAIN, by=REF)).objects) == limits.MAX_CHAIN + 1
    assert len(take_in(repo, sealed_pack()).objects) == 0


def test_orders_of_deltas_are_counted(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_STEPS", 100)
    with pytest.raises(PackRefused, match="more steps"):
        take_in(repo, chain(60))


def test_a_pack_above_the_limit_is_refused_by_its_length(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_PACK", 1000)
    with pytest.raises(PackRefused, match="maximum allowed size"):
        take_in(repo, bytes(1001))


def test_git_and_we_read_each_others_packs(git: Git, repo: Repo, tmp_path: Path) -> None:
    _, commits = grown(git, repo, 5, 40)
    git("tag", "-a", "v1", commits[3], "-m", "One", GIT_COMMITTER_DATE="1700000000 +0000")
    for words in (["--delta-base-offset"], [], ["--thin", "--delta-base-offset"], ["--thin"]):
        wanted = f"{commits[-1]}\n^{commits[10]}\nrefs/tags/v1\n".encode()
        theirs = git("pack-objects", "--revs", "--stdout", "-q", "--window=20", "--depth=40", *words, given=wanted)
        listed = git("rev-list", "--objects", commits[-1], f"^{commits[10]}", "refs/tags/v1").decode().splitlines()
        assert {line.split()[0] for line in listed} <= set(take_in(repo, theirs).objects)
    ours = pack(select(repo, sort_out(repo, [commits[-1]]), []))
    other = Git(tmp_path / "other.git")
    other("index-pack", "--stdin", "--strict", given=ours)
    assert other("rev-list", "--objects", commits[-1]) == git("rev-list", "--objects", commits[-1])


@pytest.mark.parametrize("seed", range(3))
def test_a_fetch_sends_what_is_missing_and_little_else(git: Git, repo: Repo, seed: int) -> None:
    _, commits = grown(git, repo, seed, 40)
    rng = Random(seed)
    for _ in range(12):
        wants, haves = rng.sample(commits, 2), rng.sample(commits, rng.randrange(3))
        sent = {row.sha for row in select(repo, sort_out(repo, wants), haves)}
        least = {
            line.split()[0]
            for line in git.lines("rev-list", "--objects-edge", *wants, "--not", *haves)
            if line[0] != "-"
        }
        held = {line.split()[0] for line in git.lines("rev-list", "--objects", *haves)} if haves else set()
        whole = {line.split()[0] for line in git.lines("rev-list", "--objects", *wants)}
        assert whole - held <= sent <= whole
        assert {sha for sha in sent if repo.kind(sha) == "commit"} == set(
            git.lines("rev-list", *wants, "--not", *haves)
        )
        assert len(sent) <= len(least) + 2
        assert can_reach(repo.graph, wants, haves) == all(
            any(git.run("merge-base", "--is-ancestor", h, w).returncode == 0 for h in haves) for w in wants
        )


def test_rows_are_sent_as_they_are_kept(repo: Repo) -> None:
    sha = repo.put_blob(b"content " * 100)
    (row,) = rows(repo, [sha])
    sent = pack([row])
    assert row.data in sent
    assert list(unpack(sent, lambda _: None)) == [(sha, BLOB, b"content " * 100)]


@pytest.fixture
def sample(git: Git, repo: Repo) -> bytes:
    """A pack with every kind of entry, thin against the store."""
    _, commits = grown(git, repo, 7, 25)
    wanted = f"{commits[-1]}\n^{commits[4]}\n".encode()
    return git("pack-objects", "--revs", "--stdout", "-q", "--thin", "--window=20", given=wanted)


def test_a_pack_cut_off_anywhere_is_refused(repo: Repo, sample: bytes) -> None:
    for length in range(0, len(sample), 37):
        for cut in (sample[:length], sample[:length] + hashlib.sha1(sample[:length], usedforsecurity=False).digest()):
            with pytest.raises(PackRefused):
                take_in(repo, cut)


def test_a_pack_with_any_byte_changed_is_refused(repo: Repo, sample: bytes) -> None:
    for at in range(0, len(sample), 41):
        with pytest.raises(PackRefused):
            take_in(repo, sample[:at] + bytes((sample[at] ^ 1 << at % 8,)) + sample[at + 1 :])


def test_a_changed_pack_with_a_good_checksum_breaks_nothing(repo: Repo, sample: bytes) -> None:
    rng, refused = Random(3), 0
    for _ in range(300):
        body = bytearray(sample[:-20])
        for _ in range(rng.choice((1, 1, 1, 8))):
            body[rng.randrange(4, len(body))] = rng.randrange(256)
        made = bytes(body) + hashlib.sha1(body, usedforsecurity=False).digest()
        try:
            held = take_in(repo, made)
        except PackRefused:
            refused += 1
        else:
            held.find_missing_object(repo)
    assert refused > 250


# -- what objects say


def commit_of(tree: str, *parents: str, who: bytes = WHO) -> bytes:
    lines = [
        b"tree " + tree.encode(),
        *(b"parent " + parent.encode() for parent in parents),
        b"author " + who,
        b"committer " + who,
    ]
    return b"\n".join(lines) + b"\n\nHi\n"


EVIL_TREES = [".git", ".GIT", "..", ".", "git~1", "a/b", ".git ", ".git::$INDEX_ALLOCATION"]
NUMB = bytes.fromhex(sha_of(BLOB, b""))


@pytest.mark.parametrize("name", EVIL_TREES)
def test_a_tree_that_reaches_outside_is_refused(repo: Repo, name: str) -> None:
    tree = b"100644 " + name.encode() + b"\0" + NUMB
    with pytest.raises(PackRefused, match="fsck error in packed object") as caught:
        take_in(repo, sealed_pack(entry(BLOB, b""), entry(TREE, tree), entry(COMMIT, commit_of(sha_of(TREE, tree)))))
    assert sha_of(TREE, tree) in caught.value.before[0]


@pytest.mark.parametrize(
    "who",
    [
        b"Ann <ann@x> 253402300800 +0000",
        b"Ann <ann@x> 9223372036854775806 +0000",
        b"Ann <ann@x> 1 +9900",
        b"Ann <ann@x> 1 -2400",
        b"Ann <ann@x> x +0000",
    ],
)
def test_a_commit_of_no_day_is_refused(repo: Repo, who: bytes) -> None:
    with pytest.raises(PackRefused, match="fsck error"):
        take_in(repo, sealed_pack(entry(TREE, b""), entry(COMMIT, commit_of(EMPTY_TREE, who=who))))


def test_commits_with_signatures_and_merged_tags_are_kept(repo: Repo) -> None:
    tag = b"mergetag object %s\n type commit\n tag v1\n tagger %s\n \n One\n -----BEGIN PGP SIGNATURE-----\n \n x\n" % (
        SHA.encode(),
        WHO,
    )
    signature = b"gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n"
    raw = commit_of(EMPTY_TREE).replace(b"\n\n", b"\nencoding ISO-8859-1\n" + tag + signature + b"\n", 1)
    held = take_in(repo, sealed_pack(entry(TREE, b""), entry(COMMIT, raw)))
    assert held.find_missing_object(repo) is None
    held.keep(repo)
    assert repo.commit(sha_of(COMMIT, raw)).mergetag[0].name == b"v1"
    with pytest.raises(PackRefused, match="fsck error"):
        take_in(repo, sealed_pack(entry(COMMIT, raw.replace(b" type commit", b" type-commit"))))


@pytest.mark.parametrize("bad", [b"\n folded\n\n", b"\nlonely\n\n", b"\n"])
def test_headers_no_reader_understands_are_refused(repo: Repo, bad: bytes) -> None:
    raw = commit_of(EMPTY_TREE).replace(b"\n\nHi\n", bad)
    with pytest.raises(PackRefused, match="fsck error"):
        take_in(repo, sealed_pack(entry(COMMIT, raw)))


def test_damaged_objects_are_refused_or_kept_and_told(repo: Repo) -> None:
    tag = b"object %s\ntype commit\ntag x\ntagger %s\n\nx\n" % (EMPTY_TREE.encode(), WHO)
    signed = commit_of(EMPTY_TREE).replace(
        b"\n\n", b"\nencoding ISO-8859-1\ngpgsig -----BEGIN\n x\n -----END\nmergetag object 1\n type x\n\n", 1
    )
    plain = commit_of(EMPTY_TREE, "ab" * 20)
    rng = Random(5)
    for round in range(1500):
        kind, raw = rng.choice(
            ((COMMIT, plain), (COMMIT, signed), (TAG, tag), (TREE, b"100644 a\0" + NUMB + b"40000 b\0" + NUMB))
        )
        data = bytearray(raw)
        for _ in range(rng.choice((1, 1, 2, 6))):
            at = rng.randrange(len(data))
            data[at : at + rng.choice((0, 1, 1, 1, 9))] = rng.choice(
                (b"\n", b" ", b"\0", b"<", b"9", b"\xff", b"-", b"tree ", b"parent ", b"")
            )
        body = bytes(data[: rng.randrange(1, len(data) + 1)] if round % 5 == 0 and data else data)
        try:
            take_in(repo, sealed_pack(entry(kind, body))).find_missing_object(repo)
        except PackRefused:
            continue


def test_every_object_must_have_what_it_names(repo: Repo) -> None:
    blob, tree = sha_of(BLOB, b"hi"), b"100644 a\0" + bytes.fromhex(sha_of(BLOB, b"hi"))
    head = commit_of(sha_of(TREE, tree))
    parts = [entry(BLOB, b"hi"), entry(TREE, tree), entry(COMMIT, head)]
    assert take_in(repo, sealed_pack(*parts)).find_missing_object(repo) is None
    assert take_in(repo, sealed_pack(*parts[1:])).find_missing_object(repo) == blob
    assert take_in(repo, sealed_pack(parts[0], parts[2])).find_missing_object(repo) == sha_of(TREE, tree)
    repo.put_blob(b"hi")
    assert take_in(repo, sealed_pack(*parts[1:])).find_missing_object(repo) is None
    tag = b"object %s\ntype commit\ntag x\ntagger %s\n\nx\n" % (blob.encode(), WHO)
    assert take_in(repo, sealed_pack(entry(TAG, tag))).find_missing_object(repo) == blob  # a blob, called a commit


def test_a_folder_that_is_a_file_is_missing(repo: Repo) -> None:
    blob = sha_of(BLOB, b"hi")
    tree = b"40000 a\0" + bytes.fromhex(blob)
    assert take_in(repo, sealed_pack(entry(BLOB, b"hi"), entry(TREE, tree))).find_missing_object(repo) == blob
    module = b"160000 a\0" + bytes.fromhex(blob)
    assert take_in(repo, sealed_pack(entry(TREE, module))).find_missing_object(repo) is None


# -- requests

SHA = "ab" * 20
GOOD_2 = b"".join(
    [
        pkt("command=fetch\n"),
        pkt("agent=git/2.39.5\n"),
        pkt("object-format=sha1\n"),
        DELIM,
        pkt("thin-pack\n"),
        pkt("ofs-delta\n"),
        pkt("shallow " + SHA),
        pkt("deepen 3\n"),
        pkt(f"want {SHA}\n"),
        pkt(f"have {SHA}\n"),
        pkt("done\n"),
        FLUSH,
    ]
)
GOOD_0 = (
    pkt(f"want {SHA} multi_ack_detailed side-band-64k agent=x\n")
    + pkt(f"want {SHA}\n")
    + FLUSH
    + pkt(f"have {SHA}\n")
    + pkt("done\n")
)
GOOD_PUSH = pkt(f"{'0' * 40} {SHA} refs/heads/x\0 report-status side-band-64k atomic\n") + FLUSH + b"PACK..."


def read_2(data: bytes) -> object:
    lines = Lines(data)
    command = refs.command(lines)
    return fetch.version_2(lines) if command == "fetch" else refs.ls_refs(lines) if command else None


READERS: dict[str, tuple[Callable[[bytes], object], bytes]] = {
    "version 2": (read_2, GOOD_2),
    "version 0": (fetch.version_0, GOOD_0),
    "push": (push.parse_push, GOOD_PUSH),
    "ls-refs": (read_2, pkt("command=ls-refs\n") + DELIM + pkt("peel\n") + pkt("ref-prefix refs/heads/\n") + FLUSH),
}


@pytest.mark.parametrize("name", READERS)
def test_a_damaged_request_is_understood_or_refused(name: str) -> None:
    read, good = READERS[name]
    assert read(good) is not None
    rng, refused = Random(11), 0
    for round in range(1500):
        data = bytearray(good)
        for _ in range(rng.choice((1, 1, 2, 5))):
            data[rng.randrange(len(data))] = rng.choice((rng.randrange(256), 0x30, 0x66, 0x20))
        try:
            read(bytes(data[: rng.randrange(len(data))] if round % 3 == 0 else data))
        except MalformedRequest:
            refused += 1
    assert refused > 700


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"000",
        b"0003",
        b"zzzz",
        b"+005a",
        b" 05a",
        b"0x5a",
        b"0006a",
        b"ffff" + b"a" * 65531,
        b"fff1" + b"a" * 65517,
        b"-001",
    ],
)
def test_packet_lines_are_read_strictly(data: bytes) -> None:
    with pytest.raises(MalformedRequest):
        Lines(data).read()


def test_packet_lines_up_to_their_limit() -> None:
    lines = Lines(b"fff0" + b"a" * 65516 + b"0004" + b"0005x" + b"000100020000")
    assert [len(lines.read()) for _ in range(3)] == [65516, 0, 1]  # type: ignore[arg-type]
    assert [lines.read() for _ in range(3)] == [Mark.DELIM, Mark.END, Mark.FLUSH]
    assert lines.at_end


def test_too_many_lines_are_refused() -> None:
    with pytest.raises(MalformedRequest, match="too many lines"):
        fetch.version_0(pkt(f"want {SHA}\n") * (limits.MAX_LINES + 1))
    with pytest.raises(MalformedRequest, match="too many commands"):
        push.parse_push(pkt(f"{'0' * 40} {SHA} refs/heads/x\n") * (limits.MAX_COMMANDS + 1) + FLUSH)


def test_the_size_of_a_file_is_told() -> None:
    with pytest.raises(FileTooLarge) as caught:
        list(unpack(sealed_pack(entry(BLOB, b"x", size=30 * MIB)), lambda _: None))
    assert caught.value.size == 30 * MIB
