"""What ends an episode, in words for whoever meets the closed world."""

from world.core.clock import iso
from world.core.errors import EpisodeEnded
from world.core.settings import Settings

MAX_WAITS = 100  # consecutive waits before an episode counts as idle


def describe_ending(why: str, settings: Settings) -> str:
    """One sentence for a reason of `Actor.ended`: `this episode ended: call budget of 600 reached`."""
    reasons = {
        "finished": "the employee finished the task",
        "budget": f"call budget of {settings.max_calls} reached",
        "horizon": f"its last moment, {iso(settings.horizon_at or 0)}, has passed",
        "idle": f"{MAX_WAITS} waits in a row",
    }
    return f"this episode ended: {reasons.get(why, why)}"


def episode_ended(why: str, settings: Settings) -> EpisodeEnded:
    """The refusal of every call after the end."""
    return EpisodeEnded(why, describe_ending(why, settings))
