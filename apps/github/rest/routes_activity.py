"""Routes of searches, inbox, watching, stars, timelines, followers and keys.

Source: docs.github.com/rest/search, /activity.
"""

SEARCH = """
GET /search/code search/code
GET /search/commits search/commits
GET /search/issues search/issues-and-pull-requests
GET /search/labels search/labels
GET /search/repositories search/repos
GET /search/topics search/topics
GET /search/users search/users
"""

NOTIFICATIONS = """
GET /notifications activity/list-notifications-for-authenticated-user
PUT /notifications activity/mark-notifications-as-read 205
GET /notifications/threads/{thread_id} activity/get-thread
PATCH /notifications/threads/{thread_id} activity/mark-thread-as-read 205
DELETE /notifications/threads/{thread_id} activity/mark-thread-as-done 204
GET /notifications/threads/{thread_id}/subscription activity/get-thread-subscription-for-authenticated-user
PUT /notifications/threads/{thread_id}/subscription activity/set-thread-subscription
DELETE /notifications/threads/{thread_id}/subscription activity/delete-thread-subscription 204
GET /repos/{owner}/{repo}/notifications activity/list-repo-notifications-for-authenticated-user
PUT /repos/{owner}/{repo}/notifications activity/mark-repo-notifications-as-read 205
"""

WATCHING = """
GET /repos/{owner}/{repo}/subscribers activity/list-watchers-for-repo
GET /repos/{owner}/{repo}/subscription activity/get-repo-subscription
PUT /repos/{owner}/{repo}/subscription activity/set-repo-subscription
DELETE /repos/{owner}/{repo}/subscription activity/delete-repo-subscription 204
GET /user/subscriptions activity/list-watched-repos-for-authenticated-user
GET /users/{username}/subscriptions activity/list-repos-watched-by-user
"""

STARS = """
GET /repos/{owner}/{repo}/stargazers activity/list-stargazers-for-repo
GET /repos/{owner}/{repo}/stargazers/count activity/get-stargazer-count-for-repo
GET /user/starred activity/list-repos-starred-by-authenticated-user
GET /user/starred/{owner}/{repo} activity/check-repo-is-starred-by-authenticated-user 204
PUT /user/starred/{owner}/{repo} activity/star-repo-for-authenticated-user 204
DELETE /user/starred/{owner}/{repo} activity/unstar-repo-for-authenticated-user 204
GET /users/{username}/starred activity/list-repos-starred-by-user
"""

EVENTS = """
GET /events activity/list-public-events
GET /networks/{owner}/{repo}/events activity/list-public-events-for-repo-network
GET /orgs/{org}/events activity/list-public-org-events
GET /repos/{owner}/{repo}/events activity/list-repo-events
GET /users/{username}/events activity/list-events-for-authenticated-user
GET /users/{username}/events/orgs/{org} activity/list-org-events-for-authenticated-user
GET /users/{username}/events/public activity/list-public-events-for-user
GET /users/{username}/received_events activity/list-received-events-for-user
GET /users/{username}/received_events/public activity/list-received-public-events-for-user
"""

FOLLOWING = """
GET /user/followers users/list-followers-for-authenticated-user
GET /user/following users/list-followed-by-authenticated-user
GET /user/following/{username} users/check-person-is-followed-by-authenticated 204
PUT /user/following/{username} users/follow 204
DELETE /user/following/{username} users/unfollow 204
GET /users/{username}/followers users/list-followers-for-user
GET /users/{username}/following users/list-following-for-user
GET /users/{username}/following/{target_user} users/check-following-for-user 204
"""

KEYS = """
GET /user/keys users/list-public-ssh-keys-for-authenticated-user
POST /user/keys users/create-public-ssh-key-for-authenticated-user 201
GET /user/keys/{key_id} users/get-public-ssh-key-for-authenticated-user
DELETE /user/keys/{key_id} users/delete-public-ssh-key-for-authenticated-user 204
GET /users/{username}/keys users/list-public-keys-for-user
GET /user/ssh_signing_keys users/list-ssh-signing-keys-for-authenticated-user
POST /user/ssh_signing_keys users/create-ssh-signing-key-for-authenticated-user 201
GET /user/ssh_signing_keys/{ssh_signing_key_id} users/get-ssh-signing-key-for-authenticated-user
DELETE /user/ssh_signing_keys/{ssh_signing_key_id} users/delete-ssh-signing-key-for-authenticated-user 204
GET /users/{username}/ssh_signing_keys users/list-ssh-signing-keys-for-user
"""

ACTIVITY = SEARCH + NOTIFICATIONS + WATCHING + STARS + EVENTS + FOLLOWING + KEYS
