"""Eleven tools under the names of Google's remote server (Developer Preview); there is no tool that sends.

Names are confirmed in the vendor's reference (2026-10), as are the parameters of search_threads and label_thread; the
other parameters and the fields of answers are our choice.
"""

from mcp_servers.gmail import mail_arguments, responses
from mcp_servers.tools import Surface

PAGE = {"query": "q", "pageSize": "maxResults"}
THREAD, MESSAGE = {"threadId": "id"}, {"messageId": "id"}
ADD, REMOVE = {"labelIds": "addLabelIds"}, {"labelIds": "removeLabelIds"}

surface = Surface("vendor", app="gmail")
surface.tool(
    "search_threads",
    "users.threads.list",
    description="Search threads as in the search box; a thread is found when one of its messages matches.",
    rename={**PAGE, "includeTrash": "includeSpamTrash"},
    only=["query", "pageSize", "pageToken", "includeTrash"],
    required=[],
    defaults={"pageSize": 20},
    prepare=mail_arguments.limit_page,
    result=responses.render_threads,
)
surface.tool(
    "get_thread",
    "users.threads.get",
    description="Read a thread: all its messages, oldest first. They stay unread.",
    rename=THREAD,
    only=["threadId"],
    fixed={"format": "full"},
    result=responses.render_thread,
)
surface.tool(
    "get_message",
    "users.messages.get",
    description="Read one message. It stays unread.",
    rename=MESSAGE,
    only=["messageId"],
    fixed={"format": "full"},
    result=responses.render_message,
)
surface.tool(
    "create_draft",
    "mail.saveDraft",
    description="Write a draft, new or as an answer to a message; the person looks it over and sends it.",
    rename={"body": "text", "htmlBody": "html", "replyToMessageId": "inReplyTo"},
    only=["to", "cc", "bcc", "subject", "body", "htmlBody", "replyToMessageId"],
    required=[],
    describe={
        "body": "The text.",
        "htmlBody": "The same as HTML.",
        "replyToMessageId": "The message that is answered.",
    },
    prepare=mail_arguments.prepare_reply,
    result=responses.render_draft,
)
surface.tool(
    "list_drafts",
    "users.drafts.list",
    description="List drafts, the latest first.",
    rename=PAGE,
    only=["query", "pageSize", "pageToken"],
    required=[],
    defaults={"pageSize": 20},
    prepare=mail_arguments.limit_page,
    result=responses.render_drafts,
)
surface.tool(
    "list_labels",
    "users.labels.list",
    description="List your own labels; system labels such as INBOX and STARRED have their names as ids.",
    only=[],
    result=responses.render_labels,
)
surface.tool(
    "create_label",
    "users.labels.create",
    description="Create a label; a/b makes b inside a.",
    only=["name"],
    required=["name"],
    result=responses.render_label,
)
surface.tool(
    "label_message",
    "users.messages.modify",
    description="Put labels on a message.",
    rename={**MESSAGE, **ADD},
    only=["messageId", "labelIds"],
    required=["messageId", "labelIds"],
    result=responses.render_label_change,
)
surface.tool(
    "unlabel_message",
    "users.messages.modify",
    description="Take labels off a message; INBOX off archives it.",
    rename={**MESSAGE, **REMOVE},
    only=["messageId", "labelIds"],
    required=["messageId", "labelIds"],
    result=responses.render_label_change,
)
surface.tool(
    "label_thread",
    "users.threads.modify",
    description="Put labels on all messages of a thread.",
    rename={**THREAD, **ADD},
    only=["threadId", "labelIds"],
    required=["threadId", "labelIds"],
    result=responses.render_label_change,
)
surface.tool(
    "unlabel_thread",
    "users.threads.modify",
    description="Take labels off all messages of a thread; INBOX off archives it.",
    rename={**THREAD, **REMOVE},
    only=["threadId", "labelIds"],
    required=["threadId", "labelIds"],
    result=responses.render_label_change,
)
