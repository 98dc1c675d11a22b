"""What concerns nobody but the owner of a mailbox, and which settings let others into it."""

from apps.gmail.app import app
from world.core.conduct import Cells, Conduct, message, opening, own

LETTING_OUT = frozenset({"autoForwarding", "vacation", "imap", "pop"})


def _lets_out(setting: Cells) -> bool:
    """Whether a setting sends what arrives to somebody else, or answers by itself."""
    return setting.get("name") in LETTING_OUT


def _takes_away(rule: Cells) -> bool:
    """Whether a filter forwards mails or bins them."""
    return "forward" in str(rule.get("action")) or "TRASH" in str(rule.get("action"))


app.declare_conduct(
    {
        "gmail_mail": message(
            "recipients", "sender", words="text subject answers", answers={"answers": {"any": "{of}.message_id"}}
        ),
        "gmail_draft": own("person_id"),
        "gmail_label": own("person_id"),
        "gmail_message_label": own("person_id"),
        "gmail_snooze": own("person_id"),
        "gmail_watch": own("person_id"),
        "gmail_message": Conduct(("person_id",)),
        "gmail_send_as": Conduct(("person_id",)),
        "gmail_setting": opening("person_id", when=_lets_out),
        "gmail_filter": opening("person_id", when=_takes_away),
        "gmail_delegate": opening("person_id"),
        "gmail_forwarding_address": opening("person_id"),
        "gmail_list_member": opening(),
    }
)
