"""Operations that search code, issues, commits, repositories and users."""
