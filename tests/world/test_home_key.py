"""Which company image a home holds for a spec depends on every table."""

import sys
from pathlib import Path

from sqlmodel import SQLModel

from world.core import discovery
from world.run import home


def test_every_module_with_tables_is_part_of_the_key() -> None:
    discovery.apps()
    known = {path.resolve() for path in home._sources()}
    names = {mapper.class_.__module__ for mapper in SQLModel._sa_registry.mappers}
    declared = {
        Path(str(sys.modules[name].__file__)).resolve() for name in names if name.startswith(("apps.", "world."))
    }
    assert len(declared) > 8 and declared <= known
