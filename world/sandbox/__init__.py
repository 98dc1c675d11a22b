"""The one place where text that an agent wrote is executed: isolated, limited, and only an exit state and text come
back.
"""

from world.sandbox.model import Limits, Outcome, Step, StepResult, Unavailable
from world.sandbox.probe import available, find_obstacle, require, step
from world.sandbox.service_tests import drive
from world.sandbox.step_runner import run

__all__ = [
    "Limits",
    "Outcome",
    "Step",
    "StepResult",
    "Unavailable",
    "available",
    "drive",
    "find_obstacle",
    "require",
    "run",
    "step",
]
