"""Nineteen tools under the names of Atlassian's remote server; `cloudId` comes first nearly everywhere.

Names are confirmed except addWorklogToJiraIssue. Parameters are as seen in public use; those of projects' metadata,
links, worklogs, searchAtlassian and fetchAtlassian, the required flags and the default contentFormat (markdown) are our
choice.
"""

from mcp_servers.jira import responses, site
from mcp_servers.jira.arguments import body_argument, object_argument, text_argument
from mcp_servers.tools import ArgumentForm, Surface

CLOUD = {"cloudId": text_argument("Id or address of the site, from getAccessibleAtlassianResources.")}
FORMAT = ArgumentForm(
    {
        "type": "string",
        "enum": ["markdown", "adf"],
        "description": "Form of texts, in and out: markdown (default) or adf.",
    },
    write=str,
)
MARKDOWN = {"contentFormat": "markdown"}
VERBOSE = {
    "verbose": ArgumentForm(
        {"type": "boolean", "description": "The whole objects of the API, with pictures, addresses and empty fields."}
    )
}
FORMS = {"contentFormat": FORMAT}
LISTED = ["summary", "description", "status", "issuetype", "priority", "created"]

surface = Surface(
    "vendor",
    app="jira",
    default=True,
    beside=("deleteWorklog", "getAllBoards", "getAllSprints", "partiallyUpdateSprint"),
)
surface.tool(
    "getAccessibleAtlassianResources",
    "getAccessibleResources",
    description="List the sites you can use, with the cloudId that the other tools take.",
)
surface.tool(
    "atlassianUserInfo",
    "getCurrentUser",
    description="Tell who you are: account id, name, address.",
    only=[],
    result=responses.render_account,
)
surface.tool(
    "getJiraIssue",
    "getIssue",
    description="Read an issue by key or id: fields, description, comments, links.",
    only=["cloudId", "issueIdOrKey", "fields", "contentFormat", "expand", "verbose"],
    required=["cloudId", "issueIdOrKey"],
    ignored={**CLOUD, **VERBOSE},
    forms=FORMS,
    defaults=MARKDOWN,
    prepare=site.prepare_site,
    result=responses.render_compact,
)
surface.tool(
    "searchJiraIssuesUsingJql",
    "searchAndReconsileIssuesUsingJql",
    description="Search issues with JQL, a page at a time; follow nextPageToken until isLast.",
    only=["cloudId", "jql", "fields", "maxResults", "nextPageToken", "contentFormat", "verbose"],
    required=["cloudId", "jql"],
    ignored={**CLOUD, **VERBOSE},
    forms=FORMS,
    defaults={**MARKDOWN, "fields": LISTED},
    prepare=site.prepare_site,
    result=responses.render_compact,
)
surface.tool(
    "createJiraIssue",
    "createIssue",
    description="Create an issue; fields beyond the usual ones go into additional_fields by field id.",
    rename={
        "projectKey": "fields.project.key",
        "issueTypeName": "fields.issuetype.name",
        "summary": "fields.summary",
        "description": "fields.description",
        "parent": "fields.parent.key",
        "assignee_account_id": "fields.assignee.accountId",
    },
    only=[
        "cloudId",
        "projectKey",
        "issueTypeName",
        "summary",
        "description",
        "parent",
        "assignee_account_id",
        "additional_fields",
        "contentFormat",
    ],
    required=["cloudId", "projectKey", "issueTypeName", "summary"],
    forms={
        **FORMS,
        "projectKey": text_argument("Key of the project."),
        "issueTypeName": text_argument("Name of the issue type: Task, Bug ..."),
        "summary": text_argument("One line."),
        "description": body_argument("The description, in Markdown."),
        "parent": text_argument("Key of the parent issue."),
        "assignee_account_id": text_argument("Account id of the assignee."),
    },
    ignored={
        **CLOUD,
        "additional_fields": object_argument("Other fields by id: priority, labels, components, custom fields."),
    },
    defaults=MARKDOWN,
    prepare=site.prepare_creation,
)
surface.tool(
    "editJiraIssue",
    "editIssue",
    description="Change fields of an issue; a list of values replaces the list there. Answers with what the fields have now.",
    only=["cloudId", "issueIdOrKey", "fields", "contentFormat", "verbose"],
    required=["cloudId", "issueIdOrKey", "fields"],
    fixed={"returnIssue": True},
    ignored={**CLOUD, **VERBOSE},
    forms=FORMS,
    defaults=MARKDOWN,
    prepare=site.prepare_site,
    result=responses.render_edited,
)
surface.tool(
    "transitionJiraIssue",
    "doTransition",
    description="Move an issue to another status by the id of a transition from getTransitionsForJiraIssue.",
    only=["cloudId", "issueIdOrKey", "transition", "fields", "update"],
    required=["cloudId", "issueIdOrKey", "transition"],
    ignored=CLOUD,
    prepare=site.prepare_site,
    result=responses.render_transition,
)
surface.tool(
    "getTransitionsForJiraIssue",
    "getTransitions",
    description="List the transitions you can take on an issue now, with their ids.",
    only=["cloudId", "issueIdOrKey", "expand"],
    required=["cloudId", "issueIdOrKey"],
    ignored=CLOUD,
    prepare=site.prepare_site,
)
surface.tool(
    "addCommentToJiraIssue",
    "addComment",
    description="Comment on an issue.",
    rename={"commentBody": "body", "commentVisibility": "visibility"},
    only=["cloudId", "issueIdOrKey", "commentBody", "commentVisibility", "contentFormat"],
    required=["cloudId", "issueIdOrKey", "commentBody"],
    forms={**FORMS, "commentBody": body_argument("The comment, in Markdown.")},
    ignored=CLOUD,
    defaults=MARKDOWN,
    prepare=site.prepare_site,
    result=responses.render_compact,
)
surface.tool(
    "addWorklogToJiraIssue",
    "addWorklog",
    description="Log time you spent on an issue.",
    only=["cloudId", "issueIdOrKey", "timeSpent", "started", "comment", "contentFormat"],
    required=["cloudId", "issueIdOrKey", "timeSpent"],
    forms={**FORMS, "comment": body_argument("What was done, in Markdown.")},
    ignored=CLOUD,
    defaults=MARKDOWN,
    prepare=site.prepare_site,
    result=responses.render_compact,
)
surface.tool(
    "lookupJiraAccountId",
    "findUsers",
    description="Find people by name or mail address; gives the account ids that fields and JQL take.",
    rename={"searchString": "query"},
    only=["cloudId", "searchString"],
    required=["cloudId", "searchString"],
    ignored=CLOUD,
    prepare=site.prepare_site,
    result=responses.render_accounts,
)
surface.tool(
    "getVisibleJiraProjects",
    "searchProjects",
    description="List the projects you can see, with keys and names.",
    rename={"searchString": "query"},
    only=["cloudId", "searchString", "action", "startAt", "maxResults"],
    required=["cloudId"],
    ignored=CLOUD,
    prepare=site.prepare_site,
    result=responses.render_compact,
)
surface.tool(
    "getJiraProjectIssueTypesMetadata",
    "getCreateIssueMetaIssueTypes",
    description="List the issue types a project offers, with their ids.",
    only=["cloudId", "projectIdOrKey", "startAt", "maxResults"],
    required=["cloudId", "projectIdOrKey"],
    ignored=CLOUD,
    prepare=site.prepare_site,
)
surface.tool(
    "getJiraIssueTypeMetaWithFields",
    "getCreateIssueMetaIssueTypeId",
    description="List the fields of an issue type in a project: which are required, and what values they take.",
    only=["cloudId", "projectIdOrKey", "issueTypeId", "startAt", "maxResults"],
    required=["cloudId", "projectIdOrKey", "issueTypeId"],
    ignored=CLOUD,
    prepare=site.prepare_site,
)
surface.tool(
    "getJiraIssueRemoteIssueLinks",
    "getRemoteIssueLinks",
    description="List an issue's links to pages elsewhere.",
    only=["cloudId", "issueIdOrKey", "globalId"],
    required=["cloudId", "issueIdOrKey"],
    ignored=CLOUD,
    prepare=site.prepare_site,
)
surface.tool(
    "getIssueLinkTypes",
    "getIssueLinkTypes",
    description="List the kinds of links between issues, with their wording in both directions.",
    only=["cloudId"],
    required=["cloudId"],
    ignored=CLOUD,
    prepare=site.prepare_site,
)
surface.tool(
    "createIssueLink",
    "linkIssues",
    description="Link two issues. With type Blocks, inwardIssue blocks outwardIssue.",
    rename={
        "inwardIssue": "inwardIssue.key",
        "outwardIssue": "outwardIssue.key",
        "type": "type.name",
        "comment": "comment.body",
    },
    only=["cloudId", "inwardIssue", "outwardIssue", "type", "comment", "contentFormat"],
    required=["cloudId", "inwardIssue", "outwardIssue", "type"],
    describe={
        "inwardIssue": "Key of the first issue.",
        "outwardIssue": "Key of the second issue.",
        "type": "Name of the link type.",
    },
    forms={**FORMS, "comment": body_argument("A comment to add, in Markdown.")},
    ignored=CLOUD,
    defaults=MARKDOWN,
    prepare=site.prepare_site,
    result=responses.render_link,
)
surface.tool(
    "searchAtlassian",
    "searchAndReconsileIssuesUsingJql",
    description="Search by plain words; use searchJiraIssuesUsingJql when you can say it in JQL.",
    rename={"query": "jql"},
    only=["query", "cloudId"],
    required=["query"],
    fixed={"fields": ["summary", "description", "status", "updated"], "contentFormat": "markdown", "maxResults": 20},
    forms={"query": ArgumentForm({"type": "string", "description": "Words to look for."}, site.words_to_jql)},
    ignored=CLOUD,
    prepare=site.prepare_site,
    result=responses.render_results,
)
surface.tool(
    "fetchAtlassian",
    "getIssue",
    description="Read what searchAtlassian found, by its id.",
    rename={"id": "issueIdOrKey"},
    only=["id", "cloudId"],
    required=["id"],
    fixed={"contentFormat": "markdown"},
    forms={
        "id": ArgumentForm({"type": "string", "description": "An id from searchAtlassian."}, site.parse_resource_name)
    },
    ignored=CLOUD,
    prepare=site.prepare_site,
)
