"""Arguments that many of the community tools take."""

from mcp_servers.jira.arguments import comma_argument, text_argument
from mcp_servers.tools import ArgumentForm

READ = "summary,description,status,assignee,reporter,labels,priority,created,updated,issuetype"


ISSUE = {"issue_key": "issueIdOrKey"}


MARKDOWN = {"contentFormat": "markdown"}


FLAG = {"type": "boolean", "default": False}


USE_NAMES = ArgumentForm({**FLAG, "description": "Accepted; names are always shown."})


FIELDS = comma_argument("Fields to return, comma-separated; *all for everything.")


COMMENT_BODY = text_argument("The text, in Markdown.")
