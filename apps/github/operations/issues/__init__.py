"""Operations on issues, comments, labels, milestones and reactions."""
