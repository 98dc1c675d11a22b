"""Methods and objects of Drive, v3, as published; tests.conformance.google_tables writes this."""

METHODS = """
GET /about drive.about.get @drive @drive.appdata @drive.file @drive.metadata @drive.metadata.readonly @drive.photos.readonly @drive.readonly
  >About
GET /files/{fileId}/accessproposals/{proposalId} drive.accessproposals.get @drive @drive.file @drive.metadata @drive.metadata.readonly
  @drive.readonly >AccessProposal
GET /files/{fileId}/accessproposals drive.accessproposals.list @drive @drive.file @drive.metadata @drive.metadata.readonly @drive.readonly
  >ListAccessProposalsResponse ?pageSize:int32 ?pageToken
POST /files/{fileId}/accessproposals/{proposalId}:resolve drive.accessproposals.resolve @drive @drive.file =ResolveAccessProposalRequest
POST /files/{fileId}/approvals/{approvalId}:approve drive.approvals.approve @drive @drive.file @drive.metadata =ApproveApprovalRequest >Approval
POST /files/{fileId}/approvals/{approvalId}:cancel drive.approvals.cancel @drive @drive.file @drive.metadata =CancelApprovalRequest >Approval
POST /files/{fileId}/approvals/{approvalId}:comment drive.approvals.comment @drive @drive.file @drive.metadata =CommentApprovalRequest >Approval
POST /files/{fileId}/approvals/{approvalId}:decline drive.approvals.decline @drive @drive.file @drive.metadata =DeclineApprovalRequest >Approval
GET /files/{fileId}/approvals/{approvalId} drive.approvals.get @drive @drive.appdata @drive.file @drive.metadata @drive.metadata.readonly
  @drive.readonly >Approval
GET /files/{fileId}/approvals drive.approvals.list @drive @drive.appdata @drive.file @drive.metadata @drive.metadata.readonly @drive.readonly
  >ApprovalList ?pageSize:int32 ?pageToken
POST /files/{fileId}/approvals/{approvalId}:reassign drive.approvals.reassign @drive @drive.file @drive.metadata =ReassignApprovalRequest
  >Approval
POST /files/{fileId}/approvals:start drive.approvals.start @drive @drive.file @drive.metadata =StartApprovalRequest >Approval
GET /apps/{appId} drive.apps.get @drive @drive.appdata @drive.apps.readonly @drive.file @drive.metadata @drive.metadata.readonly @drive.readonly
  >App
GET /apps drive.apps.list @drive.apps.readonly >AppList ?appFilterExtensions ?appFilterMimeTypes ?languageCode
GET /changes/startPageToken drive.changes.getStartPageToken @drive @drive.appdata @drive.file @drive.meet.readonly @drive.metadata
  @drive.metadata.readonly @drive.photos.readonly @drive.readonly >StartPageToken ?driveId ?supportsAllDrives:bool ?supportsTeamDrives:bool
  ?teamDriveId
GET /changes drive.changes.list @drive @drive.appdata @drive.file @drive.meet.readonly @drive.metadata @drive.metadata.readonly
  @drive.photos.readonly @drive.readonly >ChangeList ?driveId ?includeCorpusRemovals:bool ?includeItemsFromAllDrives:bool ?includeLabels
  ?includePermissionsForView ?includeRemoved:bool ?includeTeamDriveItems:bool ?pageSize:int32 ?pageToken ?restrictToMyDrive:bool ?spaces
  ?supportsAllDrives:bool ?supportsTeamDrives:bool ?teamDriveId
POST /changes/watch drive.changes.watch @drive @drive.appdata @drive.file @drive.meet.readonly @drive.metadata @drive.metadata.readonly
  @drive.photos.readonly @drive.readonly =Channel >Channel ?driveId ?includeCorpusRemovals:bool ?includeItemsFromAllDrives:bool ?includeLabels
  ?includePermissionsForView ?includeRemoved:bool ?includeTeamDriveItems:bool ?pageSize:int32 ?pageToken ?restrictToMyDrive:bool ?spaces
  ?supportsAllDrives:bool ?supportsTeamDrives:bool ?teamDriveId
POST /channels/stop drive.channels.stop @drive @drive.appdata @drive.file @drive.meet.readonly @drive.metadata @drive.metadata.readonly
  @drive.photos.readonly @drive.readonly =Channel
POST /files/{fileId}/comments drive.comments.create @drive @drive.file =Comment >Comment
DELETE /files/{fileId}/comments/{commentId} drive.comments.delete @drive @drive.file
GET /files/{fileId}/comments/{commentId} drive.comments.get @drive @drive.file @drive.meet.readonly @drive.readonly >Comment ?includeDeleted:bool
GET /files/{fileId}/comments drive.comments.list @drive @drive.file @drive.meet.readonly @drive.readonly >CommentList ?includeDeleted:bool
  ?pageSize:int32 ?pageToken ?startModifiedTime
PATCH /files/{fileId}/comments/{commentId} drive.comments.update @drive @drive.file =Comment >Comment
POST /drives drive.drives.create @drive =Drive >Drive ?requestId
DELETE /drives/{driveId} drive.drives.delete @drive ?allowItemDeletion:bool ?useDomainAdminAccess:bool
GET /drives/{driveId} drive.drives.get @drive @drive.readonly >Drive ?useDomainAdminAccess:bool
POST /drives/{driveId}/hide drive.drives.hide @drive >Drive
GET /drives drive.drives.list @drive @drive.readonly >DriveList ?pageSize:int32 ?pageToken ?q ?useDomainAdminAccess:bool
POST /drives/{driveId}/unhide drive.drives.unhide @drive >Drive
PATCH /drives/{driveId} drive.drives.update @drive =Drive >Drive ?useDomainAdminAccess:bool
POST /files/{fileId}/copy drive.files.copy @drive @drive.appdata @drive.file @drive.photos.readonly =File >File ?copyComments:bool
  ?enforceSingleParent:bool ?ignoreDefaultVisibility:bool ?includeLabels ?includePermissionsForView ?keepRevisionForever:bool ?ocrLanguage
  ?supportsAllDrives:bool ?supportsTeamDrives:bool
POST /files drive.files.create @drive @drive.appdata @drive.file =File >File ^5497558138880 ?enforceSingleParent:bool
  ?ignoreDefaultVisibility:bool ?includeLabels ?includePermissionsForView ?keepRevisionForever:bool ?ocrLanguage ?supportsAllDrives:bool
  ?supportsTeamDrives:bool ?useContentAsIndexableText:bool
DELETE /files/{fileId} drive.files.delete @drive @drive.appdata @drive.file ?enforceSingleParent:bool ?supportsAllDrives:bool
  ?supportsTeamDrives:bool
POST /files/{fileId}/download drive.files.download @drive @drive.file @drive.readonly >Operation ?mimeType ?revisionId
DELETE /files/trash drive.files.emptyTrash @drive ?driveId ?enforceSingleParent:bool
GET /files/{fileId}/export drive.files.export @drive @drive.file @drive.meet.readonly @drive.readonly <always ?mimeType
GET /files/generateCseToken drive.files.generateCseToken @drive >GenerateCseTokenResponse ?fileId ?parent
GET /files/generateIds drive.files.generateIds @drive @drive.appdata @drive.file >GeneratedIds ?count:int32 ?space ?type
GET /files/{fileId} drive.files.get @drive @drive.appdata @drive.file @drive.meet.readonly @drive.metadata @drive.metadata.readonly
  @drive.photos.readonly @drive.readonly >File <alt ?acknowledgeAbuse:bool ?includeLabels ?includePermissionsForView ?supportsAllDrives:bool
  ?supportsTeamDrives:bool
GET /files drive.files.list @drive @drive.appdata @drive.file @drive.meet.readonly @drive.metadata @drive.metadata.readonly
  @drive.photos.readonly @drive.readonly >FileList ?corpora ?corpus ?driveId ?includeItemsFromAllDrives:bool ?includeLabels
  ?includePermissionsForView ?includeTeamDriveItems:bool ?orderBy ?pageSize:int32 ?pageToken ?q ?spaces ?supportsAllDrives:bool
  ?supportsTeamDrives:bool ?teamDriveId
GET /files/{fileId}/listLabels drive.files.listLabels @drive @drive.file @drive.meet.readonly @drive.metadata @drive.metadata.readonly
  @drive.readonly >LabelList ?maxResults:int32 ?pageToken
POST /files/{fileId}/modifyLabels drive.files.modifyLabels @drive @drive.file @drive.metadata =ModifyLabelsRequest >ModifyLabelsResponse
PATCH /files/{fileId} drive.files.update @drive @drive.appdata @drive.file @drive.metadata @drive.scripts =File >File ^5497558138880 ?addParents
  ?enforceSingleParent:bool ?includeLabels ?includePermissionsForView ?keepRevisionForever:bool ?ocrLanguage ?removeParents
  ?supportsAllDrives:bool ?supportsTeamDrives:bool ?useContentAsIndexableText:bool
POST /files/{fileId}/watch drive.files.watch @drive @drive.appdata @drive.file @drive.meet.readonly @drive.metadata @drive.metadata.readonly
  @drive.photos.readonly @drive.readonly =Channel >Channel ?acknowledgeAbuse:bool ?includeLabels ?includePermissionsForView
  ?supportsAllDrives:bool ?supportsTeamDrives:bool
GET /operations/{name} drive.operations.get @drive @drive.file @drive.meet.readonly @drive.readonly >Operation
POST /files/{fileId}/permissions drive.permissions.create @drive @drive.file =Permission >Permission ?emailMessage ?enforceExpansiveAccess:bool
  ?enforceSingleParent:bool ?moveToNewOwnersRoot:bool ?sendNotificationEmail:bool ?supportsAllDrives:bool ?supportsTeamDrives:bool
  ?transferOwnership:bool ?useDomainAdminAccess:bool
DELETE /files/{fileId}/permissions/{permissionId} drive.permissions.delete @drive @drive.file ?enforceExpansiveAccess:bool
  ?supportsAllDrives:bool ?supportsTeamDrives:bool ?useDomainAdminAccess:bool
GET /files/{fileId}/permissions/{permissionId} drive.permissions.get @drive @drive.file @drive.meet.readonly @drive.metadata
  @drive.metadata.readonly @drive.photos.readonly @drive.readonly >Permission ?supportsAllDrives:bool ?supportsTeamDrives:bool
  ?useDomainAdminAccess:bool
GET /files/{fileId}/permissions drive.permissions.list @drive @drive.file @drive.meet.readonly @drive.metadata @drive.metadata.readonly
  @drive.photos.readonly @drive.readonly >PermissionList ?includePermissionsForView ?pageSize:int32 ?pageToken ?supportsAllDrives:bool
  ?supportsTeamDrives:bool ?useDomainAdminAccess:bool
PATCH /files/{fileId}/permissions/{permissionId} drive.permissions.update @drive @drive.file =Permission >Permission ?enforceExpansiveAccess:bool
  ?removeExpiration:bool ?supportsAllDrives:bool ?supportsTeamDrives:bool ?transferOwnership:bool ?useDomainAdminAccess:bool
POST /files/{fileId}/comments/{commentId}/replies drive.replies.create @drive @drive.file =Reply >Reply
DELETE /files/{fileId}/comments/{commentId}/replies/{replyId} drive.replies.delete @drive @drive.file
GET /files/{fileId}/comments/{commentId}/replies/{replyId} drive.replies.get @drive @drive.file @drive.meet.readonly @drive.readonly >Reply
  ?includeDeleted:bool
GET /files/{fileId}/comments/{commentId}/replies drive.replies.list @drive @drive.file @drive.meet.readonly @drive.readonly >ReplyList
  ?includeDeleted:bool ?pageSize:int32 ?pageToken
PATCH /files/{fileId}/comments/{commentId}/replies/{replyId} drive.replies.update @drive @drive.file =Reply >Reply
DELETE /files/{fileId}/revisions/{revisionId} drive.revisions.delete @drive @drive.appdata @drive.file
GET /files/{fileId}/revisions/{revisionId} drive.revisions.get @drive @drive.appdata @drive.file @drive.meet.readonly @drive.metadata
  @drive.metadata.readonly @drive.photos.readonly @drive.readonly >Revision <alt ?acknowledgeAbuse:bool
GET /files/{fileId}/revisions drive.revisions.list @drive @drive.appdata @drive.file @drive.meet.readonly @drive.metadata
  @drive.metadata.readonly @drive.photos.readonly @drive.readonly >RevisionList ?pageSize:int32 ?pageToken
PATCH /files/{fileId}/revisions/{revisionId} drive.revisions.update @drive @drive.appdata @drive.file =Revision >Revision
POST /teamdrives drive.teamdrives.create @drive =TeamDrive >TeamDrive ?requestId
DELETE /teamdrives/{teamDriveId} drive.teamdrives.delete @drive
GET /teamdrives/{teamDriveId} drive.teamdrives.get @drive @drive.readonly >TeamDrive ?useDomainAdminAccess:bool
GET /teamdrives drive.teamdrives.list @drive @drive.readonly >TeamDriveList ?pageSize:int32 ?pageToken ?q ?useDomainAdminAccess:bool
PATCH /teamdrives/{teamDriveId} drive.teamdrives.update @drive =TeamDrive >TeamDrive ?useDomainAdminAccess:bool
"""

OBJECTS = """
About appInstalled:bool canCreateDrives:bool canCreateTeamDrives:bool driveThemes*:About_driveThemes exportFormats{}* folderColorPalette*
  importFormats{}* kind maxImportSizes{}:int64 maxUploadSize:int64 storageQuota:About_storageQuota teamDriveThemes*:About_teamDriveThemes
  user:User
About_driveThemes backgroundImageLink colorRgb id
About_storageQuota limit:int64 usage:int64 usageInDrive:int64 usageInDriveTrash:int64
About_teamDriveThemes backgroundImageLink colorRgb id
AccessProposal createTime fileId proposalId recipientEmailAddress requestMessage requesterEmailAddress rolesAndViews*:AccessProposalRoleAndView
AccessProposalRoleAndView role view
AddReviewer addedReviewerEmail
App authorized:bool createInFolderTemplate createUrl hasDriveWideScope:bool icons*:AppIcons id installed:bool kind longDescription name
  objectType openUrlTemplate primaryFileExtensions* primaryMimeTypes* productId productUrl secondaryFileExtensions* secondaryMimeTypes*
  shortDescription supportsCreate:bool supportsImport:bool supportsMultiOpen:bool supportsOfflineCreate:bool useByDefault:bool
AppIcons category iconUrl size:int32
AppList defaultAppIds* items*:App kind selfLink
Approval approvalId approvedRevisionId completeTime createTime dueTime fileContentChangeBehavior initiator:User kind modifyTime
  reviewerResponses*:ReviewerResponse status targetFileId
ApprovalList items*:Approval kind nextPageToken
ApproveApprovalRequest message
CancelApprovalRequest message
Change changeType drive:Drive driveId file:File fileId kind removed:bool teamDrive:TeamDrive teamDriveId time type
ChangeList changes*:Change kind newStartPageToken nextPageToken
Channel address expiration:int64 id kind params{} payload:bool resourceId resourceUri token type
ClientEncryptionDetails decryptionMetadata:DecryptionMetadata encryptionState
Comment anchor assigneeEmailAddress author:User content createdTime deleted:bool htmlContent id kind mentionedEmailAddresses* modifiedTime
  quotedFileContent:Comment_quotedFileContent replies*:Reply resolved:bool
CommentApprovalRequest message
CommentList comments*:Comment kind nextPageToken
Comment_quotedFileContent mimeType value
ContentRestriction ownerRestricted:bool readOnly:bool reason restrictingUser:User restrictionTime systemRestricted:bool type
DeclineApprovalRequest message
DecryptionMetadata aes256GcmChunkSize encryptionResourceKeyHash jwt kaclsId:int64 kaclsName keyFormat wrappedKey
DownloadRestriction restrictedForReaders:bool restrictedForWriters:bool
DownloadRestrictionsMetadata effectiveDownloadRestrictionWithContext:DownloadRestriction itemDownloadRestriction:DownloadRestriction
Drive backgroundImageFile:Drive_backgroundImageFile backgroundImageLink capabilities:Drive_capabilities colorRgb createdTime hidden:bool id kind
  name orgUnitId restrictions:Drive_restrictions themeId
DriveList drives*:Drive kind nextPageToken
Drive_backgroundImageFile id width:float xCoordinate:float yCoordinate:float
Drive_capabilities canAddChildren:bool canChangeCopyRequiresWriterPermissionRestriction:bool canChangeDomainUsersOnlyRestriction:bool
  canChangeDownloadRestriction:bool canChangeDriveBackground:bool canChangeDriveMembersOnlyRestriction:bool
  canChangeSharingFoldersRequiresOrganizerPermissionRestriction:bool canComment:bool canCopy:bool canDeleteChildren:bool canDeleteDrive:bool
  canDownload:bool canEdit:bool canListChildren:bool canManageMembers:bool canReadRevisions:bool canRename:bool canRenameDrive:bool
  canResetDriveRestrictions:bool canShare:bool canTrashChildren:bool
Drive_restrictions adminManagedRestrictions:bool copyRequiresWriterPermission:bool domainUsersOnly:bool downloadRestriction:DownloadRestriction
  driveMembersOnly:bool sharingFoldersRequiresOrganizerPermission:bool
File appProperties{} capabilities:File_capabilities clientEncryptionDetails:ClientEncryptionDetails contentHints:File_contentHints
  contentRestrictions*:ContentRestriction copyRequiresWriterPermission:bool createdTime description
  downloadRestrictions:DownloadRestrictionsMetadata driveId explicitlyTrashed:bool exportLinks{} fileExtension folderColorRgb fullFileExtension
  hasAugmentedPermissions:bool hasThumbnail:bool headRevisionId iconLink id imageMediaMetadata:File_imageMediaMetadata
  inheritedPermissionsDisabled:bool isAppAuthorized:bool kind labelInfo:File_labelInfo lastModifyingUser:User
  linkShareMetadata:File_linkShareMetadata md5Checksum mimeType modifiedByMe:bool modifiedByMeTime modifiedTime name originalFilename
  ownedByMe:bool owners*:User parents* permissionIds* permissions*:Permission properties{} quotaBytesUsed:int64 resourceKey sha1Checksum
  sha256Checksum shared:bool sharedWithMeTime sharingUser:User shortcutDetails:File_shortcutDetails size:int64 spaces* starred:bool teamDriveId
  thumbnailLink thumbnailVersion:int64 trashed:bool trashedTime trashingUser:User version:int64 videoMediaMetadata:File_videoMediaMetadata
  viewedByMe:bool viewedByMeTime viewersCanCopyContent:bool webContentLink webViewLink writersCanShare:bool
FileList files*:File incompleteSearch:bool kind nextPageToken
File_capabilities canAcceptOwnership:bool canAccessViaGenAi:bool canAddChildren:bool canAddFolderFromAnotherDrive:bool canAddMyDriveParent:bool
  canChangeCopyRequiresWriterPermission:bool canChangeItemDownloadRestriction:bool canChangeSecurityUpdateEnabled:bool
  canChangeViewersCanCopyContent:bool canComment:bool canCopy:bool canDelete:bool canDeleteChildren:bool canDisableInheritedPermissions:bool
  canDownload:bool canEdit:bool canEnableInheritedPermissions:bool canListChildren:bool canModifyContent:bool canModifyContentRestriction:bool
  canModifyEditorContentRestriction:bool canModifyLabels:bool canModifyOwnerContentRestriction:bool canMoveChildrenOutOfDrive:bool
  canMoveChildrenOutOfTeamDrive:bool canMoveChildrenWithinDrive:bool canMoveChildrenWithinTeamDrive:bool canMoveItemIntoTeamDrive:bool
  canMoveItemOutOfDrive:bool canMoveItemOutOfTeamDrive:bool canMoveItemWithinDrive:bool canMoveItemWithinTeamDrive:bool canMoveTeamDriveItem:bool
  canReadDrive:bool canReadLabels:bool canReadRevisions:bool canReadTeamDrive:bool canRemoveChildren:bool canRemoveContentRestriction:bool
  canRemoveMyDriveParent:bool canRename:bool canShare:bool canStartApproval:bool canTrash:bool canTrashChildren:bool canUntrash:bool
File_contentHints indexableText thumbnail:File_contentHints_thumbnail
File_contentHints_thumbnail image:bytes mimeType
File_imageMediaMetadata aperture:float cameraMake cameraModel colorSpace exposureBias:float exposureMode exposureTime:float flashUsed:bool
  focalLength:float height:int32 isoSpeed:int32 lens location:File_imageMediaMetadata_location maxApertureValue:float meteringMode rotation:int32
  sensor subjectDistance:int32 time whiteBalance width:int32
File_imageMediaMetadata_location altitude:double latitude:double longitude:double
File_labelInfo labels*:Label
File_linkShareMetadata securityUpdateEligible:bool securityUpdateEnabled:bool
File_shortcutDetails targetId targetMimeType targetResourceKey
File_videoMediaMetadata durationMillis:int64 height:int32 width:int32
GenerateCseTokenResponse currentKaclsId:int64 currentKaclsName fileId jwt kind
GeneratedIds ids* kind space
Label fields{}:LabelField id kind revisionId
LabelField dateString* id integer*:int64 kind selection* text* user*:User valueType
LabelFieldModification fieldId kind setDateValues* setIntegerValues*:int64 setSelectionValues* setTextValues* setUserValues* unsetValues:bool
LabelList kind labels*:Label nextPageToken
LabelModification fieldModifications*:LabelFieldModification kind labelId removeLabel:bool
ListAccessProposalsResponse accessProposals*:AccessProposal nextPageToken
ModifyLabelsRequest kind labelModifications*:LabelModification
ModifyLabelsResponse kind modifiedLabels*:Label
Operation done:bool error:Status metadata{}:any name response{}:any
Permission allowFileDiscovery:bool deleted:bool displayName domain emailAddress expirationTime id inheritedPermissionsDisabled:bool kind
  pendingOwner:bool permissionDetails*:Permission_permissionDetails photoLink role
  teamDrivePermissionDetails*:Permission_teamDrivePermissionDetails type view
PermissionList kind nextPageToken permissions*:Permission
Permission_permissionDetails inherited:bool inheritedFrom permissionType role
Permission_teamDrivePermissionDetails inherited:bool inheritedFrom role teamDrivePermissionType
ReassignApprovalRequest addReviewers*:AddReviewer message replaceReviewers*:ReplaceReviewer
ReplaceReviewer addedReviewerEmail removedReviewerEmail
Reply action assigneeEmailAddress author:User content createdTime deleted:bool htmlContent id kind mentionedEmailAddresses* modifiedTime
ReplyList kind nextPageToken replies*:Reply
ResolveAccessProposalRequest action role* sendNotification:bool view
ReviewerResponse kind response reviewer:User
Revision exportLinks{} id keepForever:bool kind lastModifyingUser:User md5Checksum mimeType modifiedTime originalFilename publishAuto:bool
  published:bool publishedLink publishedOutsideDomain:bool size:int64
RevisionList kind nextPageToken revisions*:Revision
StartApprovalRequest dueTime fileContentChangeBehavior lockFile:bool message reviewerEmails*
StartPageToken kind startPageToken
Status code:int32 details*:any message
TeamDrive backgroundImageFile:TeamDrive_backgroundImageFile backgroundImageLink capabilities:TeamDrive_capabilities colorRgb createdTime id kind
  name orgUnitId restrictions:TeamDrive_restrictions themeId
TeamDriveList kind nextPageToken teamDrives*:TeamDrive
TeamDrive_backgroundImageFile id width:float xCoordinate:float yCoordinate:float
TeamDrive_capabilities canAddChildren:bool canChangeCopyRequiresWriterPermissionRestriction:bool canChangeDomainUsersOnlyRestriction:bool
  canChangeDownloadRestriction:bool canChangeSharingFoldersRequiresOrganizerPermissionRestriction:bool canChangeTeamDriveBackground:bool
  canChangeTeamMembersOnlyRestriction:bool canComment:bool canCopy:bool canDeleteChildren:bool canDeleteTeamDrive:bool canDownload:bool
  canEdit:bool canListChildren:bool canManageMembers:bool canReadRevisions:bool canRemoveChildren:bool canRename:bool canRenameTeamDrive:bool
  canResetTeamDriveRestrictions:bool canShare:bool canTrashChildren:bool
TeamDrive_restrictions adminManagedRestrictions:bool copyRequiresWriterPermission:bool domainUsersOnly:bool
  downloadRestriction:DownloadRestriction sharingFoldersRequiresOrganizerPermission:bool teamMembersOnly:bool
User displayName emailAddress kind me:bool permissionId photoLink
"""
