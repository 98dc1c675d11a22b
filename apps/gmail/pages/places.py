"""On which page each operation is done: where the form of a write stands, where a read is shown; braces name arguments.

A key `operation+argument` is the page to use when that argument is given.
"""

PLACES: dict[str, str] = {
    "mail.counts": "/mail/inbox",
    "mail.threads": "/mail/inbox",
}
