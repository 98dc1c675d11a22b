"""Later messages by which an author takes back or changes what they had told the same readers."""
