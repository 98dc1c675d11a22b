"""Rewriting of a formula for another locale: separators of arguments and array columns, and the decimal mark."""

from collections.abc import Iterator

from apps.sheets.engine.tokens import MalformedFormula, Token, decimal_comma, tokens


def rewrite_for_locale(formula: str, old: str, new: str) -> str:
    """Rewrite a formula for another locale; an unreadable one stays as it is."""
    comma = decimal_comma(new)
    if decimal_comma(old) == comma:
        return formula
    try:
        found = tokens(formula[1:], not comma)
    except MalformedFormula:
        return formula
    made, end = [formula[0]], 0
    for token, text in zip(found, _render_tokens(found, comma), strict=True):
        made += [formula[1 + end : 1 + token.start], text]
        end = token.start + len(token.text)
    return "".join((*made, formula[1 + end :]))


def _render_tokens(found: list[Token], comma: bool) -> Iterator[str]:
    """Render each token for the new locale; in braces, a semicolon separates rows everywhere."""
    open_brackets: list[str] = []
    for kind, text, _ in found:
        if kind == "number":
            yield text.replace(".", ",") if comma else text.replace(",", ".")
            continue
        if kind == "mark" and text in "({":
            open_brackets.append(text)
        elif kind == "mark" and text in ")}" and open_brackets:
            open_brackets.pop()
        braced = bool(open_brackets) and open_brackets[-1] == "{"
        yield _separator(text, comma, braced) if kind == "mark" else text


def _separator(mark: str, comma: bool, braced: bool) -> str:
    if braced:
        return {",": "\\"}.get(mark, mark) if comma else {"\\": ","}.get(mark, mark)
    return {",": ";"}.get(mark, mark) if comma else {";": ","}.get(mark, mark)
