"""What an author gets to read about a script that cannot be used."""


class ScenarioError(ValueError):
    """A scenario that cannot be loaded; the message names file, line and the mend."""
