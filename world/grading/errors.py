"""Errors in a rubric or in a run's evidence, worded so that they can be mended."""

from world.core.grader_error import GraderError
from world.core.yaml_document import YamlError

__all__ = ["GraderError", "RubricError", "EventNotFired"]


class RubricError(YamlError):
    """A rubric that does not load. The message names file, line and the mend."""

    noun = "a rubric"
    usual_file = "rubric.yaml"


class EventNotFired(Exception):
    """A predicate needs an event that has not happened in this run; the item that asked is not met."""
