"""The browser client of the code host."""

from apps.github.pages import actions, branches, code, edit, history, new_repository, settings, work
from apps.github.pages.code_filters import CODE_FILTERS
from apps.github.pages.page_map import PLACES
from apps.github.pages.template_filters import FILTERS
from apps.github.pages.ui import pages

pages.filters = {**FILTERS, **CODE_FILTERS}
pages.pages.sort(key=lambda page: page.path.count("{"))  # `/search` is no account, `/{owner}/{repo}/issues` no folder

__all__ = ["PLACES", "actions", "branches", "code", "edit", "history", "new_repository", "pages", "settings", "work"]
