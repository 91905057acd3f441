"""The folder itself: what is missing, empty, linked, doubled or no persona at all."""

import errno
import os
from pathlib import Path

import pytest

from bot.core.errors import CatalogError, PersonaFileError
from bot.core.starting.catalog import summary
from personas.loader import load, load_bundled
from personas.reading import reason
from tests.personas.catalogs import OWN, TODAY, faults, loaded, written
from tests.personas.samples import FRENCH_PORTABLE, JAPANESE_CONFIG, JAPANESE_PERSONA


def eve(name: str = "Eve") -> str:
    return OWN.replace("Ada", name)


@pytest.mark.parametrize("strict", [True, False])
def test_missing_folder_is_a_catalog_error(tmp_path: Path, strict: bool) -> None:
    """A named catalog that is not there: exit code 2, the name as given, and what to do."""
    with pytest.raises(CatalogError, match=r"nowhere: there is no such catalog folder; create it") as error:
        load(tmp_path / "nowhere", today=TODAY, strict=strict)

    assert error.value.exit_code == 2


def test_folder_without_personas_is_a_catalog_error(tmp_path: Path) -> None:
    """Exit code 2, with what was left out and how to begin."""
    with pytest.raises(CatalogError, match=r"holds no personas; 'panelist personas new NAME'") as error:
        loaded(tmp_path, {"README.md": "# Soon"})

    assert error.value.exit_code == 2
    assert "README.md: left out" in str(error.value)


def test_a_file_is_no_catalog(tmp_path: Path) -> None:
    """Naming a persona file where a folder is meant is told apart from a missing folder."""
    with pytest.raises(CatalogError, match="a catalog is a folder, not a file"):
        load(written(tmp_path, {"ada.md": OWN}) / "ada.md", today=TODAY)


def test_folder_of_headless_texts_only_is_at_fault(tmp_path: Path) -> None:
    """Where nothing else is in the folder, a file without front matter is a persona whose head was forgotten."""
    with pytest.raises(PersonaFileError, match=r"ada\.md:1: no front matter; start the file with '---'") as error:
        loaded(tmp_path, {"ada.md": "# Ada\n\nI count."})

    assert error.value.exit_code == 1


def test_faults_name_the_folder_as_it_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A message never shows an absolute path that nobody typed."""
    written(tmp_path / "cast", {"ada.md": OWN.replace("tier", "teir")})
    monkeypatch.chdir(tmp_path)
    catalog = load("cast", today=TODAY, strict=False)

    assert catalog.faults[0].file == "cast/ada.md"
    assert str(tmp_path) not in summary(catalog)


def test_two_files_of_one_short_name_are_a_fault(tmp_path: Path) -> None:
    """The first keeps the name; the second is set aside and told who has it."""
    files = {
        "hoshu/config.json": JAPANESE_CONFIG,
        "hoshu/persona.md": JAPANESE_PERSONA,
        "hoshu.md": eve("Hoshu"),
    }
    catalog = loaded(tmp_path, files, strict=False)

    assert len(catalog.personas) == 1
    assert "hoshu.md: the short name 'hoshu' is taken by hoshu/config.json" in str(catalog.faults[0])


def test_broken_twin_does_not_take_the_name(tmp_path: Path) -> None:
    """A file that can not be used holds no name against one that can."""
    files = {"helene.md": eve("Helene") + "\n", "helene.persona.md": FRENCH_PORTABLE}
    files["helene.md"] = files["helene.md"].replace("tier:", "teir:")
    catalog = loaded(tmp_path, files, strict=False)

    assert [persona.name for persona in catalog.personas] == ["Hélène Marchetti"]


@pytest.mark.parametrize("twin", ["Аda", "ADA", "Ada", "Αda", "Ａda"])
def test_two_personas_of_one_visible_name_are_a_fault(tmp_path: Path, twin: str) -> None:
    """Letters of other alphabets, capitals and wide forms make no other name."""
    (fault,) = faults(tmp_path, {"ada.md": OWN, "zoe.md": eve(twin)})

    assert "looks the same as the name in ada.md" in fault.text


def test_link_inside_the_folder_is_followed(tmp_path: Path) -> None:
    """Mounted configuration is often linked within its folder."""
    written(tmp_path, {".data/ada.md": OWN})
    (tmp_path / "ada.md").symlink_to(Path(".data") / "ada.md")

    assert load(tmp_path, today=TODAY).personas[0].short_name == "ada"


def test_links_out_and_in_circles_are_faults(tmp_path: Path) -> None:
    """A catalog can not make the bot read files elsewhere, and no link can make it turn forever."""
    folder = written(tmp_path / "cast", {"ada.md": OWN})
    written(tmp_path, {"secret.md": eve(), "other/eve/SKILL.md": eve()})
    (folder / "out.md").symlink_to(tmp_path / "secret.md")
    (folder / "elsewhere").symlink_to(tmp_path / "other" / "eve")
    (folder / "a.md").symlink_to("b.md")
    (folder / "b.md").symlink_to("a.md")
    (folder / "round").symlink_to(".")
    (folder / "dead.md").symlink_to("gone.md")
    catalog = load(folder, today=TODAY, strict=False)

    told = {Path(fault.file).name: fault.text.partition(";")[0] for fault in catalog.faults}
    assert told == {
        "out.md": "links out of the catalog folder",
        "elsewhere": "links out of the catalog folder",
        "a.md": "links in a circle",
        "b.md": "links in a circle",
        "dead.md": "not there, or a link to nothing",
    }
    assert [persona.short_name for persona in catalog.personas] == ["ada"]


def test_device_files_are_not_read(tmp_path: Path) -> None:
    """A pipe with a persona's name would block a reader for ever."""
    written(tmp_path, {"ada.md": OWN})
    os.mkfifo(tmp_path / "pipe.md")
    (fault,) = load(tmp_path, today=TODAY, strict=False).faults

    assert "not a plain file" in fault.text


def test_forbidden_file_names_the_permission() -> None:
    """What may not be read says who has to be allowed."""
    assert "give the bot's user permission" in reason(PermissionError(errno.EACCES, "no"))


def test_summary_counts_tiers_and_failures(tmp_path: Path) -> None:
    """One line: how many, from where, how many of each tier, and what failed."""
    catalog = loaded(
        tmp_path, {"ada.md": OWN, "eve.md": eve(), "sam.md": eve("Sam").replace("tier", "teir")}, strict=False
    )

    assert summary(catalog) == f"2 personas from {tmp_path}: 2 of tier domain-expert; 1 file failed to load"


def test_bundled_cast_loads_without_a_word(tmp_path: Path) -> None:
    """The program's own files hold to its own rules."""
    catalog = load_bundled()

    assert len(catalog.personas) >= 17
    assert catalog.faults == ()
    assert catalog.remarks == ()
    assert {persona.level for persona in catalog.personas} == {"bundled"}
