"""Operations on git data and git's own transport."""
