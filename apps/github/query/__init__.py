"""The vendor's search language: parses text to a tree, and compiles it to SQL conditions for each kind of search."""
