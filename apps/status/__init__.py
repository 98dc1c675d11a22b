"""Public status pages of the vendors a company depends on; employees read them, only the world writes them."""

from apps.status import conduct, operations, probes, readings  # registers the operations
from apps.status.app import app

__all__ = ["app", "conduct", "operations", "probes", "readings"]
