"""Refusals: the errors of operations, in the vendor's vocabulary."""

from collections.abc import Iterable


class OperationError(Exception):
    """A refusal in the vendor's vocabulary: `code` is the vendor's, `detail` fills its message."""

    def __init__(self, code: str, **detail: object) -> None:
        super().__init__(code)
        self.code, self.detail = code, detail

    def __str__(self) -> str:
        return self.code if not self.detail else f"{self.code} {self.detail}"


class InvalidArguments(OperationError):
    """Arguments that the operation's params model does not accept; `problems` is sorted by field."""

    def __init__(self, problems: Iterable[tuple[str, str]]) -> None:
        self.problems = sorted(problems)
        super().__init__("invalid_arguments", problems=self.problems)

    def sentence(self) -> str:
        """`field: message; field: message`, with no input echoed."""
        return "; ".join(f"{name}: {message}" for name, message in self.problems)


class EpisodeEnded(OperationError):
    """The world is closed to its employees, whose tokens no longer count. `sentence` says what ended it."""

    def __init__(self, why: str, sentence: str) -> None:
        super().__init__("token_revoked", ended=why)
        self.sentence = sentence


class Outage(OperationError):
    """An emulated failure of a service. `kind` is the fault's kind; doors render it in the vendor's shape.

    `until` is the time at which a limited caller may come again, once the call is on record.
    """

    until: int | None = None

    def __init__(
        self, kind: str, code: str, *, app: str, retry_after_s: int | None = None, reason: str | None = None
    ) -> None:
        super().__init__(code)
        self.kind, self.app, self.retry_after_s, self.reason = kind, app, retry_after_s, reason
