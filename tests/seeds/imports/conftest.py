"""Imports of small archives into images, kept in one folder."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from seeds.imports.import_run import run_import
from world.run.imports import ImportOutcome, ImportRequest

Import = Callable[..., ImportOutcome]
Ask = Callable[[Path, str], list[tuple[Any, ...]]]


@pytest.fixture(scope="session")
def import_archives(tmp_path_factory: pytest.TempPathFactory) -> Import:
    """`import_archives(path, ..., name=, domain=, pseudonym_key=)`: the outcome of an import."""
    images = tmp_path_factory.mktemp("imported")
    return lambda *paths, **more: run_import(ImportRequest(paths, images, **more))


@pytest.fixture(scope="session")
def ask() -> Ask:
    """`ask(image, sql)`: the rows of a query."""

    def run(image: Path, sql: str) -> list[tuple[Any, ...]]:
        with sqlite3.connect(f"file:{image}?immutable=1", uri=True) as connection:
            return connection.execute(sql).fetchall()

    return run
