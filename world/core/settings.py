"""Settings of one world: seed, costs of calls, limits, how retries count, where it ends."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from world.core.clock import SECOND
from world.core.operation import Operation
from world.core.params import Int64


class Settings(BaseModel):
    """Recorded in the run's manifest; two runs with equal settings, image and calls are equal to the byte.

    `read_s` and `write_s` are the simulated seconds a call costs at every door; `max_calls` and `horizon_at`
    (microseconds since the epoch) end the episode. `difficulty` is one of the scenario's; its usual one unless told.
    `team` are the handles of further employees whom agents play, beside the scenario's own.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    seed: Int64 = 0
    read_s: float = Field(default=1.0, ge=0)
    write_s: float = Field(default=3.0, ge=0)
    limits: Literal["vendor", "off"] = "vendor"
    retry: Literal["strict", "patient"] = "strict"
    max_calls: int | None = Field(default=None, ge=1)
    horizon_at: Int64 | None = None
    scenario: str | None = None
    difficulty: str | None = None
    team: tuple[str, ...] = ()

    def cost(self, operation: Operation) -> int:
        """Microseconds a call costs; at least one, so that a time names a call."""
        if operation.free:
            return 1
        seconds = (
            operation.cost_s if operation.cost_s is not None else self.write_s if operation.writes else self.read_s
        )
        return max(1, round(seconds * SECOND))
