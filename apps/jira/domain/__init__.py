"""Rules and lookups that several operations share; declares no operation."""
