"""Errors of scripts that cannot be used, as their author reads them."""


class ScenarioError(ValueError):
    """A scenario that cannot be loaded; the message names file, line and the mend."""


class NotYet(ScenarioError):
    """A fact of an event is asked for that has not happened."""
