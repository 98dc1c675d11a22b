"""What is looked for on the system for the browser."""

from pathlib import Path

import pytest

from world.agents import chromium


@pytest.mark.parametrize(
    ("fonts", "there"), [("", False), ("/fonts/NotoColorEmoji.ttf: Noto Color Emoji:style=Regular", True)]
)
def test_a_font_with_emoji_is_asked_of_fontconfig(
    fonts: str, there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = tmp_path / "fc-list"
    asked.write_text(f"#!/bin/sh\n[ \"$1\" = :charset=1f525 ] && echo '{fonts}'\n")
    asked.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert chromium.has_emoji() is there


def test_where_fontconfig_cannot_be_asked_emoji_are_taken_for_granted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert chromium.has_emoji()


def test_where_no_windows_are_wanted_the_browser_without_any_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FIRM_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("chromium", "chromium-headless-shell"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o700)
    assert chromium.on_system() == chromium.find_executable() == str(tmp_path / "chromium-headless-shell")
    assert chromium.on_system(headless=False) == str(tmp_path / "chromium")
    monkeypatch.setenv("FIRM_CHROMIUM", "/opt/mine")
    assert chromium.on_system() == "/opt/mine"
