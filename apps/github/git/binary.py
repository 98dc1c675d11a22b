"""Which files are text."""

LOOKED_AT = 8000  # bytes, as git


def is_binary(data: bytes) -> bool:
    """Whether git would show no lines of a file."""
    return b"\0" in data[:LOOKED_AT]
