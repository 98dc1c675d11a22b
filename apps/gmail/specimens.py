"""The objects that examples of operations speak of, each by the operation whose example makes or finds it."""

from apps.gmail.mime.encode import to_base64url

A_MAIL = to_base64url(b"To: Jordan Reyes <jordan@partner.example>\r\nSubject: Minutes\r\n\r\nThe minutes of this morning are on their way.\r\n")
A_MESSAGE = "$users.messages.send:id"
A_THREAD = "$users.messages.send:threadId"
A_LABEL = "$users.labels.create:id"
A_DRAFT = "$users.drafts.create:id"
A_FILTER = "$users.settings.filters.create:id"
