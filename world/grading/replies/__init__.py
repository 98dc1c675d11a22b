"""Whether a reply answers."""

from world.grading.replies.answer import answers, is_answer

__all__ = ["answers", "is_answer"]
