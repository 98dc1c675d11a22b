"""The browser client of the code host."""

from apps.github.pages import actions, branches, code, creating, edit, history, settings, work
from apps.github.pages.code_words import CODE_FILTERS
from apps.github.pages.places import PLACES
from apps.github.pages.ui import pages
from apps.github.pages.words import FILTERS

pages.filters = {**FILTERS, **CODE_FILTERS}
pages.pages.sort(key=lambda page: page.path.count("{"))  # `/search` is no account, `/{owner}/{repo}/issues` no folder

__all__ = ["PLACES", "actions", "branches", "code", "creating", "edit", "history", "pages", "settings", "work"]
