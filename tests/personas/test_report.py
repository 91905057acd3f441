"""What `personas check` prints."""

from pathlib import Path

import pytest

from bot.core.errors import CatalogError
from personas.report import check
from tests.personas.catalogs import OWN, TODAY, own, written
from tests.personas.samples import CHINESE_SKILL


def test_report_lists_faults_then_remarks_then_the_summary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every fault of every file, the unknown keys that are kept, and one line at the end."""
    files = {
        "ada.md": own("colour: red\nmodel: a b"),
        "eve.md": OWN.replace("name: Ada", "name: ''"),
        "chengben/SKILL.md": CHINESE_SKILL,
        "README.md": "#",
    }
    written(tmp_path / "cast", files)
    monkeypatch.chdir(tmp_path)
    report = check("cast", today=TODAY)

    heads = [line.split(" ")[0] for line in report.lines]
    assert heads == [
        "cast/ada.md:4:",
        "cast/ada.md:5:",
        "cast/eve.md:2:",
        "cast/README.md:",
        "cast/chengben/SKILL.md:3:",
        "cast/chengben/SKILL.md:4:",
        "cast/chengben/SKILL.md:5:",
        "cast/chengben/SKILL.md:6:",
        "1",
    ]
    assert "'license' is not known to us and is kept" in report.lines[5]
    assert report.lines[-1] == "1 persona from cast: 1 of tier custom; 2 files failed to load"
    assert not report.sound


def test_sound_catalog_says_so(tmp_path: Path) -> None:
    """Nothing wrong is one line."""
    report = check(written(tmp_path, {"ada.md": OWN}), today=TODAY)

    assert (report.sound, len(report.lines)) == (True, 1)


def test_check_of_nothing_is_a_catalog_error(tmp_path: Path) -> None:
    """A folder without personas can not be sound."""
    with pytest.raises(CatalogError):
        check(tmp_path, today=TODAY)
