"""What an account may do for itself, whose the rows of a repository are, and which rows let somebody in."""

from apps.github.app import app
from world.core.conduct import Conduct, message, opening, own

app.declare_conduct(
    {
        "github_comment": message("issue_id", "author", words="body"),
        "github_commit_comment": message("repo_id", "author", words="body sha path"),
        "github_review": message("issue_id", "author", words="body state commit_sha"),
        "github_review_comment": message("issue_id", "author", words="body"),
        "github_gist_comment": message("gist_id", "author", words="body"),
        "github_reaction": own("user"),
        "github_star": own("user"),
        "github_watch": own("user"),
        "github_follow": own("user"),
        "github_subscription": own("user"),
        "github_notification": own("user"),
        "github_issue": Conduct(("author",)),
        "github_public_key": opening("user"),
        "github_collaborator": opening(),
        "github_invitation": opening(),
        "github_org_member": opening(),
        "github_team_member": opening(),
        "github_repo_team": opening(),
        "github_hook": opening(),
        "github_secret": opening(),
    }
)
