"""Operations on organisations, teams, users and keys."""
