"""One question while the service takes no more: `python pygithub_patience.py`; the library waits and asks again by
itself.
"""

import json
import os

from github import Auth, Github, GithubException, GithubRetry
from requests.exceptions import RetryError

hub = Github(base_url=os.environ["FIRM_URL"], auth=Auth.Token(os.environ["FIRM_TOKEN"]), retry=GithubRetry(total=2))
hasty = Github(base_url=os.environ["FIRM_URL"], auth=Auth.Token(os.environ["FIRM_TOKEN"]), retry=None)
report: dict[str, object] = {}
try:
    hasty.get_user("bo").login  # noqa: B018  asks
except GithubException as error:
    report = {"hasty": [type(error).__name__, error.status, (error.headers or {}).get("retry-after")]}
try:
    report["patient"] = hub.get_user("bo").login
except RetryError as error:
    report["patient"] = type(error).__name__
print(json.dumps(report))
