"""Each kind of fault is made where it can be, and nowhere else."""

import ast
from pathlib import Path
from typing import Any

from tests.mutants.operators import WITNESS, mutants, mutated, witnessed
from tests.mutants.run import put_in, replace_code

SOURCE = '''
def f(a: int, b: list[int] | None = None) -> int:
    """Text."""
    if a < 3 and not b:
        raise ValueError(f"{a + 1}")
    b.append(a)
    return a + 1
'''


def test_every_fault_of_a_function_is_made_once(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(SOURCE, encoding="utf-8")
    found = mutants(path)
    assert [(one.line, one.what) for one in found] == [
        (4, "And is Or"),
        (4, "Lt is LtE"),
        (4, "3 is 4"),
        (4, "not is left out"),
        (5, "Raise is left out"),
        (6, "Expr is left out"),
        (7, "returns None"),
        (7, "Add is Sub"),
        (7, "1 is 2"),
    ]
    texts = {ast.unparse(mutated(one)) for one in found}
    assert len(texts) == len(found) and ast.unparse(ast.parse(SOURCE)) not in texts


def test_a_witness_is_the_first_statement_of_the_functions_named(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(SOURCE + "\n\ndef g() -> int:\n    return 1\n", encoding="utf-8")
    _, first, second = witnessed(path, {"g"}), *witnessed(path, {"g"}).body
    assert WITNESS not in ast.unparse(first)
    assert ast.unparse(second) == f"def g() -> int:\n    {WITNESS}({str(path)!r}, 'g')\n    return 1"


def test_a_mutant_is_put_into_a_function_and_into_what_it_made_before(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("def f(a):\n    def g():\n        return a + 1\n    return g\n", encoding="utf-8")
    made: dict[str, Any] = {}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), made)
    before = made["f"](1)
    put_in(next(one for one in mutants(path) if one.what == "1 is 2"))
    assert before() == made["f"](1)() == 3
    assert not replace_code("elsewhere.py", [before.__code__])


def test_a_mutant_that_leaves_out_super_is_put_in(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("class A(dict):\n    def __init__(self, a):\n        super().__init__(a=a)\n", encoding="utf-8")
    made: dict[str, Any] = {}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), made)
    assert made["A"](1) == {"a": 1}
    put_in(next(one for one in mutants(path) if one.what == "Expr is left out"))
    assert made["A"](1) == {}
