"""Finds apps, tool surfaces and scenarios by entry point; the kernel imports none by name."""

import importlib.util
import pkgutil
from collections.abc import Iterator, Sequence
from functools import lru_cache
from types import ModuleType

from world.core.app import App
from world.core.entry_points import load_part, packages


def modules(group: str) -> Iterator[ModuleType]:
    """The modules of an entry-point group; an entry that names a package stands for its subpackages too."""
    for package in packages(group):
        yield package
        yield from submodules(package)


def submodules(package: ModuleType) -> Iterator[ModuleType]:
    """The modules inside a package, by name; none of a module that is no package."""
    paths = getattr(package, "__path__", None)
    for name in sorted(info.name for info in pkgutil.iter_modules(paths)) if paths else ():
        yield load_part(package, name)


def app_packages() -> list[ModuleType]:
    """Every installed package that exports `app`, by app name. Modules of such a package import `app`, and are no apps."""
    return list(_find_app_packages(packages("firmament.apps")))


@lru_cache(maxsize=1)
def _find_app_packages(named: Sequence[ModuleType]) -> Sequence[ModuleType]:
    own = [package for package in named if _has_app(package)]
    below = [one for package in named if not _has_app(package) for one in submodules(package) if _has_app(one)]
    found = {module.app.name: module for module in (*own, *below)}
    return tuple(found[name] for name in sorted(found))


def _has_app(module: ModuleType) -> bool:
    return isinstance(getattr(module, "app", None), App)


def apps() -> list[App]:
    """Every installed app, by name; importing them registers their tables."""
    return [module.app for module in app_packages()]


def part(package: ModuleType, name: str) -> ModuleType | None:
    """A module of an app (`rest`, `pages`), or None if the app has none."""
    if importlib.util.find_spec(f"{package.__name__}.{name}") is None:
        return None
    return load_part(package, name)
