"""How far an agent was from its grader, as the run recorded it: what a verdict's `trusted` rests on."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Trust:
    """What stood between agent and grader; None is not known.

    `process`: the agent ran in another process. `user`: as another user. `home`: it could not read the home and run
    folders, nor the memory of the grader. `scenario`: it could not read rubric and solution. `house`: the agent is one
    of firmament's own. `why` says what is missing.
    """

    process: bool = False
    user: bool | None = None
    home: bool | None = None
    scenario: bool | None = None
    house: bool = False
    why: str = "it is not recorded where the agent ran"

    @property
    def trusted(self) -> bool:
        """Whether the agent ran in a process of its own, with nothing known to be open to it."""
        return self.process and False not in (self.home, self.scenario)

    def to_json(self) -> dict[str, Any]:
        """The fields as a verdict prints them."""
        return asdict(self)

    @classmethod
    def from_json(cls, found: Mapping[str, Any] | None) -> "Trust":
        """What a run folder recorded; a folder without it tells nothing."""
        return cls(**found) if found else UNKNOWN


UNKNOWN = Trust()
HOUSE = Trust(house=True, why="the agent is firmament's own and ran in the grader's process")
IN_PROCESS = Trust(user=False, home=False, scenario=False, why="the agent ran in the grader's process (--in-process)")
SERVED = Trust(process=True, why="the world was served; where its agent ran is not known")
