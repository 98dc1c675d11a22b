"""The installed scenarios and suites, and what their files say without being run."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from world.core.entry_points import packages
from world.core.json_types import is_array, is_object
from world.core.lazy import Lazy
from world.core.rng import digest
from world.script.errors import ScenarioError

if TYPE_CHECKING:
    import yaml

    from world.core import yaml_text
else:
    yaml, yaml_text = Lazy("yaml"), Lazy("world.core.yaml_text")  # a command that lists scenarios reads no suite

DAY = "day:"  # what the name of a composed day begins with
INJECT = "inject:"  # what the name of a task with an injected text begins with
LONGEST = 200  # letters of such a name: folders of runs are called after it
MOST_SEEDS = 100_000  # of one entry of a suite
MOST = 45  # chores of a full day
DRAWN = re.compile(r"(all|train|dev|test)-([1-9]\d?)~(\d{1,10})")


def folders() -> dict[str, Path]:
    """Every installed scenario, by name."""
    found: dict[str, Path] = {}
    for package in packages("firmament.scenarios"):
        for place in getattr(package, "__path__", ()):
            for path in sorted(Path(place).iterdir()):
                if (path / "scenario.py").is_file():
                    found[path.name] = path
    return found


def chores() -> dict[str, Path]:
    """The file of every installed chore, by name."""
    found: dict[str, Path] = {}
    for package in packages("firmament.scenarios"):
        for place in getattr(package, "__path__", ()):
            for path in sorted(Path(place, "chores").glob("[a-z]*.py")):
                if "." not in path.stem:  # not `<chore>.predicates.py`
                    found[path.stem] = path
    return found


def vectors() -> dict[str, Path]:
    """The file of every installed vector of prompt injection, by name."""
    places = [place for package in packages("firmament.scenarios") for place in getattr(package, "__path__", ())]
    found = {path.stem: path for place in places for path in sorted(Path(place, "injections").glob("[a-z]*.py"))}
    return dict(sorted(found.items()))


def name_injected(vector: str, scenario: str) -> str:
    """The name of a scenario with a text that a vector injects."""
    return f"{INJECT}{vector}:{scenario}"


def split_injected(name: str) -> tuple[str, str]:
    """The vector and the scenario of such a name; no vector in any other name."""
    if not name.startswith(INJECT):
        return "", name
    vector, _, scenario = name.removeprefix(INJECT).partition(":")
    return vector, scenario


def find_folder(name: str) -> Path | None:
    """The folder of a scenario, or a chore's file, by name, or by path when it contains a slash; None if there is none."""
    if "/" in name or Path(name, "scenario.py").is_file():
        there = Path(name, "scenario.py").is_file() or (name.endswith(".py") and Path(name).is_file())
        return Path(name) if there else None
    return folders().get(name) or chores().get(name)


def read_title(folder: Path) -> str | None:
    """The title in `card = Card(title=...)` of a scenario.py; None when it is not written there as a plain text."""
    return next((text for text in _texts(_card(folder).get("title"))), None)


def read_needs(folder: Path) -> tuple[str, ...]:
    """The plain texts of `needs` in `card = Card(needs=(...))`; a computed need is left to the loader."""
    return tuple(_texts(_card(folder).get("needs")))


def read_split(folder: Path) -> str:
    """The split of a scenario as its file writes it; its default when it is not written there as a plain text."""
    return next(_texts(_card(folder).get("split")), "train" if folder.suffix == ".py" else "test")


def list_chores(split: str) -> list[str]:
    """The installed chores of a split by name, or of all splits for `all`."""
    return [name for name, path in sorted(chores().items()) if split in ("all", read_split(path))]


def name_day(split: str, count: int, number: int) -> str:
    """The name of a day of so many chores of a split, or of `all`, drawn by a number."""
    return f"{DAY}{split}-{count}~{number}"


def check_length(name: str) -> None:
    """Raise ScenarioError for the name of a day that is too long."""
    if len(name) > LONGEST:
        raise ScenarioError(f"the name of a day has at most {LONGEST} letters; {DAY}all-12~1 draws 12 chores")


def list_day(name: str) -> list[str]:
    """The chores of a day by its name: `day:<chore>+<chore>`, or `day:<split>-<count>~<number>` for so many of the
    installed ones, drawn by the number; the split may be `all`. Raises ScenarioError.
    """
    rest = name.removeprefix(DAY)
    drawn = DRAWN.fullmatch(rest)
    if drawn is None:
        check_length(name)
        return rest.split("+")
    split, count, number = drawn[1], int(drawn[2]), int(drawn[3])
    known = list_chores(split)
    if count > len(known):
        raise ScenarioError(f"{name}: {len(known)} chores of the split {split} are installed")
    return sorted(known, key=lambda one: digest("day", number, one))[:count]


def count_difficulties(chore: str, wanted: Sequence[str]) -> int:
    """How many difficulties an entry of a suite gives an installed chore: one, unless it has knobs."""
    return max(1, len(wanted)) if "knobs" in _card(chores()[chore]) else 1


def read_summary(folder: Path) -> tuple[str, tuple[str, ...], str, str] | None:
    """Title, apps, horizon and task of a scenario; None when one of them is not written as a plain text."""
    card, task = _card(folder), folder / "task.md"
    title, apps, horizon = (tuple(_texts(card.get(name))) for name in ("title", "apps", "horizon"))
    if not (title and apps and horizon and task.is_file()):
        return None
    return title[0], apps, horizon[0], task.read_text(encoding="utf-8")


def list_suite_scenarios(name: str) -> list[str]:
    """The scenarios that a suite's file names, by name or path of the suite; none for a file that is no suite."""
    path = Path(name) if name.endswith(".yaml") or "/" in name else suites().get(name)
    if path is None or not path.is_file():
        return []
    found = [name for entry in _list_entries(path) for name in _list_entry(entry)]
    return [str(path.parent / one) if "/" in one else one for one in dict.fromkeys(found)]


def _list_entries(path: Path) -> list[Mapping[str, object]]:
    try:
        data: object = yaml_text.load_yaml(path.read_text(encoding="utf-8"))
    except yaml.YAMLError:
        return []
    entries = data.get("entries") if is_object(data) else None
    return [one for one in entries if is_object(one)] if is_array(entries) else []


def _list_entry(entry: Mapping[str, object]) -> list[str]:
    """What an entry of a suite stands for, without what is injected: a scenario, the chores of a split, or the days
    that its seeds draw.
    """
    if "chores" not in entry:
        return [str(entry["scenario"])] if "scenario" in entry else []
    split, day, seeds = str(entry["chores"]), entry.get("day"), entry.get("seeds", [0])
    if not isinstance(day, int) or not is_array(seeds):
        return list_chores(split)
    return [name_day(split, day, number) for seed in seeds for number in _list_numbers(str(seed))]


def _list_numbers(seed: str) -> range:
    """The seeds of `7` or `0-9`, as many as a suite may have; none where it is not written so."""
    found = re.fullmatch(r"(\d{1,10})(?:-(\d{1,10}))?", seed)
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, -1)
    return range(first, min(last + 1, first + MOST_SEEDS))


def suites() -> dict[str, Path]:
    """Every installed suite, by name."""
    places = [place for package in packages("firmament.scenarios") for place in getattr(package, "__path__", ())]
    return {path.stem: path for place in places for path in sorted(Path(place, "suites").glob("*.yaml"))}


def _card(folder: Path) -> dict[str, ast.expr]:
    """The arguments of the card, or of the chore, by name."""
    try:
        tree = ast.parse((folder if folder.is_file() else folder / "scenario.py").read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return {}
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="card" | "chore")], value=ast.Call(keywords=keywords)):
                return {one.arg: one.value for one in keywords if one.arg}
            case _:
                continue
    return {}


def _texts(value: ast.expr | None) -> Iterator[str]:
    """The text, or the texts of a tuple or list."""
    match value:
        case ast.Constant(value=str(text)) if text:
            yield text
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _texts(part)
        case _:
            return
