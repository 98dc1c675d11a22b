"""Route table: method and path to operation, and the places of its arguments."""

from dataclasses import dataclass

from apps.jira import app
from apps.jira.operations.params import BodyFormat
from world.core.params import Params


@dataclass(frozen=True, slots=True)
class Line:
    """One route. `{v}` in the path is the API version (2, 3 or latest).

    Arguments named in the path travel there; the rest in the query, or in a JSON body when the method has one, except
    those listed in `query`. `whole`: the body is the value of this one argument. `upload`: the body is multipart.
    """

    method: str
    path: str
    operation: str
    status: int = 200
    query: frozenset[str] = frozenset()
    whole: str = ""
    upload: bool = False

    @property
    def has_body(self) -> bool:
        """Whether arguments travel in a body."""
        return self.method in ("POST", "PUT")

    @property
    def params(self) -> type[Params]:
        """The operation's arguments."""
        return app.operations[self.operation].params

    @property
    def takes_format(self) -> bool:
        """Whether the version decides how texts look."""
        return issubclass(self.params, BodyFormat)


def _parse_lines(prefix: str, rows: str) -> list[Line]:
    """Lines of `METHOD path operation [status] [?a,b] [=whole] [upload]` under a prefix."""
    out = []
    for row in rows.strip().splitlines():
        method, path, operation, *more = row.split()
        status = next((int(word) for word in more if word.isdigit()), 200)
        query = next((word[1:].split(",") for word in more if word.startswith("?")), [])
        whole = next((word[1:] for word in more if word.startswith("=")), "")
        out.append(Line(method, prefix + path, operation, status, frozenset(query), whole, "upload" in more))
    return out


# developer.atlassian.com/cloud/jira/platform/rest/v3 and v2
PLATFORM = """
GET /serverInfo getServerInfo
GET /myself getCurrentUser
GET /field getFields
GET /field/search getFieldsPaginated
GET /field/{fieldId}/context getContextsForField
GET /field/{fieldId}/context/{contextId}/option getOptionsForContext
GET /customFieldOption/{id} getCustomFieldOption
POST /issue createIssue 201 ?updateHistory
POST /issue/bulk createIssues 201
POST /issue/bulkfetch bulkFetchIssues
GET /issue/picker getIssuePickerResource
GET /issue/createmeta getCreateIssueMeta
GET /issue/createmeta/{projectIdOrKey}/issuetypes getCreateIssueMetaIssueTypes
GET /issue/createmeta/{projectIdOrKey}/issuetypes/{issueTypeId} getCreateIssueMetaIssueTypeId
GET /issue/{issueIdOrKey} getIssue
PUT /issue/{issueIdOrKey} editIssue 204 ?returnIssue,expand
DELETE /issue/{issueIdOrKey} deleteIssue 204
PUT /issue/{issueIdOrKey}/assignee assignIssue 204
GET /issue/{issueIdOrKey}/changelog getChangeLogs
GET /issue/{issueIdOrKey}/editmeta getEditIssueMeta
GET /issue/{issueIdOrKey}/transitions getTransitions
POST /issue/{issueIdOrKey}/transitions doTransition 204
GET /issue/{issueIdOrKey}/comment getComments
POST /issue/{issueIdOrKey}/comment addComment 201 ?expand
GET /issue/{issueIdOrKey}/comment/{id} getComment
PUT /issue/{issueIdOrKey}/comment/{id} updateComment 200 ?expand
DELETE /issue/{issueIdOrKey}/comment/{id} deleteComment 204
GET /issue/{issueIdOrKey}/worklog getIssueWorklog
POST /issue/{issueIdOrKey}/worklog addWorklog 201 ?adjustEstimate,newEstimate,reduceBy
GET /issue/{issueIdOrKey}/worklog/{id} getWorklog
PUT /issue/{issueIdOrKey}/worklog/{id} updateWorklog 200 ?adjustEstimate,newEstimate,reduceBy
DELETE /issue/{issueIdOrKey}/worklog/{id} deleteWorklog 204
GET /issue/{issueIdOrKey}/watchers getIssueWatchers
POST /issue/{issueIdOrKey}/watchers addWatcher 204 =accountId
DELETE /issue/{issueIdOrKey}/watchers removeWatcher 204
GET /issue/{issueIdOrKey}/votes getVotes
POST /issue/{issueIdOrKey}/votes addVote 204
DELETE /issue/{issueIdOrKey}/votes removeVote 204
POST /issue/{issueIdOrKey}/notify notify 204
POST /issue/{issueIdOrKey}/attachments addAttachment 200 upload
GET /issue/{issueIdOrKey}/remotelink getRemoteIssueLinks
POST /issue/{issueIdOrKey}/remotelink createOrUpdateRemoteIssueLink 201
DELETE /issue/{issueIdOrKey}/remotelink deleteRemoteIssueLinkByGlobalId 204
GET /issue/{issueIdOrKey}/remotelink/{linkId} getRemoteIssueLinkById
PUT /issue/{issueIdOrKey}/remotelink/{linkId} updateRemoteIssueLink 204
DELETE /issue/{issueIdOrKey}/remotelink/{linkId} deleteRemoteIssueLinkById 204
GET /issue/{issueIdOrKey}/properties getIssuePropertyKeys
GET /issue/{issueIdOrKey}/properties/{propertyKey} getIssueProperty
PUT /issue/{issueIdOrKey}/properties/{propertyKey} setIssueProperty 200 =value
DELETE /issue/{issueIdOrKey}/properties/{propertyKey} deleteIssueProperty 204
POST /changelog/bulkfetch getBulkChangelogs
POST /bulk/issues/move submitBulkMove 201
GET /bulk/queue/{taskId} getBulkOperationProgress
GET /attachment/meta getAttachmentMeta
GET /attachment/content/{id} getAttachmentContent
GET /attachment/thumbnail/{id} getAttachmentContent
GET /attachment/{id} getAttachment
DELETE /attachment/{id} removeAttachment 204
GET /search/jql searchAndReconsileIssuesUsingJql
POST /search/jql searchAndReconsileIssuesUsingJql
POST /search/approximate-count countIssues
GET /search searchForIssuesUsingJql
POST /search searchForIssuesUsingJql
GET /project getAllProjects
GET /project/search searchProjects
GET /project/type getAllProjectTypes
GET /project/type/{projectTypeKey} getProjectTypeByKey
GET /project/{projectIdOrKey} getProject
PUT /project/{projectIdOrKey} updateProject
GET /project/{projectIdOrKey}/statuses getAllStatuses
GET /project/{projectIdOrKey}/components getProjectComponents
GET /project/{projectIdOrKey}/versions getProjectVersions
GET /project/{projectIdOrKey}/version getProjectVersionsPaginated
GET /project/{projectIdOrKey}/role getProjectRoles
GET /project/{projectIdOrKey}/role/{id} getProjectRole
POST /project/{projectIdOrKey}/role/{id} addActorUsers
DELETE /project/{projectIdOrKey}/role/{id} deleteActor 204
POST /component createComponent 201
GET /component/{id} getComponent
PUT /component/{id} updateComponent
DELETE /component/{id} deleteComponent 204
POST /version createVersion 201
GET /version/{id} getVersion
PUT /version/{id} updateVersion
DELETE /version/{id} deleteVersion 204
GET /version/{id}/relatedIssueCounts getVersionRelatedIssues
GET /issuetype getIssueAllTypes
GET /issuetype/{id} getIssueType
GET /priority getPriorities
GET /priority/search searchPriorities
GET /priority/{id} getPriority
GET /status getStatuses
GET /status/{idOrName} getStatus
GET /statuscategory getStatusCategories
GET /resolution getResolutions
GET /resolution/search searchResolutions
GET /resolution/{id} getResolution
GET /label getAllLabels
GET /projects/picker getProjectsForPicker
GET /projectCategory getAllProjectCategories
GET /projectCategory/{id} getProjectCategoryById
GET /statuses/search searchStatuses
GET /workflow/search getWorkflowsPaginated
GET /screens getScreens
GET /screens/{screenId}/tabs getAllScreenTabs
GET /screens/{screenId}/tabs/{tabId}/fields getAllScreenTabFields
GET /configuration getSiteConfiguration
GET /webhook getDynamicWebhooksForApp
GET /auditing/record getAuditRecords
GET /worklog/updated getIdsOfWorklogsModifiedSince
GET /worklog/deleted getIdsOfWorklogsDeletedSince
POST /worklog/list getWorklogsForIds
GET /user getUser
GET /user/groups getUserGroups
GET /user/bulk bulkGetUsers
GET /user/search findUsers
GET /user/search/query findUsersByQuery
GET /user/permission/search findUsersWithAllPermissions
GET /user/assignable/search findAssignableUsers
GET /user/assignable/multiProjectSearch findBulkAssignableUsers
GET /user/picker findUsersForPicker
GET /users getAllUsers
GET /users/search getAllUsers
GET /groups/picker findGroups
GET /group getGroup
GET /group/bulk bulkGetGroups
GET /group/member getUsersFromGroup
POST /issueLink linkIssues 201
GET /issueLink/{linkId} getIssueLink
DELETE /issueLink/{linkId} deleteIssueLink 204
GET /issueLinkType getIssueLinkTypes
GET /issueLinkType/{issueLinkTypeId} getIssueLinkType
GET /filter/my getMyFilters
GET /filter/favourite getFavouriteFilters
GET /filter/search getFiltersPaginated
POST /filter createFilter
GET /filter/{id} getFilter
PUT /filter/{id} updateFilter
DELETE /filter/{id} deleteFilter 204
PUT /filter/{id}/favourite setFavouriteForFilter
DELETE /filter/{id}/favourite deleteFavouriteForFilter
GET /dashboard getAllDashboards
GET /dashboard/{id} getDashboard
GET /dashboard/{id}/gadget getDashboardGadgets
GET /permissions getAllPermissions
GET /mypermissions getMyPermissions
POST /jql/parse parseJqlQueries 200 ?validation
GET /jql/autocompletedata getAutoComplete
GET /jql/autocompletedata/suggestions getFieldAutoCompleteForQueryString
"""

# developer.atlassian.com/cloud/jira/software/rest, and cloud/jira/service-desk/rest below
AGILE = """
GET /board getAllBoards
GET /board/{boardId} getBoard
GET /board/{boardId}/configuration getConfiguration
GET /board/{boardId}/issue getIssuesForBoard
GET /board/{boardId}/backlog getIssuesForBacklog
GET /board/{boardId}/epic getEpics
GET /board/{boardId}/sprint getAllSprints
GET /board/{boardId}/sprint/{sprintId}/issue getBoardIssuesForSprint
POST /sprint createSprint 201
GET /sprint/{sprintId} getSprint
PUT /sprint/{sprintId} updateSprint
POST /sprint/{sprintId} partiallyUpdateSprint
DELETE /sprint/{sprintId} deleteSprint 204
GET /sprint/{sprintId}/issue getIssuesForSprint
POST /sprint/{sprintId}/issue moveIssuesToSprintAndRank 204
POST /backlog/issue moveIssuesToBacklog 204
GET /epic/{epicIdOrKey} getEpic
GET /epic/{epicIdOrKey}/issue getIssuesForEpic
GET /board/{boardId}/epic/{epicIdOrKey}/issue getIssuesForEpic
POST /epic/{epicIdOrKey}/issue moveIssuesToEpic 204
PUT /issue/rank rankIssues 204
GET /issue/{issueIdOrKey} getIssue
"""

SERVICE_DESK = """
GET /info getInfo
GET /servicedesk getServiceDesks
GET /servicedesk/{serviceDeskId} getServiceDeskById
GET /servicedesk/{serviceDeskId}/requesttype getRequestTypes
GET /servicedesk/{serviceDeskId}/requesttype/{requestTypeId} getRequestTypeById
GET /servicedesk/{serviceDeskId}/queue getQueues
GET /servicedesk/{serviceDeskId}/queue/{queueId} getQueue
GET /servicedesk/{serviceDeskId}/queue/{queueId}/issue getIssuesInQueue
GET /request getCustomerRequests
POST /request createCustomerRequest 201
GET /request/{issueIdOrKey} getCustomerRequestByIdOrKey
GET /request/{issueIdOrKey}/status getCustomerRequestStatus
GET /request/{issueIdOrKey}/comment getRequestComments
POST /request/{issueIdOrKey}/comment createRequestComment 201
GET /request/{issueIdOrKey}/comment/{commentId} getRequestCommentById
GET /request/{issueIdOrKey}/transition getCustomerTransitions
POST /request/{issueIdOrKey}/transition performCustomerTransition 204
"""

OTHER = """
GET /rest/dev-status/1.0/issue/summary getDevelopmentSummary
GET /rest/dev-status/latest/issue/summary getDevelopmentSummary
GET /rest/dev-status/1.0/issue/detail getDevelopmentDetail
GET /rest/dev-status/latest/issue/detail getDevelopmentDetail
GET /rest/dev-status/latest/issue/{issueIdOrKey}/detail getDevelopmentInformation
GET /oauth/token/accessible-resources getAccessibleResources
GET /secure/attachment/{id}/{filename} getAttachmentContent
GET /secure/thumbnail/{id}/{filename} getAttachmentContent
"""

LINES: list[Line] = [
    *_parse_lines("/rest/api/{v}", PLATFORM),
    *_parse_lines("/rest/agile/1.0", AGILE),
    *_parse_lines("/rest/servicedeskapi", SERVICE_DESK),
    *_parse_lines("", OTHER),
]
BY_OPERATION: dict[str, Line] = {line.operation: line for line in reversed(LINES)}
