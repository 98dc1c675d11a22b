"""Names of people by locale: the vendored lists, drawn with weights that fall with rank."""

import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from world.core.rng import Stream

SPELLED = {
    "ä": "ae",
    "ö": "oe",
    "ü": "ue",
    "ß": "ss",
    "ł": "l",
    "ø": "o",
    "ı": "i",
    "Ä": "Ae",
    "Ö": "Oe",
    "Ü": "Ue",
    "Ł": "L",
}


@dataclass(frozen=True, slots=True)
class NameList:
    """One locale's names, most frequent first."""

    locale: str
    female: tuple[str, ...]
    male: tuple[str, ...]
    last: tuple[str, ...]


@lru_cache(maxsize=64)
def name_list(key: str) -> NameList:
    """The list in names/<key>.toml."""
    raw = tomllib.loads(files("seeds").joinpath("names", f"{key}.toml").read_text(encoding="utf-8"))
    return NameList(raw["locale"], tuple(raw["female"]), tuple(raw["male"]), tuple(raw["last"]))


def by_rank(draw: Stream, names: tuple[str, ...]) -> str:
    """A name, the first about six times as likely as the last of thirty."""
    return draw.weighted(names, [1 / (rank + 5) for rank in range(len(names))])


def draw_locale(draw: Stream, weights: Mapping[str, float]) -> NameList:
    """A locale by weight."""
    keys = sorted(weights)
    return name_list(draw.weighted(keys, [weights[key] for key in keys]))


def inflect_surname(last: str, gender: str) -> str:
    """A Polish surname in -ski or -cki as a woman bears it: Malinowska."""
    return last[:-1] + "a" if gender == "f" and last.endswith(("ski", "cki")) else last


def ascii_form(name: str) -> str:
    """The name as it stands in an address: Müller -> mueller, Wójcik -> wojcik, de Vries -> devries."""
    spelled = "".join(SPELLED.get(letter, letter) for letter in name)
    plain = unicodedata.normalize("NFKD", spelled).encode("ascii", "ignore").decode()
    return "".join(letter for letter in plain.lower() if letter.isalnum())
