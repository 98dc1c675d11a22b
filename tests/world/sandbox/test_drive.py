"""Hidden tests against a service that cheats: only what the tests' own process reports is a verdict."""

import socket

import pytest

from world.sandbox import Kind, Limits, Outcome, Step, drive

pytestmark = pytest.mark.usefixtures("isolated")
LIMITS = Limits(wall_s=10, start_s=2, memory_mb=256, output_kb=64)
IDS = ("hidden.Charge.test_once", "hidden.Charge.test_twice")
HONEST = """
import http.server, os
class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = answer(self.path).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
def answer(path):
    return path
def main():
    http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Answer).serve_forever()
"""
HIDDEN = b"""
import os, unittest, urllib.request
CANARY = "canary-3321"
def get(path):
    with urllib.request.urlopen(os.environ["SERVICE_URL"] + path, timeout=5) as answer:
        return answer.read().decode()
class Charge(unittest.TestCase):
    def test_once(self):
        self.assertEqual(get("/once"), "/once")
    def test_twice(self):
        for path in ("/a", "/b"):
            with self.subTest(path):
                self.assertEqual(get(path), path)
"""
FAKE = "".join(f'{{"id": "{one}", "outcome": "passed", "text": ""}}\\n' for one in IDS)
REPORT = "ready\n" + FAKE
WRONG = """
def answer(path):
    return "wrong"
"""
CHEATS = {
    "patches unittest": (
        f"""{WRONG}
import unittest
unittest.TestCase.assertEqual = unittest.case.TestCase.run = lambda *_: None
main()
"""
    ),
    "prints a report": f"{WRONG}print({REPORT!r}, flush=True)\nmain()",
    "answers with a report": f"def answer(path):\n    return {REPORT!r}\nmain()",
    "writes a report to all it can open": (
        f"""{WRONG}
import glob
for place in [*glob.glob("/proc/*/fd/*"), *range(3, 256)]:
    try:
        os.write(os.open(place, os.O_WRONLY) if isinstance(place, str) else place, {REPORT!r}.encode())
    except OSError:
        pass
main()
"""
    ),
    "exits green at once": "raise SystemExit(0)",
    "exits green when asked": "def answer(path):\n    os._exit(0)\nmain()",
    "kills all": f"{WRONG}\nif not os.fork():\n    os.setsid()\n    os.kill(-1, 9)\nmain()",
    "kills by number": (
        f"{WRONG}\nos.system(f'for n in $(seq 2 9000); do test $n = {{os.getpid()}} || kill -9 $n; done"
        " 2>/dev/null')\nmain()"
    ),
    "leaves files for the runner": (
        f"""{WRONG}
for name in ("conftest.py", "sitecustomize.py", "usercustomize.py", "hidden.py", "unittest.py", "json.py"):
    for folder in ("/workspace", "/tmp", "/home/ci", "/dev/shm"):
        with open(f"{{folder}}/{{name}}", "w") as file:
            file.write("raise SystemExit(0)")
main()
"""
    ),
    "never answers": (
        "import signal, socket\nlistener = socket.create_server(('127.0.0.1', int(os.environ['PORT'])))\nsignal.pause()"
    ),
    "answers without end": "def answer(path):\n    return 'x' * (400 << 20)\nmain()",
    "answers half": "def answer(path):\n    return path if path != '/b' else 'wrong'\nmain()",
    "never listens": "import signal\nsignal.pause()",
    "floods": f"{WRONG}print('x' * (1 << 20))\nmain()",
}


def driven(service: str, tests: bytes = HIDDEN, ids: tuple[str, ...] = IDS, limits: Limits = LIMITS) -> Outcome:
    """A service's code against the hidden tests."""
    return drive(
        {"service.py": f"{HONEST}{service}\n".encode()},
        Step("service", "exec python service.py"),
        {"hidden.py": tests},
        ids,
        limits=limits,
    )


def test_an_honest_service_is_green():
    done = driven("main()")
    assert done.conclusion == "success"
    assert [(step.name, step.exit_code, step.outcome) for step in done.steps] == [
        ("service", None, "success"),
        *((one, 0, "success") for one in IDS),
    ]


@pytest.mark.parametrize("cheat", sorted(CHEATS))
def test_a_service_that_cheats_is_not_green(cheat: str):
    done = driven(CHEATS[cheat], limits=Limits(wall_s=4, start_s=1, memory_mb=256, output_kb=64))
    assert done.conclusion != "success" and [step.name for step in done.steps[1:]] == list(IDS)
    assert any(step.outcome != "success" for step in done.steps[1:])


def test_the_text_of_a_failure_is_the_tests_own():
    done = driven(f"{WRONG}main()")
    assert "AssertionError: 'wrong' != '/once'" in done.steps[1].output and done.steps[1].exit_code == 1
    assert done == driven(f"{WRONG}main()")
    assert "AssertionError: 'wrong' != '/b'" in driven(CHEATS["answers half"]).steps[2].output


def test_a_service_that_ends_before_it_listens_is_not_waited_for():
    assert {step.output for step in driven("raise SystemExit(0)").steps[1:]} == {"not reported\n"}
    waited = driven(CHEATS["never listens"], limits=Limits(start_s=0.1))
    assert waited.steps[1].output == "not reported\nthe service did not listen on port 8000 within 0.1 s\n"


def test_the_service_finds_no_trace_of_the_tests(isolated: Kind):
    look = """
import subprocess
def answer(path):
    places = "/workspace /home /tmp /run /dev/shm /proc/[0-9]*/environ /proc/[0-9]*/cmdline"
    print(subprocess.getoutput(f"grep -rs 'canary-[0-9]' {places}; cat /proc/[0-9]*/cmdline"))
    return path
main()
"""
    done = driven(look)
    assert done.conclusion == "success" and ("service.py" in done.steps[0].output or isolated == "landlock")
    assert "canary-" not in done.steps[0].output.replace("canary-[0-9]", "") and "harness" not in done.steps[0].output


def test_service_and_tests_reach_each_other_and_nothing_else():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        reach = f"""
import socket
def answer(path):
    reached = [socket.socket().connect_ex(to) for to in (("127.0.0.1", {listener.getsockname()[1]}), ("192.0.2.1", 80))]
    print(reached, os.listdir("."))
    return path
main()
"""
        done = driven(reach, ids=IDS[:1])
        with pytest.raises(BlockingIOError):
            listener.accept()
    assert done.conclusion == "success" and done.steps[0].output.startswith("[111, 101] ['service.py']\n")


def test_an_id_that_is_not_reported_passed_is_not_green():
    tests = (
        HIDDEN
        + b"""
class Other(unittest.TestCase):
    def test_passes(self): pass
    @unittest.skip("no")
    def test_skipped(self): pass
    @unittest.expectedFailure
    def test_expected(self): self.fail()
    @unittest.expectedFailure
    def test_unexpected(self): pass
class Broken(unittest.TestCase):
    @classmethod
    def tearDownClass(cls): raise OSError("late")
    def test_passes(self): pass
class Leaves(unittest.TestCase):
    def test_leaves(self): os._exit(0)
"""
    )
    for name, conclusion in (
        ("Other.test_passes", "success"),
        ("Other.test_skipped", "failure"),
        ("Other.test_expected", "failure"),
        ("Other.test_unexpected", "failure"),
        ("Other.test_missing", "failure"),
        ("Broken.test_passes", "failure"),
        ("Leaves.test_leaves", "failure"),
    ):
        assert driven("main()", tests, (f"hidden.{name}",)).conclusion == conclusion, name


def test_no_listed_id_is_no_success():
    assert driven("main()", ids=()).conclusion == "failure"


def test_files_that_are_refused_fail_before_the_service_starts():
    done = drive({"../x": b""}, Step("service", "true"), {}, IDS, limits=LIMITS)
    assert (done.steps[0].outcome, [step.outcome for step in done.steps[1:]], done.conclusion) == (
        "failure",
        ["skipped", "skipped"],
        "failure",
    )
    assert (
        drive({}, Step("service", "true", directory="/etc"), {}, IDS, limits=LIMITS).steps[0].output
        == "directory refused: '/etc'\n"
    )
