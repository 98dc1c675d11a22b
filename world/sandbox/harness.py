"""Runs inside the sandbox of the hidden tests: waits for the service, runs the listed tests, reports each on its own
descriptor.
"""

import json
import socket
import sys
import threading
import unittest
from io import TextIOWrapper
from pathlib import Path
from types import TracebackType

_PAUSE_S = 0.02
Failure = tuple[type[BaseException], BaseException, TracebackType] | tuple[None, None, None]


class ReportingResult(unittest.TestResult):
    """Writes down how each test ended; a failed subtest fails its test."""

    def __init__(self, report: TextIOWrapper) -> None:
        super().__init__()
        self.report = report

    def tell(self, test: object, outcome: str, text: str = "") -> None:
        """One line of the report."""
        named = test.id() if isinstance(test, unittest.TestCase) else str(test)
        print(json.dumps({"id": named, "outcome": outcome, "text": text[-8000:]}), file=self.report, flush=True)

    def addSuccess(self, test: unittest.TestCase) -> None:
        self.tell(test, "passed")

    def addFailure(self, test: unittest.TestCase, err: Failure) -> None:
        super().addFailure(test, err)
        self.tell(test, "failed", self.failures[-1][1])

    def addError(self, test: unittest.TestCase, err: Failure) -> None:
        self.addFailure(test, err)

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: Failure | None) -> None:
        if err is not None:
            self.addFailure(test, err)

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        self.tell(test, "skipped", reason)

    def addExpectedFailure(self, test: unittest.TestCase, err: Failure) -> None:
        self.tell(test, "failed", "failed as expected\n")

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:
        self.tell(test, "failed", "passed against expectation\n")


def is_listening(port: int, tries: int) -> bool:
    """Whether the service takes connections, after so many tries at most."""
    pause = threading.Event()
    for _ in range(tries):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            pause.wait(_PAUSE_S)
        else:
            return True
    return False


def main(asked: str, report: int) -> int:
    """Exit code 0 if the tests could be run at all."""
    wish = json.loads(Path(asked).read_text(encoding="utf-8"))
    if not is_listening(wish["port"], int(wish["start_s"] / _PAUSE_S)):
        print(f"the service did not listen on port {wish['port']} within {wish['start_s']:g} s")
        return 1
    with open(report, "w", encoding="ascii") as lines:
        print("ready", file=lines, flush=True)
        sys.path.insert(0, str(Path.cwd()))
        unittest.defaultTestLoader.loadTestsFromNames(wish["ids"]).run(ReportingResult(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
