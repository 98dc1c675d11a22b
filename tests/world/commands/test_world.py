"""`firm world`: what the command line refuses before it asks a server."""

import inspect

import click
import pytest

from world.client import Client
from world.commands.world import TAKEN, parse_settings


def test_settings_are_an_object_of_any_names() -> None:
    assert parse_settings('{"difficulty": "hard"}') == {"difficulty": "hard"}


@pytest.mark.parametrize(
    ("text", "message"),
    [("{", "no JSON"), ("[]", "no JSON object"), ('{"seed": 1, "name": "x", "a": 2}', "name, seed cannot be settings")],
)
def test_what_cannot_be_settings_is_refused(text: str, message: str) -> None:
    with pytest.raises(click.BadParameter, match=message):
        parse_settings(text)


def test_all_arguments_of_a_world_beside_its_settings_are_refused() -> None:
    parameters = inspect.signature(Client.create).parameters.values()
    assert {one.name for one in parameters if one.kind is inspect.Parameter.KEYWORD_ONLY} == TAKEN
