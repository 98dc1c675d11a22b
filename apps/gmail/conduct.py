"""Declarations for graders: the owner's private settings, and the settings that give others access to a mailbox."""

from collections.abc import Iterator
from dataclasses import replace

from apps.gmail.app import app
from apps.gmail.audience import of_mail
from apps.gmail.models import Mail
from apps.gmail.readings import iter_attached_texts
from world.core.audience import Cells, owner
from world.core.conduct import Conduct, ScheduledRow, grant_access, message, private

PERSON = owner("person_id")

LETTING_OUT = frozenset({"autoForwarding", "vacation", "imap", "pop"})


def _lets_out(setting: Cells) -> bool:
    """Whether a setting forwards arriving mail or answers automatically."""
    return setting.get("name") in LETTING_OUT


def _takes_away(rule: Cells) -> bool:
    """Whether a filter forwards mails or moves them to the trash."""
    return "forward" in str(rule.get("action")) or "TRASH" in str(rule.get("action"))


def _send_later(draft: Cells) -> ScheduledRow | None:
    """Return the mail that a scheduled draft becomes."""
    if draft["send_at"] is None:
        return None
    sent = {name: value for name, value in draft.items() if name in Mail.model_fields}
    return ScheduledRow(
        "gmail_mail", {**sent, "sender_id": draft["person_id"], "sent_at": draft["send_at"]}, draft["send_at"]
    )


def _names_of_addressees(mail: Cells) -> Iterator[str]:
    """Yield the names of the people a mail is addressed to."""
    yield from (str(one.get("name") or "") for column in ("to_list", "cc_list") for one in mail[column] or ())


app.declare_conduct(
    {
        "gmail_mail": replace(
            message(
                "recipients", "sender", words="text subject answers", answers={"answers": {"any": "{of}.message_id"}}
            ),
            signed=lambda mail, lookup: (mail["from_name"],),
            readers=of_mail,
            asides=_names_of_addressees,
            carries=iter_attached_texts,
        ),
        "gmail_draft": replace(private("person_id"), sends=_send_later),
        "gmail_label": private("person_id"),
        "gmail_message_label": private("person_id"),
        "gmail_snooze": private("person_id"),
        "gmail_watch": grant_access("person_id"),
        "gmail_message": Conduct(("person_id",), readers=PERSON),
        "gmail_send_as": Conduct(("person_id",)),
        "gmail_setting": grant_access("person_id", when=_lets_out),
        "gmail_filter": grant_access("person_id", when=_takes_away).read_by(PERSON),
        "gmail_delegate": grant_access("person_id"),
        "gmail_forwarding_address": grant_access("person_id"),
        "gmail_list_member": grant_access(),
    }
)
