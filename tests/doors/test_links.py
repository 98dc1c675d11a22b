"""What people follow is linked in the vendor's public form, whichever address the API was asked at."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from world.agents.examples import Examples
from world.core.errors import OperationError
from world.core.principal import Principal
from world.core.settings import Settings
from world.run.host import Host

ASKED = "https://asked.test/app"
# What a program asks next, and so stays where it asked: requests of the API, pictures, bytes of files.
MACHINE = {
    "slack": r"image_\d+|avatar_base_url|url_private(_download)?|upload_url",
    "jira": r"self|base|next|jiraRest|avatar|iconUrl|\d+x\d+|avatarUrl|avatarURI|content|thumbnail|autoCompleteUrl|searchUrl|nextPage|[A-Z]\w+",
    "github": r"(?!html_|permalink_|blob_|diff_|patch_|badge_|svn_)(\w+_)?url|href|self|git|actions/download\S+|repos/download\S+",
    "drive": r"downloadUri|(application|text)/\S+",
    "status": r"url|shortlink",
}
PUBLIC = {
    "auth.test": "https://quayline.slack.com/",
    "team.info": "https://quayline.slack.com/",
    "chat.getPermalink": r"https://quayline\.slack\.com/archives/[CDG]\w+/p\d{16}(\?thread_ts=\S+)?",
    "getServerInfo": "https://quayline.atlassian.net",
    "spreadsheets.get": r"https://docs\.google\.com/spreadsheets/d/[\w-]+/edit",
    "repos/get": r"https://github\.com/quayline/[\w.-]+",
    "issues/get": r"https://github\.com/quayline/[\w.-]+/(issues|pull)/\d+",
}


def _addresses(value: object, key: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from _addresses(item, str(name))
    elif isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        for item in value:
            yield from _addresses(item, key)
    elif isinstance(value, str) and value.startswith("http"):
        yield key, value


@pytest.fixture
def answers(firm: Host) -> Iterator[tuple[str, str, object]]:
    """App, operation and answer of every reading operation, asked at an address that is no vendor's."""
    firm.create("w", Settings(limits="off"))
    generation = firm.actors["w"].generation
    me = firm.principal("w", "p_0004").person

    def ask(name: str, given: Mapping[str, Any]) -> Any:
        app = firm.operations[name].app
        return firm.call(Principal("w", me, "user", app, generation=generation), "rest", name, given, ASKED)

    def collect() -> Iterator[tuple[str, str, object]]:
        examples = Examples(firm.operations, ask)
        for name, operation in sorted(firm.operations.items()):
            if operation.writes or operation.app == "world":
                continue
            try:
                yield from ((operation.app, name, ask(name, given)) for given in examples.of(name))
            except (OperationError, LookupError):
                continue

    return collect()


@pytest.mark.full
def test_every_link_of_every_reading_answer_is_the_vendors_public_one(
    answers: Iterator[tuple[str, str, object]],
) -> None:
    own: set[tuple[str, str, str]] = set()
    public: dict[str, list[str]] = {}
    for app, operation, answer in answers:
        for key, address in _addresses(answer, operation):
            if address.startswith(ASKED):
                own.add((app, operation, key))
            else:
                public.setdefault(operation, []).append(address)
    assert {one for one in own if not re.fullmatch(MACHINE.get(one[0], ""), one[2])} == set()
    for operation, form in PUBLIC.items():
        assert any(re.fullmatch(form, address) for address in public[operation]), (operation, public[operation])
