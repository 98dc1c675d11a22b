"""The core of the tools of a widely used community server (MIT); answers are indented JSON with texts in Markdown.

Names, parameters and required flags are confirmed; which parts of an object are shown is our choice. Left out of the
63: service desks, forms, development information, images and the analyses the original makes out of several calls.
"""

from mcp_servers.jira import community_responses, prepare
from mcp_servers.jira.arguments import STRING, comma_argument, json_text_argument, object_argument, text_argument
from mcp_servers.jira.community_arguments import COMMENT_BODY, FIELDS, FLAG, ISSUE, MARKDOWN, READ, USE_NAMES
from mcp_servers.tools import ArgumentForm, Surface

surface = Surface("community", app="jira")
surface.tool(
    "jira_get_issue",
    "getIssue",
    description="Read an issue by key: fields, comments, links.",
    rename={**ISSUE, "update_history": "updateHistory"},
    only=[
        "issue_key",
        "fields",
        "expand",
        "comment_limit",
        "properties",
        "update_history",
        "include",
        "use_display_names",
    ],
    fixed=MARKDOWN,
    defaults={"fields": READ},
    forms={"fields": FIELDS, "properties": comma_argument("Issue properties to return.")},
    ignored={
        "comment_limit": ArgumentForm(
            {"type": "integer", "default": 10, "description": "Most comments shown, the latest; 0 for none."}
        ),
        "include": text_argument("Accepted; name what you want in fields."),
        "use_display_names": USE_NAMES,
    },
    result=community_responses.render_issue,
)
surface.tool(
    "jira_search",
    "searchForIssuesUsingJql",
    description="Search issues with JQL, a page at a time by start_at.",
    rename={"limit": "maxResults", "start_at": "startAt"},
    only=["jql", "fields", "limit", "start_at", "projects_filter", "expand", "page_token", "use_display_names"],
    required=["jql"],
    fixed=MARKDOWN,
    defaults={"fields": READ, "limit": 10},
    forms={"fields": FIELDS},
    ignored={
        "projects_filter": text_argument("Keys of the projects to search in, comma-separated."),
        "page_token": text_argument("Accepted; pages go by start_at."),
        "use_display_names": USE_NAMES,
    },
    prepare=prepare.prepare_search,
    result=community_responses.render_issues,
)
surface.tool(
    "jira_search_fields",
    "getFieldsPaginated",
    description="Find fields by part of their name; gives the ids that JQL and field arguments take.",
    rename={"keyword": "query", "limit": "maxResults"},
    only=["keyword", "limit", "refresh"],
    defaults={"limit": 10},
    ignored={"refresh": ArgumentForm({**FLAG, "description": "Accepted; fields are always fresh."})},
    result=community_responses.render_fields,
)
surface.tool(
    "jira_get_project_issues",
    "searchForIssuesUsingJql",
    description="List the issues of a project, newest first.",
    rename={"project_key": "jql", "limit": "maxResults", "start_at": "startAt"},
    only=["project_key", "limit", "start_at"],
    required=["project_key"],
    fixed={**MARKDOWN, "fields": READ.split(",")},
    defaults={"limit": 10},
    forms={"project_key": ArgumentForm({**STRING, "description": "Key of the project."}, prepare.project_jql)},
    result=community_responses.render_issues,
)
surface.tool(
    "jira_create_issue",
    "createIssue",
    description="Create an issue; fields beyond the usual ones go into additional_fields by field id.",
    rename={
        "project_key": "fields.project.key",
        "summary": "fields.summary",
        "issue_type": "fields.issuetype.name",
        "description": "fields.description",
    },
    only=["project_key", "summary", "issue_type", "assignee", "description", "components", "additional_fields"],
    required=["project_key", "summary", "issue_type"],
    fixed=MARKDOWN,
    forms={
        "project_key": text_argument("Key of the project."),
        "summary": text_argument("One line."),
        "issue_type": text_argument("Task, Bug, Story ..."),
        "description": text_argument("The description, in Markdown."),
    },
    ignored={
        "assignee": text_argument("Mail address, name or account id."),
        "components": text_argument("Component names, comma-separated."),
        "additional_fields": object_argument("Other fields by id: priority, labels, parent, custom fields."),
    },
    prepare=prepare.prepare_fields,
    result=community_responses.render_created,
)
surface.tool(
    "jira_batch_create_issues",
    "createIssues",
    description="Create several issues at once; those that fail are listed beside those that succeeded.",
    only=["issues", "validate_only"],
    required=["issues"],
    fixed=MARKDOWN,
    ignored={
        "issues": text_argument(
            "JSON list of objects: project_key, summary, issue_type; description, assignee, components if wanted."
        ),
        "validate_only": ArgumentForm({**FLAG, "description": "Only false is possible."}),
    },
    prepare=prepare.prepare_several,
    result=community_responses.render_batch,
)
surface.tool(
    "jira_update_issue",
    "editIssue",
    description="Change fields of an issue, given by field id.",
    rename=ISSUE,
    only=["issue_key", "fields", "additional_fields", "components", "attachments", "return_fields"],
    required=["issue_key", "fields"],
    fixed=MARKDOWN,
    forms={"fields": json_text_argument("JSON object of fields, such as summary or assignee.")},
    ignored={
        "additional_fields": object_argument("More fields by id."),
        "components": text_argument("Component names, comma-separated."),
        "attachments": text_argument("Not possible: files of your machine cannot be read here."),
        "return_fields": text_argument("Accepted; the whole issue is returned."),
    },
    prepare=prepare.prepare_fields,
    result=community_responses.render_updated,
)
surface.tool(
    "jira_delete_issue",
    "deleteIssue",
    description="Delete an issue for good.",
    rename=ISSUE,
    only=["issue_key"],
    result=community_responses.render_done,
)
surface.tool(
    "jira_assign_issue",
    "assignIssue",
    description="Assign an issue to somebody, or to nobody when no assignee is given.",
    rename=ISSUE,
    only=["issue_key", "assignee"],
    ignored={"assignee": text_argument("Mail address, name or account id.")},
    prepare=prepare.prepare_assignee,
    result=community_responses.render_updated,
)
surface.tool(
    "jira_get_transitions",
    "getTransitions",
    description="List the transitions you can take on an issue now, with their ids.",
    rename=ISSUE,
    only=["issue_key"],
    result=community_responses.render_transitions,
)
surface.tool(
    "jira_transition_issue",
    "doTransition",
    description="Move an issue to another status by the id of a transition; what its screen asks for goes into fields.",
    rename={**ISSUE, "transition_id": "transition.id", "comment": "update.comment[].add.body"},
    only=["issue_key", "transition_id", "fields", "comment"],
    required=["issue_key", "transition_id"],
    fixed=MARKDOWN,
    describe={"transition_id": "Id from jira_get_transitions."},
    forms={
        "fields": json_text_argument("JSON object of fields of the transition's screen."),
        "comment": text_argument("A comment, in Markdown."),
    },
    result=community_responses.render_transitioned,
)
surface.tool(
    "jira_add_comment",
    "addComment",
    description="Comment on an issue.",
    rename=ISSUE,
    only=["issue_key", "body", "visibility", "public"],
    required=["issue_key", "body"],
    fixed=MARKDOWN,
    forms={
        "body": COMMENT_BODY,
        "visibility": json_text_argument("JSON object {type, value}: the role or group that may read it."),
    },
    result=community_responses.render_comment,
)
surface.tool(
    "jira_edit_comment",
    "updateComment",
    description="Replace the text of a comment of yours.",
    rename={**ISSUE, "comment_id": "id"},
    only=["issue_key", "comment_id", "body", "visibility"],
    required=["issue_key", "comment_id", "body"],
    fixed=MARKDOWN,
    forms={
        "body": COMMENT_BODY,
        "visibility": json_text_argument("JSON object {type, value}: the role or group that may read it."),
    },
    result=community_responses.render_comment,
)
surface.tool(
    "jira_add_worklog",
    "addWorklog",
    description="Log time you spent on an issue, such as 1h 30m.",
    rename={**ISSUE, "time_spent": "timeSpent"},
    only=["issue_key", "time_spent", "comment", "started", "original_estimate", "remaining_estimate"],
    required=["issue_key", "time_spent"],
    fixed=MARKDOWN,
    forms={"comment": text_argument("What was done, in Markdown.")},
    ignored={
        "original_estimate": text_argument("Not possible here; change the issue's timetracking instead."),
        "remaining_estimate": text_argument("New remaining estimate, such as 2h."),
    },
    prepare=prepare.prepare_worklog,
    result=community_responses.render_worklog,
)
surface.tool(
    "jira_get_worklog",
    "getIssueWorklog",
    description="List the time logged on an issue.",
    rename=ISSUE,
    only=["issue_key"],
    fixed=MARKDOWN,
    result=community_responses.render_worklogs,
)
surface.tool(
    "jira_batch_get_changelogs",
    "bulkFetchIssues",
    description="Read who changed what on several issues.",
    rename={"issue_ids_or_keys": "issueIdsOrKeys"},
    only=["issue_ids_or_keys", "fields", "limit"],
    required=["issue_ids_or_keys"],
    fixed={"expand": ["changelog"], "fields": ["summary"]},
    forms={"issue_ids_or_keys": comma_argument("Keys or ids, comma-separated.")},
    ignored={
        "fields": text_argument("Only changes of these fields, comma-separated."),
        "limit": ArgumentForm(
            {"type": "integer", "default": -1, "description": "Most changes of each issue; -1 for all."}
        ),
    },
    result=community_responses.render_changelogs,
)
surface.tool(
    "jira_get_user_profile",
    "getUser",
    description="Look somebody up by mail address, name or account id.",
    only=["user_identifier"],
    required=["user_identifier"],
    ignored={"user_identifier": text_argument("Mail address, name or account id.")},
    prepare=prepare.prepare_person,
    result=community_responses.render_profile,
)
surface.tool(
    "jira_search_assignable_users",
    "findAssignableUsers",
    description="Find people who may be assigned issues of a project or an issue.",
    rename={"project_key": "project", "issue_key": "issueKey", "limit": "maxResults"},
    only=["query", "project_key", "issue_key", "limit"],
    required=["query"],
    defaults={"limit": 10},
    result=community_responses.render_users,
)
surface.tool(
    "jira_get_issue_watchers",
    "getIssueWatchers",
    description="List who watches an issue.",
    rename=ISSUE,
    only=["issue_key"],
    result=community_responses.render_watchers,
)
surface.tool(
    "jira_add_watcher",
    "addWatcher",
    description="Make somebody watch an issue.",
    rename=ISSUE,
    only=["issue_key", "user_identifier"],
    required=["issue_key", "user_identifier"],
    ignored={"user_identifier": text_argument("Mail address, name or account id.")},
    prepare=prepare.prepare_person,
    result=community_responses.render_done,
)
surface.tool(
    "jira_get_all_projects",
    "getAllProjects",
    description="List the projects you can see.",
    only=["include_archived"],
    ignored={"include_archived": ArgumentForm({**FLAG, "description": "Archived ones too; there are none."})},
    result=community_responses.render_projects,
)
surface.tool(
    "jira_search_projects",
    "searchProjects",
    description="Find projects by part of their key or name.",
    rename={"max_results": "maxResults"},
    only=["query", "max_results", "current_project_ids"],
    required=["query"],
    ignored={"current_project_ids": text_argument("Accepted; it changes nothing.")},
    result=community_responses.render_projects,
)
surface.tool(
    "jira_get_project_issue_types",
    "getCreateIssueMetaIssueTypes",
    description="List the issue types a project offers.",
    rename={"project_key": "projectIdOrKey"},
    only=["project_key"],
    result=community_responses.render_api_answer,
)
surface.tool(
    "jira_get_project_components",
    "getProjectComponents",
    description="List the components of a project.",
    rename={"project_key": "projectIdOrKey"},
    only=["project_key"],
    result=community_responses.render_api_answer,
)
surface.tool(
    "jira_get_project_versions",
    "getProjectVersions",
    description="List the versions of a project.",
    rename={"project_key": "projectIdOrKey"},
    only=["project_key"],
    result=community_responses.render_api_answer,
)
surface.tool(
    "jira_get_agile_boards",
    "getAllBoards",
    description="List boards, by name, project or type.",
    rename={
        "board_name": "name",
        "project_key": "projectKeyOrId",
        "board_type": "type",
        "start_at": "startAt",
        "limit": "maxResults",
    },
    only=["board_name", "project_key", "board_type", "start_at", "limit"],
    defaults={"limit": 10},
    result=community_responses.render_values,
)
surface.tool(
    "jira_get_board_issues",
    "getIssuesForBoard",
    description="List the issues of a board that a JQL query finds.",
    rename={"board_id": "boardId", "start_at": "startAt", "limit": "maxResults"},
    only=["board_id", "jql", "fields", "start_at", "limit", "expand"],
    required=["board_id", "jql"],
    fixed=MARKDOWN,
    defaults={"fields": READ, "limit": 10},
    forms={"fields": FIELDS},
    result=community_responses.render_issues,
)
surface.tool(
    "jira_get_sprints_from_board",
    "getAllSprints",
    description="List the sprints of a board: active, future or closed.",
    rename={"board_id": "boardId", "start_at": "startAt", "limit": "maxResults"},
    only=["board_id", "state", "start_at", "limit"],
    defaults={"limit": 10},
    result=community_responses.render_values,
)
surface.tool(
    "jira_get_sprint_issues",
    "getIssuesForSprint",
    description="List the issues of a sprint.",
    rename={"sprint_id": "sprintId", "start_at": "startAt", "limit": "maxResults"},
    only=["sprint_id", "fields", "start_at", "limit"],
    fixed=MARKDOWN,
    defaults={"fields": READ, "limit": 10},
    forms={"fields": FIELDS},
    result=community_responses.render_issues,
)
surface.tool(
    "jira_create_sprint",
    "createSprint",
    description="Create a sprint on a board.",
    rename={"board_id": "originBoardId", "start_date": "startDate", "end_date": "endDate"},
    only=["board_id", "name", "start_date", "end_date", "goal"],
    required=["board_id", "name", "start_date", "end_date"],
    result=community_responses.render_api_answer,
)
surface.tool(
    "jira_update_sprint",
    "partiallyUpdateSprint",
    description="Change a sprint; state active starts it, closed completes it.",
    rename={"sprint_id": "sprintId", "start_date": "startDate", "end_date": "endDate"},
    only=["sprint_id", "name", "state", "start_date", "end_date", "goal"],
    result=community_responses.render_api_answer,
)
surface.tool(
    "jira_add_issues_to_sprint",
    "moveIssuesToSprintAndRank",
    description="Move issues into a sprint.",
    rename={"sprint_id": "sprintId", "issue_keys": "issues"},
    only=["sprint_id", "issue_keys"],
    required=["sprint_id", "issue_keys"],
    forms={"issue_keys": comma_argument("Keys of the issues, comma-separated.")},
    result=community_responses.render_done,
)
surface.tool(
    "jira_move_issues_to_backlog",
    "moveIssuesToBacklog",
    description="Move issues out of their sprints.",
    rename={"issue_keys": "issues"},
    only=["issue_keys"],
    required=["issue_keys"],
    forms={"issue_keys": comma_argument("Keys of the issues, comma-separated.")},
    result=community_responses.render_done,
)
surface.tool(
    "jira_get_link_types",
    "getIssueLinkTypes",
    description="List the kinds of links between issues.",
    only=["name_filter"],
    ignored={"name_filter": text_argument("Only those with this in their name.")},
    result=community_responses.render_link_types,
)
surface.tool(
    "jira_create_issue_link",
    "linkIssues",
    description="Link two issues. With type Blocks, the inward issue blocks the outward one.",
    rename={
        "link_type": "type.name",
        "inward_issue_key": "inwardIssue.key",
        "outward_issue_key": "outwardIssue.key",
        "comment": "comment.body",
        "comment_visibility": "comment.visibility",
    },
    only=["link_type", "inward_issue_key", "outward_issue_key", "comment", "comment_visibility"],
    required=["link_type", "inward_issue_key", "outward_issue_key"],
    fixed=MARKDOWN,
    describe={
        "link_type": "Name of the link type.",
        "inward_issue_key": "First issue.",
        "outward_issue_key": "Second issue.",
    },
    forms={
        "comment": text_argument("A comment to add, in Markdown."),
        "comment_visibility": object_argument("Object {type, value}: the role or group that may read the comment."),
    },
    result=community_responses.render_done,
)
surface.tool(
    "jira_remove_issue_link",
    "deleteIssueLink",
    description="Remove a link between issues.",
    rename={"link_id": "linkId"},
    only=["link_id"],
    result=community_responses.render_done,
)
surface.tool(
    "jira_create_remote_issue_link",
    "createOrUpdateRemoteIssueLink",
    description="Link an issue to a page elsewhere.",
    rename={
        **ISSUE,
        "url": "object.url",
        "title": "object.title",
        "summary": "object.summary",
        "icon_url": "object.icon.url16x16",
    },
    only=["issue_key", "url", "title", "summary", "relationship", "icon_url"],
    required=["issue_key", "url", "title"],
    forms={
        "url": text_argument("Address of the page."),
        "title": text_argument("What the link is called."),
        "summary": text_argument("What is there."),
        "icon_url": text_argument("Address of a picture."),
    },
    result=community_responses.render_api_answer,
)
surface.tool(
    "jira_link_to_epic",
    "moveIssuesToEpic",
    description="Put an issue under an epic.",
    rename={"issue_key": "issues[]", "epic_key": "epicIdOrKey"},
    only=["issue_key", "epic_key"],
    required=["issue_key", "epic_key"],
    describe={"issue_key": "Key of the issue.", "epic_key": "Key of the epic."},
    result=community_responses.render_updated,
)
surface.tool(
    "jira_create_version",
    "createVersion",
    description="Create a version in a project.",
    rename={"project_key": "project", "start_date": "startDate", "release_date": "releaseDate"},
    only=["project_key", "name", "start_date", "release_date", "description"],
    required=["project_key", "name"],
    result=community_responses.render_api_answer,
)
