"""Certificates of one run for the vendors' own host names and our own. Loaded only when TLS is asked for: loading it
takes a while.
"""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

USAGES = (
    "digital_signature",
    "content_commitment",
    "key_encipherment",
    "data_encipherment",
    "key_agreement",
    "key_cert_sign",
    "crl_sign",
    "encipher_only",
    "decipher_only",
)
HERE = ("localhost", "127.0.0.1", "::1")
VALID = datetime(2020, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)  # clients ask their own clock


@dataclass(frozen=True, slots=True)
class Certificates:
    """Files: the authority clients must trust, and the listener's certificate and key."""

    authority: Path
    certificate: Path
    key: Path


def certificates(folder: Path, names: Iterable[str]) -> Certificates:
    """An authority of this run and a certificate by it for this machine and for host names or addresses; `*.x` stands
    for every name below x.
    """
    folder.mkdir(parents=True, exist_ok=True)
    ours, theirs = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "firmament, this run only")])
    signs = x509.KeyUsage(**{**dict.fromkeys(USAGES, False), "key_cert_sign": True, "digital_signature": True})
    root = _certificate(issuer, issuer, ours, ours, x509.BasicConstraints(ca=True, path_length=0), signs)
    alternatives = [_alternative(name) for name in dict.fromkeys((*names, *HERE))]
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "firmament")])
    leaf = _certificate(subject, issuer, theirs, ours, x509.SubjectAlternativeName(alternatives))
    made = Certificates(folder / "ca.pem", folder / "server.pem", folder / "server.key")
    made.authority.write_bytes(root.public_bytes(serialization.Encoding.PEM))
    made.certificate.write_bytes(leaf.public_bytes(serialization.Encoding.PEM))
    made.key.touch(0o600)
    made.key.write_bytes(
        theirs.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return made


def _alternative(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _certificate(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    signer: ec.EllipticCurvePrivateKey,
    *extensions: x509.ExtensionType,
) -> x509.Certificate:
    made = x509.CertificateBuilder(issuer, subject, key.public_key(), x509.random_serial_number(), *VALID)
    identifiers = (
        x509.SubjectKeyIdentifier.from_public_key(key.public_key()),
        x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()),
    )
    for one in (*extensions, *identifiers):
        made = made.add_extension(one, critical=isinstance(one, (x509.BasicConstraints, x509.KeyUsage)))
    return made.sign(signer, hashes.SHA256())
