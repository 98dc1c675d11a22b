"""The public Python client: worlds and episodes of a server, from one program or a trainer's many. httpx and pydantic only."""

from .async_control import AsyncClient
from .async_episode import AsyncEpisode
from .async_fleet import AsyncFleet
from .control import Client
from .episode import Episode
from .errors import ControlError, ToolDoorError
from .fleet import Fleet
from .models import Member, MemberReward, StepReward, Task, Token, Tool, ToolResult, World

__all__ = [
    "AsyncClient",
    "AsyncEpisode",
    "AsyncFleet",
    "Client",
    "ControlError",
    "Episode",
    "Fleet",
    "Member",
    "MemberReward",
    "StepReward",
    "Task",
    "Token",
    "Tool",
    "ToolDoorError",
    "ToolResult",
    "World",
]
