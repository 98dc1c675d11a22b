"""A run's sandboxes without namespaces: folders, a user and a loopback address of their own, each sandbox with a
supervisor beside it. For hosts that forbid user namespaces.
"""

import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from world.sandbox import landlock
from world.sandbox.host_tools import Host
from world.sandbox.launcher import ENV, TREE, Job, open_memory_file, pipe
from world.sandbox.model import Limits, Unavailable
from world.sandbox.process import Capture, RunningSandbox, Stop
from world.sandbox.supervisor import Order
from world.sandbox.users import reserve_user

NO_LANDLOCK = "use a kernel with Landlock (Linux 6.12 or newer; 5.19 for root), or the container image (docs/ci.md)"
_PLACES = {TREE: "tree", "/home/ci": "home", "/tmp": "tmp", "/dev/shm": "shm", "/opt/bin": "bin", "/run": "run"}
_WRITABLE = ("tree", "home", "tmp", "shm")
_IN_SCRIPTS = re.compile(r"(?<![\w.~/})\]*?-])(/workspace|/home/ci|/tmp|/dev/shm|/opt/bin)(?![\w.-])")
_GRACE_S = 20
_SUPERVISE = "import sys; sys.path.insert(0, sys.argv[1]); from world.sandbox.supervisor import main; main()"


@dataclass(frozen=True)
class Enclosure:
    """Things that the sandboxes of one run share; `users` are those of its disks, none where we are not root."""

    host: Host
    limits: Limits
    folder: Path
    users: tuple[int, ...]
    registry: int

    @property
    def address(self) -> str:
        """Loopback address of the run, in 127.64.0.0 to 127.127.255.255, which no other run has meanwhile."""
        number = os.fstat(self.registry).st_ino
        return f"127.{64 + (number >> 16) % 64}.{(number >> 8) % 256}.{number % 256}"

    def restore(self, disk: int, text: bytes) -> bytes:
        """A text with the names that every sandbox has for its places."""
        places = {str(self.folder / str(disk) / name): place for place, name in _PLACES.items()}
        found = {place.encode(): name.encode() for place, name in {**places, self.address: "127.0.0.1"}.items()}
        return re.sub(b"|".join(map(re.escape, found)), lambda match: found[match[0]], text)

    def place(self, disk: int, text: str) -> str:
        """A text, such as a script, with the real names of these places."""
        return _IN_SCRIPTS.sub(lambda match: str(self.folder / str(disk) / _PLACES[match[1]]), text)


@contextmanager
def enclosure(host: Host, limits: Limits, disks: int = 1) -> Generator[Enclosure, None, None]:
    """The folders of a run with this many disks. Raises Unavailable."""
    with ExitStack() as kept:
        users = tuple(kept.enter_context(reserve_user()) for _ in range(disks)) if os.geteuid() == 0 else ()
        folder = Path(tempfile.mkdtemp(prefix="firm-ci-", dir=_find_room(limits)))
        kept.callback(_remove, folder)
        folder.chmod(0o711)
        registry = os.memfd_create("ports")
        kept.callback(os.close, registry)
        made = Enclosure(host, limits, folder, users, registry)
        for disk in range(disks):
            _make_disk(made, disk)
        yield made


def refuse_kernel(host: Host) -> int:
    """The version of Landlock to use. Raises Unavailable for a host on which something would not hold."""
    abi = landlock.version()
    if abi == 0:
        raise Unavailable("the kernel has no Landlock, or the container's filter forbids it", NO_LANDLOCK)
    if abi < landlock.MOVES:
        raise Unavailable("Landlock is older than version 2, which lets files move between folders", NO_LANDLOCK)
    if os.geteuid() != 0 and abi < landlock.SIGNALS:
        raise Unavailable(f"Landlock is version {abi}; only from 6 on are signals of one user held", NO_LANDLOCK)
    if os.geteuid() != 0 and host.prefix and os.stat(host.prefix).st_uid == os.geteuid():
        raise Unavailable(
            "the only Python 3.11 belongs to this user, so that it could be changed", "install python3 under /usr"
        )
    return abi


@contextmanager
def launch(made: Enclosure, job: Job) -> Generator[RunningSandbox, None, None]:
    """The sandbox of a job, running; nothing of it is left when the block ends. Raises Unavailable when it cannot be
    started.
    """
    with ExitStack() as ours:
        with ExitStack() as theirs:
            info = pipe(ours, theirs)
            report = pipe(ours, theirs) if job.reports else None
            stdin = open_memory_file(job.stdin, theirs)
            order = _order(made, job, info[1], report[1] if report else None, stdin)
            kept = [made.registry, info[1], stdin, *((report[1],) if report else ())]
            popen = _spawn(kept)
        ours.enter_context(popen)
        ours.callback(popen.kill)
        assert popen.stdin is not None and popen.stdout is not None
        with suppress(BrokenPipeError):
            popen.stdin.write(json.dumps(asdict(order)).encode() + b"\n")
            popen.stdin.flush()
        captures = [Capture(popen.stdout.fileno(), made.limits.output_kb << 10)]
        if report:
            captures.append(Capture(report[0], made.limits.output_kb << 12))
        for capture in captures:
            capture.restore = lambda text: made.restore(job.disk, text)
        ended = os.pidfd_open(popen.pid)
        ours.callback(os.close, ended)
        running = RunningSandbox(popen, ended, SupervisedProcesses(popen, info[0], order.user), captures)
        try:
            yield running
        finally:
            running.end()


@dataclass
class SupervisedProcesses:
    """The processes of a sandbox, by way of their supervisor: they end when its input does."""

    popen: "subprocess.Popen[bytes]"
    info: int
    user: int | None
    stopped: Stop | None = None
    ended: bool = False

    def kill(self) -> None:
        """End everything inside, and wait for it. Raises Unavailable where the supervisor itself has failed."""
        if self.ended:
            return
        self.ended = True
        assert self.popen.stdin is not None
        with suppress(BrokenPipeError):
            self.popen.stdin.close()
        try:
            self.popen.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            self.popen.kill()
        code = self.popen.wait()
        said = os.read(self.info, 1 << 10) if code >= 0 else b""
        if said:
            self.stopped = json.loads(said)["stopped"]
            return
        if self.user is not None:
            _kill_all(self.user)
        if code >= 0:
            raise Unavailable("The supervisor of a sandbox has failed.")

    def exceeds(self, memory: int) -> bool:
        """Always False: the supervisor watches the memory."""
        return False


def _kill_all(user: int) -> None:
    """End what a supervisor that was killed has left; nobody else has that user."""
    with suppress(OSError, subprocess.SubprocessError):
        subprocess.run(["/bin/sh", "-c", "kill -9 -1"], user=user, group=user, extra_groups=[], check=False)


def _order(made: Enclosure, job: Job, info: int, report: int | None, stdin: int) -> Order:
    limits, own = made.limits, made.folder / str(job.disk)
    names = _write_texts(made, job)
    command = [names.get(word, made.place(job.disk, word)) for word in job.command]
    user = made.users[job.disk] if made.users else None
    return Order(
        command=command if report is None else [*command, str(report)],
        directory=str(own / "tree" / job.directory),
        env=_environment(made, job),
        folder=str(own),
        readable=[*readable(made.host), str(own / "bin"), str(own / "run")],
        writable=[*(str(own / name) for name in _WRITABLE), *_DEVICES],
        user=user,
        shares_user=user is None,
        abi=refuse_kernel(made.host),
        address=made.address,
        registry=made.registry,
        stdin=stdin,
        info=info,
        report=report,
        cpu_s=limits.cpu_s,
        memory=limits.memory_mb << 20,
        processes=limits.processes,
        disk=limits.disk_mb << 20,
        files=limits.files,
        open_files=limits.open_files,
    )


def _environment(made: Enclosure, job: Job) -> dict[str, str]:
    given = {**ENV, **job.env}
    return {name: made.place(job.disk, value) for name, value in given.items()}


def _write_texts(made: Enclosure, job: Job) -> dict[str, str]:
    """Write the texts beside the tree, out of the sandbox's hands; return the place of each."""
    found: dict[str, str] = {}
    for path, content in job.texts.items():
        place = made.folder / str(job.disk) / "run" / Path(path).name
        place.write_bytes(
            made.place(job.disk, content.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
        )
        place.chmod(0o644)
        found[path] = str(place)
    return found


_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_KEPT = (
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/hosts",
    "/etc/mime.types",
    "/etc/ssl/openssl.cnf",
    *(f"/proc/{name}" for name in ("cpuinfo", "filesystems", "loadavg", "meminfo", "stat", "uptime", "version")),
)
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")


def readable(host: Host) -> list[str]:
    """List the paths of the host that a sandbox may read: programs and libraries that every host has."""
    hidden = host.list_hidden_folders()
    roots = [Path(name) for name in _SYSTEM if not os.path.islink(name)]
    roots += [Path(host.prefix)] if host.prefix else []
    return [*(str(path) for root in roots for path in _without(root, hidden)), *_KEPT]


def _without(folder: Path, hidden: list[Path]) -> Iterator[Path]:
    """A folder, or where something in it is hidden all of its parts but that."""
    if folder in hidden or not folder.exists():
        return
    if not any(path.is_relative_to(folder) for path in hidden):
        yield folder
        return
    for part in sorted(folder.iterdir()):
        yield from _without(part, hidden)


def _spawn(kept: list[int]) -> "subprocess.Popen[bytes]":
    root = str(Path(__file__).parents[2])
    try:
        return subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _SUPERVISE, root],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=kept,
            env={"PATH": "/usr/bin:/bin"},
            cwd="/",
            start_new_session=True,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise Unavailable(f"A sandbox cannot be started: {error}.") from error


def _find_room(limits: Limits) -> str:
    """A folder for temporary files from which programs can be started. Raises Unavailable."""
    for folder in dict.fromkeys((tempfile.gettempdir(), "/tmp", "/var/tmp")):
        with suppress(OSError):
            found = os.statvfs(folder)
            open_to_all = all(os.stat(one).st_mode & stat.S_IXOTH for one in (folder, *Path(folder).parents))
            if (
                not found.f_flag & (os.ST_NOEXEC | os.ST_RDONLY)
                and os.access(folder, os.W_OK)
                and found.f_bavail * found.f_frsize > limits.disk_mb << 20
                and (open_to_all or os.geteuid() != 0)
            ):
                return folder
    raise Unavailable(
        "no folder for temporary files has room and lets programs be started",
        "mount /tmp without noexec (docker run --tmpfs /tmp:exec)",
    )


def _make_disk(made: Enclosure, disk: int) -> None:
    own = made.folder / str(disk)
    for name in dict.fromkeys(_PLACES.values()):
        (own / name).mkdir(parents=True)
    for name in ("python3", "python"):
        (own / "bin" / name).symlink_to(made.host.python)
    if made.users:
        for name in _WRITABLE:
            os.chown(own / name, made.users[disk], made.users[disk])
        os.chown(own, 0, made.users[disk])
        own.chmod(0o750)


def _remove(folder: Path) -> None:
    """Remove what is left of a run, folders without rights included."""
    for path, folders, _ in os.walk(folder):
        for name in folders:
            with suppress(OSError):
                if not os.path.islink(os.path.join(path, name)):
                    os.chmod(os.path.join(path, name), 0o700)
    shutil.rmtree(folder, ignore_errors=True)
