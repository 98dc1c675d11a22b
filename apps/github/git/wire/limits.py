"""Limits on one push or fetch.

Worlds are small: the vendor takes packs of 2 GiB and files of 100 MiB, but holds no world in memory. The counts are
such that no push holds the thread of all worlds for long.
"""

MIB = 1024 * 1024
MAX_PACK = 16 * MIB  # bytes of an incoming pack
MAX_FILE = 10 * MIB  # bytes of one object, inflated
MAX_TOTAL = 24 * MIB  # bytes of all objects of a pack together, inflated and with deltas applied
MAX_OBJECTS = 8_000  # of a pack
MAX_COMMITS = 2_500  # of a pack; one with other headers than the four usual ones counts twice
MAX_PARENTS = 64  # of a commit; git's own merges end at 16
MAX_TREE = MIB  # bytes of one tree: more than 10,000 entries
RATIO, FLOOR = 100, 4 * MIB  # what is stored may be FLOOR + RATIO times as large as the pack: stops bombs of zeros
MAX_CHAIN = 250  # deltas on deltas; git makes chains of 50
MAX_STEPS = 150_000  # instructions of all deltas of a pack
MAX_COMMANDS = 1_000  # refs of one push
MAX_LINES = 20_000  # packet lines of one request
MAX_REQUEST = 2 * MIB  # bytes of a fetch request, and of what stands before the pack in a push
MAX_TAGS = 10  # tags that point to tags
