"""Which refusal codes an operation can raise, as far as the text of the code shows: names followed through the app's
own functions.

The doors' modules are left out: an operation may import none of them. A method is found by its name alone, except
`__init__`.
"""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

from tests.docs import receivers
from tests.docs.pages import ROOT
from world.core import discovery
from world.core.app import App

Key = tuple[str, str]  # module, function (or Class.method)
DOORS = {"rest", "pages"}


@dataclass
class Function:
    """One function: codes it raises itself, rules it asks, names it mentions."""

    codes: set[str] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)
    any_rule: bool = False  # it asks a rule whose name is computed
    names: set[str] = field(default_factory=set)
    attributes: list[ast.Attribute] = field(default_factory=list)
    lookups: set[tuple[str, str]] = field(default_factory=set)  # name of a table, entry; no entry for any
    called: set[ast.expr] = field(default_factory=set)
    locals: receivers.Names = field(default_factory=receivers.Names)


@dataclass
class Code:
    """An app's code as a graph of functions."""

    functions: dict[Key, Function] = field(default_factory=dict)
    imports: dict[str, dict[str, Key]] = field(default_factory=dict)  # module -> local name -> (module, name)
    methods: dict[str, list[Key]] = field(default_factory=dict)
    properties: set[Key] = field(default_factory=set)
    rules: dict[str, Key] = field(default_factory=dict)
    makers: dict[Key, list[tuple[str, Key]]] = field(
        default_factory=dict
    )  # function a decorator calls -> functions declared with it
    filed: dict[Key, list[tuple[str, Key]]] = field(
        default_factory=dict
    )  # table -> functions that decorators put into it
    handlers: dict[tuple[Key, str], list[Key]] = field(default_factory=dict)  # class, argument -> functions handed over
    declarations: list[tuple[str, ast.Expr]] = field(default_factory=list)  # module, a statement that only calls
    types: receivers.Types = field(init=False)
    mentioned: dict[Key, list[Key]] = field(default_factory=dict)  # function -> functions it names, once asked

    def __post_init__(self) -> None:
        self.types = receivers.Types(self.imports)

    def reachable(self, start: Key) -> tuple[set[str], set[str]]:
        """From a function on: the codes raised as literals, and every text that might be handed to a raise."""
        codes, texts = set[str](), set[str]()
        seen, todo = set[Key](), [start]
        while todo:
            key = todo.pop()
            if key in seen or key not in self.functions:
                continue
            seen.add(key)
            function = self.functions[key]
            codes |= function.codes
            texts |= function.texts
            todo += [key for rule, key in self.rules.items() if function.any_rule or rule in function.texts]
            if key not in self.mentioned:
                self.mentioned[key] = list(self._named(key[0], function))
            todo += self.mentioned[key]
        return codes, texts | codes

    def _named(self, module: str, function: Function) -> Iterator[Key]:
        known = self.imports.get(module, {})
        for name in function.names:
            target = known.get(name, (module, name))
            yield target
            yield from self._of_class(target)
        for name, wanted in function.lookups:
            filed = self.filed.get(known.get(name, (module, name)), [])
            yield from (key for entry, key in filed if wanted in ("", entry))
        for one in function.attributes:
            yield from self._attribute(module, function, one)

    def _attribute(self, module: str, function: Function, one: ast.Attribute) -> Iterator[Key]:
        """The methods an attribute may be: those of the receiver's class where annotations tell it, else all of that
        name.
        """
        owner = one.value.id if isinstance(one.value, ast.Name) else ""
        target = self.imports.get(module, {}).get(owner) if owner not in function.locals.told else None
        if target is not None and (target in self.types.bases or self._elsewhere(target)):
            key = self.types.member(target, one.attr) if target in self.types.bases else (".".join(target), one.attr)
            yield from [key] if key else []
            return
        yield from self._handlers(module, function, one)
        told = self.types.methods(module, function.locals, one.value, one.attr)
        if told is not None:
            yield from told
        elif one.attr != "__init__" and (target is None or target not in self.functions):
            yield from (
                key for key in self.methods.get(one.attr, []) if one in function.called or key in self.properties
            )

    def _handlers(self, module: str, function: "Function", one: ast.Attribute) -> list[Key]:
        """The functions that were handed to the receiver's class under an attribute's name."""
        receiver = self.types.of(module, function.locals, one.value)
        owner = self.types.class_of(receiver) if receiver else None
        return self.handlers.get((owner, one.attr), []) if owner else []

    def _elsewhere(self, target: Key) -> bool:
        """Whether an imported name is a module, or nothing of the app's."""
        return ".".join(target) in self.imports or target[0] not in self.imports

    def _of_class(self, target: Key) -> Iterator[Key]:
        module, name = target
        yield from ((module, f"{name}.{method}") for method in ("__init__", "__post_init__"))


def read_graph(app: App) -> Code:
    """The graph of an app's folder, and of those of the apps of its suite, which call each other."""
    return _read_suite(
        tuple(one.name for one in discovery.apps() if one.name == app.name or (app.suite and one.suite == app.suite))
    )


@cache
def _read_suite(names: tuple[str, ...]) -> Code:
    suite = [one for one in discovery.apps() if one.name in names]
    code = Code(rules={name: key_of(rule) for one in suite for name, rule in one.rules.items()})
    for folder in (ROOT / "apps" / one.name for one in suite):
        for path in sorted(folder.rglob("*.py")):
            if DOORS & set(path.relative_to(folder).with_suffix("").parts):
                continue
            module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            _module(code, module, ast.parse(path.read_text(encoding="utf-8")))
    _follow(code)
    for module, node in code.declarations:
        _read_handover(code, module, node)
    _index_tables(code)
    return code


def _follow(code: Code) -> None:
    """Names that a module only hands on lead to where they are defined; three modules on at most."""
    for _ in range(3):
        for names in code.imports.values():
            for name, target in names.items():
                if target not in code.functions and target not in code.types.bases:
                    names[name] = code.imports.get(target[0], {}).get(target[1], target)


def _index_tables(code: Code) -> None:
    """Which functions stand in which table, by the names of the tables that their decorators fill."""
    for maker, declared in ((maker, declared) for maker, declared in code.makers.items() if maker in code.functions):
        for name in (
            name
            for name in code.functions[maker].names
            if isinstance(code.types.constants.get((maker[0], name)), ast.Dict)
        ):
            code.filed.setdefault((maker[0], name), []).extend(declared)
    for names in code.imports.values():
        for target in names.values():
            for above in _origins(code, target):
                code.filed.setdefault(target, code.filed.get(above, []))


def _origins(code: Code, target: Key) -> Iterator[Key]:
    """Where a name that a package hands on comes from."""
    further = code.imports.get(target[0], {}).get(target[1])
    if further is not None:
        yield further


def _module(code: Code, module: str, tree: ast.Module) -> None:
    code.imports[module] = {}
    for node in _list_statements(tree):
        if isinstance(node, ast.Expr):
            code.declarations.append((module, node))
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                code.imports[module][alias.asname or alias.name] = (node.module, alias.name)
        elif isinstance(node, ast.Import):
            code.imports[module] |= {alias.asname or alias.name.split(".")[0]: (alias.name, "") for alias in node.names}
        elif isinstance(node, ast.FunctionDef):
            _read_function(code, module, node.name, node)
            _read_decorators(code, module, node)
            code.types.returns[module, node.name] = receivers.Type(module, node.returns or ast.Name("Any"))
        elif isinstance(node, ast.ClassDef):
            _read_class(code, module, node)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name):
                code.functions[module, target.id] = _describe_function(node.value)
                code.types.constants[module, target.id] = node.value


def _read_handover(code: Code, module: str, node: ast.Expr) -> None:
    """Functions that a declaration hands over by name: `Content(create=create, export=conversion.export_file)`."""
    for call in (one for one in ast.walk(node) if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)):
        assert isinstance(call.func, ast.Name)
        cls = code.imports[module].get(call.func.id, (module, call.func.id))
        for given in call.keywords:
            if given.arg and isinstance(given.value, ast.Name):
                known = code.imports[module].get(given.value.id, (module, given.value.id))
                code.handlers.setdefault((cls, given.arg), []).append(known)
            elif given.arg and isinstance(given.value, ast.Attribute) and isinstance(given.value.value, ast.Name):
                owner = code.imports[module].get(given.value.value.id)
                if owner is not None:
                    code.handlers.setdefault((cls, given.arg), []).append((".".join(owner), given.value.attr))


def _read_decorators(code: Code, module: str, node: ast.FunctionDef) -> None:
    """By which decorators a function was put into a table, and under which name."""
    for one in node.decorator_list:
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.args:
            maker = code.imports[module].get(one.func.id, (module, one.func.id))
            code.makers.setdefault(maker, []).append((_text(one.args[0]) or "", (module, node.name)))


def _list_statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements of a module, with those that only type checkers run."""
    for node in tree.body:
        yield from node.body if isinstance(node, ast.If) else [node]


def _read_class(code: Code, module: str, node: ast.ClassDef) -> None:
    receivers.read_class(code.types, module, node)
    for part in node.body:
        if isinstance(part, ast.FunctionDef):
            key = module, f"{node.name}.{part.name}"
            _read_function(code, *key, part, node.name)
            code.methods.setdefault(part.name, []).append(key)
            if any("property" in ast.dump(one) for one in part.decorator_list):
                code.properties.add(key)


def _read_function(code: Code, module: str, name: str, node: ast.FunctionDef, cls: str = "") -> None:
    found = code.functions[module, name] = _describe_function(node, cls)
    if any(
        isinstance(d, ast.Call) and isinstance(d.func, ast.Attribute) and d.func.attr == "rule"
        for d in node.decorator_list
    ):
        found.codes |= {text for one in ast.walk(node) if isinstance(one, ast.Return) for text in _texts(one.value)}


def _describe_function(node: ast.AST, cls: str = "") -> Function:
    found = Function(locals=receivers.names_of(node, cls))
    own = {name for one in ast.walk(node) for name in _list_bindings(one)}
    for one in _walk_uncaught(node):
        if isinstance(one, ast.Name) and one.id not in own:
            found.names.add(one.id)
        elif isinstance(one, ast.Constant) and isinstance(one.value, str):
            found.texts.add(one.value)
        elif isinstance(one, ast.Attribute):
            found.attributes.append(one)
        elif isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Load) and isinstance(one.value, ast.Name):
            found.lookups.add((one.value.id, _text(one.slice) or ""))
        if isinstance(one, ast.Call):
            _read_call(found, one)
    return found


def _list_bindings(node: ast.AST) -> Iterator[str]:
    """The name a node binds inside its function, which then means nothing outside."""
    if isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id


def _walk_uncaught(node: ast.AST) -> Iterator[ast.AST]:
    """A tree's nodes without those whose refusals are caught on the spot, and without what a declaration states."""
    yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.keyword) and child.arg == "raises":
            continue
        if isinstance(child, ast.Try) and any(
            "OperationError" in ast.dump(handler) and not _is_raised_again(handler) for handler in child.handlers
        ):
            for part in (*child.handlers, *child.orelse, *child.finalbody):
                yield from _walk_uncaught(part)
        else:
            yield from _walk_uncaught(child)


def _is_raised_again(handler: ast.ExceptHandler) -> bool:
    """Whether what is caught is raised again."""
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and (
        last.exc is None or (isinstance(last.exc, ast.Name) and last.exc.id == handler.name)
    )


def _read_call(found: Function, call: ast.Call) -> None:
    found.called.add(call.func)
    if (
        isinstance(call.func, ast.Attribute)
        and call.func.attr == "get"
        and isinstance(call.func.value, ast.Name)
        and call.args
    ):
        found.lookups.add((call.func.value.id, _text(call.args[0]) or ""))
    name = (
        call.func.id
        if isinstance(call.func, ast.Name)
        else call.func.attr
        if isinstance(call.func, ast.Attribute)
        else ""
    )
    if name == "OperationError" and call.args:
        texts = _texts(call.args[0])
        found.codes |= set(texts)
    elif name == "authorise" and call.args:
        found.any_rule |= _text(call.args[0]) is None and not isinstance(call.args[0], ast.Name)


def _texts(node: ast.expr | None) -> list[str]:
    if isinstance(node, ast.IfExp):
        return [*_texts(node.body), *_texts(node.orelse)]
    text = _text(node)
    return [text] if text else []


def _text(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def key_of(run: Callable[..., object]) -> Key:
    """The key of an operation's or a rule's function; of the function that makes it, for one made by another."""
    return run.__module__, run.__qualname__.split(".<locals>")[0]
