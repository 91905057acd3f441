"""Levels merged, names looked up, notes put together."""

import pytest

from bot.core.errors import Fault, NotFound
from bot.core.persona import Level, Note, Persona
from bot.core.starting.catalog import Catalog, Failed, chosen, found, merged, summary, with_notes

MOVED = Note(id="n1", text="We moved.", added="2026-05-02")
HIRED = Note(id="n2", text="We hired.", added="2026-05-03")


def persona(short_name: str, name: str = "", level: Level = "bundled", *notes: Note) -> Persona:
    return Persona(short_name=short_name, name=name or short_name, body=level, level=level, notes=notes)


def catalog(*personas: Persona, source: str = "here") -> Catalog:
    return Catalog(personas=tuple(sorted(personas, key=lambda p: p.short_name)), source=source)


CAST = catalog(
    persona("cranky-old-sam", "Cranky Old Sam"),
    persona("crusty-old-engineer", "Crusty Old Engineer"),
    persona("hoshu", "現場の保守担当"),
    persona("pm-lens", "pm-lens"),
)


def test_nearest_level_wins_by_short_name() -> None:
    """Workspace before deployment before bundled; what loses is listed as shadowed."""
    bundled = catalog(persona("ada"), persona("eve"), persona("sam"), source="bundled")
    deployment = catalog(persona("ada", "", "deployment"), persona("eve", "", "deployment"), source="cast")
    workspace = catalog(persona("ada", "", "workspace"), source="this workspace")
    together = merged(bundled, deployment, workspace)

    levels = [(p.short_name, p.level) for p in together.personas]
    assert levels == [("ada", "workspace"), ("eve", "deployment"), ("sam", "bundled")]
    shadowed = [(p.short_name, p.level) for p in together.shadowed]
    assert shadowed == [("ada", "deployment"), ("ada", "bundled"), ("eve", "bundled")]
    assert together.source == "this workspace, cast, bundled"


def test_file_that_failed_shadows_nothing() -> None:
    """A broken workspace persona is listed, and the farther one serves."""
    fault = Fault(file="ada.md", line=3, text="unknown key")
    workspace = Catalog(failed=(Failed(file="ada.md", level="workspace", faults=(fault,)),))
    together = merged(catalog(persona("ada")), None, workspace)

    assert together.personas[0].level == "bundled"
    assert together.faults == (fault,)


def test_notes_of_all_levels_are_put_together() -> None:
    """A persona hears what the deployment and the workspace noted, on whatever level it stands; nothing twice."""
    deployment = Catalog(notes={"ada": (MOVED,)})
    workspace = catalog(persona("ada", "", "workspace", MOVED))
    together = merged(catalog(persona("ada")), deployment, workspace, notes={"ada": (HIRED,)})

    assert together.personas[0].notes == (MOVED, HIRED)
    assert together.shadowed[0].notes == ()


def test_notes_join_the_personas_of_their_catalog() -> None:
    """Notes on names that are not there are kept for other levels."""
    noted = with_notes(catalog(persona("ada")), {"ada": (MOVED,), "eve": (HIRED,)})

    assert noted.personas[0].notes == (MOVED,)
    assert noted.notes["eve"] == (HIRED,)


@pytest.mark.parametrize(
    ("query", "short_name"),
    [
        ("sam", "cranky-old-sam"),
        ("@Sam", "cranky-old-sam"),
        ("old engineer", "crusty-old-engineer"),
        ("CRUSTY", "crusty-old-engineer"),
        ("保守", "hoshu"),
        ("pm-lens", "pm-lens"),
    ],
)
def test_unambiguous_part_of_a_name_is_enough(query: str, short_name: str) -> None:
    """Short name or display name, any case, with or without @."""
    assert found(CAST, query).short_name == short_name


def test_ambiguous_name_lists_the_candidates() -> None:
    """The answer names who may be meant."""
    with pytest.raises(NotFound) as error:
        found(CAST, "old")

    assert str(error.value) == (
        "'old' may mean cranky-old-sam (Cranky Old Sam), crusty-old-engineer (Crusty Old Engineer); "
        "use one of these names in full"
    )


def test_unknown_name_lists_the_known_and_the_nearest() -> None:
    """A typing error is met with the name that was meant."""
    with pytest.raises(NotFound) as error:
        found(CAST, "crusty old enginer")

    assert str(error.value) == (
        "No persona is called 'crusty old enginer'. Did you mean crusty-old-engineer? "
        "Known: cranky-old-sam, crusty-old-engineer, hoshu, pm-lens"
    )
    assert error.value.exit_code == 1


def test_chosen_keeps_the_order_and_takes_nobody_twice() -> None:
    """As named; `all` is everybody else too."""
    assert [p.short_name for p in chosen(CAST, ["pm", "sam", "pm-lens"])] == ["pm-lens", "cranky-old-sam"]
    assert chosen(CAST, ["pm", "all"])[0].short_name == "pm-lens"
    assert len(chosen(CAST, ["all"])) == 4


def test_chosen_names_everything_that_is_wrong_at_once() -> None:
    """Two wrong names are one answer."""
    with pytest.raises(NotFound) as error:
        chosen(CAST, ["old", "nobody", "pm"])

    assert [line[:6] for line in str(error.value).split("\n")] == ["'old' ", "No per"]


def test_summary_of_one_and_of_none() -> None:
    """Singular where it is one."""
    assert summary(catalog(persona("ada"))) == "1 persona from here: 1 of tier custom"
    assert summary(Catalog()) == "0 personas from no catalog"
