"""The image builder that `firm` finds by its entry point: companies by size and seed."""

from pathlib import Path
from typing import TYPE_CHECKING

from seeds.spec import Spec
from world.core.lazy import Lazy
from world.run.images import ImageBuilder

if TYPE_CHECKING:
    from seeds import build as generator
else:
    generator = Lazy("seeds.build")  # a second of imports, for an image that is mostly there


def _build(spec: Spec, images: Path) -> Path:
    return generator.build(spec, images)


builder = ImageBuilder(Spec, _build, (Path(__file__).parent,))
