"""Each kind of fault is made where it can be, and nowhere else."""

import ast
from pathlib import Path

from tests.mutants.operators import mutants, mutated

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
