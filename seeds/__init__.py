"""The company generator: one seed becomes one sealed base image."""

from seeds.build import build
from seeds.spec import START, Spec

__all__ = ["START", "Spec", "build"]
