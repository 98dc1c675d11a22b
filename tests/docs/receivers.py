"""Of which class a receiver is, as far as annotations say: `hub.repo(...)` is Hub's method and nobody else's."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeGuard

Key = tuple[str, str]  # module, function (or Class.method)
DEEPEST = 12
MANY = {"list", "set", "frozenset", "tuple", "Sequence", "Iterable", "Iterator", "Collection", "Listing", "Generator"}
UNTOLD = {"Any", "object", "Callable", "type"}
PLAIN = {"str", "bytes", "int", "float", "bool"}  # what their methods give is no object of the app either


class Type(NamedTuple):
    """An annotation, and the module in which its names mean something."""

    module: str
    annotation: ast.expr


@dataclass
class Names:
    """What a function says of its names: annotations, values they are bound to, and things they run through."""

    told: dict[str, ast.expr] = field(default_factory=dict)
    bound: dict[str, list[ast.expr]] = field(default_factory=dict)
    over: dict[str, list[ast.expr]] = field(default_factory=dict)
    opened: dict[str, list[ast.expr]] = field(default_factory=dict)  # by `with`
    cls: str = ""


@dataclass
class Types:
    """The classes of an app: bases and fields, and what its functions return."""

    imports: dict[str, dict[str, Key]]
    bases: dict[Key, list[ast.expr]] = field(default_factory=dict)
    fields: dict[Key, Type] = field(default_factory=dict)  # (module, Class.name)
    returns: dict[Key, Type] = field(default_factory=dict)
    constants: dict[Key, ast.expr] = field(default_factory=dict)

    def methods(self, module: str, names: Names, receiver: ast.expr, name: str) -> list[Key] | None:
        """The method a receiver has under a name: none if its class is not the app's, None if nothing is known of it."""
        found = self.of(module, names, receiver)
        if found is None:
            return None
        cls = self.class_of(found)
        key = self.member(cls, name) if cls else None
        return [key] if key else []

    def of(self, module: str, names: Names, value: ast.expr, deep: int = 0) -> Type | None:
        """The type of an expression, as an annotation."""
        if deep > DEEPEST:
            return None
        if isinstance(value, ast.Name):
            return self._name(module, names, value.id, deep + 1)
        if isinstance(value, (ast.Constant, ast.JoinedStr)):
            return Type(module, ast.Name("str"))
        if isinstance(value, (ast.Dict, ast.DictComp, ast.List, ast.Set, ast.ListComp, ast.SetComp)):
            return Type(module, ast.Name("dict"))
        if isinstance(value, ast.Attribute):
            key = self._found(module, names, value, deep)
            return self.fields.get(key) or self.returns.get(key) if key else None
        return self._call(module, names, value, deep + 1) if isinstance(value, ast.Call) else None

    def _call(self, module: str, names: Names, call: ast.Call, deep: int) -> Type | None:
        if isinstance(call.func, ast.Name) and call.func.id == "super":
            return next((Type(module, base) for base in self.bases.get((module, names.cls), [])), None)
        if isinstance(call.func, ast.Name):
            key = self.imports.get(module, {}).get(call.func.id, (module, call.func.id))
            return Type(key[0], ast.Name(key[1])) if key in self.bases else self.returns.get(key)
        if isinstance(call.func, ast.Attribute):
            key = self._of_module(module, call.func) or self._found(module, names, call.func, deep)
            return self.returns.get(key) if key else self._plain(module, names, call.func.value, deep)
        return None

    def _of_module(self, module: str, value: ast.Attribute) -> Key | None:
        """The function that `contents.find` names, where `contents` is a module of the app."""
        source = self.imports.get(module, {}).get(value.value.id) if isinstance(value.value, ast.Name) else None
        key = (".".join(source), value.attr) if source else None
        return key if key in self.returns else None

    def _plain(self, module: str, names: Names, receiver: ast.expr, deep: int) -> Type | None:
        """What a call of a foreign module or of a plain value gives."""
        if isinstance(receiver, ast.Name) and self.imports.get(module, {}).get(receiver.id, (module, " "))[1] == "":
            return Type(module, ast.Name("str"))
        found = self.of(module, names, receiver, deep)
        return Type(module, ast.Name("str")) if found and self._is_foreign(found) else None

    def _is_foreign(self, found: Type) -> bool:
        """Whether a thing is plain, or of a class from neither the app nor the kernel, which holds rows of the app."""
        if not isinstance(found.annotation, ast.Name):
            return False
        source = self.imports.get(found.module, {}).get(found.annotation.id, ("", ""))[0]
        return found.annotation.id in PLAIN or not (
            source in ("", "typing") or source in self.imports or source.startswith("world")
        )

    def _found(self, module: str, names: Names, value: ast.Attribute, deep: int) -> Key | None:
        owner = self.of(module, names, value.value, deep + 1)
        cls = self.class_of(owner) if owner else None
        return self.member(cls, value.attr) if cls else None

    def _name(self, module: str, names: Names, name: str, deep: int) -> Type | None:
        if name in ("self", "cls") and names.cls:
            return Type(module, ast.Name(names.cls))
        if name in names.told:
            return _keep_known(Type(module, names.told[name]))
        values = names.bound.get(name, [])
        if not values and name not in names.over and name not in names.opened:
            key = self.imports.get(module, {}).get(name, (module, name))
            return self.of(key[0], Names(), self.constants[key], deep) if key in self.constants else None
        found = {self.of(module, names, value, deep) for value in values if not _none(value)}
        found |= {_element(self.of(module, names, value, deep)) for value in names.over.get(name, [])}
        opened = [self.of(module, names, value, deep) for value in names.opened.get(name, [])]
        found |= {_element(one) or one for one in opened}
        kinds = {ast.dump(one.annotation) if one else "" for one in found}
        return next(iter(found)) if len(kinds) == 1 else None

    def member(self, cls: Key, name: str, deep: int = 0) -> Key | None:
        key = cls[0], f"{cls[1]}.{name}"
        if key in self.returns or key in self.fields:
            return key
        for base in self.bases.get(cls, []) if deep < DEEPEST else []:
            above = self.class_of(Type(cls[0], base))
            if above and (found := self.member(above, name, deep + 1)):
                return found
        return None

    def class_of(self, found: Type) -> Key | None:
        """The app's class that an annotation names."""
        known = self.imports.get(found.module, {})
        names = [known.get(one, (found.module, one)) for one in _list_heads(found.annotation)]
        names += [(".".join(known.get(one, ())), cls) for one, cls in _list_dotted(found.annotation)]
        return next((key for key in names if key in self.bases), None)


def _none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _keep_known(found: Type) -> Type | None:
    return None if set(_list_heads(found.annotation)) & UNTOLD else found


def _list_heads(annotation: ast.expr) -> Iterator[str]:
    """The names an annotation starts with: `Repo | None` is Repo."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        yield from _list_heads(ast.parse(annotation.value, mode="eval").body)
    elif isinstance(annotation, ast.Name):
        yield annotation.id
    elif isinstance(annotation, ast.BinOp):
        yield from (*_list_heads(annotation.left), *_list_heads(annotation.right))
    elif isinstance(annotation, ast.Subscript):
        yield from _list_heads(annotation.value)


def _list_dotted(annotation: ast.expr) -> Iterator[Key]:
    """The names of classes that an annotation finds in a module: `contents.Content`."""
    if isinstance(annotation, ast.Attribute) and isinstance(annotation.value, ast.Name):
        yield annotation.value.id, annotation.attr
    elif isinstance(annotation, ast.BinOp):
        yield from (*_list_dotted(annotation.left), *_list_dotted(annotation.right))


def _element(found: Type | None) -> Type | None:
    """What is in a list of something."""
    if found is not None and isinstance(found.annotation, ast.Name) and found.annotation.id in PLAIN:
        return found
    if (
        found is None
        or not isinstance(found.annotation, ast.Subscript)
        or not set(_list_heads(found.annotation)) & MANY
    ):
        return None
    inner = found.annotation.slice
    return _keep_known(Type(found.module, inner.elts[0] if isinstance(inner, ast.Tuple) else inner))


def names_of(node: ast.AST, cls: str = "") -> Names:
    """What a function's text says of its names."""
    found = Names(cls=cls)
    for one in ast.walk(node):
        if isinstance(one, ast.arg) and one.annotation is not None:
            found.told[one.arg] = one.annotation
        elif isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            found.told[one.target.id] = one.annotation
        elif isinstance(one, (ast.For, ast.comprehension)) and isinstance(one.target, ast.Name):
            found.over.setdefault(one.target.id, []).append(one.iter)
        else:
            _read_binding(found, one)
    return found


def _read_binding(found: Names, node: ast.AST) -> None:
    if isinstance(node, ast.Assign):
        for target in node.targets:
            for name, value in _pairs(target, node.value):
                found.bound.setdefault(name, []).append(value)
    elif isinstance(node, ast.withitem) and isinstance(node.optional_vars, ast.Name):
        found.opened.setdefault(node.optional_vars.id, []).append(node.context_expr)
    elif isinstance(node, ast.NamedExpr):
        found.bound.setdefault(node.target.id, []).append(node.value)


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for inner, part in zip(target.elts, value.elts, strict=True):
            yield from _pairs(inner, part)


def read_class(types: Types, module: str, node: ast.ClassDef) -> None:
    """A class: its bases, its fields, and what its methods return."""
    types.bases[module, node.name] = node.bases
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            types.fields[module, f"{node.name}.{part.target.id}"] = Type(module, part.annotation)
        elif isinstance(part, ast.FunctionDef):
            types.returns[module, f"{node.name}.{part.name}"] = Type(module, part.returns or ast.Name("Any"))
    for part in sorted(
        (one for one in node.body if isinstance(one, ast.FunctionDef)), key=lambda one: one.name != "__init__"
    ):
        _read_fields(types, module, node.name, part)


def _read_fields(types: Types, module: str, cls: str, made: ast.FunctionDef) -> None:
    """`self.call = call`, with `call: Call` among the arguments, or `self.git = Repo(call)`."""
    names = names_of(made, cls)
    for one in ast.walk(made):
        if isinstance(one, ast.AnnAssign) and _is_own(one.target):
            types.fields.setdefault((module, f"{cls}.{one.target.attr}"), Type(module, one.annotation))
        elif isinstance(one, ast.Assign):
            for target, value in _list_own(one):
                annotation = (
                    names.told.get(value.id)
                    if isinstance(value, ast.Name)
                    else value.func
                    if isinstance(value, ast.Call)
                    else None
                )
                types.fields.setdefault((module, f"{cls}.{target}"), Type(module, annotation or ast.Name("Any")))


def _list_own(node: ast.Assign) -> Iterator[tuple[str, ast.expr]]:
    for target in node.targets:
        pairs = [(target, node.value)]
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = list(zip(target.elts, node.value.elts, strict=True))
        yield from ((one.attr, value) for one, value in pairs if _is_own(one))


def _is_own(target: ast.expr) -> TypeGuard[ast.Attribute]:
    return isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self"
