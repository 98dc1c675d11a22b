"""Operations of the browser client: lists of conversations, counts, address completion."""

from typing import TypedDict

from pydantic import Field

from apps.gmail import address_suggestions as directory
from apps.gmail import thread_lists
from apps.gmail.access import open_mailbox
from apps.gmail.app import app
from apps.gmail.limits import CLIENT
from apps.gmail.mailbox import Mailbox
from apps.gmail.params import MailboxParams, Word
from apps.gmail.system_folders import CATEGORIES, FOLDERS
from apps.gmail.thread_lists import Row
from world.core.call import Call
from world.core.errors import OperationError

SOURCE = "mail.google.com, the browser client"
MODIFY = "gmail.modify"


class ListConversationsParams(MailboxParams):
    """Folder, search and page of a list of conversations."""

    folder: Word = Field(
        default="inbox", description="inbox, starred, snoozed, important, sent, drafts, scheduled, all, spam or trash."
    )
    category: Word = Field(default="", description="Instead: primary, social, updates, forums or promotions.")
    label: Word = Field(default="", description="Instead: the name of a label of one's own.")
    q: Word = Field(default="", description="Instead: a search as in the search box.")
    page: int = Field(default=1, ge=1, le=10_000, description="Which page, from 1.")
    size: int = Field(default=50, ge=1, le=100, description="Conversations per page.")


class CompleteRecipientParams(MailboxParams):
    """Request fields for completing a recipient."""

    q: Word = Field(default="", description="The beginning of a name or an address.", examples=["jo"])
    limit: int = Field(default=8, ge=1, le=50, description="Most people to offer.")


class RecipientSuggestion(TypedDict):
    """A possible recipient; `about` is a title, a company, or that it is a list."""

    name: str
    email: str
    about: str


class RecipientSuggestions(TypedDict):
    """Possible recipients, the likeliest first."""

    people: list[RecipientSuggestion]


class OwnLabel(TypedDict):
    """A label of the owner's own; colours are empty when none was chosen."""

    id: str
    name: str
    color: str
    textColor: str
    listVisibility: str
    messageVisibility: str
    unread: int


class ThreadList(TypedDict):
    """A page of conversations, the latest first. With `isMore` there are more than `total`."""

    threads: list[Row]
    total: int
    isMore: bool
    page: int
    size: int


class Counts(TypedDict):
    """Unread conversations per label id, drafts, scheduled messages, and the owner's labels."""

    unread: dict[str, int]
    drafts: int
    scheduled: int
    labels: list[OwnLabel]


def get_listed_label(box: Mailbox, params: ListConversationsParams) -> str:
    """Return the label that a list shows. Raises not_found."""
    if params.label:
        found = next(
            (row[0] for row in thread_lists.iter_own_labels(box) if row[1].lower() == params.label.lower()), None
        )
        if found is None:
            raise OperationError("label_not_found", name=params.label)
        return found
    known = CATEGORIES.get(params.category) if params.category else FOLDERS.get(params.folder)
    if known is None:
        raise OperationError("label_not_found", name=params.category or params.folder)
    return known.label


@app.operation(
    "mail.threads",
    source=SOURCE,
    scope=MODIFY,
    units=CLIENT,
    examples=[{}],
    raises=("delegation_denied", "label_not_found", "invalid_query", "mail_service_not_enabled"),
)
def threads(call: Call, params: ListConversationsParams) -> ThreadList:
    """List conversations as the mail client shows them: senders, subject, labels, files; 50 to a page."""
    box, first = open_mailbox(call, params.userId), (params.page - 1) * params.size
    label = thread_lists.EVERYWHERE if params.q else get_listed_label(box, params)
    found = (
        thread_lists.search_heads(box, params.q, first, params.size)
        if params.q
        else thread_lists.list_heads(box, label, first, params.size)
    )
    return {
        "threads": thread_lists.list_rows(box, found.at, label),
        "total": found.total,
        "isMore": found.is_more,
        "page": params.page,
        "size": params.size,
    }


@app.operation(
    "mail.counts",
    source=SOURCE,
    scope=MODIFY,
    units=CLIENT,
    examples=[{}],
    raises=("delegation_denied", "mail_service_not_enabled"),
)
def counts(call: Call, params: MailboxParams) -> Counts:
    """Count what is unread per label, and drafts; lists your own labels."""
    box = open_mailbox(call, params.userId)
    unread, written = thread_lists.count_unread(box), thread_lists.count_drafts(box)
    labels: list[OwnLabel] = [
        {
            "id": id,
            "name": name,
            "color": colour,
            "textColor": text,
            "listVisibility": in_list,
            "messageVisibility": in_messages,
            "unread": unread.get(id, 0),
        }
        for id, name, in_list, in_messages, text, colour in thread_lists.iter_own_labels(box)
    ]
    return {"unread": unread, "drafts": written[False], "scheduled": written[True], "labels": labels}


@app.operation(
    "mail.people",
    source=SOURCE,
    scope=MODIFY,
    units=CLIENT,
    examples=[{"q": "jo"}],
    raises=("delegation_denied", "mail_service_not_enabled"),
)
def people(call: Call, params: CompleteRecipientParams) -> RecipientSuggestions:
    """Complete a name or an address: colleagues and their other addresses, mailing lists, contacts, people written to
    before.
    """
    box = open_mailbox(call, params.userId)
    return {
        "people": [
            {"name": one.name, "email": one.email, "about": one.about}
            for one in directory.find_suggestions(box, params.q, params.limit)
        ]
    }
