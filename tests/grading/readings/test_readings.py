"""Every text of the development halves is read as it was: what a change of a reader changes shows text by text."""

import pytest

from tests.grading.readings.corpus_readings import FOLDER, READINGS, list_lines


@pytest.mark.parametrize("name", READINGS)
def test_the_corpora_are_read_as_before(name: str) -> None:
    """Where a change is meant, `python -m tests.grading.readings.corpus_readings` writes the files anew."""
    kept = (FOLDER / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    assert list_lines(READINGS[name]()) == kept
