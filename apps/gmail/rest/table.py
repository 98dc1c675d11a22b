"""Method table: method and path, operation, parameters and result, and OAuth scopes.

developers.google.com/workspace/gmail/api/reference/rest; the discovery document of the API, gmail.v1.
"""

from apps.google.method_table import parse_lines

SCOPES = {
    "a": "mail.google.com",
    "m": "gmail.modify",
    "r": "gmail.readonly",
    "c": "gmail.compose",
    "d": "gmail.metadata",
    "s": "gmail.send",
    "i": "gmail.insert",
    "l": "gmail.labels",
    "b": "gmail.settings.basic",
    "h": "gmail.settings.sharing",
    "x": "gmail.addons.current.action.compose",
    "y": "gmail.addons.current.message.action",
    "z": "gmail.addons.current.message.metadata",
    "w": "gmail.addons.current.message.readonly",
}
METHODS = """
GET /{userId}/profile users.getProfile amrcd >Profile
POST /{userId}/stop users.stop amrd
POST /{userId}/watch users.watch amrd =WatchRequest >WatchResponse
POST /{userId}/drafts users.drafts.create amcx =Draft >Draft ^36700160
DELETE /{userId}/drafts/{id} users.drafts.delete amcx
GET /{userId}/drafts/{id} users.drafts.get amrc >Draft ?format
GET /{userId}/drafts users.drafts.list amrc >ListDraftsResponse ?includeSpamTrash:bool,maxResults:uint32,pageToken,q
POST /{userId}/drafts/send users.drafts.send amcx =Draft >Message ^36700160
PUT /{userId}/drafts/{id} users.drafts.update amcx =Draft >Draft ^36700160
GET /{userId}/history users.history.list amrd >ListHistoryResponse ?historyTypes*,labelId,maxResults:uint32,pageToken,startHistoryId:uint64
POST /{userId}/labels users.labels.create aml =Label >Label
DELETE /{userId}/labels/{id} users.labels.delete aml
GET /{userId}/labels/{id} users.labels.get amrdl >Label
GET /{userId}/labels users.labels.list amrdl >ListLabelsResponse
PATCH /{userId}/labels/{id} users.labels.patch aml =Label >Label
PUT /{userId}/labels/{id} users.labels.update aml =Label >Label
POST /{userId}/messages/batchDelete users.messages.batchDelete a =BatchDeleteMessagesRequest
POST /{userId}/messages/batchModify users.messages.batchModify am =BatchModifyMessagesRequest
DELETE /{userId}/messages/{id} users.messages.delete a
GET /{userId}/messages/{id} users.messages.get amrdyzw >Message ?format,metadataHeaders*
POST /{userId}/messages/import users.messages.import ami =Message >Message
  ?deleted:bool,internalDateSource,neverMarkSpam:bool,processForCalendar:bool ^157286400
POST /{userId}/messages users.messages.insert ami =Message >Message ?deleted:bool,internalDateSource ^157286400
GET /{userId}/messages users.messages.list amrd >ListMessagesResponse ?includeSpamTrash:bool,labelIds*,maxResults:uint32,pageToken,q
POST /{userId}/messages/{id}/modify users.messages.modify am =ModifyMessageRequest >Message
POST /{userId}/messages/send users.messages.send amcsx =Message >Message ^36700160
POST /{userId}/messages/{id}/trash users.messages.trash am >Message
POST /{userId}/messages/{id}/untrash users.messages.untrash am >Message
GET /{userId}/messages/{messageId}/attachments/{id} users.messages.attachments.get amryw >MessagePartBody
GET /{userId}/settings/autoForwarding users.settings.getAutoForwarding amrb >AutoForwarding
GET /{userId}/settings/imap users.settings.getImap amrb >ImapSettings
GET /{userId}/settings/language users.settings.getLanguage amrb >LanguageSettings
GET /{userId}/settings/pop users.settings.getPop amrb >PopSettings
GET /{userId}/settings/vacation users.settings.getVacation amrb >VacationSettings
PUT /{userId}/settings/autoForwarding users.settings.updateAutoForwarding h =AutoForwarding >AutoForwarding
PUT /{userId}/settings/imap users.settings.updateImap b =ImapSettings >ImapSettings
PUT /{userId}/settings/language users.settings.updateLanguage b =LanguageSettings >LanguageSettings
PUT /{userId}/settings/pop users.settings.updatePop b =PopSettings >PopSettings
PUT /{userId}/settings/vacation users.settings.updateVacation b =VacationSettings >VacationSettings
POST /{userId}/settings/delegates users.settings.delegates.create h =Delegate >Delegate
DELETE /{userId}/settings/delegates/{delegateEmail} users.settings.delegates.delete h
GET /{userId}/settings/delegates/{delegateEmail} users.settings.delegates.get amrb >Delegate
GET /{userId}/settings/delegates users.settings.delegates.list amrb >ListDelegatesResponse
POST /{userId}/settings/filters users.settings.filters.create b =Filter >Filter
DELETE /{userId}/settings/filters/{id} users.settings.filters.delete b
GET /{userId}/settings/filters/{id} users.settings.filters.get amrb >Filter
GET /{userId}/settings/filters users.settings.filters.list amrb >ListFiltersResponse
POST /{userId}/settings/forwardingAddresses users.settings.forwardingAddresses.create h =ForwardingAddress >ForwardingAddress
DELETE /{userId}/settings/forwardingAddresses/{forwardingEmail} users.settings.forwardingAddresses.delete h
GET /{userId}/settings/forwardingAddresses/{forwardingEmail} users.settings.forwardingAddresses.get amrb >ForwardingAddress
GET /{userId}/settings/forwardingAddresses users.settings.forwardingAddresses.list amrb >ListForwardingAddressesResponse
POST /{userId}/settings/sendAs users.settings.sendAs.create h =SendAs >SendAs
DELETE /{userId}/settings/sendAs/{sendAsEmail} users.settings.sendAs.delete h
GET /{userId}/settings/sendAs/{sendAsEmail} users.settings.sendAs.get amrb >SendAs
GET /{userId}/settings/sendAs users.settings.sendAs.list amrb >ListSendAsResponse
PATCH /{userId}/settings/sendAs/{sendAsEmail} users.settings.sendAs.patch bh =SendAs >SendAs
PUT /{userId}/settings/sendAs/{sendAsEmail} users.settings.sendAs.update bh =SendAs >SendAs
POST /{userId}/settings/sendAs/{sendAsEmail}/verify users.settings.sendAs.verify h
DELETE /{userId}/threads/{id} users.threads.delete a
GET /{userId}/threads/{id} users.threads.get amrdyzw >Thread ?format,metadataHeaders*
GET /{userId}/threads users.threads.list amrd >ListThreadsResponse ?includeSpamTrash:bool,labelIds*,maxResults:uint32,pageToken,q
POST /{userId}/threads/{id}/modify users.threads.modify am =ModifyThreadRequest >Thread
POST /{userId}/threads/{id}/trash users.threads.trash am >Thread
POST /{userId}/threads/{id}/untrash users.threads.untrash am >Thread
"""

# client-side encryption and S/MIME: nothing here is encrypted, and the page of a mail shows no signature
REFUSED_METHODS = """
POST /{userId}/settings/cse/identities users.settings.cse.identities.create
DELETE /{userId}/settings/cse/identities/{cseEmailAddress} users.settings.cse.identities.delete
GET /{userId}/settings/cse/identities/{cseEmailAddress} users.settings.cse.identities.get
GET /{userId}/settings/cse/identities users.settings.cse.identities.list
PATCH /{userId}/settings/cse/identities/{emailAddress} users.settings.cse.identities.patch
POST /{userId}/settings/cse/keypairs users.settings.cse.keypairs.create
POST /{userId}/settings/cse/keypairs/{keyPairId}:disable users.settings.cse.keypairs.disable
POST /{userId}/settings/cse/keypairs/{keyPairId}:enable users.settings.cse.keypairs.enable
GET /{userId}/settings/cse/keypairs/{keyPairId} users.settings.cse.keypairs.get
GET /{userId}/settings/cse/keypairs users.settings.cse.keypairs.list
POST /{userId}/settings/cse/keypairs/{keyPairId}:obliterate users.settings.cse.keypairs.obliterate
DELETE /{userId}/settings/sendAs/{sendAsEmail}/smimeInfo/{id} users.settings.sendAs.smimeInfo.delete
GET /{userId}/settings/sendAs/{sendAsEmail}/smimeInfo/{id} users.settings.sendAs.smimeInfo.get
POST /{userId}/settings/sendAs/{sendAsEmail}/smimeInfo users.settings.sendAs.smimeInfo.insert
GET /{userId}/settings/sendAs/{sendAsEmail}/smimeInfo users.settings.sendAs.smimeInfo.list
POST /{userId}/settings/sendAs/{sendAsEmail}/smimeInfo/{id}/setDefault users.settings.sendAs.smimeInfo.setDefault
"""

LINES = parse_lines(METHODS, SCOPES)
REFUSED = parse_lines(REFUSED_METHODS, SCOPES)
