"""Dated notes and variants beside a catalog."""

import json
from pathlib import Path

import pytest

from bot.core.speech.cues import cues_of
from bot.core.speech.persona_text import persona_text
from bot.core.starting.catalog import Catalog
from personas.loader import load
from tests.personas.catalogs import OWN, TODAY, written
from tests.personas.samples import JAPANESE_CONFIG, JAPANESE_PERSONA

NOTE = {"id": "n1", "text": "We moved to Kubernetes.", "added": "2026-05-02"}


def catalog_with(tmp_path: Path, files: dict[str, str], *, strict: bool = True) -> Catalog:
    written(tmp_path, {"personas/ada.md": OWN, **files})
    return load(tmp_path / "personas", today=TODAY, strict=strict)


@pytest.mark.parametrize("place", ["context/ada.json", "personas/context/ada.json"])
def test_notes_beside_or_within_the_catalog_are_read(tmp_path: Path, place: str) -> None:
    """`context/<short-name>.json` is put after the document, each note with its date."""
    catalog = catalog_with(tmp_path, {place: json.dumps([NOTE])})

    assert persona_text(catalog.personas[0]).endswith("- 2026-05-02: We moved to Kubernetes.")


def test_notes_of_personas_that_stand_elsewhere_are_kept(tmp_path: Path) -> None:
    """A deployment can hold notes on a bundled persona without copying its file."""
    catalog = catalog_with(tmp_path, {"context/crusty-old-engineer.json": json.dumps([NOTE])})

    assert [note.id for note in catalog.notes["crusty-old-engineer"]] == ["n1"]
    assert catalog.personas[0].notes == ()


def test_unrelated_files_in_a_folder_called_context_do_no_harm(tmp_path: Path) -> None:
    """The folder beside a catalog may be anybody's."""
    catalog = catalog_with(tmp_path, {"context/package.json": '{"private": true}', "context/x.json": "{"})

    assert catalog.faults == ()


@pytest.mark.parametrize(
    ("content", "line", "said"),
    [
        ([{**NOTE, "added": "2027-01-01"}], 1, "dated 2027-01-01, after today (2026-05-20)"),
        ([{**NOTE, "added": "soon"}], 1, "'soon' is no date"),
        ([{**NOTE, "added": None}], 1, "no 'added'"),
        ([{**NOTE, "text": " "}], 1, "no 'text'"),
        ([{"text": "x", "added": "2026-01-01"}], 1, "no 'id'"),
        ([NOTE, NOTE], 1, "note 2: its id stands here twice"),
        (["We moved."], 1, "note 1: must be"),
        ({"n1": "We moved."}, 1, "must be a list"),
        ([{**NOTE, "text": "x" * 4001}], 1, "4001 characters"),
    ],
)
def test_wrong_notes_are_faults_of_their_own_file(tmp_path: Path, content: object, line: int, said: str) -> None:
    """The persona itself stays; the note that is wrong is named."""
    catalog = catalog_with(tmp_path, {"context/ada.json": json.dumps(content)}, strict=False)

    (fault,) = catalog.faults
    assert (fault.file, fault.line) == ("context/ada.json", line)
    assert said in fault.text
    assert [persona.short_name for persona in catalog.personas] == ["ada"]


def test_note_of_tomorrow_is_no_future(tmp_path: Path) -> None:
    """Somewhere on earth it is tomorrow already; times with zones are dates too."""
    notes = [{**NOTE, "added": "2026-05-21"}, {**NOTE, "id": "n2", "added": "2026-05-01T10:00:00Z"}]
    catalog = catalog_with(tmp_path, {"context/ada.json": json.dumps(notes)})

    assert len(catalog.personas[0].notes) == 2


def test_json_that_breaks_off_names_its_line(tmp_path: Path) -> None:
    """A missing bracket is found where it is missing."""
    catalog = catalog_with(tmp_path, {"context/ada.json": '[\n  {"id": "n1",\n'}, strict=False)

    assert catalog.faults[0].line == 3


def test_sibling_folder_serves_the_variant(tmp_path: Path) -> None:
    """`personas-v2/` gives the variant `v2` in any form; a persona without one stays as it is."""
    catalog = catalog_with(
        tmp_path,
        {
            "personas/hoshu/config.json": JAPANESE_CONFIG,
            "personas/hoshu/persona.md": JAPANESE_PERSONA,
            "personas/sam.md": OWN.replace("Ada", "Sam"),
            "personas-v2/hoshu/config.json": JAPANESE_CONFIG,
            "personas-v2/hoshu/persona.md": "別の文書。",
            "personas-v2/ada.md": OWN.replace("I count", "I weigh"),
            "personas-v2/nobody.md": OWN,
            "personas-v2/README.md": "about v2",
        },
    )

    bodies = {persona.short_name: persona.variant("v2").body for persona in catalog.personas}
    assert bodies == {"ada": "I weigh before I trust.", "hoshu": "別の文書。", "sam": "I count before I trust."}
    assert any("'nobody' is left out" in remark.text for remark in catalog.remarks)


def test_variant_file_beside_the_persona_is_no_persona(tmp_path: Path) -> None:
    """A file that a persona names as its variant is not taken for another persona of the same name."""
    catalog = catalog_with(
        tmp_path,
        {
            "personas/eve.md": OWN.replace("Ada", "Eve").replace("tags:", "variants: {v2: eve.v2.md}\ntags:"),
            "personas/eve.v2.md": "I doubt.\n",
        },
    )

    assert [persona.short_name for persona in catalog.personas] == ["ada", "eve"]
    assert catalog.personas[1].variants == {"v2": "I doubt."}
    assert catalog.remarks == ()


def test_sibling_folder_that_links_away_is_not_read(tmp_path: Path) -> None:
    """Beside the catalog means beside it."""
    written(tmp_path / "far", {"ada.md": OWN})
    (tmp_path / "near").mkdir()
    (tmp_path / "near" / "personas-v2").symlink_to(tmp_path / "far")
    written(tmp_path / "near", {"personas/ada.md": OWN})

    assert load(tmp_path / "near" / "personas", today=TODAY).personas[0].variants == {}


def test_a_variant_brings_its_own_cues(tmp_path: Path) -> None:
    """In the front matter of its file; the persona's own cues wait for the persona's own document."""
    own = OWN.replace("---\n\n", "cues: [cost → Who pays?]\nvariants: {v2: ada.v2.md}\n---\n\n", 1)
    other = "---\ncues: [price → Whose?]\n---\n\nI weigh.\n"
    catalog = catalog_with(tmp_path, {"personas/ada.md": own, "personas/ada.v2.md": other})
    (ada,) = catalog.personas

    assert [cue.remark for cue in cues_of(ada).cues] == ["Who pays?"]
    assert [cue.remark for cue in cues_of(ada.variant("v2")).cues] == ["Whose?"]
    assert persona_text(ada.variant("v2")) == "I weigh."
