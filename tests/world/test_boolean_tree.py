"""The tree of a search, shared by the query languages of several apps."""

from dataclasses import dataclass

from world.core.boolean_tree import And, Leaf, Not, Or, Tree, iter_leaves, negate


@dataclass(frozen=True, slots=True)
class Word(Leaf):
    text: str


A, B, C = Word("a"), Word("b"), Word("c")


def test_leaves_come_from_left_to_right_with_their_sign() -> None:
    tree: Tree[Word] = And((A, Not(Or((B, Not(C))))))
    assert list(iter_leaves(tree)) == [(A, True), (B, False), (C, True)]


def test_the_opposite_of_an_opposite_is_the_part() -> None:
    tree: Tree[Word] = Or((A, B))
    assert negate(tree) == Not(tree) and negate(negate(tree)) is tree


def test_equal_trees_are_one_key() -> None:
    assert len({And((A, B)), And((A, B)), Or((A, B))}) == 2


def test_a_tree_can_be_unwanted_as_a_whole() -> None:
    tree: Tree[Word] = Or((A, Not(And((B, Not(C))))))
    assert list(iter_leaves(tree, wanted=False)) == [(A, False), (B, True), (C, False)]
    assert list(iter_leaves(And(()))) == [] and list(iter_leaves(Not(A))) == [(A, False)]
