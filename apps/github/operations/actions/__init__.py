"""Operations on workflows, runs, checks and statuses."""
