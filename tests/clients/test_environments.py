"""Where no index can be reached, a client's test fails and says what is missing."""

from pathlib import Path

import pytest

from tests.clients import environments


def test_without_an_index_the_package_and_the_way_out_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIRM_CLIENT_ENVS", str(tmp_path))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(
        environments.ClientUnavailable, match=r"jira==3\.10\.5 could not be installed.*FIRM_CLIENT_ENVS"
    ) as failed:
        environments.python("jira")
    assert "No matching distribution found for jira" in str(failed.value)
    assert not list(tmp_path.glob(f"*/{environments.DONE}"))
