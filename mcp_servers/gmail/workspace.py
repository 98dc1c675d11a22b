"""Fourteen tools under the names of a community server for Google Workspace; answers are prose.

Names, parameters and required flags are confirmed, the wording of answers is our choice. `user_google_email` is
accepted everywhere; the token decides whose mailbox it is. `verify`, `direction` and the analyses change nothing here.
"""

from mcp_servers.gmail import mail_arguments, prose_responses
from mcp_servers.tools import ArgumentForm, Surface

USER = {"user_google_email": mail_arguments.text_argument("Accepted; your token decides whose mailbox it is.")}
FORMAT = {
    "body_format": ArgumentForm(
        {"type": "string", "enum": ["text", "html", "raw"], "default": "text", "description": "How bodies are shown."}
    )
}
LINKS = {"include_links": mail_arguments.flag_argument("Accepted; links stand in the text.")}
STRINGS = {"type": "array", "items": mail_arguments.STRING}
WRITES = {
    **USER,
    "body_format": ArgumentForm(
        {"type": "string", "enum": ["plain", "html"], "default": "plain", "description": "Format of the body."}
    ),
    "to": mail_arguments.text_argument("Addresses of the recipients, separated by commas."),
    "cc": mail_arguments.text_argument("Addresses of those who get a copy."),
    "bcc": mail_arguments.text_argument("Addresses of those who get a copy unseen by the others."),
    "from_name": mail_arguments.text_argument("Name to send under."),
    "from_email": mail_arguments.text_argument("One of your own addresses to send from."),
    "forward_message_id": mail_arguments.text_argument("The message to forward below the text."),
    "include_forwarded_attachments": mail_arguments.flag_argument("When forwarding: its files go along.", True),
    "in_reply_to": mail_arguments.text_argument("Message-ID header of the message that is answered."),
    "references": mail_arguments.text_argument("Message-IDs of the thread, the last one answered."),
    "attachments": mail_arguments.FILES,
    "include_signature": mail_arguments.flag_argument("Accepted; the text goes as it is.", True),
    "direction": mail_arguments.text_argument("Accepted: ltr or rtl."),
    "quote_original": mail_arguments.flag_argument("Put the message that is answered below the text."),
    "reply_all": mail_arguments.flag_argument("Answer everybody, if no recipients are given."),
}
SENDING = [
    "user_google_email",
    "to",
    "subject",
    "body",
    "body_format",
    "forward_message_id",
    "include_forwarded_attachments",
    "cc",
    "bcc",
    "from_name",
    "from_email",
    "thread_id",
    "in_reply_to",
    "references",
    "attachments",
    "include_signature",
    "direction",
    "quote_original",
    "reply_all",
]
RENAMED = {"body": "text", "thread_id": "threadId"}
DESCRIBED = {"subject": "The subject line.", "body": "The text.", "thread_id": "The thread to answer in."}
SEVERAL = {"verify": mail_arguments.flag_argument("Accepted; what is said to be done is done.")}

surface = Surface("workspace", app="gmail")
surface.tool(
    "search_gmail_messages",
    "users.messages.list",
    description="Search mail as in the search box; gives message and thread ids.",
    rename={"query": "q", "page_size": "maxResults", "page_token": "pageToken"},
    only=["query", "user_google_email", "page_size", "page_token", "include_headers"],
    required=["query"],
    defaults={"page_size": 10},
    ignored={**USER, "include_headers": mail_arguments.flag_argument("Show subject, sender and date of each.")},
    result=prose_responses.render_search,
)
surface.tool(
    "get_gmail_message_content",
    "users.messages.get",
    description="Read a message: headers, text and its files. It stays unread.",
    rename={"message_id": "id"},
    fixed={"format": "full"},
    only=["message_id", "user_google_email", "body_format", "full", "format", "include_headers", "include_links"],
    required=["message_id"],
    ignored={
        **USER,
        **FORMAT,
        **LINKS,
        "full": mail_arguments.flag_argument("Accepted; the whole text is shown.", True),
        "format": ArgumentForm(
            {
                "type": "string",
                "enum": ["full", "metadata"],
                "default": "full",
                "description": "full, or metadata for headers only.",
            }
        ),
        "include_headers": mail_arguments.flag_argument("Accepted; the usual headers are shown.", True),
    },
    result=prose_responses.render_message,
)
surface.tool(
    "get_gmail_messages_content_batch",
    "mail.messages",
    description="Read several messages at once.",
    rename={"message_ids": "ids"},
    only=["message_ids", "user_google_email", "format", "body_format", "include_links"],
    required=["message_ids"],
    ignored={
        **USER,
        **FORMAT,
        **LINKS,
        "format": ArgumentForm(
            {
                "type": "string",
                "enum": ["full", "metadata"],
                "default": "full",
                "description": "full, or metadata for headers only.",
            }
        ),
    },
    result=prose_responses.render_messages,
)
surface.tool(
    "get_gmail_thread_content",
    "users.threads.get",
    description="Read a thread: all its messages, oldest first.",
    rename={"thread_id": "id"},
    fixed={"format": "full"},
    only=["thread_id", "user_google_email", "body_format", "include_analysis", "include_links"],
    required=["thread_id"],
    ignored={
        **USER,
        **FORMAT,
        **LINKS,
        "include_analysis": mail_arguments.flag_argument("Accepted; no analysis is made."),
    },
    result=prose_responses.render_thread,
)
surface.tool(
    "get_gmail_threads_content_batch",
    "users.threads.get",
    description="Read several threads at once.",
    rename={"thread_ids": "id"},
    fixed={"format": "full"},
    only=["thread_ids", "user_google_email", "body_format", "include_links"],
    required=["thread_ids"],
    forms={
        "thread_ids": ArgumentForm(
            {**STRINGS, "minItems": 1, "description": "Ids of the threads."}, mail_arguments.first_id
        )
    },
    ignored={**USER, **FORMAT, **LINKS},
    result=prose_responses.render_threads,
)
surface.tool(
    "send_gmail_message",
    "mail.send",
    description="Send a mail: new, as an answer, or as a forward.",
    rename=RENAMED,
    only=SENDING,
    required=[],
    describe=DESCRIBED,
    ignored=WRITES,
    prepare=mail_arguments.prepare_workspace_mail,
    result=prose_responses.render_sent,
)
surface.tool(
    "draft_gmail_message",
    "mail.saveDraft",
    description="Keep a mail as a draft: new, as an answer, or as a forward.",
    rename=RENAMED,
    only=SENDING,
    required=[],
    describe=DESCRIBED,
    ignored=WRITES,
    prepare=mail_arguments.prepare_workspace_mail,
    result=prose_responses.render_draft,
)
surface.tool(
    "get_gmail_attachment_content",
    "users.messages.attachments.get",
    description="Fetch a file of a message.",
    rename={"message_id": "messageId", "attachment_id": "id"},
    only=["message_id", "attachment_id", "user_google_email", "return_base64", "attachment_index"],
    required=["message_id", "attachment_id"],
    ignored={
        **USER,
        "return_base64": mail_arguments.flag_argument("Answer in base64url whatever the file is."),
        "attachment_index": ArgumentForm({"type": "integer", "description": "Accepted; the id decides."}),
    },
    result=prose_responses.render_attachment,
)
surface.tool(
    "list_gmail_labels",
    "users.labels.list",
    description="List labels with their ids.",
    only=["user_google_email", "prefix", "compact", "include_system"],
    required=[],
    ignored={
        **USER,
        "prefix": mail_arguments.text_argument("Only labels whose names begin so."),
        "compact": mail_arguments.flag_argument("One line per label."),
        "include_system": mail_arguments.flag_argument("Show the system's labels too.", True),
    },
    result=prose_responses.render_labels,
)
surface.tool(
    "manage_gmail_label",
    {"create": "users.labels.create", "update": "users.labels.patch", "delete": "users.labels.delete"},
    by="action",
    description="Create, update or delete a label.",
    rename={
        "label_id": "id",
        "label_list_visibility": "labelListVisibility",
        "message_list_visibility": "messageListVisibility",
        "background_color": "color.backgroundColor",
        "text_color": "color.textColor",
    },
    only=[
        "user_google_email",
        "action",
        "name",
        "label_id",
        "label_list_visibility",
        "message_list_visibility",
        "background_color",
        "text_color",
        "clear_color",
    ],
    required=["action"],
    describe={"action": "create, update or delete."},
    ignored={**USER, "clear_color": mail_arguments.flag_argument("Accepted; colours stay unless given anew.")},
    result=prose_responses.render_label,
)
surface.tool(
    "list_gmail_filters",
    "users.settings.filters.list",
    description="List all filters.",
    only=["user_google_email"],
    ignored=USER,
    required=[],
    result=prose_responses.render_filters,
)
surface.tool(
    "manage_gmail_filter",
    {"create": "users.settings.filters.create", "delete": "users.settings.filters.delete"},
    by="action",
    description="Create or delete a filter for arriving mail.",
    rename={"filter_action": "action", "filter_id": "id"},
    only=["user_google_email", "action", "criteria", "filter_action", "filter_id", "dry_run", "max_messages"],
    required=["action"],
    describe={"action": "create or delete."},
    forms={
        "criteria": ArgumentForm(
            {
                "type": "object",
                "description": "from, to, subject, query, negatedQuery, hasAttachment, size, sizeComparison.",
            },
            write=dict,
        ),
        "filter_action": ArgumentForm(
            {"type": "object", "description": "addLabelIds, removeLabelIds, forward."}, write=dict
        ),
    },
    ignored={
        **USER,
        "dry_run": mail_arguments.flag_argument("Only false is possible: a filter is made or it is not."),
        "max_messages": ArgumentForm(
            {"type": "integer", "description": "Accepted; mail that is there already stays as it is."}
        ),
    },
    prepare=mail_arguments.refuse_dry_run,
    result=prose_responses.render_filter_change,
)
surface.tool(
    "modify_gmail_message_labels",
    "users.messages.modify",
    description="Put labels on a message or take them off: INBOX off archives it, UNREAD off marks it read.",
    rename={"message_id": "id", "add_label_ids": "addLabelIds", "remove_label_ids": "removeLabelIds"},
    only=["user_google_email", "message_id", "add_label_ids", "remove_label_ids"],
    required=["message_id"],
    ignored=USER,
    result=prose_responses.render_change,
)
surface.tool(
    "batch_modify_gmail_message_labels",
    "users.messages.batchModify",
    description="Put labels on several messages, or on all messages of several threads, or take them off.",
    rename={"message_ids": "ids", "add_label_ids": "addLabelIds", "remove_label_ids": "removeLabelIds"},
    only=["user_google_email", "message_ids", "add_label_ids", "remove_label_ids", "verify", "thread_ids"],
    required=[],
    ignored={
        **USER,
        **SEVERAL,
        "thread_ids": ArgumentForm({**STRINGS, "description": "Threads, all of whose messages are meant."}),
    },
    prepare=mail_arguments.add_thread_messages,
    result=prose_responses.render_several_changes,
)
