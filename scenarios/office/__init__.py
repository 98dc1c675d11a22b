"""Acts of people in the company, for the authors of chores."""
