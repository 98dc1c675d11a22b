"""Routes of pull requests and protected branches. Source: docs.github.com/rest/pulls, docs.github.com/rest/branches."""

PULLS = """
GET /repos/{owner}/{repo}/pulls pulls/list
POST /repos/{owner}/{repo}/pulls pulls/create 201
GET /repos/{owner}/{repo}/pulls/comments pulls/list-review-comments-for-repo
GET /repos/{owner}/{repo}/pulls/comments/{comment_id} pulls/get-review-comment
PATCH /repos/{owner}/{repo}/pulls/comments/{comment_id} pulls/update-review-comment
DELETE /repos/{owner}/{repo}/pulls/comments/{comment_id} pulls/delete-review-comment 204
GET /repos/{owner}/{repo}/pulls/{pull_number} pulls/get
PATCH /repos/{owner}/{repo}/pulls/{pull_number} pulls/update
GET /repos/{owner}/{repo}/pulls/{pull_number}/comments pulls/list-review-comments
POST /repos/{owner}/{repo}/pulls/{pull_number}/comments pulls/create-review-comment 201
POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies pulls/create-reply-for-review-comment 201
GET /repos/{owner}/{repo}/pulls/{pull_number}/commits pulls/list-commits
GET /repos/{owner}/{repo}/pulls/{pull_number}/files pulls/list-files
GET /repos/{owner}/{repo}/pulls/{pull_number}/merge pulls/check-if-merged 204
PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge pulls/merge
GET /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers pulls/list-requested-reviewers
POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers pulls/request-reviewers 201
DELETE /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers pulls/remove-requested-reviewers
GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews pulls/list-reviews
POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews pulls/create-review
GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id} pulls/get-review
PUT /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id} pulls/update-review
DELETE /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id} pulls/delete-pending-review
GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/comments pulls/list-comments-for-review
PUT /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/dismissals pulls/dismiss-review
POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/events pulls/submit-review
PUT /repos/{owner}/{repo}/pulls/{pull_number}/update-branch pulls/update-branch 202
"""
PROTECTION = """
GET /repos/{owner}/{repo}/autolinks repos/list-autolinks
POST /repos/{owner}/{repo}/autolinks repos/create-autolink 201
GET /repos/{owner}/{repo}/autolinks/{autolink_id} repos/get-autolink
DELETE /repos/{owner}/{repo}/autolinks/{autolink_id} repos/delete-autolink 204
GET /repos/{owner}/{repo}/rules/branches/{branch*} repos/get-branch-rules
GET /repos/{owner}/{repo}/rulesets repos/get-repo-rulesets
POST /repos/{owner}/{repo}/rulesets repos/create-repo-ruleset 201
GET /repos/{owner}/{repo}/rulesets/{ruleset_id#} repos/get-repo-ruleset
PUT /repos/{owner}/{repo}/rulesets/{ruleset_id#} repos/update-repo-ruleset
DELETE /repos/{owner}/{repo}/rulesets/{ruleset_id#} repos/delete-repo-ruleset 204
GET /repos/{owner}/{repo}/branches/{branch*}/protection repos/get-branch-protection
PUT /repos/{owner}/{repo}/branches/{branch*}/protection repos/update-branch-protection
DELETE /repos/{owner}/{repo}/branches/{branch*}/protection repos/delete-branch-protection 204
GET /repos/{owner}/{repo}/branches/{branch*}/protection/enforce_admins repos/get-admin-branch-protection
POST /repos/{owner}/{repo}/branches/{branch*}/protection/enforce_admins repos/set-admin-branch-protection
DELETE /repos/{owner}/{repo}/branches/{branch*}/protection/enforce_admins repos/delete-admin-branch-protection 204
GET /repos/{owner}/{repo}/branches/{branch*}/protection/required_pull_request_reviews repos/get-pull-request-review-protection
PATCH /repos/{owner}/{repo}/branches/{branch*}/protection/required_pull_request_reviews repos/update-pull-request-review-protection
DELETE /repos/{owner}/{repo}/branches/{branch*}/protection/required_pull_request_reviews repos/delete-pull-request-review-protection 204
GET /repos/{owner}/{repo}/branches/{branch*}/protection/required_status_checks repos/get-status-checks-protection
PATCH /repos/{owner}/{repo}/branches/{branch*}/protection/required_status_checks repos/update-status-check-protection
DELETE /repos/{owner}/{repo}/branches/{branch*}/protection/required_status_checks repos/remove-status-check-protection 204
GET /repos/{owner}/{repo}/branches/{branch*}/protection/required_status_checks/contexts repos/get-all-status-check-contexts
POST /repos/{owner}/{repo}/branches/{branch*}/protection/required_status_checks/contexts repos/add-status-check-contexts =contexts
PUT /repos/{owner}/{repo}/branches/{branch*}/protection/required_status_checks/contexts repos/set-status-check-contexts =contexts
DELETE /repos/{owner}/{repo}/branches/{branch*}/protection/required_status_checks/contexts repos/remove-status-check-contexts =contexts
GET /repos/{owner}/{repo}/branches/{branch*}/protection/restrictions repos/get-access-restrictions
DELETE /repos/{owner}/{repo}/branches/{branch*}/protection/restrictions repos/delete-access-restrictions 204
GET /repos/{owner}/{repo}/branches/{branch*}/protection/restrictions/users repos/get-users-with-access-to-protected-branch
POST /repos/{owner}/{repo}/branches/{branch*}/protection/restrictions/users repos/add-user-access-restrictions =users
PUT /repos/{owner}/{repo}/branches/{branch*}/protection/restrictions/users repos/set-user-access-restrictions =users
DELETE /repos/{owner}/{repo}/branches/{branch*}/protection/restrictions/users repos/remove-user-access-restrictions =users
GET /repos/{owner}/{repo}/branches/{branch*}/protection/restrictions/teams repos/get-teams-with-access-to-protected-branch
POST /repos/{owner}/{repo}/branches/{branch*}/protection/restrictions/teams repos/add-team-access-restrictions =teams
PUT /repos/{owner}/{repo}/branches/{branch*}/protection/restrictions/teams repos/set-team-access-restrictions =teams
DELETE /repos/{owner}/{repo}/branches/{branch*}/protection/restrictions/teams repos/remove-team-access-restrictions =teams
"""
