"""JSON shape of comments on commits."""

from apps.github.domain.context import GithubContext, node, stamp
from apps.github.models import Repository
from apps.github.models_issues import CommitComment
from apps.github.views.accounts import user_json
from apps.github.views.issues import association, bodies, reactions_json
from world.core.json_types import JsonObject


def comments_json(
    context: GithubContext, repo: Repository, rows: list[CommitComment], media: str | None = None
) -> list[JsonObject]:
    """Render comments on commits (schema commit-comment)."""
    context.call.flush()
    context.preload(row.author_id for row in rows)
    reacted = reactions_json(
        context, f"{context.repo_api(repo)}/comments/{{id}}/reactions", "commit_comment", [row.id for row in rows]
    )
    return [{**_comment_json(context, repo, row, media), "reactions": reacted[row.id]} for row in rows]


def _comment_json(context: GithubContext, repo: Repository, row: CommitComment, media: str | None) -> JsonObject:
    author = context.account(row.author_id)
    return {
        "url": f"{context.repo_api(repo)}/comments/{row.id}",
        "html_url": f"{context.repo_html(repo)}/commit/{row.sha}#commitcomment-{row.id}",
        "id": row.id,
        "node_id": node("CommitComment", repo.id, row.id),
        "user": user_json(context, author),
        "position": row.position,
        "line": row.line,
        "path": row.path,
        "commit_id": row.sha,
        "created_at": stamp(row.created_at),
        "updated_at": stamp(row.updated_at),
        "author_association": association(context, repo, author),
        **bodies(context, repo, row.body, media),
    }
