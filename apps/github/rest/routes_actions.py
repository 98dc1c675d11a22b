"""Routes of statuses, checks, workflows, deployments and webhooks.

Source: docs.github.com/rest/commits/statuses, /checks, /actions, /deployments, /repos/webhooks.
"""

ACTIONS = """
POST /repos/{owner}/{repo}/statuses/{sha} repos/create-commit-status 201
GET /repos/{owner}/{repo}/commits/{ref*}/status repos/get-combined-status-for-ref
GET /repos/{owner}/{repo}/commits/{ref*}/statuses repos/list-commit-statuses-for-ref
GET /repos/{owner}/{repo}/statuses/{ref*} repos/list-commit-statuses-for-ref
GET /repos/{owner}/{repo}/commits/{ref*}/check-runs checks/list-for-ref
GET /repos/{owner}/{repo}/commits/{ref*}/check-suites checks/list-suites-for-ref
POST /repos/{owner}/{repo}/check-runs checks/create 201
GET /repos/{owner}/{repo}/check-runs/{check_run_id} checks/get
PATCH /repos/{owner}/{repo}/check-runs/{check_run_id} checks/update
GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations checks/list-annotations
POST /repos/{owner}/{repo}/check-runs/{check_run_id}/rerequest checks/rerequest-run 201
POST /repos/{owner}/{repo}/check-suites checks/create-suite 201
PATCH /repos/{owner}/{repo}/check-suites/preferences checks/set-suites-preferences
GET /repos/{owner}/{repo}/check-suites/{check_suite_id} checks/get-suite
GET /repos/{owner}/{repo}/check-suites/{check_suite_id}/check-runs checks/list-for-suite
POST /repos/{owner}/{repo}/check-suites/{check_suite_id}/rerequest checks/rerequest-suite 201
GET /repos/{owner}/{repo}/actions/workflows actions/list-repo-workflows
GET /repos/{owner}/{repo}/actions/workflows/{workflow_id} actions/get-workflow
PUT /repos/{owner}/{repo}/actions/workflows/{workflow_id}/disable actions/disable-workflow 204
PUT /repos/{owner}/{repo}/actions/workflows/{workflow_id}/enable actions/enable-workflow 204
POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches actions/create-workflow-dispatch 204
GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs actions/list-workflow-runs
GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/timing actions/get-workflow-usage
POST /repos/{owner}/{repo}/dispatches repos/create-dispatch-event 204
GET /repos/{owner}/{repo}/actions/runs actions/list-workflow-runs-for-repo
GET /repos/{owner}/{repo}/actions/runs/{run_id} actions/get-workflow-run
DELETE /repos/{owner}/{repo}/actions/runs/{run_id} actions/delete-workflow-run 204
GET /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts actions/list-workflow-run-artifacts
GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number} actions/get-workflow-run-attempt
GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}/jobs actions/list-jobs-for-workflow-run-attempt
GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}/logs actions/download-workflow-run-attempt-logs 302
POST /repos/{owner}/{repo}/actions/runs/{run_id}/cancel actions/cancel-workflow-run 202
POST /repos/{owner}/{repo}/actions/runs/{run_id}/force-cancel actions/force-cancel-workflow-run 202
GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs actions/list-jobs-for-workflow-run
GET /repos/{owner}/{repo}/actions/runs/{run_id}/logs actions/download-workflow-run-logs 302
DELETE /repos/{owner}/{repo}/actions/runs/{run_id}/logs actions/delete-workflow-run-logs 204
POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun actions/re-run-workflow 201
POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs actions/re-run-workflow-failed-jobs 201
GET /repos/{owner}/{repo}/actions/runs/{run_id}/timing actions/get-workflow-run-usage
GET /repos/{owner}/{repo}/actions/jobs/{job_id} actions/get-job-for-workflow-run
GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs actions/download-job-logs-for-workflow-run 302
POST /repos/{owner}/{repo}/actions/jobs/{job_id}/rerun actions/re-run-job-for-workflow-run 201
GET /repos/{owner}/{repo}/actions/artifacts actions/list-artifacts-for-repo
GET /repos/{owner}/{repo}/actions/variables actions/list-repo-variables
POST /repos/{owner}/{repo}/actions/variables actions/create-repo-variable 201
GET /repos/{owner}/{repo}/actions/variables/{name} actions/get-repo-variable
PATCH /repos/{owner}/{repo}/actions/variables/{name} actions/update-repo-variable 204 name>new_name
DELETE /repos/{owner}/{repo}/actions/variables/{name} actions/delete-repo-variable 204
GET /repos/{owner}/{repo}/actions/secrets actions/list-repo-secrets
GET /repos/{owner}/{repo}/actions/secrets/public-key actions/get-repo-public-key
GET /repos/{owner}/{repo}/actions/secrets/{secret_name} actions/get-repo-secret
PUT /repos/{owner}/{repo}/actions/secrets/{secret_name} actions/create-or-update-repo-secret 204
DELETE /repos/{owner}/{repo}/actions/secrets/{secret_name} actions/delete-repo-secret 204
GET /repos/{owner}/{repo}/environments repos/get-all-environments
GET /repos/{owner}/{repo}/environments/{environment_name} repos/get-environment
PUT /repos/{owner}/{repo}/environments/{environment_name} repos/create-or-update-environment
DELETE /repos/{owner}/{repo}/environments/{environment_name} repos/delete-an-environment 204
GET /repos/{owner}/{repo}/deployments repos/list-deployments
POST /repos/{owner}/{repo}/deployments repos/create-deployment 201
GET /repos/{owner}/{repo}/deployments/{deployment_id} repos/get-deployment
DELETE /repos/{owner}/{repo}/deployments/{deployment_id} repos/delete-deployment 204
GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses repos/list-deployment-statuses
POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses repos/create-deployment-status 201
GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses/{status_id} repos/get-deployment-status
GET /repos/{owner}/{repo}/hooks repos/list-webhooks
POST /repos/{owner}/{repo}/hooks repos/create-webhook 201
GET /repos/{owner}/{repo}/hooks/{hook_id} repos/get-webhook
PATCH /repos/{owner}/{repo}/hooks/{hook_id} repos/update-webhook
DELETE /repos/{owner}/{repo}/hooks/{hook_id} repos/delete-webhook 204
GET /repos/{owner}/{repo}/hooks/{hook_id}/config repos/get-webhook-config-for-repo
PATCH /repos/{owner}/{repo}/hooks/{hook_id}/config repos/update-webhook-config-for-repo
GET /repos/{owner}/{repo}/hooks/{hook_id}/deliveries repos/list-webhook-deliveries
GET /repos/{owner}/{repo}/hooks/{hook_id}/deliveries/{delivery_id} repos/get-webhook-delivery
POST /repos/{owner}/{repo}/hooks/{hook_id}/deliveries/{delivery_id}/attempts repos/redeliver-webhook-delivery 202
POST /repos/{owner}/{repo}/hooks/{hook_id}/pings repos/ping-webhook 204
POST /repos/{owner}/{repo}/hooks/{hook_id}/tests repos/test-push-webhook 204
"""
