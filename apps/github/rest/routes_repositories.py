"""Routes of repositories, their contents and git data, and people.

Source: docs.github.com/rest/repos, /git, /users, /orgs, /teams.
"""

CONTENTS = """
GET /repos/{owner}/{repo}/contents/{path*} repos/get-content
GET /repos/{owner}/{repo}/contents repos/get-content
PUT /repos/{owner}/{repo}/contents/{path*} repos/create-or-update-file-contents
DELETE /repos/{owner}/{repo}/contents/{path*} repos/delete-file
GET /repos/{owner}/{repo}/readme repos/get-readme
GET /repos/{owner}/{repo}/readme/{dir*} repos/get-readme-in-directory
"""

BRANCHES = """
GET /repos/{owner}/{repo}/branches repos/list-branches
GET /repos/{owner}/{repo}/branches/{branch*} repos/get-branch
POST /repos/{owner}/{repo}/branches/{branch*}/rename repos/rename-branch 201
GET /repos/{owner}/{repo}/tags repos/list-tags
"""

COMMITS = """
GET /repos/{owner}/{repo}/commits repos/list-commits
GET /repos/{owner}/{repo}/commits/{ref*} repos/get-commit
GET /repos/{owner}/{repo}/commits/{commit_sha*}/branches-where-head repos/list-branches-for-head-commit
GET /repos/{owner}/{repo}/compare/{basehead*} repos/compare-commits-with-basehead
"""

GIT = """
POST /repos/{owner}/{repo}/git/blobs git/create-blob 201
GET /repos/{owner}/{repo}/git/blobs/{file_sha} git/get-blob
POST /repos/{owner}/{repo}/git/commits git/create-commit 201
GET /repos/{owner}/{repo}/git/commits/{commit_sha*} git/get-commit
GET /repos/{owner}/{repo}/git/ref/{ref*} git/get-ref
GET /repos/{owner}/{repo}/git/matching-refs/{ref*} git/list-matching-refs
GET /repos/{owner}/{repo}/git/matching-refs git/list-matching-refs
GET /repos/{owner}/{repo}/git/refs git/list-matching-refs
GET /repos/{owner}/{repo}/git/refs/{ref*} git/get-ref
POST /repos/{owner}/{repo}/git/refs git/create-ref 201
PATCH /repos/{owner}/{repo}/git/refs/{ref*} git/update-ref
DELETE /repos/{owner}/{repo}/git/refs/{ref*} git/delete-ref 204
POST /repos/{owner}/{repo}/git/tags git/create-tag 201
GET /repos/{owner}/{repo}/git/tags/{tag_sha} git/get-tag
POST /repos/{owner}/{repo}/git/trees git/create-tree 201
GET /repos/{owner}/{repo}/git/trees/{tree_sha*} git/get-tree
"""

ABOUT = """
GET /repos/{owner}/{repo} repos/get
PATCH /repos/{owner}/{repo} repos/update
DELETE /repos/{owner}/{repo} repos/delete 204
GET /orgs/{org}/repos repos/list-for-org
POST /orgs/{org}/repos repos/create-in-org 201
GET /users/{username}/repos repos/list-for-user
GET /user/repos repos/list-for-authenticated-user
POST /user/repos repos/create-for-authenticated-user 201
GET /repositories repos/list-public
GET /repos/{owner}/{repo}/topics repos/get-all-topics
PUT /repos/{owner}/{repo}/topics repos/replace-all-topics
GET /repos/{owner}/{repo}/languages repos/list-languages
GET /repos/{owner}/{repo}/contributors repos/list-contributors
GET /repos/{owner}/{repo}/teams repos/list-teams
GET /repos/{owner}/{repo}/activity repos/list-activities
GET /repos/{owner}/{repo}/codeowners/errors repos/codeowners-errors
GET /repos/{owner}/{repo}/community/profile repos/get-community-profile-metrics
GET /repos/{owner}/{repo}/forks repos/list-forks
POST /repos/{owner}/{repo}/forks repos/create-fork 202
POST /repos/{owner}/{repo}/merges repos/merge 201
POST /repos/{owner}/{repo}/merge-upstream repos/merge-upstream
"""

ACCESS = """
GET /repos/{owner}/{repo}/collaborators repos/list-collaborators
GET /repos/{owner}/{repo}/collaborators/{username} repos/check-collaborator 204
PUT /repos/{owner}/{repo}/collaborators/{username} repos/add-collaborator 201
DELETE /repos/{owner}/{repo}/collaborators/{username} repos/remove-collaborator 204
GET /repos/{owner}/{repo}/collaborators/{username}/permission repos/get-collaborator-permission-level
GET /repos/{owner}/{repo}/invitations repos/list-invitations
PATCH /repos/{owner}/{repo}/invitations/{invitation_id} repos/update-invitation
DELETE /repos/{owner}/{repo}/invitations/{invitation_id} repos/delete-invitation 204
GET /user/repository_invitations repos/list-invitations-for-authenticated-user
PATCH /user/repository_invitations/{invitation_id} repos/accept-invitation-for-authenticated-user 204
DELETE /user/repository_invitations/{invitation_id} repos/decline-invitation-for-authenticated-user 204
"""

PEOPLE = """
GET /user users/get-authenticated
PATCH /user users/update-authenticated
GET /user/{account_id#} users/get-by-id
GET /user/emails users/list-emails-for-authenticated-user
GET /users users/list
GET /users/{username} users/get-by-username
GET /orgs/{org} orgs/get
PATCH /orgs/{org} orgs/update
GET /organizations orgs/list
GET /user/orgs orgs/list-for-authenticated-user
GET /users/{username}/orgs orgs/list-for-user
GET /orgs/{org}/members orgs/list-members
GET /orgs/{org}/members/{username} orgs/check-membership-for-user 204
DELETE /orgs/{org}/members/{username} orgs/remove-member 204
GET /orgs/{org}/public_members orgs/list-public-members
GET /orgs/{org}/public_members/{username} orgs/check-public-membership-for-user 204
PUT /orgs/{org}/public_members/{username} orgs/set-public-membership-for-authenticated-user 204
DELETE /orgs/{org}/public_members/{username} orgs/remove-public-membership-for-authenticated-user 204
GET /orgs/{org}/memberships/{username} orgs/get-membership-for-user
PUT /orgs/{org}/memberships/{username} orgs/set-membership-for-user
DELETE /orgs/{org}/memberships/{username} orgs/remove-membership-for-user 204
GET /user/memberships/orgs orgs/list-memberships-for-authenticated-user
GET /user/memberships/orgs/{org} orgs/get-membership-for-authenticated-user
"""

TEAMS = """
GET /orgs/{org}/teams teams/list
POST /orgs/{org}/teams teams/create 201
GET /user/teams teams/list-for-authenticated-user
GET /orgs/{org}/teams/{team_slug} teams/get-by-name
PATCH /orgs/{org}/teams/{team_slug} teams/update-in-org
DELETE /orgs/{org}/teams/{team_slug} teams/delete-in-org 204
GET /orgs/{org}/teams/{team_slug}/teams teams/list-child-in-org
GET /orgs/{org}/teams/{team_slug}/members teams/list-members-in-org
GET /orgs/{org}/teams/{team_slug}/memberships/{username} teams/get-membership-for-user-in-org
PUT /orgs/{org}/teams/{team_slug}/memberships/{username} teams/add-or-update-membership-for-user-in-org
DELETE /orgs/{org}/teams/{team_slug}/memberships/{username} teams/remove-membership-for-user-in-org 204
GET /orgs/{org}/teams/{team_slug}/repos teams/list-repos-in-org
GET /orgs/{org}/teams/{team_slug}/repos/{owner}/{repo} teams/check-permissions-for-repo-in-org 204
PUT /orgs/{org}/teams/{team_slug}/repos/{owner}/{repo} teams/add-or-update-repo-permissions-in-org 204
DELETE /orgs/{org}/teams/{team_slug}/repos/{owner}/{repo} teams/remove-repo-in-org 204
"""

RELEASES = """
GET /repos/{owner}/{repo}/releases repos/list-releases
POST /repos/{owner}/{repo}/releases repos/create-release 201
POST /repos/{owner}/{repo}/releases/generate-notes repos/generate-release-notes
GET /repos/{owner}/{repo}/releases/latest repos/get-latest-release
GET /repos/{owner}/{repo}/releases/tags/{tag*} repos/get-release-by-tag
GET /repos/{owner}/{repo}/releases/{release_id} repos/get-release
PATCH /repos/{owner}/{repo}/releases/{release_id} repos/update-release
DELETE /repos/{owner}/{repo}/releases/{release_id} repos/delete-release 204
GET /repos/{owner}/{repo}/releases/{release_id}/assets repos/list-release-assets
POST /repos/{owner}/{repo}/releases/{release_id}/assets repos/upload-release-asset 201 ?name,label @content
GET /repos/{owner}/{repo}/releases/assets/{asset_id} repos/get-release-asset
PATCH /repos/{owner}/{repo}/releases/assets/{asset_id} repos/update-release-asset
DELETE /repos/{owner}/{repo}/releases/assets/{asset_id} repos/delete-release-asset 204
GET /repos/{owner}/{repo}/tarball/{ref*} repos/download-tarball-archive
GET /repos/{owner}/{repo}/tarball repos/download-tarball-archive
GET /repos/{owner}/{repo}/zipball/{ref*} repos/download-zipball-archive
GET /repos/{owner}/{repo}/zipball repos/download-zipball-archive
"""

COMMENTS = """
GET /repos/{owner}/{repo}/comments repos/list-commit-comments-for-repo
GET /repos/{owner}/{repo}/comments/{comment_id} repos/get-commit-comment
PATCH /repos/{owner}/{repo}/comments/{comment_id} repos/update-commit-comment
DELETE /repos/{owner}/{repo}/comments/{comment_id} repos/delete-commit-comment 204
GET /repos/{owner}/{repo}/commits/{commit_sha*}/comments repos/list-comments-for-commit
POST /repos/{owner}/{repo}/commits/{commit_sha*}/comments repos/create-commit-comment 201
GET /repos/{owner}/{repo}/commits/{commit_sha*}/pulls repos/list-pull-requests-associated-with-commit
"""

META = """
GET / meta/root
GET /rate_limit rate-limit/get
GET /zen meta/get-zen
GET /versions meta/get-all-versions
GET /meta meta/get
GET /emojis emojis/get
POST /markdown markdown/render
GET /licenses licenses/get-all-commonly-used
GET /licenses/{license} licenses/get
GET /repos/{owner}/{repo}/license licenses/get-for-repo
GET /gitignore/templates gitignore/get-all-templates
GET /gitignore/templates/{name} gitignore/get-template
"""

GISTS = """
GET /gists gists/list
POST /gists gists/create 201
GET /gists/public gists/list-public
GET /users/{username}/gists gists/list-for-user
GET /gists/{gist_id} gists/get
PATCH /gists/{gist_id} gists/update
DELETE /gists/{gist_id} gists/delete 204
GET /gists/{gist_id}/comments gists/list-comments
POST /gists/{gist_id}/comments gists/create-comment 201
GET /gists/{gist_id}/comments/{comment_id} gists/get-comment
PATCH /gists/{gist_id}/comments/{comment_id} gists/update-comment
DELETE /gists/{gist_id}/comments/{comment_id} gists/delete-comment 204
"""

STATISTICS = """
GET /repos/{owner}/{repo}/stats/code_frequency repos/get-code-frequency-stats
GET /repos/{owner}/{repo}/stats/commit_activity repos/get-commit-activity-stats
GET /repos/{owner}/{repo}/stats/contributors repos/get-contributors-stats
GET /repos/{owner}/{repo}/stats/participation repos/get-participation-stats
GET /repos/{owner}/{repo}/stats/punch_card repos/get-punch-card-stats
"""

REPOSITORIES = (
    CONTENTS
    + BRANCHES
    + COMMITS
    + GIT
    + ABOUT
    + ACCESS
    + PEOPLE
    + TEAMS
    + RELEASES
    + COMMENTS
    + META
    + GISTS
    + STATISTICS
)
