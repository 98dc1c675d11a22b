"""Burst limits of callers with an API token: requests per second, endpoint and HTTP method.

developer.atlassian.com/cloud/jira/platform/rate-limiting: GET and POST 100, PUT and DELETE 50. The quota of points per
hour there counts for apps only; the limit on writes to one issue (20 in 2 s) is out of reach of calls that take 3 s
each.
"""

WINDOW_S = 1
BURST = 100  # GET, POST
EDITS = 50  # PUT, DELETE
