"""Errors in a workflow file, in the vendor's words."""


class FileFault(Exception):
    """A workflow file that cannot be used; `line` and `column` count from 1."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.message, self.line, self.column = message, line, column

    def sentence(self, path: str) -> str:
        """The error as a run's page shows it."""
        place = "" if self.line is None else f" (Line: {self.line}, Col: {self.column})"
        return f"The workflow is not valid. {path}{place}: {self.message}"
