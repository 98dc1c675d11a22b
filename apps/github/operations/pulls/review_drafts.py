"""Comments in a pending review, visible to others once it is submitted."""

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.pull_git import Changes
from apps.github.domain.pull_rows import EXAMPLE, get_writable_pull
from apps.github.domain.review_rows import add_comment, begin_thread, find_comment, find_pending_review, new_review
from apps.github.models_pulls import ReviewThread
from apps.github.operations.pulls.review_comments import CommentNew, check_text, find_place, one_comment_json
from apps.github.operations.pulls.review_threads import VIEWED
from apps.github.operations.pulls.reviews import check_unlocked
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

SOURCE = (
    "docs.github.com/pull-requests/collaborating-with-pull-requests/reviewing-changes-in-pull-requests/"
    "reviewing-proposed-changes-in-a-pull-request"
)


@app.operation(
    "web/pulls/draft-comment",
    writes=True,
    units=1,
    source=f"{VIEWED}#starting-a-review",
    examples=[{**EXAMPLE, "body": "Why?", "path": "$pulls/list-files:0.filename", "subject_type": "file"}],
    raises=("not_found", "archived", "locked", "validation_failed"),
)
def draft_comment(call: Call, params: CommentNew) -> JsonObject:
    """Add a comment or a reply to your pending review of a pull request; one is started if there is none."""
    context = GithubContext(call)
    repo, issue, pull = get_writable_pull(context, params)
    check_unlocked(context, repo, issue)
    check_text(params.body)
    if params.in_reply_to is not None:
        before, _ = find_comment(context, repo, params.in_reply_to)
        thread = call.session.get(ReviewThread, before.thread_id)
        if thread is None or before.issue_id != issue.id:
            raise OperationError("not_found")
        review = find_pending_review(context, issue) or new_review(context, repo, issue, pull)
        return one_comment_json(
            context,
            repo,
            add_comment(context, repo, issue, review, thread, params.body, before.reply_to_id or before.id),
        )
    where = find_place(Changes(context, repo, issue, pull), params)
    review = find_pending_review(context, issue) or new_review(context, repo, issue, pull)
    return one_comment_json(
        context, repo, begin_thread(context, repo, issue, review, where, params.body, pull.head_sha)
    )
