"""Rate limits: calls per minute and method, metadata/web-api/rate_limit_tiers.json of slackapi/java-slack-sdk."""

TIER1, TIER2, TIER3, TIER4 = 1, 20, 50, 100
POST = 60  # chat.postMessage: about one per second and channel, docs.slack.dev/apis/web-api/rate-limits
SPECIAL = 300  # auth.test, chat.getPermalink: hundreds per minute
DOCS = "docs.slack.dev/reference/methods/"
CLIENT = "observed: method of Slack's own web client, not documented"
