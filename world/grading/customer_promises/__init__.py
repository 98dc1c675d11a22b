"""Promises in a text: gifts, guarantees, conditions on what is due, deductions from it."""

from world.grading.customer_promises.detector import Promise, agrees, find_promises, find_withdrawals

__all__ = ["Promise", "agrees", "find_promises", "find_withdrawals"]
