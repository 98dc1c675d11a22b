"""Inputs made to cost at the code host's parsers: packs, trees, differences, merges, GraphQL, markup, workflows, searches."""

import base64
import hashlib
import json
import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence

from apps.github.git.wire.pkt import FLUSH, pkt
from world.bench.attacker import Attacker, read
from world.bench.bombs import Bomb, repeat

HERE = {"owner": "quayline", "repo": "payments"}
REPO = "/api/v3/repos/quayline/payments"
ZERO = "0" * 40
COMMIT, TREE, BLOB, OFS_DELTA = 1, 2, 3, 6
NAMES = {COMMIT: b"commit", TREE: b"tree", BLOB: b"blob"}
Object = tuple[int, bytes]  # kind and content
PERSON = b"A <a@b.example> 1772438400 +0000"


def hash_object(kind: int, data: bytes) -> str:
    """The sha of an object."""
    return hashlib.sha1(NAMES[kind] + b" %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _head(kind: int, size: int) -> bytes:
    made, size = bytearray([kind << 4 | size & 15]), size >> 4
    while size:
        made[-1] |= 128
        made.append(size & 127)
        size >>= 7
    return bytes(made)


def _pack(entries: Iterable[bytes]) -> bytes:
    listed = list(entries)
    data = b"PACK" + struct.pack(">II", 2, len(listed)) + b"".join(listed)
    return data + hashlib.sha1(data, usedforsecurity=False).digest()


def pack_objects(objects: Iterable[Object]) -> bytes:
    """A pack of whole objects."""
    return _pack(_head(kind, len(data)) + zlib.compress(data) for kind, data in objects)


def make_tree(entries: Iterable[tuple[str, str, str]]) -> Object:
    """A tree of mode, name and sha."""
    return TREE, b"".join(f"{mode} {name}\0".encode() + bytes.fromhex(sha) for mode, name, sha in entries)


def make_commit(tree: str, parents: Sequence[str] = (), number: int = 0) -> Object:
    """A commit; `number` makes it another one."""
    lines = b"".join(b"parent %s\n" % one.encode() for one in parents)
    return COMMIT, b"tree %s\n%bauthor %b\ncommitter %b\n\nx%d\n" % (tree.encode(), lines, PERSON, PERSON, number)


def _push(pack: bytes, new: str) -> Bomb:
    """Push a pack as a branch, look at it, and let its events come."""
    body = pkt(f"{ZERO} {new} refs/heads/bomb\0 report-status\n") + FLUSH + pack

    def send(at: Attacker) -> None:
        at.send("POST", "/quayline/payments.git/git-receive-pack", body, "application/x-git-receive-pack-request")
        at.get(f"{REPO}/git/trees/bomb?recursive=1")
        at.get(f"{REPO}/commits?sha=bomb&per_page=100")
        at.get(f"{REPO}/compare/main...bomb")
        at.get(f"{REPO}/zipball/bomb")
        at.page("/quayline/payments/tree/bomb")

    return send


def _push_objects(objects: list[Object], commit: Object) -> Bomb:
    return _push(pack_objects([*objects, commit]), hash_object(*commit))


def _equal_subtrees(levels: int, wide: int) -> Bomb:
    blob: Object = (BLOB, b"x")
    objects: list[Object] = [blob]
    below, mode = hash_object(*blob), "100644"
    for _ in range(levels):
        made = make_tree((mode, f"f{number:03}", below) for number in range(wide))
        objects.append(made)
        below, mode = hash_object(*made), "40000"
    return _push_objects(objects, make_commit(below))


def _wide_tree(entries: int) -> Bomb:
    blob: Object = (BLOB, b"x")
    tree = make_tree(("100644", f"f{number:06}", hash_object(*blob)) for number in range(entries))
    return _push_objects([blob, tree], make_commit(hash_object(*tree)))


def _zeros(size: int) -> Bomb:
    blob: Object = (BLOB, bytes(size))
    tree = make_tree([("100644", "f", hash_object(*blob))])
    return _push_objects([blob, tree], make_commit(hash_object(*tree)))


def _history(commits: int) -> Bomb:
    tree = make_tree([])
    objects, last = [tree], ""
    for number in range(commits):
        made = make_commit(hash_object(*tree), [last] if last else [], number)
        objects.append(made)
        last = hash_object(*made)
    return _push(pack_objects(objects), last)


def _many_parents(parents: int) -> Bomb:
    tree = make_tree([])
    firsts = [make_commit(hash_object(*tree), [], number) for number in range(parents)]
    return _push_objects([tree, *firsts], make_commit(hash_object(*tree), [hash_object(*one) for one in firsts]))


def _small_objects(number: int) -> Bomb:
    blobs: list[Object] = [(BLOB, b"%d" % one) for one in range(number)]
    return _push_objects(blobs, make_commit(ZERO))


def _deltas(depth: int) -> Bomb:
    """Deltas on deltas; each copies the whole of the one before."""
    base = b"x" * 100
    entries = [_head(BLOB, len(base)) + zlib.compress(base)]
    delta = bytes([100, 100, 0x90, 100])  # sizes of source and target, then: copy 100 bytes from 0
    for _ in range(depth):
        entries.append(_head(OFS_DELTA, len(delta)) + bytes([len(entries[-1])]) + zlib.compress(delta))
    return _push(_pack(entries), hash_object(BLOB, base))


def _copies(times: int) -> Bomb:
    """One delta whose every instruction copies a byte."""
    base, ops = b"x" * 100, bytes([0x90, 1]) * times
    size, target = times, bytearray()
    while size > 127:
        target.append(size & 127 | 128)
        size >>= 7
    delta = bytes([100]) + bytes([*target, size]) + ops
    first = _head(BLOB, len(base)) + zlib.compress(base)
    back = len(first)
    return _push(
        _pack([first, _head(OFS_DELTA, len(delta)) + bytes([back]) + zlib.compress(delta)]), hash_object(BLOB, base)
    )


def _write(at: Attacker, path: str, text: str, branch: str) -> None:
    content = base64.b64encode(text.encode()).decode()
    known = read(at.get(f"{REPO}/contents/{path}?ref={branch}"))
    sha = {"sha": known["sha"]} if isinstance(known, dict) and "sha" in known else {}
    body = {"message": "m", "branch": branch, "content": content, **sha}
    at.send("PUT", f"{REPO}/contents/{path}", json.dumps(body).encode(), "application/json")


def _branch(at: Attacker, name: str) -> None:
    sha = read(at.get(f"{REPO}/git/ref/heads/main"))["object"]["sha"]
    at.post(f"{REPO}/git/refs", {"ref": f"refs/heads/{name}", "sha": sha})


def _difference(one: str, other: str, *, merge: bool = False) -> Bomb:
    """Two versions of a file on two branches, compared, opened as a pull request and blamed; merged if asked for."""

    def send(at: Attacker) -> None:
        _branch(at, "left")
        _write(at, "bomb.txt", one, "left")
        _branch(at, "right")
        _write(at, "bomb.txt", one if not merge else f"{other}z", "right")
        _write(at, "bomb.txt", other, "right")
        at.get(f"{REPO}/compare/left...right")
        pull = read(at.post(f"{REPO}/pulls", {"title": "x", "head": "right", "base": "left"}))
        if "number" in pull:
            at.page(f"/quayline/payments/pull/{pull['number']}/files")
            at.get(f"{REPO}/pulls/{pull['number']}", Accept="application/vnd.github.diff")
            at.send("PUT", f"{REPO}/pulls/{pull['number']}/merge", b"{}", "application/json")
        at.page("/quayline/payments/blame/right/bomb.txt")

    return send


def _renames(files: int) -> Bomb:
    def send(at: Attacker) -> None:
        _branch(at, "left")
        head = read(at.get(f"{REPO}/git/ref/heads/left"))["object"]["sha"]
        for folder in ("a", "b"):
            entries = [
                {"path": f"{folder}/f{n}", "mode": "100644", "type": "blob", "content": repeat(f"{n} {{}}\n", 400)}
                for n in range(files)
            ]
            tree = read(at.post(f"{REPO}/git/trees", {"tree": entries}))
            made = read(at.post(f"{REPO}/git/commits", {"message": "m", "tree": tree.get("sha"), "parents": [head]}))
            head = made.get("sha", head)
        at.get(f"{REPO}/commits/{head}")
        at.page(f"/quayline/payments/commit/{head}")

    return send


def _ask(query: str, **variables: object) -> Bomb:
    return lambda at: at.post("/api/graphql", {"query": query, "variables": variables})


def _issue(body: str) -> Bomb:
    def send(at: Attacker) -> None:
        made = read(at.post(f"{REPO}/issues", {"title": "x", "body": body}))
        at.page(f"/quayline/payments/issues/{made.get('number', 1)}")
        at.get(f"{REPO}/issues/{made.get('number', 1)}", Accept="application/vnd.github.full+json")

    return send


def _file(path: str, text: str, address: str = "") -> Bomb:
    def send(at: Attacker) -> None:
        _branch(at, "bomb")
        _write(at, path, text, "bomb")
        at.page(address or f"/quayline/payments/blob/bomb/{path}")

    return send


def _workflow(text: str) -> Bomb:
    return _file(".github/workflows/bomb.yml", text, "/quayline/payments/actions")


def _aliases() -> str:
    lines = ["a0: &a0 [x]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40)]
    return "on: push\n" + "\n".join(lines) + "\n"


def _matrix() -> str:
    axes = "".join(f"        k{n}: [{', '.join(map(str, range(30)))}]\n" for n in range(8))
    return (
        "on: push\njobs:\n  a:\n    runs-on: x\n    strategy:\n      matrix:\n"
        + axes
        + "    steps:\n      - run: 'true'\n"
    )


def _seek(kind: str, query: str) -> Bomb:
    return lambda at: at.call(kind, q=query)


LINES = repeat("{}\n", 600_000)
FRAGMENTS = "".join(f"fragment F{n} on Query {{ ...F{n + 1} }} " for n in range(900))
DOUBLES = "".join(f"fragment D{n} on User {{ ...D{n + 1} ...D{n + 1} }} " for n in range(30))

bombs: Mapping[str, Bomb] = {
    "a push of ten levels of ten equal trees": _equal_subtrees(10, 10),
    "a push of 1,500 nested folders": _equal_subtrees(1_500, 1),
    "a push of a folder of 19,000 files": _wide_tree(19_000),
    "a push of a folder of 200,000 files": _wide_tree(200_000),
    "a push of a file of 24 MB of zeros": _zeros(24 << 20),
    "a push of 15,000 commits": _history(15_000),
    "a push of a commit of 5,000 parents": _many_parents(5_000),
    "a push of 40,000 small objects": _small_objects(40_000),
    "a push of 10,000 deltas on deltas": _deltas(10_000),
    "a push of 240 deltas on deltas": _deltas(240),
    "a push of a delta of a million copies": _copies(1_000_000),
    "a fetch of 15,000 lines": lambda at: at.send(
        "POST",
        "/quayline/payments.git/git-upload-pack",
        b"".join(pkt(f"have {number:040x}\n") for number in range(15_000)) + FLUSH,
        "application/x-git-upload-pack-request",
    ),
    "a difference of 100,000 lines": _difference(LINES, LINES.replace("5", "6")),
    "a difference of short lines": _difference("a\n" * 100_000, "b\na\n" * 60_000),
    "a difference of one line of a megabyte": _difference("x" * 900_000, "y" * 900_000),
    "a merge of 20,000 changed lines": _difference(LINES[:120_000], LINES[:120_000].replace("7", "8"), merge=True),
    "a commit of 900 renames": _renames(900),
    "GraphQL of 400 levels": _ask(
        "{ viewer " + "{ repositories(first: 1) { nodes { owner " * 400 + "{ login }" + " } } }" * 400 + " }"
    ),
    "GraphQL of open braces": _ask("{a" * 50_000),
    "GraphQL of 20,000 fields": _ask("{" + "viewer{login} " * 20_000 + "}"),
    "GraphQL of 5,000 aliases": _ask("{" + " ".join(f"a{n}: viewer {{ login }}" for n in range(5_000)) + "}"),
    "GraphQL of 60 introspections": _ask(
        "{" + " ".join(f"a{n}: __schema {{ types {{ name fields {{ name }} }} }}" for n in range(60)) + "}"
    ),
    "GraphQL of nested introspection": _ask(
        "{ __schema { types { fields { type { fields { type { fields { type { name } } } } } } } } }"
    ),
    "GraphQL of 900 chained fragments": _ask("{ ...F0 } " + FRAGMENTS + "fragment F900 on Query { viewer { login } }"),
    "GraphQL of doubled fragments": _ask("{ viewer { ...D0 } } " + DOUBLES + "fragment D30 on User { login }"),
    "GraphQL of 10,000 directives": _ask("{ viewer { login " + "@include(if: true) " * 10_000 + "} }"),
    "GraphQL of 10,000 arguments": _ask(
        "{ viewer { repositories(" + " ".join(f"a{n}: 1" for n in range(10_000)) + ") { totalCount } } }"
    ),
    "GraphQL of conflicting fields": _ask(
        "{" + " ".join(f"viewer {{ login a: name b{n}: login }}" for n in range(2_000)) + "}"
    ),
    "GraphQL of deep variables": lambda at: at.post(
        "/api/graphql",
        b'{"query":"query($a: String) { viewer { login } }","variables":{"a":' + b"[" * 900 + b"]" * 900 + b"}}",
    ),
    "GraphQL of many nodes": _ask("query($i: [ID!]!) { nodes(ids: $i) { id } }", i=["R_kgDO"] * 5_000),
    "GraphQL of large pages": _ask(
        '{ search(type: ISSUE, query: "is:open", first: 100) { nodes { ... on Issue { title body comments(first: 100)'
        " { nodes { body author { login } } } } } } }"
    ),
    "a text of brackets": _issue("[" * 60_000),
    "a text of stars": _issue("*a " * 20_000),
    "a text of mixed emphasis": _issue("*a_ " * 15_000),
    "a text of quotes": _issue("> " * 30_000),
    "a text of quotes on every line": _issue("\n".join(">" * 200 for _ in range(300))),
    "a text of back ticks": _issue("".join("`" * n + " " for n in range(1, 340))),
    "a text of list marks": _issue("- " * 30_000),
    "a text of nested lists": _issue("\n".join("  " * n + "- a" for n in range(300))),
    "a text of table cells": _issue("|a" * 10_000 + "\n" + "|-" * 10_000 + "\n" + "|a" * 10_000),
    "a text of links": _issue("[a](" * 15_000),
    "a text of link names": _issue("".join(f"[a{n}]: b\n" for n in range(6_000))),
    "a text of references": _issue("#1 " * 20_000),
    "a text of mentions": _issue("@a " * 20_000),
    "a text of elements": _issue("<div>" * 12_000),
    "a text of open elements": _issue("<a " * 20_000),
    "a text of footnotes": _issue("[^1] " * 12_000 + "\n[^1]: a"),
    "a text of entities": _issue("&amp;" * 12_000),
    "Markdown of 400 KB": lambda at: at.call("markdown/render", text="**a " * 100_000),
    "a file of Markdown": _file("bomb.md", "**a [b](c) " * 40_000),
    "a file of 100,000 lines": _file("bomb.py", "x = [1, 'a', {2: 3}]\n" * 40_000),
    "a file of one long line": _file("bomb.js", "a+" * 400_000),
    "a workflow of aliases": _workflow(_aliases()),
    "a workflow of open brackets": _workflow("on: push\njobs: " + "[" * 10_000),
    "a workflow of a large matrix": _workflow(_matrix()),
    "a workflow of dashes": _workflow("- " * 10_000),
    "a workflow of question marks": _workflow("? " * 5_000),
    "a workflow of holes": _workflow('on: push\njobs:\n  a:\n    runs-on: x\n    name: "' + "${{ a } " * 5_000 + '"\n'),
    "a workflow of patterns": _workflow(
        "on:\n  push:\n    paths: ['" + "**/*a" * 200 + "']\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: x\n"
    ),
    "code owners of patterns": _file(".github/CODEOWNERS", ("*a" * 100 + " @ada\n") * 500),
    "a search of issues": _seek("search/issues-and-pull-requests", repeat("w{} OR ", 250) + "x"),
    "a search of labels": _seek("search/issues-and-pull-requests", repeat("label:l{} ", 250)),
    "a search of code": _seek("search/code", "repo:quayline/payments " + repeat("w{} ", 200)),
    "a search of brackets": _seek("search/issues-and-pull-requests", "(" * 120 + "a" + ")" * 120),
    "a search of a megabyte": lambda at: at.tool("search_code", {"q": repeat("w{} ", 1_000_000)}),
    "a tree of 20,000 entries": lambda at: at.post(
        f"{REPO}/git/trees",
        {"tree": [{"path": f"a/b{n}/c", "mode": "100644", "type": "blob", "content": ""} for n in range(20_000)]},
    ),
    "a gist of 300 files": lambda at: at.post(
        "/api/v3/gists", {"files": {f"f{number}.md": {"content": "*a " * 300} for number in range(300)}}
    ),
    "a review of 1,000 comments": lambda at: at.post(
        f"{REPO}/pulls/1/reviews",
        {"event": "COMMENT", "body": "x", "comments": [{"path": "a", "line": 1, "body": "*a"}] * 1_000},
    ),
}
