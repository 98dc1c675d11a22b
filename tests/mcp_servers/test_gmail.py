"""The mail surfaces against the small company: every tool called, and what is written is what REST would write."""

from pathlib import Path
from typing import Any

import orjson
import pytest

import apps.gmail
from tests.apps.gmail.conftest import eml, mail_rows
from tests.company import image, unmetered
from tests.mcp_servers.calls import Desk, do, same_as_rest
from world.run.host import Host

NOTHING = "No emails found in your mailbox (spam and trash are not searched)."
FILE = "TWVldGluZwppZCxhbW91bnQKMSwyCg=="


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return image(tmp_path_factory.mktemp("mail"), [apps.gmail.app], mail_rows)


@pytest.fixture
def firm(sealed: Path, tmp_path: Path) -> Host:
    return unmetered(sealed, tmp_path, apps.gmail.app, worlds=("w", "rest"))


@pytest.fixture
def community(firm: Host) -> Desk:
    return Desk(firm, "gmail")


@pytest.fixture
def vendor(firm: Host) -> Desk:
    return Desk(firm, "gmail", "vendor")


@pytest.fixture
def workspace(firm: Host) -> Desk:
    return Desk(firm, "gmail", "workspace")


def post(firm: Host, text: str = "The figures are attached.", **more: Any) -> dict[str, str]:
    """A mail from Bo to Ada, and the id it has in her mailbox."""
    do(firm, "mail.send", "bo", to=["ada@tiny.example"], subject="Figures", text=text, **more)
    return do(firm, "users.messages.list", q="in:inbox subject:figures")["messages"][0]


def test_a_mail_written_by_a_tool_is_the_mail_the_client_writes(firm: Host, community: Desk) -> None:
    said = community.say(
        "send_email", to=["Bo <bo@tiny.example>"], subject="Plan", body="Ready.", cc=["dee@tiny.example"]
    )
    assert said.startswith("Email sent successfully with ID: ")
    same_as_rest(firm, "mail.send", to=["Bo <bo@tiny.example>"], subject="Plan", text="Ready.", cc=["dee@tiny.example"])


def test_html_and_answers_go_as_asked(firm: Host, community: Desk) -> None:
    found = post(firm)
    community.say(
        "send_email",
        to=["bo@tiny.example"],
        subject="Re: Figures",
        body="<b>Thanks</b>",
        mimeType="text/html",
        threadId=found["threadId"],
    )
    thread = do(firm, "users.threads.get", id=found["threadId"])["messages"]
    assert len(thread) == 2
    assert thread[1]["payload"]["mimeType"] == "multipart/alternative" and thread[1]["snippet"] == "Thanks"
    head = {h["name"]: h["value"] for h in thread[0]["payload"]["headers"]}["Message-ID"]
    community.say("send_email", to=["bo@tiny.example"], subject="Re: Figures", body="More.", inReplyTo=head)
    assert len(do(firm, "users.threads.get", id=found["threadId"])["messages"]) == 3
    refused, text = community.ask(
        "send_email", to=["bo@tiny.example"], subject="x", body="y", attachments=["/etc/passwd"]
    )
    assert refused and text.startswith("attachments: Files of your machine")
    assert community.ask("send_email", to=[], subject="x", body="y")[0]


def test_a_mail_is_found_read_and_its_file_fetched(firm: Host, community: Desk) -> None:
    post(firm, attachments=[{"filename": "figures.csv", "mimeType": "text/csv", "data": FILE}])
    found = community.say("search_emails", query="from:bo has:attachment")
    id = found.splitlines()[0].removeprefix("ID: ")
    assert "Subject: Figures" in found and "From: Bo Lindqvist <bo@tiny.example>" in found
    assert community.say("search_emails", query="subject:nothing") == NOTHING
    said = community.say("read_email", messageId=id)
    assert "The figures are attached." in said and "- figures.csv (text/csv, 1 KB, ID: " in said
    file = said.rsplit("ID: ", 1)[1].rstrip(")")
    assert community.say("download_attachment", messageId=id, attachmentId=file, filename="f.csv").endswith(
        "Meeting\nid,amount\n1,2\n"
    )
    assert orjson.loads(community.ask("read_email", messageId="f" * 16)[1])["error"]["status"] == "NOT_FOUND"


def test_labels_are_made_put_on_and_taken_off(firm: Host, community: Desk) -> None:
    id = post(firm)["id"]
    made = community.say("create_label", name="Money")
    label = made.splitlines()[1].removeprefix("ID: ")
    assert f"ID: {label}" in community.say("get_or_create_label", name="money")
    assert "Name: Travel" in community.say("get_or_create_label", name="Travel")
    assert "Name: Finance" in community.say("update_label", id=label, name="Finance")
    community.say("modify_email", messageId=id, labelIds=[label], removeLabelIds=["INBOX", "UNREAD"])
    assert set(do(firm, "users.messages.get", id=id, format="minimal")["labelIds"]) == {
        label,
        "IMPORTANT",
        "CATEGORY_PERSONAL",
    }
    assert "1 messages" in community.say("batch_modify_emails", messageIds=[id], addLabelIds=["STARRED"])
    assert "2 user" in community.say("list_email_labels")
    community.say("delete_label", id=label)
    assert "Finance" not in community.say("list_email_labels")
    community.say("delete_email", messageId=id)
    assert community.ask("batch_delete_emails", messageIds=[id])[0] is False
    assert community.ask("read_email", messageId=id)[0]


def test_drafts_and_filters(firm: Host, community: Desk) -> None:
    assert community.say("draft_email", to=["bo@tiny.example"], subject="Later", body="Soon.").startswith(
        "Email draft created"
    )
    assert len(do(firm, "users.drafts.list")["drafts"]) == 1
    said = community.say("create_filter", criteria={"from": "bo@tiny.example"}, action={"addLabelIds": ["STARRED"]})
    id = said.splitlines()[1].removeprefix("ID: ")
    made = community.say(
        "create_filter_from_template",
        template="fromSender",
        parameters={"senderEmail": "eve@tiny.example", "archive": True},
    )
    assert "removeLabelIds: INBOX" in made
    assert community.ask("create_filter_from_template", template="withSubject", parameters={})[0]
    assert community.say("list_filters").startswith("Found 2 filters:")
    assert "bo@tiny.example" in community.say("get_filter", filterId=id)
    community.say("delete_filter", filterId=id)
    assert community.say("list_filters").startswith("Found 1 filters:")
    post(firm)
    assert "STARRED" not in do(firm, "users.messages.get", id=post(firm)["id"], format="minimal")["labelIds"]


def test_the_vendors_server_reads_drafts_and_labels_but_cannot_send(firm: Host, vendor: Desk) -> None:
    assert not any("send" in name for name in vendor.tools.tools)
    found = post(firm)
    listed = orjson.loads(vendor.say("search_threads", query="subject:figures"))["threads"]
    assert [one["id"] for one in listed] == [found["threadId"]] and listed[0]["messages"][0]["subject"] == "Figures"
    assert (
        orjson.loads(vendor.say("get_thread", threadId=found["threadId"]))["messages"][0]["plaintextBody"]
        == "The figures are attached."
    )
    assert orjson.loads(vendor.say("get_message", messageId=found["id"]))["toRecipients"] == ["ada@tiny.example"]
    draft = orjson.loads(
        vendor.say(
            "create_draft", to=["bo@tiny.example"], subject="Re: Figures", body="Seen.", replyToMessageId=found["id"]
        )
    )
    assert draft["threadId"] == found["threadId"]
    assert [one["id"] for one in orjson.loads(vendor.say("list_drafts"))["drafts"]] == [draft["id"]]
    label = orjson.loads(vendor.say("create_label", name="Money"))["id"]
    assert orjson.loads(vendor.say("list_labels"))["labels"] == [{"id": label, "name": "Money"}]
    assert label in orjson.loads(vendor.say("label_message", messageId=found["id"], labelIds=[label]))["labelIds"]
    vendor.say("unlabel_message", messageId=found["id"], labelIds=["UNREAD"])
    vendor.say("label_thread", threadId=found["threadId"], labelIds=["STARRED"])
    vendor.say("unlabel_thread", threadId=found["threadId"], labelIds=["INBOX"])
    labels = set(do(firm, "users.messages.get", id=found["id"], format="minimal")["labelIds"])
    assert {label, "STARRED"} <= labels and not {"INBOX", "UNREAD"} & labels


def test_the_workspace_server_answers_in_prose(firm: Host, workspace: Desk) -> None:
    found = post(firm, attachments=[{"filename": "figures.csv", "mimeType": "text/csv", "data": FILE}])
    id, thread = found["id"], found["threadId"]
    assert f"Message ID: {id}" in workspace.say("search_gmail_messages", query="subject:figures", include_headers=True)
    said = workspace.say("get_gmail_message_content", message_id=id)
    assert "--- BODY ---\nThe figures are attached." in said and "1. figures.csv" in said
    assert (
        said == workspace.say("get_gmail_messages_content_batch", message_ids=[id]).split(f"Thread ID: {thread}\n")[1]
    )
    assert "=== Message 1 ===" in workspace.say("get_gmail_thread_content", thread_id=thread)
    assert "Retrieved 1 threads:" in workspace.say("get_gmail_threads_content_batch", thread_ids=[thread])
    file = said.rsplit("ID: ", 1)[1].rstrip(")")
    assert "id,amount" in workspace.say("get_gmail_attachment_content", message_id=id, attachment_id=file)
    assert workspace.say(
        "send_gmail_message",
        to="bo@tiny.example",
        subject="Re: Figures",
        body="<p>Thanks</p>",
        body_format="html",
        thread_id=thread,
    ).startswith("Email sent!")
    workspace.say("draft_gmail_message", body="See below.", to="dee@tiny.example", forward_message_id=id)
    (draft,) = do(firm, "users.drafts.list")["drafts"]
    assert do(firm, "users.drafts.get", id=draft["id"])["message"]["snippet"].startswith("See below.")
    label = workspace.say("manage_gmail_label", action="create", name="Money").rsplit("ID: ", 1)[1]
    assert "Money" in workspace.say("list_gmail_labels", include_system=False, compact=True)
    workspace.say("modify_gmail_message_labels", message_id=id, add_label_ids=[label], remove_label_ids=["UNREAD"])
    workspace.say("batch_modify_gmail_message_labels", thread_ids=[thread], remove_label_ids=["INBOX"])
    labels = do(firm, "users.messages.get", id=id, format="minimal")["labelIds"]
    assert label in labels and not {"INBOX", "UNREAD"} & set(labels)
    made = workspace.say(
        "manage_gmail_filter",
        action="create",
        criteria={"subject": "alert"},
        filter_action={"removeLabelIds": ["INBOX"]},
    )
    filter = made.split("ID: ", 1)[1].splitlines()[0]
    assert "Found 1 filters" in workspace.say("list_gmail_filters")
    assert workspace.ask("manage_gmail_filter", action="delete", filter_id=filter, dry_run=True)[0]
    workspace.say("manage_gmail_filter", action="delete", filter_id=filter)
    workspace.say("manage_gmail_label", action="delete", label_id=label)


def test_mail_of_others_stays_theirs(firm: Host, community: Desk) -> None:
    do(firm, "users.messages.send", "bo", raw=eml("dee@tiny.example", "Private"))
    assert community.say("search_emails", query="private") == NOTHING
    (theirs,) = do(firm, "users.messages.list", "dee")["messages"]
    assert community.ask("read_email", messageId=theirs["id"])[0]
