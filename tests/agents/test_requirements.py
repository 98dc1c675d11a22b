"""What is installed on the host, and by whom it may be."""

import os
from pathlib import Path

import pytest

from world.agents import chromium, requirements
from world.sandbox import Unavailable


def program(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{text}\n")
    (folder / name).chmod(0o700)


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A host of a user who is not root, with nothing but what a test puts on its path."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    program(tmp_path, "apt-get", f'echo "$@" >> {tmp_path}/asked')
    return tmp_path


def asked(host: Path) -> list[str]:
    path = host / "asked"
    return path.read_text().splitlines() if path.exists() else []


def test_a_user_without_sudo_is_asked_for_nothing(host: Path) -> None:
    requirements.install_package("bubblewrap")
    assert asked(host) == []


def test_sudo_that_wants_a_password_is_not_used(host: Path) -> None:
    program(host, "sudo", "exit 1")
    requirements.install_package("bubblewrap")
    assert asked(host) == []


def test_sudo_without_a_password_installs(host: Path) -> None:
    program(host, "sudo", '[ "$1" = -n ] && shift; [ "$1" = true ] || exec "$@"')
    requirements.install_package("bubblewrap")
    assert asked(host) == ["update -q", "install -y -q bubblewrap"]


def test_what_is_there_already_is_not_installed(host: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chromium, "available", lambda: True)
    monkeypatch.setattr(requirements, "find_obstacle", lambda: None)
    assert requirements.install() == 0
    assert asked(host) == []


def test_what_stays_missing_is_named(
    host: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(chromium, "available", lambda: False)
    monkeypatch.setattr(requirements, "_download_browser", lambda: None)
    program(host, "fc-list", "true")
    monkeypatch.setattr(requirements, "find_obstacle", lambda: Unavailable("No namespaces can be made here."))
    assert requirements.install() == 1
    said = capsys.readouterr().err
    assert "No Chromium could be installed" in said and "No font has emoji" in said
    assert "CI of the simulated company cannot run here" in said
