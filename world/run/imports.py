"""What the installed image builder is asked when a company is imported from archives, and what it answers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from world.core.json_types import JsonObject


class ImportRefused(ValueError):
    """An archive that is malformed, too large or hostile; nothing of it is imported. Names the file and the place."""

    def __init__(self, file: str, place: str, reason: str) -> None:
        self.file, self.place, self.reason = file, place, reason
        super().__init__(f"{file}: {place}: {reason}" if place else f"{file}: {reason}")


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """Archives to import into one company.

    `name` and `domain` are the company's, empty to take them from the archives. With `pseudonym_key` names, addresses,
    numbers and secrets are replaced; the same key gives the same replacements.
    """

    sources: Sequence[Path]
    images: Path
    name: str = ""
    domain: str = ""
    pseudonym_key: str = ""


@dataclass(frozen=True, slots=True)
class ImportOutcome:
    """The sealed image of an import, and its report as JSON."""

    image: Path
    report: JsonObject


ImportCompany = Callable[[ImportRequest], ImportOutcome]
ExportCompany = Callable[[Path, Path], Sequence[Path]]  # an image, a folder; returns the files written
