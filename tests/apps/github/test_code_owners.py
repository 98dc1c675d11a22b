"""CODEOWNERS: patterns, whose line counts, and who is asked for a review."""

import pytest

from apps.github.domain.code_owners import owner_of, parse
from tests.apps.github.conftest import Say
from tests.apps.github.pushes import push
from world.run.host import Host

# docs.github.com/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners
EXAMPLE = """
# This is a comment.
*       @global-owner1 @global-owner2
*.js    @js-owner #This is an inline comment.
*.go docs@example.com
*.txt @octo-org/octocats
/build/logs/ @doctocat
docs/* docs@example.com
apps/ @octocat
/docs/ @doctocat
/scripts/ @doctocat @octocat
**/logs @octologs
/apps/ @octocat2
/apps/github
!secret @nobody
[abc] @nobody
"""


@pytest.mark.parametrize(
    ("path", "owners"),
    [
        ("readme", ("@global-owner1", "@global-owner2")),
        ("a/b.js", ("@js-owner",)),
        ("x.go", ("docs@example.com",)),
        ("a/x.txt", ("@octo-org/octocats",)),
        ("build/logs/x", ("@octologs",)),
        ("a/build/logs/x/y", ("@octologs",)),
        ("docs/getting-started.md", ("@doctocat",)),
        ("docs/build-app/troubleshooting.md", ("@doctocat",)),
        ("x/apps/y", ("@octocat",)),
        ("apps/y", ("@octocat2",)),
        ("apps/github", ()),
        ("apps/github/x", ()),
        ("scripts/a", ("@doctocat", "@octocat")),
        ("a/logs/b/c", ("@octologs",)),
        ("secret", ("@global-owner1", "@global-owner2")),
    ],
)
def test_the_last_line_that_covers_a_file_counts(path: str, owners: tuple[str, ...]) -> None:
    found = owner_of(parse(EXAMPLE), path)
    assert found is not None and found.owners == owners


@pytest.mark.parametrize(
    ("pattern", "path", "covered"),
    [
        ("docs/*", "docs/a.md", True),
        ("docs/*", "docs/a/b.md", False),
        ("docs/*", "x/docs/a.md", False),
        ("docs/**", "docs/a/b.md", True),
        ("/a/*/c", "a/b/c", True),
        ("/a/*/c", "a/b/b/c", False),
        ("/a/**/c", "a/b/b/c", True),
        ("/a/**/c", "a/c", True),
        ("a?", "x/ab", True),
        ("a\\ b", "a b", True),
        ("foo/", "foo", False),
        ("foo/", "x/foo/y", True),
        ("Foo", "foo", False),
        ("/x.py", "a/x.py", False),
        ("*", "a/b/c", True),
        ("a*a*a*a*a*a*a*a*a*b", "a" * 200, False),
    ],
)
def test_patterns_are_gitignores_but_for_a_star_behind_a_folder(pattern: str, path: str, covered: bool) -> None:
    assert (owner_of(parse(f"{pattern} @x"), path) is not None) is covered


def test_owners_of_the_base_are_asked_when_a_pull_request_is_opened_or_ready(host: Host, say: Say) -> None:
    push(
        host,
        "main",
        {
            "docs/CODEOWNERS": "* @eve\n",
            "CODEOWNERS": "* @ada\n*.md @tiny/core bo@tiny.example\nsrc/ @dee @tiny/support @nobody\n",
        },
        who="ada",
    )
    push(host, "topic", {"a.txt": "a\n", "b.md": "b\n", "src/c.py": "c\n", "CODEOWNERS": "* @cyrus\n"}, start="main")
    made = say("pulls/create", "bo", title="x", head="topic", base="main", draft=True)
    assert (made["requested_reviewers"], made["requested_teams"]) == ([], [])
    ready = say("web/pulls/mark-ready", "bo", pull_number=made["number"])
    assert [one["login"] for one in ready["requested_reviewers"]] == ["ada"]
    assert [one["slug"] for one in ready["requested_teams"]] == ["core"]
