"""Edits of one value in a file: as described, not as described, or against a limit of the repository."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edit:
    """A value that changes: the old and the new one, one that is typed wrongly, and one that the rule forbids."""

    path: str
    name: str
    what: str
    old: int
    new: int
    typed: int
    over: int
    rule: str

    def text(self, value: int) -> str:
        """The file with a value in it."""
        return "\n".join((f'"""{self.what}."""', "", *NOTES[: self.line - 3], f"{self.name} = {value}", ""))

    def says(self, value: int) -> str:
        """The line of a description for a new value."""
        return f"`{self.name}`: from {self.old} to {value}"

    @property
    def line(self) -> int:
        """Number of the line that holds the value."""
        return 3 + len(self.name) % (len(NOTES) + 1)


NOTES = ("# Read at start.", "# The same in all regions.", "# Changed by pull request only.")

EDITS = (
    Edit("src/retries.py", "MOST_RETRIES", "Retries", 2, 3, 30, 8, "At most 5 retries in a row."),
    Edit("src/timeouts.py", "TIMEOUT_SECONDS", "Timeouts", 2, 5, 50, 45, "No timeout is above 30 seconds."),
    Edit("src/pages.py", "PAGE_SIZE", "Page size", 50, 200, 20, 1000, "A page has at most 500 rows."),
    Edit("src/cache.py", "CACHE_MINUTES", "Cache", 30, 60, 600, 2880, "Nothing is cached for more than a day."),
    Edit("src/batches.py", "BATCH_SIZE", "Batches", 1000, 500, 50, 5000, "A batch has at most 1,000 entries."),
    Edit(
        "src/queues.py",
        "QUEUE_AGE_MINUTES",
        "Queue alerts",
        15,
        10,
        100,
        2,
        "Queue alerts come after 5 minutes at least.",
    ),
    Edit(
        "src/rates.py",
        "CALLS_PER_SECOND",
        "Rate of calls",
        20,
        40,
        4,
        150,
        "No partner is called more than 100 times a second.",
    ),
    Edit(
        "src/names.py", "LONGEST_NAME", "Length of names", 60, 70, 7, 140, "Banks take names of at most 70 characters."
    ),
    Edit("src/keys.py", "KEY_DAYS", "Life of keys", 180, 90, 9, 400, "A key lives for a year at most."),
    Edit("src/workers.py", "WORKERS", "Workers", 4, 8, 1, 24, "At most 16 workers in a region."),
    Edit("src/uploads.py", "UPLOAD_MEGABYTES", "Uploads", 10, 20, 2, 64, "Uploads have at most 25 MB."),
    Edit(
        "src/history.py", "HISTORY_DAYS", "History", 60, 90, 9, 730, "Logs are forgotten after 400 days at the latest."
    ),
)
