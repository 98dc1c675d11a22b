"""Address suggestions for a few letters: colleagues, mailing lists, contacts, people written to before."""

from typing import NamedTuple

from apps.gmail.mailbox import Mailbox

RECENT = 200  # of the owner's last mails, whose recipients are known
_KNOWN = (
    "SELECT full_name AS name, email, title AS about FROM person WHERE status = 'active' AND kind = 'employee'"
    " UNION ALL SELECT name, address, 'Mailing list' FROM gmail_list"
    " UNION ALL SELECT c.full_name, c.email, o.name FROM contact c JOIN organisation o ON o.id = c.organisation_id"
    " ORDER BY email"
)
_ALSO = (
    "SELECT p.full_name, a.value, p.title FROM alias a JOIN person p ON p.id = a.person_id AND p.status = 'active'"
    " WHERE a.kind = 'email' ORDER BY a.value"
)
_WRITTEN_TO = (
    "SELECT json_extract(one.value, '$.name'), json_extract(one.value, '$.email'), '' FROM (SELECT id, to_list, cc_list"
    " FROM gmail_mail WHERE sender_id = :me ORDER BY id DESC LIMIT :n) m, json_each(json_array(json(m.to_list),"
    " json(m.cc_list))) field, json_each(field.value) one ORDER BY m.id DESC, field.key, one.key"
)


class KnownAddress(NamedTuple):
    """A person or list that mail can be sent to."""

    name: str
    email: str
    about: str


def find_suggestions(box: Mailbox, text: str, limit: int) -> list[KnownAddress]:
    """Return people who match the typed text: first those whose name or address begins with it, recent ones first.

    A name finds a colleague's main address. Another address of theirs follows if it was typed or written to before.
    """
    wanted = " ".join(text.lower().split())
    recent = [KnownAddress._make(row) for row in box.call.all(_WRITTEN_TO, {"me": box.person, "n": RECENT})]
    lately = {one.email.lower(): place for place, one in reversed(list(enumerate(recent)))}
    found: dict[str, KnownAddress] = {}
    known = [KnownAddress._make(row) for row in box.call.all(_KNOWN)]
    also = [one for one in map(KnownAddress._make, box.call.all(_ALSO)) if wanted in one.email.lower()]
    for one in (*(one for one in (*known, *recent) if _matches(one, wanted)), *also):
        found.setdefault(one.email.lower(), one)
    never = len(recent)
    ranked = sorted(
        found.values(),
        key=lambda one: (not _begins_with(one, wanted), lately.get(one.email.lower(), never), one.name.lower()),
    )
    return ranked[:limit]


def _matches(one: KnownAddress, wanted: str) -> bool:
    return wanted in one.name.lower() or wanted in one.email.lower()


def _begins_with(one: KnownAddress, wanted: str) -> bool:
    return one.email.lower().startswith(wanted) or any(
        word.startswith(wanted) for word in (one.name.lower(), *one.name.lower().split())
    )
