"""On which page each operation is done: where the form of a write stands, where a read is shown; braces name arguments.

A key `operation+argument` is the page to use when that argument is given. What one form of a list does (`gesture`) has no
form of its own operation: its plain form is named.
"""

PLACES: dict[str, str] = {
    "mail.counts": "/mail/inbox",
    "mail.deleteForever": "/more/mail.deleteForever",
    "mail.empty": "/mail/{folder}?dialog=empty",
    "mail.label": "/more/mail.label",
    "mail.mute": "/more/mail.mute",
    "mail.people": "/mail/suggest?q={q}",
    "mail.revert": "/more/mail.revert",
    "mail.snooze": "/more/mail.snooze",
    "mail.threads": "/mail/inbox",
    "mail.threads+q": "/mail/search?q={q}",
    "mail.unmute": "/more/mail.unmute",
    "mail.unsnooze": "/more/mail.unsnooze",
    "users.labels.create": "/mail/inbox?dialog=new-label",
    "users.labels.delete": "/mail/inbox?dialog=remove-label&of={id}",
    "users.labels.list": "/mail/inbox",
    "users.labels.patch": "/mail/inbox?dialog=edit-label&of={id}",
}
