"""Limits on one push or fetch.

Worlds are small: the vendor takes packs of 2 GiB and files of 100 MiB, but holds no world in memory.
"""

MIB = 1024 * 1024
MAX_PACK = 50 * MIB  # bytes of an incoming pack
MAX_FILE = 25 * MIB  # bytes of one object, inflated
MAX_TOTAL = 200 * MIB  # bytes of all objects of a pack together, inflated and with deltas applied
MAX_OBJECTS = 50_000  # of a pack; a call may change 200,000 rows, and an object may be two
RATIO, FLOOR = 100, 4 * MIB  # what is stored may be FLOOR + RATIO times as large as the pack: stops bombs of zeros
MAX_CHAIN = 250  # deltas on deltas; git makes chains of 50
MAX_STEPS = 500_000  # instructions of all deltas of a pack
MAX_COMMANDS = 1_000  # refs of one push
MAX_LINES = 20_000  # packet lines of one request
MAX_REQUEST = 2 * MIB  # bytes of a fetch request, and of what stands before the pack in a push
MAX_TAGS = 10  # tags that point to tags
