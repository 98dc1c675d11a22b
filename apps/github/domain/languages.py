"""Programming languages of files and repositories."""

import orjson

from apps.github.domain.context import GithubContext
from apps.github.models import Repository


def language(context: GithubContext, repo: Repository) -> str | None:
    """Return the language of most bytes on the default branch."""
    found = languages(context, repo)
    return max(found, key=lambda name: (found[name], name)) if found else None


ENDINGS = {
    "py": "Python",
    "js": "JavaScript",
    "ts": "TypeScript",
    "go": "Go",
    "rs": "Rust",
    "rb": "Ruby",
    "java": "Java",
    "sh": "Shell",
    "html": "HTML",
    "css": "CSS",
    "sql": "SQL",
    "c": "C",
    "h": "C",
    "cpp": "C++",
    "kt": "Kotlin",
    "tf": "HCL",
}


_SIZES = "SELECT sha1, size FROM json_each(:shas) CROSS JOIN github_object ON repo_id = :repo AND sha1 = value"


def languages(context: GithubContext, repo: Repository) -> dict[str, int]:
    """Return the bytes of the default branch by language."""
    git = context.git(repo)
    head = git.branch(repo.default_branch)
    if head is None:
        return {}
    named = [
        (name, entry.sha)
        for entry in git.walk(git.tree_of(head))
        if (name := ENDINGS.get(entry.name.rpartition(".")[2].lower()))
    ]
    shas = orjson.dumps(sorted({sha for _, sha in named})).decode()
    sizes, out = dict[str, int](context.call.all(_SIZES, {"repo": repo.id, "shas": shas})), dict[str, int]()  # type: ignore[arg-type]
    for name, sha in named:
        out[name] = out.get(name, 0) + sizes.get(sha, 0)
    return dict(sorted(out.items(), key=lambda item: (-item[1], item[0])))
