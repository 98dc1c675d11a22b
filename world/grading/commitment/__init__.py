"""Whether an author stands by a text: parts of it may be taken back, denied, quoted or not meant."""

from world.grading.commitment.retraction import Commitment, Disavowal, find_sweeping_denial, read_commitment

__all__ = ["Disavowal", "Commitment", "find_sweeping_denial", "read_commitment"]
