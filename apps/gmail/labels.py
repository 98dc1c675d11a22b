"""Labels: which the vendor has, which a caller may set, and how a name stands for one."""

# developers.google.com/workspace/gmail/api/guides/labels
COLUMNS = ("UNREAD", "TRASH", "SPAM")  # kept as columns of a message
CATEGORIES = ("CATEGORY_PERSONAL", "CATEGORY_SOCIAL", "CATEGORY_PROMOTIONS", "CATEGORY_UPDATES", "CATEGORY_FORUMS")
SYSTEM = ("CHAT", "SENT", "INBOX", "IMPORTANT", "TRASH", "DRAFT", "SPAM", *CATEGORIES, "STARRED", "UNREAD")
SETTABLE = frozenset({"INBOX", "IMPORTANT", "TRASH", "SPAM", "STARRED", "UNREAD", *CATEGORIES})
STATES = frozenset({"SNOOZED", "SCHEDULED", "MUTED"})  # kept like labels, shown by no method of the API
HIDDEN_BY_DEFAULT = frozenset({"CHAT", "DRAFT", "TRASH", "SPAM", "SENT", *CATEGORIES})
