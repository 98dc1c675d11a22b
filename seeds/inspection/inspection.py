"""The inspection of a sealed company: every figure with its band, aims, rules of rows, conversations beside real ones."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from seeds.inspection.chat_figures import measure_chat
from seeds.inspection.company_tables import Tables, open_image, read_tables
from seeds.inspection.consistency import find_problems
from seeds.inspection.conversations import Shape, compare_conversations
from seeds.inspection.issue_figures import measure_issues
from seeds.inspection.mail_figures import measure_mail
from seeds.inspection.shared_facts import measure_shared_facts
from seeds.inspection.workbook_figures import measure_workbooks
from seeds.targets import targets

ALLOWANCE = 0.05  # beyond the largest distance between two real communities


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured figure and what it should be. `tag` says where the band comes from, see the data card."""

    name: str
    value: float
    low: float
    high: float
    tag: str
    source: str

    @property
    def is_within(self) -> bool:
        """Whether it lies in its band, the ends included."""
        return self.low <= self.value <= self.high


@dataclass(frozen=True, slots=True)
class Inspection:
    """What was found in an image. A company is sound when every band holds and no rule is broken."""

    image: str
    bands: Sequence[Figure]
    aims: Sequence[Figure]
    conversations: Sequence[Shape]
    problems: Sequence[str]

    @property
    def is_sound(self) -> bool:
        """Whether bands and rules hold; aims and conversations are told only."""
        return not self.problems and all(figure.is_within for figure in self.bands)


def inspect(image: Path) -> Inspection:
    """Inspect a sealed company. Raises ValueError for a file that holds none."""
    try:
        with open_image(image) as connection:
            tables = read_tables(connection)
    except sqlite3.DatabaseError as error:
        raise ValueError(f"{image} is no company: {error}") from error
    return Inspection(
        image.name,
        bands=_list_figures("band", measure_bands(tables)),
        aims=_list_figures("aim", measure_shared_facts(tables)),
        conversations=compare_conversations(tables),
        problems=find_problems(image),
    )


def measure_bands(tables: Tables) -> dict[str, float]:
    """Every figure that has a band, by its name."""
    return {**measure_chat(tables), **measure_issues(tables), **measure_mail(tables), **measure_workbooks(tables)}


def is_close(shape: Shape) -> bool:
    """Whether a feature differs from real conversations hardly more than two real communities do."""
    return shape.distance <= shape.real.between + ALLOWANCE


def _list_figures(kind: Literal["band", "aim"], values: Mapping[str, float]) -> list[Figure]:
    wanted = targets()[kind]
    return [
        Figure(name, value, wanted[name]["low"], wanted[name]["high"], wanted[name]["tag"], wanted[name]["source"])
        for name, value in values.items()
    ]
