"""Pseudonyms: names, addresses, numbers and secrets replaced alike wherever they stand, keyed so that nobody can guess back.

Opaque ids of services, words of no name and dates stay. A secret keeps its length and kind of characters.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from seeds.imports.identities import PUBLIC_DOMAINS, Identity, Individual
from seeds.person_names import name_list
from world.core.rng import Stream, digest

LOCALES = ("de", "es", "fr", "gb", "in", "nl", "pl", "us")
EMAIL = r"[\w.+%'-]+@(?:[\w-]+\.)+[A-Za-z]{2,}"
SECRETS = (
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----",
    r"\bAKIA[0-9A-Z]{16}\b",
    r"\bgh[pousr]_[A-Za-z0-9]{20,}\b",
    r"\bgithub_pat_[A-Za-z0-9_]{20,}\b",
    r"\bxox[abeprs]-[A-Za-z0-9-]{10,}",
    r"\bxapp-[A-Za-z0-9-]{10,}",
    r"\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}",
    r"\bATATT3[A-Za-z0-9_=-]{16,}",
    r"\bAIza[0-9A-Za-z_-]{35}",
    r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
    r"(?<=://)[^\s/:@]+:[^\s/@]+(?=@)",
    r"(?i:(?<=password[:=])|(?<=password[:=] )|(?<=passwd=)|(?<=secret[:=])|(?<=secret[:=] )|(?<=token[:=])"
    r"|(?<=token[:=] )|(?<=api_key[:=])|(?<=api_key[:=] )|(?<=api-key[:=] ))[^\s<>\"',;]{6,}",
)
NUMBERS = (
    r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b",  # bank accounts
    r"(?<![\w.-])\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?![\w-])",  # payment cards
    r"(?<![\w.])(?:\+|00)\d[\d ()/-]{6,18}\d",  # telephones
    r"(?<![\w.])\(?\d{3}\)?[ -]\d{3}-\d{4}(?!\w)",
)


class Pseudonyms:
    """The replacements of one import. The same key and the same people give the same replacements."""

    def __init__(self, key: str, people: Iterable[Individual], domain: str, name: str) -> None:
        self._key = key
        listed = list(people)
        self._words = self._choose_words(listed)
        self._domains = {domain: f"{self._word(domain, 'domain')}.example"} if domain else {}
        label = domain.partition(".")[0]
        own = [one for one in (name, label, label.capitalize()) if len(one) > 2]
        brand = self._domains[domain].partition(".")[0] if domain else ""
        self._plain = {one: brand if one.islower() else brand.capitalize() for one in own}
        self._pattern = self._compile()

    # -- the choice of replacements

    def _draw(self, *path: str) -> Stream:
        return Stream("pseudonym", self._key, *path)

    def _word(self, text: str, kind: str) -> str:
        """A pronounceable word that stands for a text."""
        draw = self._draw(kind, text)
        return "".join(draw.choice("bdfgklmnprstvz") + draw.choice("aeiou") for _ in range(4))

    def _choose_words(self, people: Iterable[Individual]) -> dict[str, str]:
        """A new word for each word of a person's name, in lower case."""
        firsts, lasts = set[str](), set[str]()
        for one in people:
            if one.kind == "bot":
                continue
            for name in dict.fromkeys(other.name for other in one.identities):
                words = [word.lower() for word in re.findall(r"[^\W\d_]{2,}", name)]
                firsts.update(words[:1])
                lasts.update(words[1:])
        taken = firsts | lasts
        chosen = self._assign(sorted(firsts), [name for name in _first_names() if name.lower() not in taken], "first")
        return chosen | self._assign(
            sorted(lasts - firsts), [name for name in _last_names() if name.lower() not in taken], "last"
        )

    def _assign(self, words: list[str], pool: list[str], kind: str) -> dict[str, str]:
        """Different words for different words, as far as the pool goes; then invented ones."""
        free = self._draw(kind).shuffled(pool)
        out: dict[str, str] = {}
        for word in sorted(words, key=lambda one: digest(self._key, kind, one)):
            out[word] = free.pop() if free else self._word(word, kind).capitalize()
        return out

    # -- texts

    def _compile(self) -> re.Pattern[str]:
        names = sorted({form for word in self._words for form in (word.capitalize(), word.upper())})
        words = [*sorted(self._plain), *names]
        parts = [
            *(f"(?P<s{number}>{one})" for number, one in enumerate(SECRETS)),
            f"(?P<email>{EMAIL})",
            *(f"(?P<n{number}>{_no_groups(one, number)})" for number, one in enumerate(NUMBERS)),
            *(f"(?P<domain{number}>\\b{re.escape(one)}\\b)" for number, one in enumerate(sorted(self._domains))),
        ]
        if words:
            parts.append(
                r"(?P<word>\b(?:" + "|".join(map(re.escape, sorted(words, key=lambda one: (-len(one), one)))) + r")\b)"
            )
        return re.compile("|".join(parts))

    def change(self, text: str) -> str:
        """A text with every replacement made."""
        return self._pattern.sub(self._replace, text) if text else text

    def _replace(self, found: re.Match[str]) -> str:
        kind, text = found.lastgroup or "", found.group()
        if kind == "email":
            return self.change_address(text)
        if kind.startswith("domain"):
            return self._domains[text]
        if kind == "word":
            return self._plain.get(text) or _like(self._words[text.lower()], text)
        return self._scramble(text)

    def _scramble(self, text: str) -> str:
        """A secret or number of the same shape; its first characters, which say what it is, stay."""
        kept = 4 if re.match(r"[A-Za-z]{2,}", text) else 1
        if text.startswith("-----"):
            head, _, rest = text.partition("\n")
            body, _, foot = rest.rpartition("\n")
            return f"{head}\n{self._shape(body, 0)}\n{foot}"
        return self._shape(text, kept)

    def _shape(self, text: str, kept: int) -> str:
        draw = self._draw("secret", text)
        out = [text[:kept]]
        for letter in text[kept:]:
            if letter.isdigit():
                out.append(str(draw.integer(0, 9)))
            elif letter.isalpha() and letter.isascii():
                made = draw.choice("abcdefghijklmnopqrstuvwxyz")
                out.append(made.upper() if letter.isupper() else made)
            else:
                out.append(letter)
        return "".join(out)

    def change_address(self, address: str) -> str:
        """A mail address: words of names become their replacements, other ones a word of their own."""
        local, _, domain = address.rpartition("@")
        return f"{self.change_handle(local)}@{self.change_domain(domain)}"

    def change_domain(self, domain: str) -> str:
        """A domain; those of public mail services stay."""
        lower = domain.lower()
        if lower in PUBLIC_DOMAINS or lower.endswith(".example"):
            return domain
        own = next((one for one in self._domains if lower == one or lower.endswith(f".{one}")), None)
        if own is not None:
            return lower.removesuffix(own) + self._domains[own]
        return f"{self._word(lower, 'domain')}.example"

    def change_handle(self, handle: str) -> str:
        """A handle or login; equal ones, whatever their case, stay equal."""
        parts = re.split(r"([._+\-]+)", handle.lower())
        known = [part for part in parts if part in self._words]
        if known:
            return "".join(_ascii(self._words[one]) if one in self._words else one for one in parts)
        return self._word(handle.lower(), "handle") + digest(self._key, handle.lower(), size=1).hex()

    # -- people and rows

    def change_identity(self, one: Identity) -> Identity:
        """Somebody under another name; bots keep theirs."""
        address_like = one.app == "gmail"
        if one.kind == "bot":
            return replace(one, emails=tuple(map(self.change_address, one.emails)))
        return replace(
            one,
            key=self.change_address(one.key)
            if address_like
            else self.change_handle(one.key)
            if one.app in ("github", "people") or (one.app == "jira" and one.key == one.handle)
            else one.key,
            name=self.change_name(one.name),
            handle=self.change_handle(one.handle) if one.handle else "",
            emails=tuple(self.change_address(address) for address in one.emails),
            display=self.change_name(one.display),
            title=self.change(one.title),
            phone=self._scramble(one.phone) if one.phone else "",
            accounts=tuple(
                (app, self.change_handle(id) if app == "github" else id) for app, id in one.accounts if app != "gmail"
            ),
        )

    def change_name(self, name: str) -> str:
        """Every word of a name: known ones alike everywhere, others by a word of their own."""

        def other(found: re.Match[str]) -> str:
            word = found.group()
            return _like(self._words.get(word.lower()) or self._word(word.lower(), "name").capitalize(), word)

        return re.sub(r"[^\W\d_]{2,}", other, name)

    def change_value(self, value: object) -> object:
        """A column's value: texts, and texts inside JSON."""
        if isinstance(value, str):
            return self.change(value)
        if isinstance(value, list):
            return [self.change_value(one) for one in value]
        if isinstance(value, Mapping):
            return {key: self.change_value(one) for key, one in value.items()}
        return value


def _no_groups(pattern: str, number: int) -> str:
    """A pattern whose own group has a name, so that it may stand beside others."""
    return pattern.replace("([ -])", f"(?P<gap{number}>[ -])").replace(r"\1", f"(?P=gap{number})")


def _like(word: str, shape: str) -> str:
    return word.upper() if shape.isupper() else word.lower() if shape.islower() else word


def _ascii(word: str) -> str:
    return "".join(one for one in word.lower() if one.isascii() and one.isalnum()) or "somebody"


@lru_cache(maxsize=1)
def _first_names() -> tuple[str, ...]:
    lists = [name_list(key) for key in LOCALES]
    return tuple(sorted({name for one in lists for name in (*one.female, *one.male) if name.isascii()}))


@lru_cache(maxsize=1)
def _last_names() -> tuple[str, ...]:
    return tuple(sorted({name for key in LOCALES for name in name_list(key).last if name.isascii() and name.isalpha()}))
