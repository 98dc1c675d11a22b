"""Errors of evidence; apps raise them too, in their declarations to graders."""


class GraderError(Exception):
    """Evidence that cannot be graded: a torn journal, a ref that names nothing, a label that moved. Never a score."""
