"""Companies imported from the archives of real services: one reader, one row maker and one writer per format."""
