"""What a run of an agent may be given: agents of our own, doors, and the time it may take."""

from typing import Literal

OURS = ("oracle", "null", "random")
DoorName = Literal["mcp", "rest", "ui"]
WALL_S = 1800.0  # default of what an agent may take
