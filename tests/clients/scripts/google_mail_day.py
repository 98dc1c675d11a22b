"""A working day through google-api-python-client: `python google_mail_day.py token|refresh|service`; prints one line of
what it touched.

FIRM_URL is the address of the mail service; without it the library goes where it always goes, through the proxy that
the environment names. FIRM_CREDENTIALS is a file: a bare token, an authorised user's file or a service account's key.
FIRM_PEER is the address of a colleague, FIRM_ME one's own.
"""

import base64
import io
import json
import os
import sys
from email import message_from_bytes
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from google.oauth2 import service_account
from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError
from googleapiclient.http import BatchHttpRequest, MediaIoBaseUpload

URL, ME, PEER = os.environ.get("FIRM_URL", ""), os.environ["FIRM_ME"], os.environ["FIRM_PEER"]
SCOPES = ["https://www.googleapis.com/auth/gmail.modify"]
WORD = "zephyrine"


def credentials(kind: str) -> Any:
    """What the library takes for each kind of credential; a refresh token and a key fetch their first token by
    themselves.
    """
    path = Path(os.environ["FIRM_CREDENTIALS"])
    if kind == "token":
        return Credentials(token=path.read_text())
    if kind == "refresh" and URL:  # the library's reader of such files puts its own address in place of theirs
        info = json.loads(path.read_text())
        return Credentials(
            None,
            scopes=SCOPES,
            **{name: info[name] for name in ("refresh_token", "token_uri", "client_id", "client_secret")},
        )
    if kind == "refresh":
        return Credentials.from_authorized_user_file(str(path), SCOPES)
    return service_account.Credentials.from_service_account_file(str(path), scopes=SCOPES, subject=ME)


def mail(subject: str, text: str, to: str = PEER, **headers: str) -> EmailMessage:
    """A mail, as the standard library writes it."""
    made = EmailMessage()
    made["To"], made["Subject"] = to, subject
    for name, value in headers.items():
        made[name.replace("_", "-")] = value
    made.set_content(text)
    return made


def raw(made: EmailMessage) -> dict[str, str]:
    """A mail as a request carries it."""
    return {"raw": base64.urlsafe_b64encode(made.as_bytes()).decode()}


def header(message: dict[str, Any], name: str) -> str:
    """A header of a message."""
    return next(one["value"] for one in message["payload"]["headers"] if one["name"].lower() == name.lower())


def refused(request: Any) -> tuple[int, str]:
    """Status and reason of the client's own exception."""
    try:
        request.execute()
    except HttpError as error:
        return int(error.resp.status), (
            error.error_details[0]["reason"] if isinstance(error.error_details, list) else str(error.reason)
        )
    return 0, "nothing was refused"


def send_and_read(users: Any) -> dict[str, Any]:
    """A mail with a file goes out, and is read back in every format."""
    made = mail(f"{WORD} plans", "The figures are attached.")
    made.add_attachment(b"id,amount\n1,2\n" * 20, maintype="text", subtype="csv", filename="figures.csv")
    sent = users.messages().send(userId="me", body=raw(made)).execute()
    assert sent["labelIds"] == ["SENT"] and sent["threadId"] == sent["id"] and len(sent["id"]) == 16
    full = users.messages().get(userId="me", id=sent["id"]).execute()
    assert header(full, "Subject") == f"{WORD} plans" and full["payload"]["mimeType"] == "multipart/mixed"
    part = next(one for one in full["payload"]["parts"] if one["filename"] == "figures.csv")
    got = (
        users.messages().attachments().get(userId="me", messageId=sent["id"], id=part["body"]["attachmentId"]).execute()
    )
    assert base64.urlsafe_b64decode(got["data"]) == b"id,amount\n1,2\n" * 20 and got["size"] == 280
    some = (
        users.messages().get(userId="me", id=sent["id"], format="metadata", metadataHeaders=["Subject", "To"]).execute()
    )
    assert {one["name"] for one in some["payload"]["headers"]} == {"Subject", "To"}
    whole = users.messages().get(userId="me", id=sent["id"], format="raw").execute()
    assert message_from_bytes(base64.urlsafe_b64decode(whole["raw"]))["Subject"] == f"{WORD} plans"
    least = users.messages().get(userId="me", id=sent["id"], format="minimal").execute()
    assert "payload" not in least and least["snippet"].startswith("The figures")
    return {"id": sent["id"], "thread": sent["threadId"], "message_id": header(full, "Message-ID")}


def answer(users: Any, first: dict[str, Any]) -> None:
    """A reply joins the thread, and the thread is read, marked and thrown away."""
    again = mail(
        f"Re: {WORD} plans", "And a word more.", In_Reply_To=first["message_id"], References=first["message_id"]
    )
    reply = users.messages().send(userId="me", body={**raw(again), "threadId": first["thread"]}).execute()
    assert reply["threadId"] == first["thread"]
    thread = users.threads().get(userId="me", id=first["thread"]).execute()
    assert [one["id"] for one in thread["messages"]] == [first["id"], reply["id"]]
    found = users.threads().list(userId="me", q=f"subject:{WORD} in:sent").execute()
    assert [one["id"] for one in found["threads"]] == [first["thread"]] and "messages" not in found["threads"][0]
    users.threads().modify(userId="me", id=first["thread"], body={"addLabelIds": ["STARRED"]}).execute()
    users.threads().trash(userId="me", id=first["thread"]).execute()
    assert users.threads().list(userId="me", q=f"subject:{WORD} in:sent").execute().get("threads") is None
    users.threads().untrash(userId="me", id=first["thread"]).execute()


def labels(users: Any, first: dict[str, Any]) -> str:
    """A label is made, put on, counted, renamed; a message is thrown away and fetched back."""
    made = (
        users.labels().create(userId="me", body={"name": "Zephyr/plans", "labelListVisibility": "labelShow"}).execute()
    )
    assert users.labels().get(userId="me", id=made["id"]).execute()["messagesTotal"] == 0
    changed = users.messages().modify(userId="me", id=first["id"], body={"addLabelIds": [made["id"]]}).execute()
    assert made["id"] in changed["labelIds"]
    assert made["id"] in [one["id"] for one in users.labels().list(userId="me").execute()["labels"]]
    users.labels().patch(userId="me", id=made["id"], body={"name": "Zephyr/done"}).execute()
    assert users.labels().get(userId="me", id=made["id"]).execute()["messagesTotal"] == 1
    assert "TRASH" in users.messages().trash(userId="me", id=first["id"]).execute()["labelIds"]
    assert "TRASH" not in users.messages().untrash(userId="me", id=first["id"]).execute()["labelIds"]
    assert refused(users.labels().create(userId="me", body={"name": "zephyr/DONE"}))[0] == 409
    return made["id"]


def drafts(users: Any) -> str:
    """A draft is kept, changed, read, sent; another is thrown away."""
    made = users.drafts().create(userId="me", body={"message": raw(mail(f"{WORD} draft", "Almost."))}).execute()
    changed = (
        users.drafts()
        .update(userId="me", id=made["id"], body={"message": raw(mail(f"{WORD} draft", "Ready."))})
        .execute()
    )
    assert changed["id"] == made["id"] and changed["message"]["id"] != made["message"]["id"]
    got = users.drafts().get(userId="me", id=made["id"]).execute()
    assert got["message"]["labelIds"] == ["DRAFT"] and got["message"]["snippet"] == "Ready."
    assert made["id"] in [one["id"] for one in users.drafts().list(userId="me").execute()["drafts"]]
    sent = users.drafts().send(userId="me", body={"id": made["id"]}).execute()
    assert "SENT" in sent["labelIds"]
    other = users.drafts().create(userId="me", body={"message": raw(mail("away", "with it"))}).execute()
    users.drafts().delete(userId="me", id=other["id"]).execute()
    assert refused(users.drafts().get(userId="me", id=other["id"])) == (404, "notFound")
    return sent["id"]


def uploads(users: Any) -> list[str]:
    """The same by the upload paths: in one piece, and resumed in chunks."""
    out = []
    for resumable in (False, True):
        made = mail(f"{WORD} upload {resumable}", "In pieces.")
        made.add_attachment(
            bytes(range(256)) * 3000, maintype="application", subtype="octet-stream", filename="bytes.bin"
        )
        media = MediaIoBaseUpload(
            io.BytesIO(made.as_bytes()), "message/rfc822", chunksize=256 * 1024, resumable=resumable
        )
        request = users.messages().send(userId="me", body={}, media_body=media)
        answer, pieces = None, 0
        while resumable and answer is None:
            _, answer = request.next_chunk()
            pieces += 1
        sent = answer or request.execute()
        assert pieces > 2 or not resumable
        out.append(sent["id"])
    return out


def batch(service: Any, users: Any, ids: list[str]) -> int:
    """Several requests in one, one of which fails alone."""
    seen: dict[str, Any] = {}

    def one(id: str, response: Any, error: Any) -> None:
        seen[id] = response if error is None else int(error.resp.status)

    whole = (
        BatchHttpRequest(callback=one, batch_uri=f"{URL}/batch/gmail/v1")
        if URL
        else service.new_batch_http_request(callback=one)
    )
    for id in [*ids, "0" * 16]:
        whole.add(users.messages().get(userId="me", id=id, format="minimal"), request_id=id)
    whole.execute()
    assert [seen[id]["id"] for id in ids] == ids and seen["0" * 16] == 404
    return len(seen)


def pages(users: Any) -> int:
    """All messages, by the client's own pager."""
    request, ids = users.messages().list(userId="me", maxResults=3, includeSpamTrash=True), []
    while request is not None and len(ids) < 20:
        answer = request.execute()
        ids += [one["id"] for one in answer.get("messages", [])]
        request = users.messages().list_next(request, answer)
    assert len(ids) == len(set(ids))
    return len(ids)


def refusals(users: Any, known: str) -> dict[str, Any]:
    """What goes wrong is told in the vendor's words."""
    return {
        "unknown": refused(users.messages().get(userId="me", id="f" * 16)),
        "foreign": refused(users.labels().list(userId=PEER)),
        "nobody": refused(users.messages().send(userId="me", body=raw(mail("x", "y", to="")))),
        "label": refused(users.messages().modify(userId="me", id=known, body={"addLabelIds": ["Label_none"]})),
    }


def main() -> None:
    """The day."""
    options = {"client_options": {"api_endpoint": URL}} if URL else {}
    service = build("gmail", "v1", credentials=credentials(sys.argv[1]), static_discovery=True, **options)
    users = service.users()
    profile = users.getProfile(userId="me").execute()
    assert profile["emailAddress"] == ME and int(profile["historyId"]) > 0
    first = send_and_read(users)
    answer(users, first)
    label = labels(users, first)
    drafted, uploaded = drafts(users), [] if URL else uploads(users)
    listed = pages(users)
    asked = batch(service, users, [first["id"], drafted])
    told = refusals(users, first["id"])
    history = users.history().list(userId="me", startHistoryId=profile["historyId"]).execute()["history"]
    print(
        json.dumps(
            {
                "first": first,
                "label": label,
                "drafted": drafted,
                "uploaded": uploaded,
                "listed": listed,
                "batch": asked,
                "history": len(history),
                "refused": told,
            }
        )
    )


main()
