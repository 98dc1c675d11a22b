"""What callers present: tokens, grants and signing keys, and the scopes a token is limited to."""

from dataclasses import dataclass
from hashlib import blake2b
from typing import Protocol

from world.core.errors import OperationError
from world.core.principal import Principal

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def check_scope(principal: Principal, scope: str) -> None:
    """Raises missing_scope when the token is limited to other scopes."""
    if scope and principal.scopes and scope not in principal.scopes:
        raise OperationError("missing_scope", needed=scope, provided=",".join(sorted(principal.scopes)))


@dataclass(frozen=True, slots=True)
class Signer:
    """Somebody who signs instead of carrying a token: the public half of the key (PEM), and whom it may speak for."""

    principal: Principal
    public_key: bytes
    subjects: tuple[Principal, ...] = ()


class Tokens:
    """The credentials this process has issued. They derive from a process secret, never from a world's seed."""

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()
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
        kept[token] = principal
        return token

    def resolve(self, token: str) -> Principal | None:
        """The principal of a token, or None if unknown, revoked or of a dropped world."""
        return self._known.get(token)

    def find_grant(self, token: str) -> Principal | None:
        """Find the principal of a grant, or None."""
        return self._grants.get(token)

    def revoke(self, token: str) -> None:
        """Forget one token or grant."""
        self._known.pop(token, None)
        self._grants.pop(token, None)

    def drop(self, world: str) -> None:
        """Forget every token of a world."""
        for token in self._by_world.pop(world, ()):
            self.revoke(token)
        for name in [name for name, signer in self._signers.items() if signer.principal.world == world]:
            del self._signers[name]

    def trust(self, name: str, signer: Signer) -> None:
        """Accept what a key signs, under the name it signs with."""
        self._signers[name] = signer

    def signer(self, name: str) -> Signer | None:
        """Who signs under a name, or None."""
        return self._signers.get(name)

    def of(self, world: str) -> list[str]:
        """Every live token of a world, for redaction of run records."""
        return [token for token in self._by_world.get(world, ()) if token in self._known or token in self._grants]


class Issuer(Protocol):
    """Whoever holds the credentials of a process."""

    tokens: Tokens
