"""Histories that grow from a seed: commits with edits, renames, mode changes and merges, for `git fast-import`."""

from random import Random

WORDS = (
    "alpha",
    "beta",
    "gamma",
    "delta",
    "load",
    "save",
    "return x",
    "pass",
    "if ok:",
    "else:",
    "",
    "",
    "}",
    "{",
    "x = 1",
    "y += 2",
)
FOLDERS = ("", "", "src/", "src/core/", "docs/")
STEP, FIRST = 60, 1_700_000_000

Files = dict[str, tuple[str, bytes]]  # path -> (mode, content)


def line(rng: Random) -> str:
    """One line; many are alike, as in code."""
    if rng.random() < 0.12:
        return f"def {rng.choice(WORDS[:4])}_{rng.randrange(30)}():"
    return "    " * rng.randrange(3) + rng.choice(WORDS) + (str(rng.randrange(60)) if rng.random() < 0.4 else "")


def text(rng: Random, size: int) -> bytes:
    """A file of so many lines."""
    return ("\n".join(line(rng) for _ in range(size)) + ("\n" if rng.random() < 0.9 else "")).encode()


def edited(rng: Random, old: bytes, most: int = 4) -> bytes:
    """A file with a few places changed."""
    lines = old.decode().split("\n")
    for _ in range(rng.randint(1, most)):
        at, count = rng.randrange(len(lines) or 1), rng.randrange(4)
        new = [line(rng) for _ in range(rng.randrange(4))]
        if rng.random() < 0.2:
            new = lines[at : at + rng.randint(1, 6)] * 2  # a block said twice: what diffs slide along
        lines[at : at + count] = new
    return "\n".join(lines).encode()


class Grower:
    """Writes a fast-import stream and remembers what every commit holds."""

    def __init__(self, rng: Random, *, files: int = 8, lines: int = 30, most: int = 4) -> None:
        self.rng, self.lines, self.most = rng, lines, most
        self.out: list[bytes] = []
        self.commits: list[Files] = []
        self.parents: list[list[int]] = []
        self.times: list[int] = []
        self.made = 0
        first: Files = {}
        for _ in range(files):
            first[self.name()] = ("100644", text(rng, lines))
        self.commit([], first)

    def name(self) -> str:
        """A path not used before."""
        self.made += 1
        return f"{self.rng.choice(FOLDERS)}{self.rng.choice(('a', 'file', 'Read me', 'z-'))}{self.made}.{self.rng.choice(('py', 'txt'))}"

    def commit(self, parents: list[int], files: Files, at: int | None = None) -> int:
        """Add a commit; returns its number."""
        number = len(self.commits)
        when = at if at is not None else FIRST + STEP * number
        head = (
            f"commit refs/heads/c{number}\nmark :{number + 1}\nauthor Ann {number % 3} <ann{number % 3}@x.example>"
            f" {when} +0000\n"
        )
        self.out.append(f"{head}committer Cy <cy@x.example> {when} +0000\ndata 3\nc{number % 10}\n".encode())
        for word, parent in zip(["from", *["merge"] * len(parents)], parents, strict=False):
            self.out.append(f"{word} :{parent + 1}\n".encode())
        before = self.commits[parents[0]] if parents else {}
        self.out += [f'D "{path}"\n'.encode() for path in before if path not in files]
        for path, (mode, data) in files.items():
            if before.get(path) != (mode, data):
                self.out.append(f'M {mode} inline "{path}"\ndata {len(data)}\n'.encode() + data + b"\n")
        self.commits.append(files)
        self.parents.append(parents)
        return number

    def change(self, parent: int, edits: int | None = None) -> int:
        """A commit on another one."""
        files = dict(self.commits[parent])
        for _ in range(edits or self.rng.randint(1, 3)):
            self.touch(files)
        return self.commit([parent], files)

    def touch(self, files: Files) -> None:
        """Edit, add, remove, rename or mark one file."""
        rng, path = self.rng, self.rng.choice(sorted(files))
        mode, data = files[path]
        what = rng.random()
        if what < 0.72 or len(files) < 3:
            files[path] = (mode, edited(rng, data, self.most))
        elif what < 0.82:
            files[self.name()] = ("100644", text(rng, self.lines))
        elif what < 0.87:
            del files[path]
        elif what < 0.95:
            del files[path]
            files[self.name()] = (mode, edited(rng, data, 1) if rng.random() < 0.5 else data)
        else:
            files[path] = ("100755" if mode == "100644" else "100644", data)

    def merge(self, ours: int, theirs: int) -> int:
        """A merge that takes each file from one side, sometimes with an edit."""
        a, b = self.commits[ours], self.commits[theirs]
        files = {path: self.rng.choice([side[path] for side in (a, b) if path in side]) for path in sorted({**a, **b})}
        for path in sorted(files):
            if (path not in a or path not in b) and self.rng.random() < 0.3 and len(files) > 3:
                del files[path]
        return self.commit([ours, theirs], files)

    def grow(self, count: int, merges: float = 0.2, branches: int = 3) -> None:
        """Add commits on a few open branches."""
        tips = [0]
        for _ in range(count):
            if len(tips) > 1 and self.rng.random() < merges:
                a, b = self.rng.sample(range(len(tips)), 2)
                tips[a] = self.merge(tips[a], tips[b])
                if self.rng.random() < 0.5:
                    del tips[b]
                continue
            at = self.rng.randrange(len(tips))
            made = self.change(tips[at])
            if len(tips) < branches and self.rng.random() < 0.3:
                tips.append(made)
            else:
                tips[at] = made
        self.tips = tips

    @property
    def stream(self) -> bytes:
        """What fast-import reads."""
        return b"".join(self.out)
