"""Filters: matching of new mail against the owner's rules, and their effect on its labels.

developers.google.com/workspace/gmail/api/guides/filter_settings: a filter looks at one message, not at its thread; all
that match apply, here in the order in which they were created (own choice), each judging the mail as it arrived.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import orjson

from apps.gmail import outgoing
from apps.gmail.content import Content
from apps.gmail.labels import CATEGORIES, SYSTEM
from apps.gmail.mailbox import Mailbox
from apps.gmail.query import Criteria, Document, Node, Person, bind_dates, criteria_search, matches

_OF = "SELECT criteria, action FROM gmail_filter WHERE person_id = :me ORDER BY created_at, id"
_OWN_LABELS = "SELECT id FROM gmail_label WHERE person_id = :me"
_NAMES = {
    "from": "sender",
    "to": "to",
    "subject": "subject",
    "query": "query",
    "negatedQuery": "negated_query",
    "hasAttachment": "has_attachment",
    "excludeChats": "exclude_chats",
    "size": "size_bytes",
    "sizeComparison": "size_comparison",
}


@dataclass(slots=True)
class Verdict:
    """Result of the filters for a mail: its labels and forwarding addresses."""

    labels: list[str]
    forward: list[str] = field(default_factory=list)

    def obey(self, action: Mapping[str, Any], usable: frozenset[str]) -> None:
        """Apply one filter's action; a label that was deleted since is left out."""
        for label in action.get("addLabelIds", ()):
            if label in CATEGORIES:
                self.labels = [one for one in self.labels if one not in CATEGORIES]
            if label in usable and label not in self.labels:
                self.labels.append(label)
        unwanted = action.get("removeLabelIds", ())
        self.labels = [one for one in self.labels if one not in unwanted]
        if action.get("forward"):
            self.forward.append(action["forward"])


@lru_cache(maxsize=4096)
def filter_search(criteria: Criteria) -> Node:
    """The search of a filter. Raises QueryRefused."""
    return criteria_search(criteria)


def parse_criteria(stored: Mapping[str, Any]) -> Criteria:
    """The criteria of the API's object."""
    return Criteria(**{_NAMES[name]: value for name, value in stored.items()})


def judge_mail(box: Mailbox, mail: Content, labels: Sequence[str], address: str, by_list: str = "") -> Verdict:
    """Apply the owner's filters to a mail with these labels, and return the result."""
    verdict = Verdict(list(labels))
    rules = box.call.all(_OF, {"me": box.person})
    if not rules:
        return verdict
    seen = filter_document(box, mail, labels, address, by_list)
    zone = box.call.directory.zone(box.person)
    met = [
        orjson.loads(action)
        for wanted, action in rules
        if matches(bind_dates(filter_search(parse_criteria(orjson.loads(wanted))), box.call.now, zone), seen)
    ]
    usable = (
        frozenset([*SYSTEM, *(row[0] for row in box.call.all(_OWN_LABELS, {"me": box.person}))])
        if met
        else frozenset[str]()
    )
    for action in met:
        verdict.obey(action, usable)
    return verdict


def filter_document(box: Mailbox, mail: Content, labels: Iterable[str], address: str, by_list: str) -> Document:
    """Return a mail as the filters of one mailbox see it: of blind copies only the owner's."""
    return Document(
        sender=(Person(mail.from_name, mail.from_email),),
        to=_people_from_json(mail.to),
        cc=_people_from_json(mail.cc),
        bcc=tuple(one for one in _people_from_json(mail.bcc) if one.address.lower() == address),
        subject=mail.subject,
        body=mail.text,
        filenames=tuple(mail.filenames),
        system=frozenset(labels),
        features=frozenset(mail.features),
        lists=tuple(one for one in (mail.list_id, by_list) if one),
        delivered_to=(address,),
        message_id=mail.message_id,
        at_us=box.call.now,
        size_bytes=mail.size,
        owner=tuple(one.email for one in outgoing.list_identities(box)),
    )


def _people_from_json(listed: Iterable[Mapping[str, str]]) -> tuple[Person, ...]:
    return tuple(Person(one["name"], one["email"]) for one in listed)
