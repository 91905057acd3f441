"""`panelist personas …`: listing, checking, making, and notes beside the catalog."""

import json
from pathlib import Path

import pytest

from bot.cli.app import run
from tests.personas.catalogs import OWN

PERSONAS = "personas"


@pytest.fixture(autouse=True)
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home and working folder."""
    monkeypatch.setenv("PANELIST_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def catalog(house: Path, text: str = OWN) -> str:
    folder = house / "catalog"
    folder.mkdir(exist_ok=True)
    (folder / "ada.md").write_text(text, encoding="utf-8")
    return "catalog"


def test_the_bundled_cast_is_listed_without_a_catalog(capsys: pytest.CaptureFixture[str]) -> None:
    """None configured is no error; with --json there is one JSON document and nothing else."""
    code = run([PERSONAS, "list", "--json"])
    rows = json.loads(capsys.readouterr().out)

    assert code == 0
    assert len(rows) == 20
    assert {row["level"] for row in rows} == {"bundled"}


def test_without_a_verb_the_personas_are_listed(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The last line counts them."""
    assert run([PERSONAS]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("20 personas from the bundled cast")


def test_a_persona_that_stands_in_place_of_another_says_so(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A catalog's own Sam is nearer than the bundled one."""
    folder = catalog(house)
    (house / folder / "cranky-old-sam.md").write_text(OWN.replace("Ada", "Sam"), encoding="utf-8")
    run([PERSONAS, "list", "--json", "--catalog", folder])
    rows = {row["short_name"]: row for row in json.loads(capsys.readouterr().out)}

    assert (rows["cranky-old-sam"]["level"], rows["cranky-old-sam"]["in_place_of"]) == ("deployment", ["bundled"])


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        (OWN, 0, "1 persona from catalog"),
        (OWN.replace("tags", "tag"), 1, "catalog/ada.md:4: unknown key 'tag'; did you mean 'tags'?"),
        ("---\nname: Ada\ntags: [\n---\nx", 1, "catalog/ada.md:3: front matter does not parse"),
    ],
)
def test_check_tells_faults_by_its_exit_code(
    house: Path, capsys: pytest.CaptureFixture[str], text: str, code: int, said: str
) -> None:
    """0 where every file is sound, 1 with file and line where one is not."""
    folder = catalog(house, text)

    assert run([PERSONAS, "check", folder]) == code
    assert said in capsys.readouterr().out


@pytest.mark.parametrize("made", [False, True], ids=["missing", "empty"])
def test_check_of_no_catalog_is_wrong_usage(house: Path, capsys: pytest.CaptureFixture[str], made: bool) -> None:
    """A named folder that is missing or holds no personas: exit code 2."""
    if made:
        (house / "nothing").mkdir()

    assert run([PERSONAS, "check", "nothing", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["exit_code"] == 2


def test_check_as_json_has_every_fault(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One document with the place of each."""
    folder = catalog(house, OWN.replace("tier: domain-expert", "tier: expert").replace("tags", "tag"))

    assert run([PERSONAS, "check", folder, "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["sound"] is False
    assert [(fault["file"], fault["line"]) for fault in report["faults"]] == [
        ("catalog/ada.md", 3),
        ("catalog/ada.md", 4),
    ]


def test_a_new_persona_loads_as_it_is(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And is never written over another."""
    assert run([PERSONAS, "new", "Zoë of Ops", "--to", "mine"]) == 0
    assert run([PERSONAS, "check", "mine"]) == 0
    assert run([PERSONAS, "new", "Zoë of Ops", "--to", "mine"]) == 1
    assert (house / "mine" / "zoe-of-ops.md").is_file()


def test_notes_stand_beside_the_catalog_and_reach_the_persona(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Added, edited, removed; other programs read the same file."""
    folder = catalog(house)
    assert run([PERSONAS, "note", "ada", "We moved to Kubernetes.", "--catalog", folder]) == 0
    assert run([PERSONAS, "note", "ada", "And back.", "--catalog", folder]) == 0
    assert run([PERSONAS, "note", "ada", "We moved twice.", "--edit", "n2", "--catalog", folder]) == 0
    assert run([PERSONAS, "note", "ada", "--remove", "n1", "--catalog", folder]) == 0
    capsys.readouterr()
    run([PERSONAS, "show", "ada", "--json", "--catalog", folder])
    shown = json.loads(capsys.readouterr().out)

    assert [(note["id"], note["text"]) for note in shown["notes"]] == [("n2", "We moved twice.")]
    assert json.loads((house / "context" / "ada.json").read_text(encoding="utf-8")) == shown["notes"]


def test_notes_on_the_bundled_cast_stand_in_the_home(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A house without a catalog has notes too."""
    run([PERSONAS, "note", "sam", "We moved to Kubernetes."])
    capsys.readouterr()
    run([PERSONAS, "note", "sam", "--json"])
    kept = json.loads(capsys.readouterr().out)
    run([PERSONAS, "show", "sam", "--json"])

    assert (house / "home" / "context" / "cranky-old-sam.json").is_file()
    assert json.loads(capsys.readouterr().out)["notes"] == kept["notes"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["nobody", "x"], 1, "No persona is called 'nobody'"),
        (["sam", "  "], 2, "the note is blank"),
        (["sam", "--remove", "n9"], 1, "there is no note `n9` here"),
        (["sam", "x", "--remove", "n1"], 2, "--remove ID alone"),
        (["sam", "x" * 4001], 2, "at most 4,000 fit"),
    ],
)
def test_a_wrong_note_is_one_sentence(
    capsys: pytest.CaptureFixture[str], words: list[str], code: int, said: str
) -> None:
    """With the exit code of its kind."""
    assert run([PERSONAS, "note", *words]) == code
    assert said in capsys.readouterr().err


def test_a_broken_notes_file_is_never_written_over(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Somebody's notes are in it."""
    path = house / "home" / "context" / "cranky-old-sam.json"
    path.parent.mkdir(parents=True)
    path.write_text("[{", encoding="utf-8")

    assert run([PERSONAS, "note", "sam", "One more."]) == 1
    assert "no JSON" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == "[{"
