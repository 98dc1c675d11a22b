"""What goes wrong with evidence; apps say it too, in what they declare to graders."""


class GraderError(Exception):
    """Evidence that cannot be graded: a torn journal, a ref that names nothing, a label that moved. Never a score."""
