"""The figures of loading a page: measured, or the reason why not."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from world.bench import app_bench


class Still(BaseHTTPRequestHandler):
    """Answers every address with one page that is at rest."""

    def do_GET(self) -> None:
        """The page."""
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><html data-busy='0'><title>Large sheet</title></html>")

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Still) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def test_a_page_that_loads_has_a_figure(address: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert app_bench.load_page("open_ms", {"url": address}, "token", "/d/1", "Large")["open_ms"] > 0
    assert capfd.readouterr().err == ""


def test_another_page_than_meant_is_said(address: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert app_bench.load_page("open_ms", {"url": address}, "token", "/d/1", "Pull Request") == {}
    assert capfd.readouterr().err == "open_ms is not measured: the page loaded is 'Large sheet', not 'Pull Request'\n"


def test_a_server_that_does_not_answer_is_said(capfd: pytest.CaptureFixture[str]) -> None:
    assert app_bench.load_page("open_ms", {"url": "http://127.0.0.1:9"}, "token", "/d/1", "Large") == {}
    assert "open_ms is not measured: Page.goto: net::ERR" in capfd.readouterr().err


def test_a_browser_that_is_not_there_is_said(
    address: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIRM_CHROMIUM", "/nonexistent/chromium")
    assert app_bench.load_page("open_ms", {"url": address}, "token", "/d/1", "Large") == {}
    assert "/nonexistent/chromium" in capfd.readouterr().err


def test_loads_that_take_too_long_are_said(
    address: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app_bench, "PAGE_LIMIT_S", 0.05)
    assert app_bench.load_page("open_ms", {"url": address}, "token", "/d/1", "Large") == {}
    assert "within 0.05 s" in capfd.readouterr().err
