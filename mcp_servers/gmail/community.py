"""Nineteen tools under the names of a widely used community server (ISC); answers are short texts.

Names, parameters and required flags are confirmed, the wording of answers is our choice. Paths of files on the caller's
machine cannot be read or written here: a download is answered with its content.
"""

from mcp_servers.gmail import filter_templates, mail_arguments, short_text
from mcp_servers.tools import ArgumentForm, Surface

BODY = {"body": "text", "htmlBody": "html"}
WRITING = {
    "to": "Addresses of the recipients.",
    "subject": "The subject line.",
    "body": "The text of the mail.",
    "htmlBody": "The same as HTML, for multipart/alternative.",
    "cc": "Addresses of those who get a copy.",
    "bcc": "Addresses of those who get a copy unseen by the others.",
    "threadId": "The thread to answer in.",
    "inReplyTo": "The message that is answered: its id, or its Message-ID header.",
}
MIME = ArgumentForm(
    {
        "type": "string",
        "enum": ["text/plain", "text/html", "multipart/alternative"],
        "default": "text/plain",
        "description": "Format of the body.",
    }
)
FIELDS = ["to", "subject", "body", "htmlBody", "mimeType", "cc", "bcc", "threadId", "inReplyTo", "attachments"]
MESSAGE, MESSAGES = {"messageId": "id"}, {"messageIds": "ids"}
BATCH = ArgumentForm(
    {"type": "integer", "default": 50, "description": "Accepted; all messages are changed in one call."}
)
LABEL = ["name", "messageListVisibility", "labelListVisibility"]
OBJECT = {"type": "object"}

surface = Surface("community", app="gmail", default=True)
surface.tool(
    "send_email",
    "mail.send",
    description="Send a mail, or with threadId or inReplyTo an answer in its thread.",
    rename=BODY,
    only=FIELDS,
    required=["to", "subject", "body"],
    describe=WRITING,
    forms={"attachments": mail_arguments.FILES},
    ignored={"mimeType": MIME},
    prepare=mail_arguments.prepare_community_mail,
    result=short_text.render_sent,
)
surface.tool(
    "draft_email",
    "mail.saveDraft",
    description="Keep a mail as a draft, for the person to look over and send.",
    rename=BODY,
    only=FIELDS,
    required=["to", "subject", "body"],
    describe=WRITING,
    forms={"attachments": mail_arguments.FILES},
    ignored={"mimeType": MIME},
    prepare=mail_arguments.prepare_community_mail,
    result=short_text.render_draft,
)
surface.tool(
    "read_email",
    "users.messages.get",
    description="Read a mail: headers, text and the list of its files. It stays unread; modify_email takes UNREAD off.",
    rename=MESSAGE,
    only=["messageId"],
    fixed={"format": "full"},
    result=short_text.render_mail,
)
surface.tool(
    "search_emails",
    "users.messages.list",
    description="Search mail as in the search box: from:ann subject:report is:unread after:2026/03/01.",
    rename={"query": "q"},
    only=["query", "maxResults"],
    required=["query"],
    defaults={"maxResults": 10},
    result=short_text.render_found,
)
surface.tool(
    "modify_email",
    "users.messages.modify",
    description=(
        "Put labels on a mail or take them off: INBOX off archives it, UNREAD off marks it read, TRASH on throws it"
        " away."
    ),
    rename=MESSAGE,
    only=["messageId", "labelIds", "addLabelIds", "removeLabelIds"],
    required=["messageId"],
    ignored={
        "labelIds": ArgumentForm(
            {"type": "array", "items": mail_arguments.STRING, "description": "The same as addLabelIds."}
        )
    },
    prepare=mail_arguments.merge_label_names,
    result=short_text.render_modified,
)
surface.tool(
    "delete_email",
    "users.messages.delete",
    description="Delete a mail for good; to throw it away only, put the label TRASH on it.",
    rename=MESSAGE,
    only=["messageId"],
    result=short_text.render_deleted,
)
surface.tool(
    "batch_modify_emails",
    "users.messages.batchModify",
    description="Put labels on several mails or take them off.",
    rename=MESSAGES,
    only=["messageIds", "addLabelIds", "removeLabelIds", "batchSize"],
    required=["messageIds"],
    ignored={"batchSize": BATCH},
    result=short_text.render_batch_modified,
)
surface.tool(
    "batch_delete_emails",
    "users.messages.batchDelete",
    description="Delete several mails for good.",
    rename=MESSAGES,
    only=["messageIds", "batchSize"],
    required=["messageIds"],
    ignored={"batchSize": BATCH},
    result=short_text.render_batch_deleted,
)
surface.tool(
    "list_email_labels",
    "users.labels.list",
    description="List all labels with the ids the other tools take.",
    only=[],
    result=short_text.render_labels,
)
surface.tool(
    "create_label",
    "users.labels.create",
    description="Create a label; a/b makes b inside a.",
    only=LABEL,
    required=["name"],
    result=short_text.label_renderer("created"),
)
surface.tool(
    "get_or_create_label",
    "mail.ensureLabel",
    description="Get the label of a name, which is created if there is none.",
    only=LABEL,
    required=["name"],
    result=short_text.label_renderer("found or created"),
)
surface.tool(
    "update_label",
    "users.labels.patch",
    description="Rename a label or change where it is shown.",
    only=["id", *LABEL],
    required=["id"],
    result=short_text.label_renderer("updated"),
)
surface.tool(
    "delete_label",
    "users.labels.delete",
    description="Delete a label; the mail that has it stays.",
    only=["id"],
    result=short_text.render_label_deleted,
)
surface.tool(
    "create_filter",
    "users.settings.filters.create",
    description="Create a filter for arriving mail: what it looks for and what it does with it.",
    only=["criteria", "action"],
    required=["criteria", "action"],
    forms={
        "criteria": ArgumentForm(
            {**OBJECT, "description": "from, to, subject, query, negatedQuery, hasAttachment, size, sizeComparison."},
            write=dict,
        ),
        "action": ArgumentForm({**OBJECT, "description": "addLabelIds, removeLabelIds, forward."}, write=dict),
    },
    result=short_text.render_filter_created,
)
surface.tool(
    "create_filter_from_template",
    "users.settings.filters.create",
    description="Create a filter from a template, such as all mail of one sender.",
    only=["template", "parameters"],
    required=["template", "parameters"],
    ignored={
        "template": ArgumentForm(
            {"type": "string", "enum": list(filter_templates.TEMPLATES), "description": "What the filter looks for."}
        ),
        "parameters": ArgumentForm(
            {
                **OBJECT,
                "description": (
                    "senderEmail, subjectText, searchText, listIdentifier or sizeInBytes; labelIds, archive,"
                    " markAsRead, markImportant."
                ),
            }
        ),
    },
    prepare=filter_templates.prepare_template,
    result=short_text.render_filter_created,
)
surface.tool(
    "list_filters",
    "users.settings.filters.list",
    description="List all filters.",
    only=[],
    result=short_text.render_filters,
)
surface.tool(
    "get_filter",
    "users.settings.filters.get",
    description="Read one filter.",
    rename={"filterId": "id"},
    only=["filterId"],
    result=short_text.render_filter,
)
surface.tool(
    "delete_filter",
    "users.settings.filters.delete",
    description="Delete a filter.",
    rename={"filterId": "id"},
    only=["filterId"],
    result=short_text.render_filter_deleted,
)
surface.tool(
    "download_attachment",
    "users.messages.attachments.get",
    description="Fetch a file of a mail; its content is the answer.",
    rename={"messageId": "messageId", "attachmentId": "id"},
    only=["messageId", "attachmentId", "filename", "savePath"],
    required=["messageId", "attachmentId"],
    ignored={
        "filename": mail_arguments.text_argument("What to call the file."),
        "savePath": mail_arguments.text_argument("Accepted; nothing is written to your machine."),
    },
    result=short_text.render_attachment,
)
