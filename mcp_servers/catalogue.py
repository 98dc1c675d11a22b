"""Catalogue of tool surfaces: those declared in the entry-point group, and one derived for every app."""

import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from mcp_servers.derived_surface import derive_surface
from mcp_servers.host_config import COMBINED
from mcp_servers.tools import Surface
from mcp_servers.toolset import WORLD, BoundTool, Toolset, fit
from world.core import discovery
from world.core.app import App
from world.core.entry_points import load_part

GROUP = "firmament.surfaces"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """`of_app`: app -> surface name -> toolset, the default under "". `combined`: all defaults in one list."""

    of_app: Mapping[str, Mapping[str, Toolset]]
    combined: Toolset

    def find(self, app: str, surface: str | None = None) -> Toolset:
        """A surface of an app, its default unless named; app "all" is the combined list. Raises LookupError."""
        if app == COMBINED:
            return self.combined
        found = self.of_app.get(app, {}).get(surface or "")
        if found is None:
            raise LookupError(f"no tool surface {app}{'/' + surface if surface else ''}")
        return found


def surfaces() -> list[Surface]:
    """Every declared surface, by app and name."""
    found: dict[tuple[str, str], Surface] = {}
    for module in discovery.modules(GROUP):
        names = sorted(info.name for info in pkgutil.iter_modules(getattr(module, "__path__", ())))
        for part in (module, *(load_part(module, name) for name in names)):
            surface = getattr(part, "surface", None)
            if isinstance(surface, Surface):
                found[surface.app, surface.name] = surface
    return [found[key] for key in sorted(found)]


def catalogue(apps: Iterable[App], declared: Iterable[Surface] | None = None) -> Catalogue:
    """The surfaces of a host's apps. Raises LookupError when a surface names an operation that no app declares."""
    listed = {app.name: app for app in apps}
    operations = {id: operation for app in listed.values() for id, operation in app.operations.items()}
    of_app = {name: {"operations": fit(derive_surface(app), operations, app.vendor)} for name, app in listed.items()}
    beside: dict[str, Toolset] = {}
    for surface in surfaces() if declared is None else declared:
        if surface.app not in listed:
            continue
        fitted = of_app[surface.app][surface.name] = fit(surface, operations, listed[surface.app].vendor)
        if surface.default:
            of_app[surface.app][""] = fitted
            more = derive_surface(listed[surface.app], surface.beside)
            beside[surface.app] = fit(more, operations, listed[surface.app].vendor)
    for made in of_app.values():
        made.setdefault("", made["operations"])
    return Catalogue(of_app, combine_surfaces(of_app, beside))


def combine_surfaces(of_app: Mapping[str, Mapping[str, Toolset]], beside: Mapping[str, Toolset]) -> Toolset:
    """All default surfaces in one list, each with the tools beside it; names carry their app unless they do already."""
    return Toolset("firmament", "4", _all_of(of_app, beside))


def _all_of(of_app: Mapping[str, Mapping[str, Toolset]], beside: Mapping[str, Toolset]) -> Iterator[BoundTool]:
    for app in sorted(of_app, key=lambda name: (name == WORLD, name)):
        more = beside[app].tools if app in beside else {}
        for one in (*of_app[app][""].tools.values(), *more.values()):
            name = one.name if one.name.startswith(f"{app}_") else f"{app}_{one.name}"
            yield replace(one, name=name, wire=one.wire.model_copy(update={"name": name}))
