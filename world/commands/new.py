"""`firm new`: a small working scenario, chore or app to start from."""

import re
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import click

NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
TEMPLATES = files("world.commands") / "templates"


@click.group("new")
def command() -> None:
    """Write a small working scenario, chore or app to start from."""


@command.command("scenario")
@click.argument("name")
def scenario(name: str) -> None:
    """Write the folder NAME with a scenario that passes its gate as it stands."""
    folder = _make_folder(name)
    copy_template(TEMPLATES / "scenario", folder, {})
    click.echo(f"wrote {folder}/; check it with `firm scenario check ./{folder} --no-doors --seeds 1`")


@command.command("chore")
@click.argument("name")
def chore(name: str) -> None:
    """Write the file NAME.py with a chore that passes its gate as it stands."""
    path = Path(f"{_check_name(name)}.py")
    if path.exists():
        raise click.ClickException(f"{path} exists already; nothing was written")
    path.write_text((TEMPLATES / "chore" / "chore.py").read_text(encoding="utf-8"), encoding="utf-8")
    click.echo(f"wrote {path}; check it with `firm scenario check ./{path} --no-doors --seeds 2 --quick`")


@command.command("app")
@click.argument("name")
def app(name: str) -> None:
    """Write the folder NAME with an app that passes its door tests as it stands."""
    folder = _make_folder(name)
    words = {"notebook": name, "Notebook": name.replace("_", " ").title(), "NotebookNote": _class_prefix(name) + "Note"}
    copy_template(TEMPLATES / "app", folder, dict(sorted(words.items(), key=lambda one: -len(one[0]))))
    click.echo(f"wrote {folder}/; install it with `pip install -e ./{folder}`, test it with `pytest {folder}/tests`")


def _class_prefix(name: str) -> str:
    return "".join(word.title() for word in name.split("_"))


def _make_folder(name: str) -> Path:
    """An empty folder for a new thing. Raises ClickException."""
    folder = Path(_check_name(name))
    if folder.exists():
        raise click.ClickException(f"{folder} exists already; nothing was written")
    folder.mkdir()
    return folder


def _check_name(name: str) -> str:
    if NAME.fullmatch(name) is None:
        raise click.ClickException(f"{name!r} is no name: use lower-case words joined by _, such as late_refund")
    return name


def copy_template(source: Traversable, target: Path, words: Mapping[str, str]) -> None:
    """Copy a folder of texts; `words` are replaced in names of files and in what they hold."""
    for one in sorted(source.iterdir(), key=lambda found: found.name):
        place = target / _replace(one.name, words)
        if one.name == "__pycache__":
            continue
        if one.is_dir():
            place.mkdir()
            copy_template(one, place, words)
        else:
            place.write_text(_replace(one.read_text(encoding="utf-8"), words), encoding="utf-8")


def _replace(text: str, words: Mapping[str, str]) -> str:
    for old, new in words.items():
        text = text.replace(old, new)
    return text
