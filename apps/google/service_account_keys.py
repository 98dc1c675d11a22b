"""Key pairs of service accounts, and their signatures.

Assertion times are the client's own clock: only the signature counts.
"""

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from world.core.json_types import JsonObject

TIMELESS = {"verify_exp": False, "verify_iat": False, "verify_nbf": False, "verify_aud": False}


def generate_pair() -> tuple[bytes, str]:
    """A public key and its private key, both in PEM."""
    key = rsa.generate_private_key(65537, 2048)
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return public, private.decode()


def read_issuer(assertion: str) -> str:
    """Return the claimed issuer of an assertion. Raises ValueError."""
    try:
        return str(jwt.decode(assertion, options={"verify_signature": False}).get("iss"))
    except jwt.PyJWTError as error:
        raise ValueError(str(error)) from None


def read_claims(assertion: str, public_key: bytes) -> JsonObject:
    """Return the claims of an assertion. Raises ValueError unless this key signed it."""
    try:
        return jwt.decode(assertion, public_key, algorithms=["RS256"], options=TIMELESS)  # type: ignore[arg-type]
    except jwt.PyJWTError as error:
        raise ValueError(str(error)) from None
