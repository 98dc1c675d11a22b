"""How many inputs a property is tried with: all of them in `make long`, a share in `make test`."""

from hypothesis import settings

FAST, THOROUGH = "fast", "thorough"
SHARE, LEAST = 8, 15


def register_profiles() -> None:
    """The profiles that `--hypothesis-profile` knows; fast unless one is asked for."""
    settings.register_profile(FAST, deadline=None)
    settings.register_profile(THOROUGH, deadline=None)
    settings.load_profile(FAST)


def examples(thorough: int) -> int:
    """The number of inputs to try, of those that the thorough profile tries."""
    if settings.get_current_profile_name() == THOROUGH:
        return thorough
    return min(thorough, max(LEAST, thorough // SHARE))
