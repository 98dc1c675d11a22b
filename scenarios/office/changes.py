"""Repositories and changes of code that people could have made, for the authors of chores."""

from dataclasses import dataclass

REPOSITORIES = (
    ("statement-export", "Monthly statements of merchants, as CSV and PDF."),
    ("invoice-mailer", "Sends invoices to merchants and keeps what came back."),
    ("fx-rates", "Daily rates of the central bank, cached for checkout and ledger."),
    ("payout-calendar", "Says on which day a merchant is paid out."),
    ("receipt-templates", "Texts and layouts of receipts."),
    ("merchant-sdk", "Client library that merchants use from Python."),
    ("address-check", "Checks postal addresses and VAT numbers."),
    ("search-index", "Builds the index of the dashboard's search."),
    ("fraud-rules", "Rules that hold an order for a look by a person."),
    ("ledger-tools", "Command-line tools for the ledger: compare, explain, close a day."),
    ("ticket-router", "Sorts mail from merchants into queues."),
    ("edge-config", "Routes and limits at the edge."),
)


@dataclass(frozen=True, slots=True)
class PlannedChange:
    """A small change: the branch's name, the title and text of its pull request, and the file it adds."""

    branch: str
    title: str
    body: str
    path: str
    text: str


def _change(branch: str, title: str, body: str, path: str, text: str) -> PlannedChange:
    return PlannedChange(branch, title, body, path, text)


CHANGES = (
    _change(
        "csv-bom",
        "Write a byte order mark into CSV files",
        "Excel shows umlauts as noise without it.",
        "src/csv_mark.py",
        'MARK = "\\ufeff"\n',
    ),
    _change(
        "page-size",
        "Page size of 200 instead of 50",
        "Exports take a quarter of the calls.",
        "src/pages.py",
        "PAGE_SIZE = 200\n",
    ),
    _change(
        "retry-budget",
        "At most three retries in a row",
        "The fourth never helped.",
        "src/retries.py",
        "MOST = 3\n",
    ),
    _change(
        "timeout-five",
        "Timeout of five seconds",
        "Two were too few on Mondays.",
        "src/timeouts.py",
        "SECONDS = 5\n",
    ),
    _change(
        "swiss-rounding",
        "Round Swiss francs to five centimes",
        "As merchants in Zürich expect.",
        "src/rounding.py",
        'STEP = {"CHF": 5}\n',
    ),
    _change(
        "empty-page",
        "An empty page is not an error",
        "It was a 500 on the first of the month.",
        "src/empty.py",
        "EMPTY: tuple[str, ...] = ()\n",
    ),
    _change(
        "log-request-id",
        "Log the request id with every line",
        "So that one order can be followed.",
        "src/log_fields.py",
        'FIELDS = ("time", "level", "request_id")\n',
    ),
    _change(
        "polish-labels",
        "Polish labels",
        "Translated by the agency, read by a colleague.",
        "locales/pl.toml",
        'total = "Razem"\ntax = "VAT"\n',
    ),
    _change(
        "dutch-labels",
        "Dutch labels",
        "From the same agency.",
        "locales/nl.toml",
        'total = "Totaal"\ntax = "BTW"\n',
    ),
    _change(
        "cache-an-hour",
        "Cache for an hour",
        "The source changes once a day.",
        "src/cache.py",
        "TTL_SECONDS = 3600\n",
    ),
    _change(
        "drop-ftp",
        "Remove the FTP upload",
        "Nobody has used it since last spring.",
        "src/uploads.py",
        'UPLOADS = ("sftp", "s3")\n',
    ),
    _change(
        "health-version",
        "Health check says the version",
        "One look instead of three.",
        "src/health.py",
        'FIELDS = ("ok", "version")\n',
    ),
    _change(
        "iso-dates",
        "Dates with the year first",
        "The old ones were read as American by half of the merchants.",
        "src/dates.py",
        'DATE = "%Y-%m-%d"\n',
    ),
    _change(
        "skip-test-merchants",
        "Leave out test merchants",
        "They were in every total.",
        "src/merchants.py",
        'SKIP = ("test_", "demo_")\n',
    ),
    _change(
        "batch-of-500",
        "Batches of 500",
        "1,000 ran into the limit of the queue.",
        "src/batches.py",
        "BATCH = 500\n",
    ),
    _change(
        "metrics-by-region",
        "Count by region",
        "Asked for after the last incident.",
        "src/metrics.py",
        'LABELS = ("region", "result")\n',
    ),
    _change(
        "quiet-warnings",
        "Warn once a day about old keys",
        "Not with every call.",
        "src/warnings.py",
        "ONCE_A_DAY = True\n",
    ),
    _change(
        "readme-start",
        "README: how to start it locally",
        "Three people asked this week.",
        "docs/start.md",
        "Run `make start`, then open port 8080.\n",
    ),
    _change(
        "vat-ids",
        "Accept VAT numbers with spaces",
        "People copy them from letters.",
        "src/vat.py",
        'IGNORED = " .-"\n',
    ),
    _change(
        "sort-by-day",
        "Sort rows by day, then by merchant",
        "It was the order of insertion.",
        "src/order.py",
        'KEYS = ("day", "merchant")\n',
    ),
    _change(
        "utc-midnight",
        "A day ends at midnight UTC",
        "As in the ledger.",
        "src/days.py",
        'ZONE = "UTC"\n',
    ),
    _change(
        "gzip-answers",
        "Compress answers above 1 kB",
        "Saves two thirds of the traffic.",
        "src/compression.py",
        "LEAST_BYTES = 1024\n",
    ),
    _change(
        "limit-names",
        "Names of at most 70 characters",
        "The bank cuts them there anyway.",
        "src/names.py",
        "LONGEST = 70\n",
    ),
    _change(
        "alert-queue-age",
        "Alert when the queue is ten minutes old",
        "Fifteen was too late.",
        "alerts/queue.toml",
        "age_minutes = 10\n",
    ),
    _change(
        "no-float",
        "Amounts as integers of minor units",
        "The last float is gone.",
        "src/amounts.py",
        'MINOR = {"EUR": 2, "JPY": 0}\n',
    ),
    _change(
        "refund-column",
        "A column for refunds",
        "Finance added them by hand so far.",
        "src/columns.py",
        'COLUMNS = ("day", "gross", "refunds", "net")\n',
    ),
)
