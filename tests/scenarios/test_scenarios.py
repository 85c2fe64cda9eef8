"""Every scenario file is a test."""

from pathlib import Path

import pytest

from plugins.rehearsal.__main__ import Stage, files

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def stage() -> Stage:
    return Stage()


@pytest.mark.parametrize(
    "path", list(files([HERE])), ids=lambda path: str(path.relative_to(HERE).with_suffix(""))
)
def test_scenario(stage: Stage, path: Path) -> None:
    assert stage.failures(path) == []
