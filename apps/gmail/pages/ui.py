"""Page declarations of the mail client: shortcuts, texts of refusals, and shared parts of every page."""

from collections.abc import Callable

from world.core.json_types import JsonObject
from world.web import Pages, View
from world.web.pages import Shortcut
from world.web.refusals import Refusal

SHORTCUTS = (
    Shortcut("?", "Show keyboard shortcuts"),
    Shortcut("/", "Search mail"),
    Shortcut("c", "Compose"),
    Shortcut("j", "Older conversation"),
    Shortcut("k", "Newer conversation"),
    Shortcut("o", "Open the conversation"),
    Shortcut("Enter", "Open the conversation"),
    Shortcut("u", "Back to the list"),
    Shortcut("x", "Select the conversation"),
    Shortcut("e", "Archive"),
    Shortcut("#", "Delete"),
    Shortcut("!", "Report as spam"),
    Shortcut("s", "Star, or remove the star"),
    Shortcut("b", "Snooze"),
    Shortcut("m", "Mute"),
    Shortcut("l", "Label as"),
    Shortcut("v", "Move to"),
    Shortcut("z", "Undo the last action"),
    Shortcut("I", "Mark as read"),
    Shortcut("U", "Mark as unread"),
    Shortcut("+", "Mark as important"),
    Shortcut("-", "Mark as not important"),
    Shortcut("r", "Reply"),
    Shortcut("a", "Reply to all"),
    Shortcut("f", "Forward"),
    Shortcut("g i", "Inbox"),
    Shortcut("g s", "Starred"),
    Shortcut("g b", "Snoozed"),
    Shortcut("g t", "Sent"),
    Shortcut("g d", "Drafts"),
    Shortcut("g a", "All Mail"),
    Shortcut("* a", "Select all"),
    Shortcut("* n", "Select none"),
    Shortcut("Escape", "Close a dialog"),
)

REFUSALS = {
    "not_found": Refusal(404, "This conversation is gone, or was never in your mailbox."),
    "mail_service_not_enabled": Refusal(403, "You have no mailbox here."),
    "delegation_denied": Refusal(403, "This is not your mailbox."),
    "label_not_found": Refusal(404, "There is no such list or label in your mailbox."),
    "label_exists": Refusal(409, "A label with this name already exists. Choose another name."),
    "invalid_label_name": Refusal(
        422, "A label needs a name that no list of the mailbox has, of at most 225 characters."
    ),
    "too_many_labels": Refusal(422, "You have as many labels as a mailbox can have."),
    "time_in_past": Refusal(422, "Choose a time in the future."),
    "time_too_far": Refusal(422, "Choose a time that is not so far away."),
    "invalid_query": Refusal(422, "This search is longer or deeper than a search can be."),
    "sending_limit_exceeded": Refusal(429, "You have reached a limit for sending mail. Your message was not sent."),
    "invalid_label": Refusal(422, "There is no such label any more."),
    "recipient_required": Refusal(422, "Please specify at least one recipient."),
    "invalid_to_header": Refusal(
        422, "An address in the “To” field was not recognized. Make sure that all addresses are properly formed."
    ),
    "invalid_cc_header": Refusal(
        422, "An address in the “Cc” field was not recognized. Make sure that all addresses are properly formed."
    ),
    "invalid_bcc_header": Refusal(
        422, "An address in the “Bcc” field was not recognized. Make sure that all addresses are properly formed."
    ),
    "invalid_from_header": Refusal(422, "You can't send mail from this address."),
    "invalid_subject_header": Refusal(422, "The subject must be one line."),
    "invalid_attachment": Refusal(422, "This file can't be attached. Give it another name and try again."),
    "too_large": Refusal(422, "The files are larger than a message can be: 25 MB. Remove some, or send a link."),
    "too_many_recipients": Refusal(422, "A message can have at most 2,000 recipients."),
    "too_late": Refusal(409, "This message has been sent already and can't be taken back."),
    "already_scheduled": Refusal(409, "This message is scheduled. Cancel that to change it."),
    "too_many_scheduled": Refusal(422, "You can have at most 100 scheduled messages."),
    "filter_criteria_missing": Refusal(422, "Say what the filter looks for."),
    "filter_action_missing": Refusal(422, "Choose what the filter does."),
}
LOST = {
    "mail.send": "Your message was not sent.",
    "mail.saveDraft": "Your draft was not saved.",
    "mail.schedule": "Your message was not scheduled.",
}

pages = Pages(
    "gmail", shortcuts=SHORTCUTS, refusals=REFUSALS, lost=LOST, search_path="/mail/search", search_label="Search mail"
)

Part = Callable[[View], JsonObject]
PARTS: list[Part] = []


def register_shared_part(part: Part) -> Part:
    """Declare a part that every page of the client shows (side bar, compose windows); it returns its context."""
    PARTS.append(part)
    return part


@pages.every_page
def build_context(view: View) -> JsonObject:
    """Return the template context of all pages."""
    context: JsonObject = {"place": view.path}
    for part in PARTS:
        context |= part(view)
    return context
