"""The taskset as verifiers finds it by name: `vf-eval firmament-v1`."""

from world.adapters.verifiers_tasks import CompanyTaskset

__all__ = ["CompanyTaskset"]
