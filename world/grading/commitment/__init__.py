"""Whether an author stands by what a text says: what is taken back, denied, quoted or not meant."""

from world.grading.commitment.retraction import Disavowal, Reading, find_sweeping_denial, read_commitment

__all__ = ["Disavowal", "Reading", "find_sweeping_denial", "read_commitment"]
