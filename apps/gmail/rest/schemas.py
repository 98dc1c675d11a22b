"""Schemas of the API's objects: fields of a body and of a `fields` mask.

Source: the discovery document of the API, gmail.v1. `name` is a text, `name*` repeated, `name:type` of another type. An
indented line continues the one before.
"""

from apps.google.method_table import parse_objects

OBJECTS = """
AutoForwarding disposition emailAddress enabled:bool
BatchDeleteMessagesRequest ids*
BatchModifyMessagesRequest addClassificationLabels*:ClassificationLabelValue addLabelIds* ids* removeClassificationLabelIds* removeLabelIds*
ClassificationLabelFieldValue fieldId selection
ClassificationLabelValue fields*:ClassificationLabelFieldValue labelId
Delegate delegateEmail verificationStatus
Draft id message:Message
Filter action:FilterAction criteria:FilterCriteria id
FilterAction addLabelIds* forward removeLabelIds*
FilterCriteria excludeChats:bool from hasAttachment:bool negatedQuery query size:int32 sizeComparison subject to
ForwardingAddress forwardingEmail verificationStatus
History id:uint64 labelsAdded*:HistoryLabelAdded labelsRemoved*:HistoryLabelRemoved messages*:Message
  messagesAdded*:HistoryMessageAdded messagesDeleted*:HistoryMessageDeleted
HistoryLabelAdded labelIds* message:Message
HistoryLabelRemoved labelIds* message:Message
HistoryMessageAdded message:Message
HistoryMessageDeleted message:Message
ImapSettings autoExpunge:bool enabled:bool expungeBehavior maxFolderSize:int32
Label color:LabelColor id labelListVisibility messageListVisibility messagesTotal:int32 messagesUnread:int32 name
  threadsTotal:int32 threadsUnread:int32 type
LabelColor backgroundColor textColor
LanguageSettings displayLanguage
ListDelegatesResponse delegates*:Delegate
ListDraftsResponse drafts*:Draft nextPageToken resultSizeEstimate:uint32
ListFiltersResponse filter*:Filter
ListForwardingAddressesResponse forwardingAddresses*:ForwardingAddress
ListHistoryResponse history*:History historyId:uint64 nextPageToken
ListLabelsResponse labels*:Label
ListMessagesResponse messages*:Message nextPageToken resultSizeEstimate:uint32
ListSendAsResponse sendAs*:SendAs
ListThreadsResponse nextPageToken resultSizeEstimate:uint32 threads*:Thread
Message classificationLabelValues*:ClassificationLabelValue historyId:uint64 id internalDate:int64 labelIds* payload:MessagePart
  raw:bytes sizeEstimate:int32 snippet threadId
MessagePart body:MessagePartBody filename headers*:MessagePartHeader mimeType partId parts*:MessagePart
MessagePartBody attachmentId data:bytes size:int32
MessagePartHeader name value
ModifyMessageRequest addClassificationLabels*:ClassificationLabelValue addLabelIds* removeClassificationLabelIds* removeLabelIds*
ModifyThreadRequest addLabelIds* removeLabelIds*
PopSettings accessWindow disposition
Profile emailAddress historyId:uint64 messagesTotal:int32 threadsTotal:int32
SendAs displayName isDefault:bool isPrimary:bool replyToAddress sendAsEmail signature smtpMsa:SmtpMsa treatAsAlias:bool verificationStatus
SmtpMsa host password port:int32 securityMode username
Thread historyId:uint64 id messages*:Message snippet
VacationSettings enableAutoReply:bool endTime:int64 responseBodyHtml responseBodyPlainText responseSubject
  restrictToContacts:bool restrictToDomain:bool startTime:int64
WatchRequest labelFilterAction labelFilterBehavior labelIds* topicName
WatchResponse expiration:int64 historyId:uint64
"""

SCHEMAS = parse_objects(OBJECTS)
