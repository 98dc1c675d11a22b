"""The vendors' own host names, for clients that take no other address: a proxy whose tunnels end in our own TLS listener.

No connection ever leaves: a host that no app stands for is refused.
"""

import asyncio
import ipaddress
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from socket import socket

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

MOST_HEAD = 16_384
CHUNK = 65_536
USAGES = (
    "digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement", "key_cert_sign", "crl_sign",
    "encipher_only", "decipher_only",
)  # fmt: skip
VALID = datetime(2020, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)  # clients ask their own clock


@dataclass(frozen=True, slots=True)
class Certificates:
    """Files: the authority clients must trust, and the listener's certificate and key."""

    authority: Path
    certificate: Path
    key: Path


def certificates(folder: Path, names: Iterable[str]) -> Certificates:
    """An authority of this run and a certificate by it for host names; `*.x` stands for every name below x."""
    folder.mkdir(parents=True, exist_ok=True)
    ours, theirs = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "firmament, this run only")])
    signs = x509.KeyUsage(**{**dict.fromkeys(USAGES, False), "key_cert_sign": True, "digital_signature": True})
    root = _certificate(issuer, issuer, ours, ours, x509.BasicConstraints(ca=True, path_length=0), signs)
    alternatives = [*map(x509.DNSName, names), x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "firmament")])
    leaf = _certificate(subject, issuer, theirs, ours, x509.SubjectAlternativeName(alternatives))
    made = Certificates(folder / "ca.pem", folder / "server.pem", folder / "server.key")
    made.authority.write_bytes(root.public_bytes(serialization.Encoding.PEM))
    made.certificate.write_bytes(leaf.public_bytes(serialization.Encoding.PEM))
    made.key.touch(0o600)
    made.key.write_bytes(theirs.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    return made


def _certificate(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, signer: ec.EllipticCurvePrivateKey, *extensions: x509.ExtensionType
) -> x509.Certificate:
    made = x509.CertificateBuilder(issuer, subject, key.public_key(), x509.random_serial_number(), *VALID)
    identifiers = (
        x509.SubjectKeyIdentifier.from_public_key(key.public_key()), x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()),
    )  # fmt: skip
    for one in (*extensions, *identifiers):
        made = made.add_extension(one, critical=isinstance(one, (x509.BasicConstraints, x509.KeyUsage)))
    return made.sign(signer, hashes.SHA256())


@asynccontextmanager
async def tunnels(listen: socket, names: Iterable[str], ports: Mapping[str, int]) -> AsyncIterator[None]:
    """Serve a proxy while the context is open. `ports` are our own listeners on loopback: `https`, and `http` for plain requests."""
    known = tuple(names)
    under_way: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            under_way.add(task)
            task.add_done_callback(under_way.discard)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                await _serve(reader, writer, known, ports)
        finally:
            writer.transport.abort()

    server = await asyncio.start_server(serve, sock=listen, limit=MOST_HEAD)
    try:
        yield
    finally:
        server.close()
        for task in list(under_way):
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, names: tuple[str, ...], ports: Mapping[str, int]) -> None:
    head = await reader.readuntil(b"\r\n\r\n")
    method, _, rest = head.partition(b" ")
    target = rest.split(b" ", 1)[0].decode("latin-1")
    tunnel = method == b"CONNECT"
    host = target.removeprefix("http://").partition("/")[0].partition(":")[0]
    if not any(fnmatchcase(host.lower(), name) for name in names):
        writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()
        return
    inner, outer = await asyncio.open_connection("127.0.0.1", ports["https" if tunnel else "http"])
    try:
        if tunnel:
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            outer.write(head)
        await asyncio.gather(_pump(reader, outer), _pump(inner, writer))
    finally:
        outer.transport.abort()


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    """Everything from one side to the other, then the end."""
    with suppress(ConnectionError):
        while data := await source.read(CHUNK):
            sink.write(data)
            await sink.drain()
    if sink.can_write_eof():
        with suppress(OSError):
            sink.write_eof()
