"""How often a process looks for garbage while it starts."""

import gc


def collect_rarely() -> None:
    """Look for garbage less often: a start makes some 400,000 objects that stay, and looking through them early is a tenth
    of it.
    """
    gc.set_threshold(50_000, 20, 50)
