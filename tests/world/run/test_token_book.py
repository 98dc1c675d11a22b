"""Credentials outlast a process: whatever it was doing when it ended, and whatever the disk said."""

import os
from pathlib import Path

import pytest

from tests.company import as_person, closed, image
from world.core.access import Tokens
from world.core.principal import Principal
from world.core.settings import Settings
from world.run import token_book
from world.run.authentication import authenticate
from world.run.host import Host
from world.run.quarantine import WorldQuarantined
from world.run.token_book import TokenBook
from world.server.control_state import NewWorld, Plane
from world.store import WorldExists

ADA = Principal("w", "p_ada")


def opened(path: Path) -> Tokens:
    """What the next process knows."""
    tokens = Tokens("secret")
    TokenBook(path, tokens)
    return tokens


def people(number: int) -> list[Principal]:
    return [Principal("w", f"p_{one}") for one in range(number)]


def test_what_was_issued_is_known_to_the_next_process_and_the_one_after(tmp_path: Path) -> None:
    path = tmp_path / "issued"
    first = opened(path)
    token, grant = first.issue(ADA, "xoxp-{}"), first.issue(ADA, "1//{}", grant=True)
    again = opened(path)
    for _ in range(2):
        again = opened(path)
        assert again.resolve(token) == ADA and again.find_grant(grant) == ADA
    again.revoke(token)
    assert opened(path).resolve(token) is None
    assert path.stat().st_mode & 0o777 == 0o600 and token.encode() not in path.read_bytes()


def test_a_process_killed_while_it_wrote_lost_at_most_what_it_had_not_given_out(tmp_path: Path) -> None:
    path = tmp_path / "issued"
    first = opened(path)
    tokens = [first.issue(one) for one in people(3)]
    whole = path.read_bytes()
    ends = [place + 1 for place, byte in enumerate(whole) if byte == 10]
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        known = opened(path)
        assert sum(known.resolve(one) is not None for one in tokens) == max(0, sum(end <= cut for end in ends) - 1)


def test_a_line_that_cannot_be_read_is_told_and_spoils_no_other(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "issued"
    tokens = [opened(path).issue(ADA)]
    path.write_bytes(b'{"do":"dance"}\nrubbish\n' + path.read_bytes())
    assert opened(path).resolve(tokens[0]) == ADA
    assert [f"line {number} cannot be read" in caplog.text for number in (1, 2, 3)] == [True, True, False]


def test_without_room_credentials_work_and_are_written_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "issued"
    tokens = opened(path)
    before = tokens.issue(ADA)

    def fail(*_: object, **__: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(token_book.os, "open", fail)
        during = tokens.issue(Principal("w", "p_bo"))
        assert tokens.resolve(during) and "No space left" in caplog.text
    assert opened(path).resolve(during) is None and opened(path).resolve(before) == ADA
    after = tokens.issue(Principal("w", "p_cy"))
    known = opened(path)
    assert all(known.resolve(one) for one in (before, during, after))


def test_the_file_stays_as_large_as_what_lives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_book, "SPARE_LINES", 10)
    path = tmp_path / "issued"
    tokens = opened(path)
    stays = tokens.issue(ADA)
    for number in range(200):
        tokens.issue(Principal(f"rollout-{number}", "p_ada"))
        tokens.drop(f"rollout-{number}")
    assert path.read_bytes().count(b"\n") < 20
    known = opened(path)
    assert known.resolve(stays) == ADA and known.worlds == ["w"] and known.generation == 200
    assert os.listdir(tmp_path) == ["issued"]


def test_a_world_that_was_never_written_leaves_no_token_to_the_next_of_its_name(tmp_path: Path) -> None:
    sealed = image(tmp_path, [])
    firm = closed(sealed, tmp_path)
    TokenBook(tmp_path / "issued", firm.tokens)
    firm.create("kept")
    firm.create("lost")
    kept, lost = (firm.tokens.issue(as_person(firm, world=world)) for world in ("kept", "lost"))
    firm.keep("kept")
    firm.store.close()
    firm = closed(sealed, tmp_path)
    TokenBook(tmp_path / "issued", firm.tokens)
    plane = Plane(firm, "secret")
    assert authenticate(firm, "", kept) == as_person(firm, world="kept") and authenticate(firm, "", lost) is None
    with pytest.raises(WorldExists):
        firm.create("kept")
    assert plane.create(NewWorld(name="lost"))["world"] == "lost"
    assert authenticate(firm, "", lost) is None, "a credential of the lost world"
    assert firm.tokens.issue(as_person(firm, world="lost")) != lost
    firm.store.close()


def test_a_world_named_by_the_host_gets_no_name_that_credentials_have(tmp_path: Path) -> None:
    firm = closed(image(tmp_path, []), tmp_path)
    firm.tokens.issue(Principal("w1", "p_ada"))
    assert Plane(firm, "secret").create(NewWorld())["world"] == "w2"
    firm.store.close()


def test_a_damaged_world_of_an_earlier_process_is_quarantined_at_its_first_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Host, "strict", False)
    sealed = image(tmp_path, [])
    firm = closed(sealed, tmp_path)
    TokenBook(tmp_path / "issued", firm.tokens)
    firm.create("w", Settings(limits="off"))
    token, log = firm.tokens.issue(as_person(firm)), firm.actors["w"].world.log
    assert log is not None
    firm.store.close()
    with Path(log.path).open("r+b") as file:
        file.write(b"?")
    firm = closed(sealed, tmp_path)
    TokenBook(tmp_path / "issued", firm.tokens)
    Plane(firm, "secret")
    for _ in range(2):
        with pytest.raises(
            WorldQuarantined, match=r"world w is quarantined: opening broke .*the header of log w is damaged"
        ):
            authenticate(firm, "", token)
    firm.store.close()
