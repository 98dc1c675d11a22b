"""Endings of an episode, in words for callers of the closed world."""

from world.core.builtin_operations import Limits
from world.core.clock import SECOND, iso
from world.core.errors import EpisodeEnded
from world.core.settings import Settings

MAX_WAITS = 100  # consecutive waits before an episode counts as idle
FEW_CALLS = 10  # from here on answers warn
CUT_OFF = frozenset({"budget", "horizon", "idle"})  # ends after which the answer may still be given, once


def describe_ending(why: str, settings: Settings) -> str:
    """One sentence for a reason of `Actor.ended`: `this episode ended: call budget of 600 reached`."""
    reasons = {
        "finished": "the employee finished the task",
        "budget": f"call budget of {settings.max_calls} reached",
        "horizon": f"its last moment, {iso(settings.horizon_at or 0)}, has passed",
        "idle": f"{MAX_WAITS} waits in a row",
    }
    return f"this episode ended: {reasons.get(why, why)}"


def describe_limits(settings: Settings, zone: str) -> str:
    """Describe the limits of a run for its task."""
    calls = f"at most {settings.max_calls} calls" if settings.max_calls is not None else ""
    until = f"until {iso(settings.horizon_at, zone)}" if settings.horizon_at is not None else ""
    limits = " and ".join(one for one in (calls, until) if one)
    return f"Limits: you have {limits}. The answer is still taken afterwards, once." if limits else ""


def describe_left(settings: Settings, calls: int | None, now: int) -> Limits | None:
    """Describe the remaining budget of a run; None if it is not limited."""
    left: Limits = {"afterwards": "The answer (finish) is still taken afterwards, once."}
    if calls is not None:
        left["calls_left"] = calls
    if settings.horizon_at is not None:
        left["until"] = iso(settings.horizon_at)
        left["seconds_left"] = max(0, settings.horizon_at - now) // SECOND
    return left if len(left) > 1 else None


def warn_of_end(calls: int | None) -> str:
    """Warn in an answer when few calls are left; empty before."""
    if calls is None or calls > FEW_CALLS:
        return ""
    return f"{calls} calls are left in this episode. Give your answer with finish; it is still taken afterwards, once."


def episode_ended(why: str, settings: Settings) -> EpisodeEnded:
    """The refusal of every call after the end."""
    return EpisodeEnded(why, describe_ending(why, settings))
