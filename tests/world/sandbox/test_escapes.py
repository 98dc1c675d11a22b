"""Every way out that we know of, really tried."""

import os
import platform
import socket
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

import pytest

from tests.world.sandbox.trial import SMALL, after, python, running_with, shell
from world.sandbox import Kind, Limits, Step, landlock, run, users
from world.sandbox.process import InitProcess
from world.sandbox.seccomp import AUDIT, REFUSED

CLONE = {"x86_64": 56, "aarch64": 220}
STATUS = """
import ctypes
libc = ctypes.CDLL(None)
sets = (ctypes.c_uint32 * 6)()
libc.capget((ctypes.c_uint32 * 2)(0x20080522, 0), sets)
print(sets[0] | sets[3], sets[1] | sets[4], libc.prctl(39, 0, 0, 0, 0))
"""
NOBODY = {"bubblewrap": "OSError", "landlock": "PermissionError"}  # to become user 0, whom only one of them knows
FULL = "[disk limit of 8 MB or 500 files reached]"
pytestmark = pytest.mark.usefixtures("isolated")


def test_nothing_outside_is_reached_over_the_network(isolated: Kind):
    tried = python("""
        import socket
        try:
            print([name for _, name in socket.if_nameindex()])
        except OSError:
            print("none named")
        for to in ("192.0.2.1", "169.254.169.254", "2001:db8::1"):
            with socket.socket(socket.AF_INET6 if ":" in to else socket.AF_INET) as one:
                print(one.connect_ex((to, 80)))
        try:
            socket.getaddrinfo("example.org", 80)
        except socket.gaierror:
            print("no names")
    """)
    links, *reached = tried.output.splitlines()
    assert links == {"bubblewrap": "['lo']", "landlock": "none named"}[isolated]
    assert reached == ["101", "101", "101", "no names"]  # 101: network is unreachable


def test_a_listener_on_the_hosts_loopback_is_not_reached(isolated: Kind):
    with socket.create_server(("127.0.0.1", 0)) as listener, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind("\0firmament-sandbox-test")
        abstract.listen()
        listener.setblocking(False)
        abstract.setblocking(False)
        tried = python(f"""
            import socket
            for to in (("127.0.0.1", {listener.getsockname()[1]}), "\\0firmament-sandbox-test"):
                try:
                    with socket.socket(socket.AF_UNIX if isinstance(to, str) else socket.AF_INET) as one:
                        print(one.connect_ex(to))
                except OSError as error:
                    print(error.errno)
        """)
        for one in (listener, abstract):
            with pytest.raises(BlockingIOError):
                one.accept()
    # 111: connection refused, 97: no such family of sockets
    assert tried.output.split() == ["111", {"bubblewrap": "111", "landlock": "97"}[isolated]]


def test_a_listener_on_all_addresses_of_the_host_is_not_reached_at_its_port_either():
    with socket.create_server(("0.0.0.0", 0)) as listener:
        listener.setblocking(False)
        port = listener.getsockname()[1]
        tried = python(f"""
            import socket
            for host in ("127.0.0.1", "127.1.2.3", "0.0.0.0", "::1", "::ffff:127.0.0.1"):
                with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as one:
                    print(one.connect_ex((host, {port})))
            with socket.socket() as one:
                try:
                    print(one.sendto(b"x", 0x20000000, ("127.0.0.1", {port})))
                except OSError as error:
                    print(error.errno)
        """)
        with pytest.raises(BlockingIOError):
            listener.accept()
    assert set(tried.output.split()) <= {"111", "1"}  # refused, and fast open is not permitted without namespaces


def test_programs_inside_reach_each_other_over_the_loopback():
    tried = python("""
        import http.server, threading, urllib.request
        class Hello(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.end_headers()
                self.wfile.write(f"{self.client_address[0]} asks {self.server.server_address[0]}".encode())
            def log_message(self, *_): pass
        for host, port in (("127.0.0.1", 0), ("", 8080), ("localhost", 8081)):
            server = http.server.ThreadingHTTPServer((host, port), Hello)
            threading.Thread(target=server.serve_forever).start()
            print(urllib.request.urlopen(f"http://localhost:{server.server_address[1]}/", timeout=5).read().decode())
            server.shutdown()
            server.server_close()
    """)
    assert tried.exit_code == 0 and tried.output.count("127.0.0.1 asks ") == 3, tried.output


def test_sockets_that_no_network_namespace_holds_are_refused():
    tried = python("""
        import socket
        for family in (40, 38, 17, 44):  # vsock, alg, packet, xdp
            try:
                socket.socket(family, socket.SOCK_STREAM)
                print("made")
            except OSError as error:
                print(error.errno)
    """)
    assert tried.output.split() == ["97"] * 4


def test_no_file_of_the_host_is_there(isolated: Kind, tmp_path: Path):
    secret = tmp_path / "secret.txt"
    secret.write_text("canary-5512", encoding="ascii")
    tmp_path.chmod(0o755)
    secret.chmod(0o644)
    places = (
        f"{secret} /proc/1/root{secret} /proc/self/root{secret} /etc/shadow /etc/hostname /root /var /sys /proc/1/mem"
        f" {Path(__file__)}"
    )
    look = "cat $place 2>/dev/null | head -c 100; ls -d $place 2>/dev/null || true"
    tried = shell(f"for place in {places}; do {look}; done; ls -A / /etc /home /tmp /run /usr/local")
    top = set("bin dev etc home lib lib32 lib64 libx32 opt proc run sbin tmp usr workspace".split())
    inside = {"alternatives", "group", "hosts", "ld.so.cache", "nsswitch.conf", "passwd", "ci", "step", "/proc/1/mem"}
    seen = {line for line in tried.output.splitlines() if line and not line.endswith(":")}
    assert "canary" not in tried.output
    if isolated == "landlock":  # that a path is there can be asked, not what is in it
        assert {line for line in seen if "Permission denied" not in line} <= set(places.split())
        return
    assert {"passwd", "workspace"} <= seen <= top | inside


def test_the_hosts_environment_is_not_there(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("FIRM_CANARY", "canary-7781")
    tried = shell("env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline | tr '\\0' '\\n'")
    assert "PYTHONHASHSEED=0" in tried.output and "HOME=/home/ci" in tried.output
    assert "canary-7781" not in tried.output and "FIRM" not in tried.output
    assert str(Path.cwd()) not in tried.output


def test_no_process_of_the_host_is_seen(isolated: Kind):
    if isolated == "landlock":
        places = " ".join(
            f"/proc/{process}/{name}" for process in (1, os.getpid()) for name in ("cmdline", "environ", "maps", "fd")
        )
        assert (
            shell(f"cat {places} 2>/dev/null || ls /proc /proc/1 /proc/*/fd 2>/dev/null || echo end").output == "end\n"
        )
        return
    tried = shell("ls /proc | grep '^[0-9]' | wc -l; cat /proc/[0-9]*/comm | sort -u | tr '\\n' ' '")
    count, names = tried.output.split("\n", 1)
    assert int(count) <= 6
    assert set(names.split()) <= {"bwrap", "bash", "sh", "cat", "sort", "tr", "ls", "grep", "wc"}


def test_descriptors_of_the_host_are_not_inherited():
    read, write = os.pipe()
    os.set_inheritable(write, True)
    look = """
        import os
        for fd in range(256):
            try:
                print(fd, os.fstat(fd).st_nlink)
            except OSError:
                pass
    """
    try:
        tried = python(look)
    finally:
        os.close(read)
        os.close(write)
    assert [line.split()[0] for line in tried.output.splitlines()] == ["0", "1", "2"]


def test_nothing_is_written_outside(tmp_path: Path):
    tmp_path.chmod(0o777)
    ours = "/x /etc/x /usr/x /usr/bin/x /usr/local/x /dev/x /run/x /opt/x /home/x"
    places = f"{ours} /proc/sys/kernel/hostname /proc/sysrq-trigger /sys/x {tmp_path}/x"
    tried = shell(
        f"for place in {places}; do (echo canary > $place) 2>/dev/null && echo wrote $place; done; touch"
        " /tmp/firmament-canary; echo end"
    )
    assert tried.output == "end\n"
    assert list(tmp_path.iterdir()) == [] and "firmament-canary" not in os.listdir("/tmp")


def test_a_fork_bomb_is_held_and_ends_with_the_time():
    mark = "41414.25"
    held = python("""
        import os, signal
        children = 0
        try:
            while os.fork() or signal.pause():
                children += 1
        except OSError:
            print(children)
    """)
    assert 8 < int(held.output) < SMALL.processes
    bomb = f"import os\nmark = {mark}\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass\n"
    tried = run(
        {},
        [Step("bomb", f"exec python -c '{bomb}'"), Step("after", "echo ran", when="always")],
        limits=Limits(wall_s=1.5, processes=32),
    )
    assert [(step.outcome, step.exit_code) for step in tried.steps] == [("timed_out", None), ("skipped", None)]
    assert tried.conclusion == "timed_out" and running_with(mark) == []


def test_a_full_disk_is_the_sandboxes_own(isolated: Kind):
    places = "/workspace /tmp /home/ci /dev/shm"
    tried = shell(
        f"for place in {places}; do cat /dev/zero > $place/fill || true; done; stat -f -c %T {places}; du -scm {places}"
        " | tail -1"
    )
    if isolated == "landlock":
        assert (tried.outcome, tried.output.splitlines()[-1]) == ("failure", FULL)
        return
    lines = tried.output.splitlines()
    assert sum("No space left" in line for line in lines) >= 3 and lines[-5:-1] == ["tmpfs"] * 4
    assert int(lines[-1].split()[0]) <= SMALL.disk_mb


def test_a_disk_filled_by_one_step_does_not_stop_the_next():
    steps = [Step("fill", "cat /dev/zero > full"), Step("next", "rm full; echo freed > note; cat note", when="failure")]
    tried = run({}, steps, limits=SMALL)
    assert [step.outcome for step in tried.steps] == ["failure", "success"]
    assert tried.steps[1].output == "freed\n"


def test_the_number_of_files_is_limited(isolated: Kind):
    tried = python("""
        made = 0
        try:
            while made < 20_000:
                open(f"f{made}", "w").close()
                made += 1
        except OSError as error:
            print(made, error.errno)
    """)
    if isolated == "landlock":
        assert (tried.outcome, tried.output) == ("failure", f"{FULL}\n")
        return
    made, reason = tried.output.split()
    assert int(made) < SMALL.files and reason == "28"  # no space left


def test_memory_of_one_process_is_limited():
    tried = python("bomb = []\nwhile True:\n    bomb.append(bytearray(1 << 24))\n")
    assert (tried.outcome, tried.exit_code) == ("failure", 1) and tried.output.rstrip().endswith("MemoryError")


def test_memory_of_all_processes_together_is_limited():
    tried = after("""
        import os, signal
        for _ in range(8):
            if not os.fork():
                bomb = bytearray(os.urandom(1 << 20) * 100)
                signal.pause()
        signal.pause()
    """)
    assert [step.outcome for step in tried.steps] == ["failure", "success"]
    assert tried.steps[0].output == "[memory limit of 256 MB reached]\n"


def test_shared_pages_are_counted_once():
    tried = python("""
        import os, time
        held = bytearray(os.urandom(1 << 20) * 40)
        children = []
        for _ in range(12):
            child = os.fork()
            if not child:
                time.sleep(0.3)  # all are there at once, long enough to be counted
                os._exit(0)
            children.append(child)
        print([os.waitpid(child, 0)[1] for child in children])
    """)
    assert tried.output == f"{[0] * 12}\n"


def test_memory_of_the_host_is_not_counted_before_a_sandbox_has_its_own_proc():
    assert not InitProcess(os.getpid(), -1).exceeds(0)


def test_a_spinning_process_ends_with_its_cpu_time_even_if_it_will_not():
    tried = python(
        "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True:\n    pass\n",
        Limits(cpu_s=1, wall_s=30),
    )
    assert (tried.outcome, tried.exit_code) == ("failure", 137)


def test_a_sleeper_ends_with_the_wall_time():
    steps = [Step("sleep", "echo before; sleep 52525.25"), Step("after", "echo after", when="always")]
    tried = run({}, steps, limits=Limits(wall_s=5))
    assert (tried.steps[0].output, tried.steps[0].outcome) == ("before\n[time limit of 5 s reached]\n", "timed_out")
    assert tried.steps[1].outcome == "skipped" and running_with("52525.25") == []


@pytest.mark.parametrize(
    "kill",
    [
        "os.kill(-1, 9)",
        "os.kill(os.getppid(), 9)",
        "os.kill(1, 9)",
        "os.killpg(0, 9)",
        "os.kill(os.getpid(), 19)",
        "os.system('for n in $(seq 2 40000); do kill -9 $n; done 2>/dev/null')",
    ],
)
def test_signals_stay_inside(kill: str):
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as bystander:
        tried = after(
            f"import os\nfrom contextlib import suppress\nwith suppress(OSError): {kill}\n",
            Limits(wall_s=0.5 if "19" in kill else 9),
        )
        assert bystander.poll() is None
        bystander.communicate(b"")
    assert tried.steps[1].output.endswith("still here\n") or tried.steps[0].outcome == "timed_out"


def test_a_flood_of_output_is_cut_off_and_stopped():
    tried = run(
        {}, [Step("flood", "yes 0123456 | head -c 1G"), Step("after", "echo after", when="always")], limits=SMALL
    )
    text = f"{'0123456' + chr(10)}" * (SMALL.output_kb << 7)
    assert (tried.steps[0].outcome, tried.steps[0].exit_code) == ("cut off", None)
    assert tried.steps[0].output == f"{text}[output limit of 64 KB reached]\n"
    assert tried.steps[1].output == "after\n" and tried.conclusion == "failure"


def test_a_daemon_does_not_outlive_its_step():
    start = "(setsid nohup sleep 63636.25 >/dev/null 2>&1 </dev/null &) ; (setsid sleep 63636.25 &) ; echo started"
    tried = run({}, [Step("start", start), Step("look", "cat /proc/[0-9]*/cmdline | tr '\\0' ' '")], limits=SMALL)
    assert tried.steps[0].output == "started\n" and tried.conclusion == "success"
    assert "63636" not in tried.steps[1].output and running_with("63636.25") == []


def test_nothing_outlives_the_process_that_asked_for_it():
    mark = "74747.25"
    code = f"from world.sandbox import Step, run; run({{}}, [Step('sleep', 'sleep {mark} & sleep {mark}')])"
    with subprocess.Popen([sys.executable, "-c", code], cwd=Path(__file__).parents[3]) as asking:
        while asking.poll() is None and not any(line.startswith("sleep") for line in running_with(mark)):
            pass
        assert asking.poll() is None
        asking.kill()
    looks = takewhile(lambda _: running_with(mark), range(1000))
    assert len(list(looks)) < 1000


def test_no_privilege_is_to_be_had(isolated: Kind):
    tried = shell(
        f"python -c '{STATUS}'\ncp /usr/bin/id"
        " own; chmod 4755 own; ./own -u\nfor call in 'setuid(0)' 'setgroups([0])' 'chroot(\"/tmp\")' 'mknod(\"d\","
        " 0o60600, os.makedev(8, 0))'; do\n  python -c \"import os; os.$call\" 2>&1 | grep -oE '^(Permission|OS)Error'"
        " || echo done\ndone\nfor call in 'unshare -Ur id' 'mount -t tmpfs t /tmp' 'su -c id'; do $call >/dev/null 2>&1"
        " </dev/null && echo done || echo refused; done\n"
    )
    status, user, *refused = tried.output.splitlines()
    assert status == "0 0 1" and int(user) in {"bubblewrap": [1000], "landlock": users.USERS}[isolated]
    assert refused == [NOBODY[isolated], *["PermissionError"] * 3, *["refused"] * 3]


def test_system_calls_that_look_into_others_or_escape_the_limits_are_refused():
    numbers = [both[list(AUDIT).index(platform.machine())] for both in REFUSED.values()]
    tried = python(f"""
        import ctypes
        libc = ctypes.CDLL(None, use_errno=True)
        for number in {numbers}:
            print(libc.syscall(number, 0, 0, 0, 0, 0, 0), ctypes.get_errno())
    """)
    assert tried.output.splitlines() == ["-1 1"] * len(numbers)


def test_limits_cannot_be_raised_or_loaded_away():
    code = b"""
import resource as r
for which in (r.RLIMIT_NPROC, r.RLIMIT_AS, r.RLIMIT_CPU, r.RLIMIT_NOFILE, r.RLIMIT_FSIZE, r.RLIMIT_CORE):
    hard = r.getrlimit(which)[1]
    try:
        r.setrlimit(which, (hard + 1, hard + 1))
        print("raised")
    except ValueError:
        print(hard)
try:
    print(open("/proc/self/oom_score_adj").read())
except PermissionError:
    print(1000)
"""
    env = {"LD_PRELOAD": "/workspace/evil.so", "PATH": "/workspace:/usr/bin:/opt/bin", "BASH_ENV": "/workspace/rc"}
    tried = run(
        {"try.py": code, "rc": b"ulimit -H -u 9999\n"}, [Step("try", "exec python try.py", env=env)], limits=SMALL
    )
    lines = [line for line in tried.steps[0].output.splitlines() if line.isdigit() or line == "raised"]
    assert lines == ["32", str(256 << 20), "6", "256", str(8 << 20), "1", "1000"]


def test_links_out_of_the_tree_lead_nowhere(tmp_path: Path):
    (tmp_path / "aim").write_text("canary-9034", encoding="ascii")
    make = f"ln -s {tmp_path} out; ln -s /etc/shadow shadow; ln -s / top; ln -s /proc/1/root/root home; echo made"
    steps = [
        Step("make", make),
        Step("read", "cat out/aim shadow home/.bashrc; ls top/root; echo x > out/new", when="always"),
    ]
    steps += [Step("inside", "ls aim", directory="out", when="always")]
    tried = run({}, steps, limits=SMALL)
    assert tried.steps[0].output == "made\n" and [step.outcome for step in tried.steps[1:]] == ["failure", "failure"]
    assert "canary-9034" not in str(tried) and sorted(path.name for path in tmp_path.iterdir()) == ["aim"]


def test_the_terminal_and_its_session_are_out_of_reach():
    tried = shell(
        "(echo x > /dev/tty) 2>/dev/null || echo refused; exec python -c 'import os; print(os.getsid(0) > 0)'"
    )
    assert tried.output == "refused\nTrue\n"  # the session of a process outside has number 0 in here


def test_no_user_namespace_is_made_by_the_call_that_the_filter_lets_pass():
    tried = python(f"""
        import ctypes, os
        made = ctypes.CDLL(None).syscall({CLONE[platform.machine()]}, 0x10000000 | 17, 0, 0, 0, 0)
        made or os._exit(0)
        print(made)
    """)
    assert tried.output == "-1\n"


@pytest.mark.parametrize(
    "path", ["../x", "/etc/x", "a/../../x", "a//b", "", ".", "a/.", "a\0b", "x" * 300, "a/" * 70 + "x", "\ud800"]
)
def test_a_path_that_could_lead_astray_is_refused_before_anything_runs(path: str):
    tried = run({"fine": b"1", path: b"2"}, [Step("try", "echo ran", when="always")], limits=SMALL)
    assert (tried.steps[0].outcome, tried.steps[0].output) == ("failure", f"path refused: {path!a}\n")
    assert tried.steps[1].outcome == "skipped" and tried.conclusion == "failure"


def test_files_that_clash_or_do_not_fit_are_refused():
    for files, why in (
        ({"a": b"", "a/b": b""}, "path refused: 'a'"),
        ({"big": bytes(9 << 20)}, "the files are larger than the disk"),
        ({str(n): b"" for n in range(501)}, "more than 500 files"),
    ):
        assert run(files, [Step("try", "true")], limits=SMALL).steps[0].output == f"{why}\n"
    unpacked = run({f"{n}/x": b"" for n in range(400)}, [Step("try", "true")], limits=SMALL)
    assert unpacked.conclusion == "failure"
    assert "No space left" in unpacked.steps[0].output or FULL in unpacked.steps[0].output


@pytest.mark.skipif(os.geteuid() != 0, reason="an older Landlock serves root only")
def test_an_older_landlock_is_enough_where_each_sandbox_has_a_user_of_its_own(
    isolated: Kind, monkeypatch: pytest.MonkeyPatch
):
    if isolated == "bubblewrap":
        pytest.skip("it needs no Landlock")
    monkeypatch.setattr(landlock, "version", lambda: landlock.MOVES)
    mark = "85858.25"
    code = f"""
        import os, socket
        for to in (("192.0.2.1", 80), ("127.0.0.1", 22)):
            print(socket.socket().connect_ex(to))
        open("a", "w").write("text")
        try:
            os.truncate("a", 0)
        except OSError as error:
            print(error.errno)
        os.mkdir("b")
        os.rename("a", "b/a")
        os.system("setsid sleep {mark} &")
        print(os.path.getsize("b/a"), flush=True)
        os.kill(-1, 9)
    """
    tried = after(code)
    assert tried.steps[0].output == "101\n111\n1\n4\n"
    assert tried.steps[1].output.endswith("still here\n") and running_with(mark) == []
