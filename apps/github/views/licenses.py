"""JSON shapes of licences (schemas license-simple and nullable-license-simple)."""

from apps.github.boilerplate.licenses import LICENSES, OTHER
from apps.github.domain.context import GithubContext, git_node
from world.core.json_types import JsonObject


def license_node(key: str) -> str:
    """Return the node id of a licence."""
    return git_node("MDc", 0, key)


def license_json(context: GithubContext, key: str | None) -> JsonObject | None:
    """Render a licence by its key; None for None."""
    if key is None:
        return None
    known = LICENSES.get(key)
    return {
        "key": key,
        "name": known.name if known else "Other" if key == OTHER else key.upper(),
        "spdx_id": known.spdx_id if known else "NOASSERTION",
        "url": f"{context.api}/licenses/{key}" if known else None,
        "node_id": license_node(key),
    }
