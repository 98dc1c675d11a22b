"""SQLAlchemy's own tests of a dialect; run by test_dialect.py in a process of their own."""

from sqlalchemy.testing.suite import *  # noqa: F403
