"""The parts of the story."""

ENGINEERS = ("Senior Software Engineer", "Software Engineer", "Site Reliability Engineer")
PARTS = {
    "me": ENGINEERS,
    "asker": (
        "Chief Technology Officer",
        "Engineering Manager",
        "Staff Engineer",
        "Head of Product",
        "Product Manager",
    ),
    "reviewer": (*ENGINEERS, "Staff Engineer"),
    "author": ENGINEERS,
    "other": ENGINEERS,
    "hasty": (*ENGINEERS, "Engineering Manager", "Staff Engineer"),
    "support": ("Head of Support", "Senior Support Engineer"),
}
"""Beginnings of titles: who has the pager, who asks, who reviews, two authors, who is hasty, and who hopes too early."""
