"""Tokens: the same for the same principal, limited to scopes, forgotten with their world."""

import orjson
import pytest

from world.core.access import Record, Signer, Tokens, check_scope
from world.core.errors import OperationError
from world.core.principal import Principal

ADA = Principal("w", "p_ada")


def test_a_limited_token_is_refused_outside_its_scopes() -> None:
    limited = Principal("w", "p_ada", scopes=frozenset({"read", "list"}))
    check_scope(limited, "read")
    check_scope(limited, "")
    check_scope(ADA, "write")
    with pytest.raises(OperationError) as refusal:
        check_scope(limited, "write")
    assert refusal.value.code == "missing_scope"
    assert refusal.value.detail == {"needed": "write", "provided": "list,read"}


def test_a_principal_has_one_token_of_a_form_and_a_secret_of_its_own_process() -> None:
    tokens = Tokens("secret")
    token = tokens.issue(ADA, "xoxp-{}")
    assert token.startswith("xoxp-") and len(token) == len("xoxp-") + 32
    assert tokens.issue(ADA, "xoxp-{}") == token and tokens.resolve(token) == ADA
    others = {tokens.issue(ADA), tokens.issue(Principal("w", "p_bo"), "xoxp-{}"), Tokens("other").issue(ADA, "xoxp-{}")}
    assert token not in others and len(others) == 3


def test_a_grant_opens_no_door_and_a_revoked_token_none_any_more() -> None:
    tokens = Tokens("secret")
    grant, token = tokens.issue(ADA, "1//{}", grant=True), tokens.issue(ADA)
    assert tokens.resolve(grant) is None and tokens.find_grant(grant) == ADA and tokens.find_grant(token) is None
    tokens.revoke(token)
    tokens.revoke(grant)
    assert tokens.resolve(token) is None and tokens.find_grant(grant) is None


def test_a_dropped_world_takes_its_tokens_and_grants_with_it() -> None:
    tokens = Tokens("secret")
    gone = tokens.issue(ADA), tokens.issue(ADA, "1//{}", grant=True)
    stays = tokens.issue(Principal("v", "p_ada"))
    tokens.drop("w")
    assert tokens.resolve(gone[0]) is None and tokens.find_grant(gone[1]) is None and tokens.resolve(stays) is not None


def test_a_later_process_with_the_same_secret_repeats_what_was_kept() -> None:
    tokens, later = Tokens("secret"), Tokens("secret")
    kept: list[Record] = []
    tokens.keep = kept.append
    one = Principal("w", "p_ada", "bot", "slack", frozenset({"b", "a"}), 0)
    token, grant = tokens.issue(one, "xoxb-{}"), tokens.issue(ADA, "1//{}", grant=True)
    revoked, gone = tokens.issue(ADA), tokens.issue(Principal("v", "p_ada"))
    tokens.trust("robot", Signer(ADA, b"a key", (one,)))
    tokens.issue(one, "xoxb-{}")
    assert len(kept) == 5, "the same token again is nothing new"
    tokens.revoke(revoked)
    tokens.revoke(revoked)
    tokens.drop("v")
    tokens.drop("never had any")
    assert len(kept) == 7
    for record in map(orjson.loads, map(orjson.dumps, kept)):
        later.repeat(record)
    assert later.resolve(token) == one and later.find_grant(grant) == ADA and later.resolve(revoked) is None
    assert later.resolve(gone) is None and later.signer("robot") == Signer(ADA, b"a key", (one,))
    assert later.list_records() == [{**r, "number": 1} if r["do"] == "generation" else r for r in tokens.list_records()]


def test_a_name_used_again_has_other_tokens_in_a_later_process_too() -> None:
    tokens, later = Tokens("secret"), Tokens("secret")
    kept: list[Record] = []
    tokens.keep = kept.append
    first = tokens.issue(ADA)
    tokens.drop("w")
    for record in kept:
        later.repeat(record)
    assert later.generation == 1 and later.generation_of("w") is None
    assert later.issue(Principal("w", "p_ada", generation=later.generation)) != first and later.resolve(first) is None
    assert later.generation_of("w") == 1 and later.worlds == ["w"]


def test_a_record_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="dance"):
        Tokens("secret").repeat({"do": "dance"})


def test_every_trait_of_a_principal_and_the_form_make_another_token() -> None:
    tokens = Tokens("secret")
    whose = [
        ADA,
        Principal("v", "p_ada"),
        Principal("w", "p_bo"),
        Principal("w", "p_ada", "bot"),
        Principal("w", "p_ada", app="slack"),
        Principal("w", "p_ada", scopes=frozenset({"a", "b"})),
        Principal("w", "p_ada", scopes=frozenset({"a"})),
        Principal("w", "p_ada", generation=1),
    ]
    made = [tokens.issue(one) for one in whose]
    assert len({*made, tokens.issue(ADA, "xoxp-{}"), Tokens("secret2").issue(ADA)}) == len(whose) + 2
    assert [tokens.resolve(token) for token in made] == whose
    assert all(token.removeprefix("firm-").isalnum() for token in made)


def test_a_secret_issues_the_tokens_it_issued_in_every_version() -> None:
    """Credentials that were handed out are not kept: they are made again from the secret, so this value stays."""
    assert Tokens("secret").issue(ADA, "xoxp-{}") == "xoxp-wM6glFaKN6wcdIp7K6SjWFRmMrVlKkCv"
    assert Tokens("s" * 65).issue(ADA) == Tokens("s" * 64).issue(ADA) != Tokens("s" * 63).issue(ADA)


def test_the_live_tokens_of_a_world_are_listed() -> None:
    tokens = Tokens("secret")
    token, grant, gone = tokens.issue(ADA), tokens.issue(ADA, "1//{}", grant=True), tokens.issue(ADA, "x-{}")
    other = tokens.issue(Principal("v", "p_ada"))
    tokens.revoke(gone)
    assert (tokens.of("w"), tokens.of("v"), tokens.of("u"), tokens.worlds) == ([token, grant], [other], [], ["w", "v"])
    assert [tokens.generation_of(world) for world in ("w", "v", "u")] == [0, 0, None]
    tokens.revoke(other)
    assert tokens.generation_of("v") is None and tokens.of("v") == []


def test_a_dropped_world_takes_its_own_keys_and_no_others() -> None:
    tokens = Tokens("secret")
    tokens.issue(ADA)
    tokens.trust("one", Signer(ADA, b"key"))
    tokens.trust("two", Signer(Principal("v", "p_ada"), b"key"))
    kept: list[Record] = []
    tokens.keep = kept.append
    tokens.drop("w")
    assert tokens.signer("one") is None and tokens.signer("two") is not None and tokens.generation == 1
    tokens.drop("never had any")
    assert tokens.generation == 2 and kept == [{"do": "drop", "world": "w"}]


def test_the_least_records_bring_everything_back_and_are_not_noted_again() -> None:
    tokens, later = Tokens("secret"), Tokens("secret")
    tokens.drop("u")
    token, grant = tokens.issue(ADA, "a-{}"), tokens.issue(ADA, "b-{}", grant=True)
    tokens.revoke(tokens.issue(ADA, "c-{}"))
    tokens.trust("robot", Signer(ADA, b"a key"))
    records = tokens.list_records()
    assert [record["do"] for record in records] == ["generation", "issue", "issue", "trust"]
    kept: list[Record] = []
    later.keep = kept.append
    for record in map(orjson.loads, map(orjson.dumps, records)):
        later.repeat(record)
    assert (later.generation, later.resolve(token), later.find_grant(grant)) == (1, ADA, ADA)
    assert later.list_records() == records and kept == []
    later.repeat({"do": "generation", "number": 0})
    later.revoke(token)
    assert later.generation == 1 and kept == [{"do": "revoke", "token": token}]
    with pytest.raises(KeyError):
        later.repeat({"do": "revoke"})
    later.issue(ADA, "d-{}")
    assert len(kept) == 2, "after a record that was none, changes are noted as before"
