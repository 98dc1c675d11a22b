"""Which refusal codes an operation can raise, as far as the text of the code shows: names followed through the app's own functions.

The doors' modules are left out: an operation may import none of them. A method is found by its name alone, except `__init__`.
"""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.docs.pages import ROOT
from world.operation import App

Key = tuple[str, str]  # module, function (or Class.method)
DOORS = {"rest", "pages"}


@dataclass
class Function:
    """One function: codes it raises itself, rules it asks, names it mentions."""

    codes: set[str] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)
    any_rule: bool = False  # it asks a rule whose name is computed
    names: set[str] = field(default_factory=set)
    attributes: set[tuple[str, str]] = field(default_factory=set)


@dataclass
class Code:
    """An app's code as a graph of functions."""

    functions: dict[Key, Function] = field(default_factory=dict)
    imports: dict[str, dict[str, Key]] = field(default_factory=dict)  # module -> local name -> (module, name)
    methods: dict[str, list[Key]] = field(default_factory=dict)
    rules: dict[str, Key] = field(default_factory=dict)

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
            todo += self._named(key[0], function)
        return codes, texts | codes

    def _named(self, module: str, function: Function) -> Iterator[Key]:
        known = self.imports.get(module, {})
        for name in function.names:
            target = known.get(name, (module, name))
            yield target
            yield from self._of_class(target)
        for owner, name in function.attributes:
            target = known.get(owner)
            if target is not None and (target[0] + "." + target[1], name) in self.functions:
                yield target[0] + "." + target[1], name
            elif name != "__init__" and (target is None or target not in self.functions):
                yield from self.methods.get(name, [])

    def _of_class(self, target: Key) -> Iterator[Key]:
        module, name = target
        yield from ((module, f"{name}.{method}") for method in ("__init__", "__post_init__"))


def read(app: App) -> Code:
    """The graph of an app's folder."""
    code = Code(rules={name: key_of(rule) for name, rule in app.rules.items()})
    folder = ROOT / "apps" / app.name
    for path in sorted(folder.rglob("*.py")):
        if DOORS & set(path.relative_to(folder).with_suffix("").parts):
            continue
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        _module(code, module, ast.parse(path.read_text(encoding="utf-8")))
    return code


def _module(code: Code, module: str, tree: ast.Module) -> None:
    code.imports[module] = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                code.imports[module][alias.asname or alias.name] = (node.module, alias.name)
        elif isinstance(node, ast.FunctionDef):
            _function(code, module, node.name, node)
        elif isinstance(node, ast.ClassDef):
            for part in node.body:
                if isinstance(part, ast.FunctionDef):
                    _function(code, module, f"{node.name}.{part.name}", part)
                    code.methods.setdefault(part.name, []).append((module, f"{node.name}.{part.name}"))
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name):
                code.functions[module, target.id] = _reading(node.value)


def _function(code: Code, module: str, name: str, node: ast.FunctionDef) -> None:
    found = code.functions[module, name] = _reading(node)
    if any(isinstance(d, ast.Call) and isinstance(d.func, ast.Attribute) and d.func.attr == "rule" for d in node.decorator_list):
        found.codes |= {text for one in ast.walk(node) if isinstance(one, ast.Return) for text in _texts(one.value)}


def _reading(node: ast.AST) -> Function:
    found = Function()
    own = {name for one in ast.walk(node) for name in _bound(one)}
    for one in _uncaught(node):
        if isinstance(one, ast.Name) and one.id not in own:
            found.names.add(one.id)
        elif isinstance(one, ast.Constant) and isinstance(one.value, str):
            found.texts.add(one.value)
        elif isinstance(one, ast.Attribute):
            found.attributes.add((one.value.id if isinstance(one.value, ast.Name) else "", one.attr))
        if isinstance(one, ast.Call):
            _called(found, one)
    return found


def _bound(node: ast.AST) -> Iterator[str]:
    """The name a node binds inside its function, which then means nothing outside."""
    if isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id


def _uncaught(node: ast.AST) -> Iterator[ast.AST]:
    """A tree's nodes without those whose refusals are caught on the spot."""
    yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Try) and any("OperationError" in ast.dump(handler) for handler in child.handlers):
            for part in (*child.handlers, *child.orelse, *child.finalbody):
                yield from _uncaught(part)
        else:
            yield from _uncaught(child)


def _called(found: Function, call: ast.Call) -> None:
    name = call.func.id if isinstance(call.func, ast.Name) else call.func.attr if isinstance(call.func, ast.Attribute) else ""
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
