"""Git over rows: objects, refs, history, differences, merges, and the wire."""

from apps.github.git.repo import ZERO, Entry, Repo, Signature

__all__ = ["ZERO", "Entry", "Repo", "Signature"]
