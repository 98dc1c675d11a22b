"""The template environment: the app's templates over the shell's, whole pages or one block of the same template."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import DictLoader, Environment, Template, nodes, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from world.web.emoji import picture
from world.web.icons import face, icon, tile
from world.web.time_format import stamp

SHELL = Path(__file__).parent / "templates"


class PageEnvironment(Environment):
    """Template environment with the types of its globals and filters."""

    globals: dict[str, object]
    filters: dict[str, Callable[..., object]]


@lru_cache(maxsize=32)
def environment(own: tuple[Path, ...] = (), filters: tuple[tuple[str, Callable[..., object]], ...] = ()) -> Environment:
    """The environment of an app's template folders, a later one over those before, with filters of its own; none is the
    shell alone.

    All files are read here, at once: a page and its parts never come from two states of a folder.
    """
    folders = [path for path in (SHELL, *own) if path.is_dir()]
    texts = {file.name: file.read_text(encoding="utf-8") for path in folders for file in sorted(path.glob("*.html"))}
    env = PageEnvironment(
        loader=DictLoader(texts),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
    )
    env.globals.update(icon=icon, avatar=face, tile=tile, emoji=picture)
    env.filters["stamp"] = _stamp
    env.filters["ago"] = _ago
    env.filters["plural"] = plural
    env.filters["filesize"] = filesize
    env.filters.update(filters)
    return env


def render_page(env: Environment, template: str, context: dict[str, Any]) -> str:
    """The full page."""
    return env.get_template(template).render(context)


def fragment(env: Environment, template: str, block: str, context: dict[str, Any]) -> str:
    """One block of the page's own template or of those it extends, with what the page puts inside.

    Names set or imported at the top of a template are not there: a block imports what it uses.
    """
    first, *parents = lineage(env, template)
    scope = first.new_context(context)
    for parent in parents:
        for name, inherited in parent.blocks.items():
            scope.blocks.setdefault(name, []).append(inherited)
    return "".join(scope.blocks[block][0](scope))


def has_block(env: Environment, template: str, block: str) -> bool:
    """Whether a page's template, or one it extends, has the block."""
    return any(block in item.blocks for item in lineage(env, template))


def lineage(env: Environment, template: str) -> list[Template]:
    """A template and those it extends, nearest first."""
    found: list[Template] = []
    name: str | None = template
    while name is not None:
        found.append(env.get_template(name))
        name = _parent(env, name)
    return found


@lru_cache(maxsize=512)
def _parent(env: Environment, template: str) -> str | None:
    source = env.loader.get_source(env, template)[0]  # type: ignore[union-attr]
    extends = env.parse(source).find(nodes.Extends)
    return extends.template.value if extends is not None and isinstance(extends.template, nodes.Const) else None


@pass_context
def _stamp(context: Context, at: int, style: str = "short") -> Markup:
    return stamp(at, context["now"], context["zone"], style)


@pass_context
def _ago(context: Context, at: int) -> Markup:
    return stamp(at, context["now"], context["zone"], "ago")


def plural(count: int, one: str, many: str = "") -> str:
    """`1 reply`, `3 replies`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def filesize(count: int) -> str:
    """`812 B`, `3.4 kB`, `12 MB`."""
    amount, units = float(count), ["B", "kB", "MB", "GB"]
    while amount >= 1000 and len(units) > 1:
        amount, units = amount / 1000, units[1:]
    return f"{amount:.0f} {units[0]}" if units[0] == "B" or amount >= 10 else f"{amount:.1f} {units[0]}"
