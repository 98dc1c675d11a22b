"""All tools of GitHub's own server (MIT) that this code host can do, under its names.

The surface `vendor` has the daily ones. Names, parameters and required flags are confirmed.
Answers are the REST API's JSON, trimmed. The properties kept of users, issues, pull requests, reviews, commits, files
and releases are those that server keeps. Our choice are those of searches of issues, notifications, workflow runs and
jobs, get_ci_summary and the sentences of get_job_logs.
Left out, since there is nothing behind them here: the coding agent, code scanning and quality, Dependabot, secret
scanning, security advisories, projects, discussions, gists, issue fields and the list of issue types, finding
duplicates; of actions the download of artifacts.
Everything a tool changes is one operation: all of it happens, or nothing.
"""

from mcp_servers.github import issue_tools, pull_tools, repository_tools, work_tools
from mcp_servers.tools import Surface

surface = Surface("vendor-full", app="github")
for part in (work_tools, repository_tools, issue_tools, pull_tools):
    part.declare(surface)
