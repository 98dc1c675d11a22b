"""What a text gives, guarantees, makes depend on something, or takes off what is due."""

from world.grading.customer_promises.detector import Promise, agrees, find_promises, find_withdrawals

__all__ = ["Promise", "agrees", "find_promises", "find_withdrawals"]
