"""Objects used in examples of operations, each with the operation whose example creates or finds it."""

from apps.gmail.mime.base64url import to_base64url

A_MAIL = to_base64url(
    b"To: Jordan Reyes <jordan@partner.example>\r\nSubject: Minutes\r\nMIME-Version: 1.0\r\nContent-Type:"
    b' multipart/mixed; boundary="next"\r\n\r\n--next\r\nContent-Type: text/plain\r\n\r\nHere are the minutes of this'
    b" morning.\r\n--next\r\nContent-Type: text/csv\r\nContent-Disposition: attachment;"
    b' filename="minutes.csv"\r\n\r\nwho,what\r\nAnn,plan\r\n--next--\r\n'
)
A_MESSAGE = "$users.messages.send:id"
A_THREAD = "$users.messages.send:threadId"
A_LABEL = "$users.labels.create:id"
A_DRAFT = "$users.drafts.create:id"
A_FILTER = "$users.settings.filters.create:id"
AN_ATTACHMENT = "$users.messages.get:payload.parts.1.body.attachmentId"
A_HISTORY_ID = "$users.getProfile:historyId"
