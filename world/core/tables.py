"""All tables of the company and the installed apps."""

from sqlalchemy import MetaData
from sqlmodel import SQLModel

from world.core import discovery


def metadata() -> MetaData:
    """The metadata every base image is built from; imports all apps."""
    discovery.apps()
    return SQLModel.metadata
