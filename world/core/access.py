"""Credentials that callers present: tokens, grants and signing keys, and the scopes a token is limited to."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import Any, Protocol

from world.core.errors import OperationError
from world.core.principal import Principal

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def check_scope(principal: Principal, scope: str) -> None:
    """Raises missing_scope when the token is limited to other scopes."""
    if scope and principal.scopes and scope not in principal.scopes:
        raise OperationError("missing_scope", needed=scope, provided=",".join(sorted(principal.scopes)))


@dataclass(frozen=True, slots=True)
class Signer:
    """Somebody who signs instead of carrying a token: the public key (PEM), and the people it may speak for."""

    principal: Principal
    public_key: bytes
    subjects: tuple[Principal, ...] = ()


Record = Mapping[str, Any]


class Tokens:
    """The credentials that were issued. They derive from a secret, never from a world's seed.

    `keep` is handed every change as a record of JSON values; `repeat` does it again, in a later process with the same
    secret. `generation` grows with every world dropped, so that a name used again has other tokens.
    """

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()
        self.generation = 0
        self.keep: Callable[[Record], None] | None = None
        self._forms: dict[str, str] = {}
        self._known: dict[str, Principal] = {}
        self._grants: dict[str, Principal] = {}
        self._by_world: dict[str, list[str]] = {}
        self._signers: dict[str, Signer] = {}

    def issue(self, principal: Principal, form: str = "firm-{}", *, grant: bool = False) -> str:
        """A token in the vendor's form (`xoxp-{}`); the same principal and form give the same token.

        A `grant` (a refresh token, a client's secret) is exchanged for a token where its app says; it opens no door
        itself.
        """
        path = repr(
            (
                principal.world,
                principal.generation,
                principal.person,
                principal.kind,
                principal.app,
                sorted(principal.scopes),
                form,
            )
        ).encode()
        number = int.from_bytes(blake2b(path, key=self._secret[:64], digest_size=24).digest(), "big")
        text = ""
        for _ in range(32):
            number, digit = divmod(number, 62)
            text += _ALPHABET[digit]
        token = form.format(text)
        kept = self._grants if grant else self._known
        if token not in kept:
            self._by_world.setdefault(principal.world, []).append(token)
            kept[token], self._forms[token] = principal, form
            self._note(self._describe(token))
        return token

    def resolve(self, token: str) -> Principal | None:
        """The principal of a token, or None if unknown, revoked or of a dropped world."""
        return self._known.get(token)

    def find_grant(self, token: str) -> Principal | None:
        """Find the principal of a grant, or None."""
        return self._grants.get(token)

    def revoke(self, token: str) -> None:
        """Forget one token or grant."""
        if self._forget(token):
            self._note({"do": "revoke", "token": token})

    def drop(self, world: str) -> None:
        """Forget every token of a world."""
        self.generation += 1
        if world not in self._by_world:
            return
        for token in self._by_world.pop(world):
            self._forget(token)
        for name in [name for name, signer in self._signers.items() if signer.principal.world == world]:
            del self._signers[name]
        self._note({"do": "drop", "world": world})

    def trust(self, name: str, signer: Signer) -> None:
        """Accept what a key signs, under the name it signs with."""
        self._signers[name] = signer
        self._note(_describe_signer(name, signer))

    def signer(self, name: str) -> Signer | None:
        """Return the signer registered under a name, or None."""
        return self._signers.get(name)

    def of(self, world: str) -> list[str]:
        """Every live token of a world, for redaction of run records."""
        return [token for token in self._by_world.get(world, ()) if token in self._known or token in self._grants]

    @property
    def worlds(self) -> list[str]:
        """The worlds that tokens were issued for."""
        return list(self._by_world)

    def generation_of(self, world: str) -> int | None:
        """The generation of a world that has tokens, or None."""
        found = (self._known.get(token) or self._grants.get(token) for token in self._by_world.get(world, ()))
        return next((one.generation for one in found if one is not None), None)

    def list_records(self) -> list[Record]:
        """The least records that bring all of this back."""
        living = [token for token in self._forms if token in self._known or token in self._grants]
        signers = [_describe_signer(name, signer) for name, signer in self._signers.items()]
        return [{"do": "generation", "number": self.generation}, *map(self._describe, living), *signers]

    def repeat(self, record: Record) -> None:
        """Do again what a record says. Raises KeyError, TypeError, ValueError for one that is none."""
        kept, self.keep = self.keep, None
        try:
            self._repeat(record)
        finally:
            self.keep = kept

    def _repeat(self, record: Record) -> None:
        match record["do"]:
            case "issue":
                principal = _read_principal(record["principal"])
                self.issue(principal, record["form"], grant=record["grant"])
                self.generation = max(self.generation, principal.generation)
            case "trust":
                subjects = tuple(map(_read_principal, record["subjects"]))
                signer = Signer(_read_principal(record["principal"]), record["key"].encode(), subjects)
                self.trust(record["name"], signer)
            case "revoke":
                self.revoke(record["token"])
            case "drop":
                self.drop(record["world"])
            case "generation":
                self.generation = max(self.generation, record["number"])
            case unknown:
                raise ValueError(f"no such record: {unknown}")

    def _forget(self, token: str) -> bool:
        self._forms.pop(token, None)
        return (self._known.pop(token, None) or self._grants.pop(token, None)) is not None

    def _note(self, record: Record) -> None:
        if self.keep is not None:
            self.keep(record)

    def _describe(self, token: str) -> Record:
        principal = self._known.get(token) or self._grants[token]
        grant = token in self._grants
        return {"do": "issue", "principal": _write_principal(principal), "form": self._forms[token], "grant": grant}


def _describe_signer(name: str, signer: Signer) -> Record:
    principal, subjects = _write_principal(signer.principal), [*map(_write_principal, signer.subjects)]
    return {
        "do": "trust",
        "name": name,
        "principal": principal,
        "key": signer.public_key.decode(),
        "subjects": subjects,
    }


def _write_principal(principal: Principal) -> dict[str, Any]:
    return {**asdict(principal), "scopes": sorted(principal.scopes)}


def _read_principal(said: Mapping[str, Any]) -> Principal:
    fields: dict[str, Any] = {**said, "scopes": frozenset(said["scopes"])}
    return Principal(**fields)


class Issuer(Protocol):
    """Interface of the object that holds the credentials of a process."""

    tokens: Tokens
