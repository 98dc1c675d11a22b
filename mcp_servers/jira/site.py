"""Site data of the vendor's tools: its cloud id, resource names, and additional fields."""

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from mcp_servers.tools import CallArguments, Look
from world.core.errors import InvalidArguments
from world.core.json_types import JsonObject

WORD = re.compile(r"\w+(?:[-'.]\w+)*")
ARI = re.compile(r"ari:cloud:jira:[^:]*:issue/([\w-]+)")


def prepare_site(arguments: JsonObject, given: Mapping[str, object], look: Look) -> JsonObject:
    """The arguments, if `cloudId` is a site the caller can reach: its id, address or host name. Raises
    InvalidArguments.
    """
    asked = str(given.get("cloudId") or "").rstrip("/")
    if asked and asked not in _list_site_names(look):
        raise InvalidArguments([("cloudId", "no such site; getAccessibleAtlassianResources lists those you can use")])
    return arguments


def _list_site_names(look: Look) -> set[str]:
    sites = look("getAccessibleResources")
    return {name for one in sites for name in (one["id"], one["url"].rstrip("/"), urlsplit(one["url"]).netloc)}


def prepare_creation(arguments: JsonObject, given: Mapping[str, object], look: Look) -> JsonObject:
    """The arguments with the additional fields among the fields."""
    return merge_additional_fields(prepare_site(arguments, given, look), given)


def merge_additional_fields(arguments: CallArguments, given: Mapping[str, object]) -> CallArguments:
    """The arguments with `additional_fields` merged into `fields`."""
    extra = given.get("additional_fields")
    return {**arguments, "fields": {**arguments.get("fields", {}), **extra}} if isinstance(extra, dict) else arguments


def words_to_jql(query: object) -> str:
    """The JQL that looks for words in all texts; signs mean nothing here. Raises ValueError."""
    words = WORD.findall(query) if isinstance(query, str) else []
    if not words:
        raise ValueError("must be words to look for")
    return f'text ~ "{" ".join(words)}" ORDER BY updated DESC'


def resource_name(cloud_id: str, issue: str) -> str:
    """The resource name of an issue."""
    return f"ari:cloud:jira:{cloud_id}:issue/{issue}"


def parse_resource_name(name: object) -> str:
    """The issue of a resource name. Raises ValueError."""
    found = ARI.fullmatch(name) if isinstance(name, str) else None
    if found is None:
        raise ValueError("must be an id from searchAtlassian, like ari:cloud:jira:...:issue/10000")
    return found[1]
