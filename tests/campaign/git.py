"""Git requests: sound packets and packs, cut, changed and repeated."""

import random

from apps.github.bombs import ZERO, hash_object, make_commit, make_tree, pack_objects
from apps.github.git.wire.pkt import FLUSH, pkt
from tests.campaign.callers import Callers, open_plane
from tests.campaign.part import Figures, Ground, Part, Tally, chance_of

REFS = (
    "refs/heads/main",
    "refs/heads/x",
    "refs/tags/x",
    "HEAD",
    "refs/pull/1/head",
    "refs/heads/..",
    "x",
    "refs/heads/\udcff",
    "refs/heads/a b",
    "",
)


def build_push(chance: random.Random) -> bytes:
    """A push of a small history."""
    blob = (3, b"%d" % chance.randrange(100))
    tree = make_tree(
        [
            (
                chance.choice(("100644", "40000", "120000", "160000", "0", "999999")),
                chance.choice(("a", ".git", "..", "a/b", "")),
                hash_object(*blob),
            )
        ]
    )
    commit = make_commit(
        hash_object(*tree), [chance.choice((ZERO, "1" * 40))] if chance.random() < 0.2 else [], chance.randrange(9)
    )
    new = chance.choice((hash_object(*commit), hash_object(*tree), ZERO, "f" * 40))
    line = f"{chance.choice((ZERO, '1' * 40))} {new} {chance.choice(REFS)}\0 report-status {chance.choice(('', 'atomic', 'side-band-64k', 'x=y'))}\n"
    return pkt(line) + FLUSH + pack_objects([blob, tree, commit])


def build_fetch(chance: random.Random) -> bytes:
    """A fetch in either version."""
    lines = [
        f"want {chance.choice(('1' * 40, ZERO, 'x', 'f' * 39))}\n",
        f"have {'2' * 40}\n",
        "done\n",
        "deepen 1\n",
        "deepen -1\n",
        "filter blob:none\n",
        "filter x\n",
        "command=fetch\n",
        "command=ls-refs\n",
        "peel\n",
        "ref-prefix \n",
        "deepen-since 99999999999999999999\n",
    ]
    return b"".join(pkt(chance.choice(lines)) for _ in range(chance.randrange(1, 8))) + chance.choice(
        (FLUSH, b"", b"0001", b"0002")
    )


def damage(body: bytes, chance: random.Random) -> bytes:
    """Cut, flip, double or lengthen some bytes; of every three one stays as it is."""
    kind = chance.randrange(6)
    if kind < 2 or not body:
        return body
    at = chance.randrange(len(body))
    if kind == 2:
        return body[:at]
    if kind == 3:
        return body[:at] + bytes([body[at] ^ (1 << chance.randrange(8))]) + body[at + 1 :]
    return body[:at] + (body[at:] * 2 if kind == 4 else bytes(chance.randrange(256) for _ in range(20)) + body[at:])


def run(ground: Ground) -> Figures:
    """Requests until the share is done."""
    tally, chance = Tally(), chance_of("git")
    with open_plane(ground, "git") as plane:
        callers = Callers(plane)
        for _ in range(ground.share(10_000)):
            service = chance.choice(("upload-pack", "receive-pack"))
            body = damage((build_push if service == "receive-pack" else build_fetch)(chance), chance)
            version = chance.choice(("version=2", "version=0", "version=9", "x"))
            at, kind = callers.of("github"), f"application/x-git-{service}-request"
            if chance.random() < 0.1:
                address = f"/quayline/payments.git/info/refs?service=git-{chance.choice((service, 'x', ''))}"
                tally.add(at.get(address, **{"Git-Protocol": version}), address)
                continue
            answer = at.send("POST", f"/quayline/payments.git/git-{service}", body, kind, **{"Git-Protocol": version})
            tally.add(answer, f"git {service} {version} {body[:200]!r}")
    return {**tally.figures("five_hundreds", "foreign_words", "long_holds"), "worlds_closed": callers.closed}


part = Part("git", 10_000, "git requests", ("five_hundreds", "foreign_words", "worlds_closed"), run)
