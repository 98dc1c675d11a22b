"""What is null or empty, and cannot be, counts as not given."""

from typing import Literal

import pytest
from pydantic import Field

from world.core.errors import InvalidArguments
from world.core.params import Params, validate_params


class _Search(Params):
    query: str
    kind: Literal["all", "mine"] = "all"
    fields: list[str] = Field(default_factory=list)
    limit: int = 10
    parent: str | None = "p"


@pytest.mark.parametrize("blank", [None, ""])
def test_a_blank_value_that_cannot_be_is_the_default(blank: str | None) -> None:
    found = validate_params(_Search, {"query": "x", "kind": blank, "fields": blank, "limit": blank})
    assert (found.kind, found.fields, found.limit) == ("all", [], 10)


def test_a_blank_value_that_can_be_is_kept() -> None:
    found = validate_params(_Search, {"query": "", "parent": None, "kind": None})
    assert (found.query, found.parent) == ("", None)


def test_what_is_required_or_wrong_is_refused_all_the_same() -> None:
    for arguments, name in (({"query": None}, "query"), ({"query": "x", "kind": "", "limit": "many"}, "limit")):
        with pytest.raises(InvalidArguments) as caught:
            validate_params(_Search, arguments)
        assert [problem[0] for problem in caught.value.problems] == [name]
