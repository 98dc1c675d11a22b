"""Declarations of a tool surface: tools that give an operation another name, argument names and text form."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from world.core.errors import OperationError
from world.core.operation import MAX_TOOL_NAME
from world.core.params import Arguments

MAX_NAME, MAX_DESCRIPTION = MAX_TOOL_NAME, 200
_NAME = re.compile(r"[A-Za-z0-9_-]+")
CallArguments = dict[str, Any]  # of an operation, while they are prepared
Given = Mapping[str, Any]  # arguments of a tool, as they were given
NOTHING: Given = MappingProxyType({})
Look = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class ArgumentForm:
    """Form of a tool's argument: its schema, and the conversion to the operation's form and back.

    `read` may raise ValueError with the reason as text. Without `write` the tool has no inverse.
    """

    schema: Mapping[str, Any]
    read: Callable[[Any], Any] = lambda value: value
    write: Callable[[Any], object] | None = None


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """Input of a text form: the operation's result, the tool's arguments, and free look-ups as the same employee."""

    result: Any
    arguments: Arguments
    look: Look


Text = Callable[[ToolAnswer], str | list[str]]
Pick = Callable[[Given], str]
Follow = Callable[[OperationError], Given | None]
Prepare = Callable[[CallArguments, Given, Look], CallArguments]


@dataclass(frozen=True, slots=True)
class Tool:
    """One name on a surface. Paths lead into the operation's arguments.

    `rename`: tool argument -> path. `fixed`: path -> value always sent. `only`: the arguments published, in order.
    `defaults`: values of arguments left out. `forms`: arguments in another form than the operation's. `ignored`:
    arguments that the operation does not take; their `read` checks them, and a text form may read them.
    `operation` may be a mapping from the value of the argument `by` to an operation. `pick` computes the key from all
    arguments instead, and may raise InvalidArguments. Arguments that the chosen operation does not take are left out.
    `prepare` turns the operation's arguments, the tool's, and free look-ups into the arguments sent, for instance to
    replace names by ids. `follow` reads a refusal that says where the thing is now: the arguments to call again with,
    or None.
    """

    name: str
    operation: str | Mapping[str, str]
    description: str
    rename: Mapping[str, str]
    fixed: Mapping[str, object]
    only: tuple[str, ...] | None
    required: tuple[str, ...] | None
    describe: Mapping[str, str]
    defaults: Mapping[str, object]
    forms: Mapping[str, ArgumentForm]
    ignored: Mapping[str, ArgumentForm]
    by: str
    pick: Pick | None
    prepare: Prepare | None
    follow: Follow | None
    result: Text | None


@dataclass(slots=True)
class Surface:
    """A named set of tools over one app's operations. `version` changes whenever a name, schema or description does.

    `beside` are operations that the vendor's list lacks and everyday work needs: the combined list has derived tools of
    them.
    """

    name: str
    app: str
    default: bool = False
    version: str = "1"
    tools: list[Tool] = field(default_factory=list)
    beside: tuple[str, ...] = ()

    def tool(
        self,
        name: str,
        operation: str | Mapping[str, str],
        *,
        description: str = "",
        rename: Mapping[str, str] = NOTHING,
        fixed: Mapping[str, object] = NOTHING,
        only: Iterable[str] | None = None,
        required: Iterable[str] | None = None,
        describe: Mapping[str, str] = NOTHING,
        defaults: Mapping[str, object] = NOTHING,
        forms: Mapping[str, ArgumentForm] = NOTHING,
        ignored: Mapping[str, ArgumentForm] = NOTHING,
        by: str = "",
        pick: Pick | None = None,
        prepare: Prepare | None = None,
        follow: Follow | None = None,
        result: Text | None = None,
    ) -> Tool:
        """Declare a tool. Raises ValueError for a name or description no host would take."""
        if not _NAME.fullmatch(name) or len(name) > MAX_NAME:
            raise ValueError(f"{self.name}: {name!r} is no tool name")
        if len(description) > MAX_DESCRIPTION:
            raise ValueError(f"{self.name}: the description of {name} is over {MAX_DESCRIPTION} characters")
        if any(tool.name == name for tool in self.tools):
            raise ValueError(f"{self.name}: {name} is declared twice")
        published = None if only is None else tuple(only)
        needed = None if required is None else tuple(required)
        made = Tool(
            name,
            operation,
            description,
            rename,
            fixed,
            published,
            needed,
            describe,
            defaults,
            forms,
            ignored,
            by,
            pick,
            prepare,
            follow,
            result,
        )
        self.tools.append(made)
        return made
