"""Notes that employees write and everybody reads."""

from . import operations
from .app import app

__all__ = ["app", "operations"]
