"""The wire shape of the mail API: methods, uploads, batches, and the tokens that open them."""

from apps.gmail.refusals import refusal
from apps.gmail.rest.answers import fault_response
from apps.gmail.rest.door import routes
from apps.gmail.rest.wires import wire

__all__ = ["fault_response", "refusal", "routes", "wire"]
