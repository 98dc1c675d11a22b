"""Operations on pull requests and their reviews."""
