"""The one place where text that an agent wrote is executed: isolated, limited, and only an exit state and text come
back.
"""

from world.sandbox.ladder import KINDS, Kind, available, find_obstacle, forget, require, step
from world.sandbox.model import Limits, Outcome, Step, StepResult, Unavailable
from world.sandbox.service_tests import drive
from world.sandbox.step_runner import run

__all__ = [
    "KINDS",
    "Kind",
    "Limits",
    "Outcome",
    "Step",
    "StepResult",
    "Unavailable",
    "available",
    "drive",
    "find_obstacle",
    "forget",
    "require",
    "run",
    "step",
]
