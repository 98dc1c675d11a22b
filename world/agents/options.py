"""Options of a run of an agent: built-in agents, doors, and time limits."""

from typing import Literal

OURS = ("oracle", "null", "random")
DoorName = Literal["mcp", "rest", "ui"]
WALL_S = 1800.0  # default of what an agent may take
