"""The image builder that `firm` finds by its entry point: companies by size and seed."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from seeds.spec import Spec
from world.core.lazy import Lazy
from world.run.images import ImageBuilder, Rows
from world.run.imports import ImportOutcome, ImportRequest

if TYPE_CHECKING:
    from seeds import build as generator
    from seeds import description
    from seeds.imports import export_run, import_run
    from seeds.inspection import summary
else:
    generator = Lazy("seeds.build")  # a second of imports, for an image that is mostly there
    description = Lazy("seeds.description")
    import_run, export_run = Lazy("seeds.imports.import_run"), Lazy("seeds.imports.export_run")
    summary = Lazy("seeds.inspection.summary")


def _build(spec: Spec, images: Path) -> Path:
    return generator.build(spec, images)


def _describe(rows: Rows, what: str, name: str) -> object:
    if what == "person":
        return description.describe_person(rows, name)
    return description.describe_story(rows, name) if what == "story" else description.describe_company(rows)


def _import(request: ImportRequest) -> ImportOutcome:
    return import_run.run_import(request)


def _export(image: Path, folder: Path) -> Sequence[Path]:
    return export_run.run_export(image, folder)


def _check(image: Path, folder: Path | None) -> tuple[bool, Sequence[str]]:
    return summary.check(image, folder)


builder = ImageBuilder(Spec, _build, (Path(__file__).parent,), _describe, _import, _export, _check)
