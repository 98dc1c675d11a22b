"""Which company a home holds for a spec depends on every file that can change an image."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from errno import EROFS
from pathlib import Path

import pytest

from world.run import images
from world.run.home import Home

KINDS = {
    "a patch of a repository": "seeds/repos/payments/patches/*.patch",
    "a pack's texts": "seeds/packs/shop/mail/*.yaml",
    "what CI said": "seeds/repos/verdicts.json",
    "the generator": "seeds/company.py",
    "tables": "apps/slack/models.py",
    "what builds mail": "apps/gmail/mime/build.py",
    "git": "apps/github/git/repo.py",
    "randomness": "core/rng.py",
    "the journal": "core/journal.py",
    "the seal": "store/image.py",
}
IMPORTED = """
import sys
import seeds.build
names = [name for name in sys.modules if name.startswith(("seeds.", "apps.", "world.core.", "world.store."))]
print("\\n".join(sys.modules[name].__file__ for name in names))
"""


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The sources, where they may be changed."""
    folder, made = tmp_path_factory.mktemp("sources"), []
    for root in images.source_roots():
        for name, path in images.list_sources(root):
            to = folder / root.name / name.strip("/")
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, to)
        made.append(folder / root.name)
    return made


@pytest.mark.parametrize("pattern", KINDS.values(), ids=KINDS.keys())
def test_a_change_of_a_source_gives_another_key(copies: list[Path], pattern: str) -> None:
    changed = next(copies[0].parent.glob(pattern))
    before, text = images.digest_sources(copies), changed.read_bytes()
    changed.write_bytes(text + b"\n")
    after = images.digest_sources(copies)
    changed.write_bytes(text)
    assert before != after
    assert before == images.digest_sources(copies)


def test_a_new_and_a_renamed_source_give_other_keys(copies: list[Path]) -> None:
    before, first = images.digest_sources(copies), copies[0] / "repos" / "0000-first.patch"
    first.write_bytes(b"")
    added = images.digest_sources(copies)
    renamed = first.rename(first.with_name("0001-first.patch"))
    assert len({before, added, images.digest_sources(copies)}) == 3
    renamed.unlink()


def test_what_is_kept_of_the_sources_is_the_digest_of_their_content(copies: list[Path], tmp_path: Path) -> None:
    kept = tmp_path / "sources.json"
    before = images.digest_sources(copies, kept)
    assert before == images.digest_sources(copies, kept) == images.digest_sources(copies)
    changed = copies[0] / "company.py"
    text = changed.read_bytes()
    changed.write_bytes(text + b"#")
    assert images.digest_sources(copies, kept) == images.digest_sources(copies) != before
    changed.write_bytes(text)


@pytest.mark.full
def test_every_module_the_generator_imports_is_a_source() -> None:
    done = subprocess.run([sys.executable, "-c", IMPORTED], capture_output=True, text=True, check=True)
    known = {Path(path).resolve() for root in images.source_roots() for _, path in images.list_sources(root)}
    imported = {Path(line).resolve() for line in done.stdout.splitlines()}
    assert len(imported) > 200
    assert sorted(str(path) for path in imported - known) == []


def test_what_shows_a_company_is_no_source() -> None:
    known = {name for root in images.source_roots() for name, _ in images.list_sources(root)}
    assert not [name for name in known if name.endswith((".html", ".css", ".js")) or "/rest/" in name]


def test_specs_and_sources_name_an_image_together() -> None:
    keys = {images.image_key(spec, sources) for spec in ("S 7", "S 8") for sources in ("a", "b")}
    assert len(keys) == 4


def test_an_image_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="firm seed build"):
        images.get_image_by_hash(Home(tmp_path), "0" * 64)


def test_a_home_that_takes_no_files_remembers_nothing(
    copies: Sequence[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, data: bytes) -> None:
        raise OSError(EROFS, "Read-only file system")

    monkeypatch.setattr(images, "write_whole", refuse)
    assert images.digest_sources(copies, tmp_path / "no" / "sources.json") == images.digest_sources(copies)
