"""Notification mails of the drive: one per person, one thread per file or comment."""

from collections.abc import Iterable

from pydantic import JsonValue

from apps.drive.access import FOLDER, SPREADSHEET, FileRow
from apps.drive.views import page
from world.core.call import Call

TELL = "person.notified"
SHARES, COMMENTS = "drive-shares-dm-noreply@google.example", "comments-noreply@docs.google.example"
NOUNS = {SPREADSHEET: "spreadsheet", FOLDER: "folder"}
VERBS = {"reader": "view", "commenter": "comment on", "writer": "edit", "owner": "own"}


def noun(file: FileRow) -> str:
    """Return the word for a file's kind in a mail."""
    return NOUNS.get(file.mime_type, "item")


def mail_share(call: Call, file: FileRow, role: str, people: Iterable[str], message: str) -> None:
    """Mail people that a file was shared with them."""
    me = call.me
    if role == "owner":
        said = f"{me.full_name} ({me.email}) has made you the owner of the following {noun(file)}:"
    else:
        said = f"{me.full_name} ({me.email}) has invited you to {VERBS[role]} the following {noun(file)}:"
    subject = f'{noun(file).capitalize()} shared with you: "{file.name}"'
    _tell(
        call,
        people,
        SHARES,
        f"{me.full_name} (via Drive)",
        f"share:{file.key}",
        subject,
        [said, file.name, message, f"Open: {page(call, file)}"],
    )


def send_access_request(call: Call, file: FileRow, role: str, message: str) -> None:
    """Mail a file's owner that the caller requests access."""
    me = call.me
    said = f"{me.full_name} ({me.email}) is requesting access to the following {noun(file)}, to {VERBS[role]} it:"
    subject = f'Share request for "{file.name}"'
    text = [said, file.name, message, f"Open sharing settings: {page(call, file)}"]
    _tell(call, [file.owner_id], SHARES, f"{me.full_name} (via Drive)", f"request:{file.key}", subject, text)


def mail_comment(
    call: Call, file: FileRow, thread: str, people: Iterable[str], told: str, quoted: str, text: str
) -> None:
    """Mail people about a post in a comment's thread."""
    me = call.me
    said = [f"{me.full_name} {told}", f"> {quoted}" if quoted else "", text, f"Open: {page(call, file)}?disco={thread}"]
    _tell(
        call,
        people,
        COMMENTS,
        f"{me.full_name} (Sheets)",
        f"comment:{thread}",
        f"{file.name} - {me.full_name} {told}",
        said,
    )


def _tell(
    call: Call, people: Iterable[str], sender: str, name: str, thread: str, subject: str, said: Iterable[str]
) -> None:
    readers: list[JsonValue] = [person for person in dict.fromkeys(people) if person != call.person]
    if readers and call.has_listeners(TELL):
        text = "\n\n".join(one.strip() for one in said if one.strip())
        call.publish(
            TELL,
            people=readers,
            sender=sender,
            sender_name=name,
            at=call.now,
            thread=thread,
            subject=subject,
            text=text,
        )
