"""Detection of binary files."""

LOOKED_AT = 8000  # bytes, as git


def is_binary(data: bytes) -> bool:
    """Whether git treats a file as binary and shows no lines of it."""
    return b"\0" in data[:LOOKED_AT]
