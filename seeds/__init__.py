"""The company generator: one seed becomes one sealed base image, by `seeds.build`."""

from seeds.spec import START, Spec

__all__ = ["START", "Spec"]
