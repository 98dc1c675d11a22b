"""What a change costs that no item claims: harmless, ordinary talk, a slip, or harm."""
