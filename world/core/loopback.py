"""Addresses of this machine, told by how they are written; no name is looked up."""

from ipaddress import ip_address
from urllib.parse import urlsplit


def is_loopback(host: str) -> bool:
    """Whether a host name or address means this machine."""
    try:
        return host == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def find_receiver(url: str) -> str | None:
    """HOST:PORT of an address of this machine, as `firm serve --receiver` takes it; None for any other address."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or parts.username is not None or not is_loopback(host):
        return None
    number = port or (443 if parts.scheme == "https" else 80)
    return f"[{host}]:{number}" if ":" in host else f"{host}:{number}"
