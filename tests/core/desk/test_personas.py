"""Personas of a workspace, changed in chat: every change checked, kept with its author, and undone again."""

import io
import zipfile

import pytest

from bot.core.desk.answer import AttachedText
from bot.core.errors import NotAllowed, NotFound, PanelistError, PersonaFileError, UsageError
from bot.core.persona import Persona
from bot.core.place import Person
from bot.core.starting.catalog import Catalog
from tests.core.desk.room import ADA, ADMIN, GUEST, HERE, MEMBER, OTHER, Workspace

SAM = "cranky-old-sam"


async def catalog_of(workspace: Workspace) -> Catalog:
    return await workspace.catalogs.of(HERE)


async def persona(workspace: Workspace, short_name: str) -> Persona:
    found = (await catalog_of(workspace)).persona(short_name)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("words", "short_name", "name", "body"),
    [
        (f"persona add Ada\n{ADA}", "ada", "Ada", "I count before I speak."),
        (f"persona add {ADA}", "ada", "Ada", "I count before I speak."),
        ("persona add Ada Lowell\nI count.\n\nTwice.", "ada-lowell", "Ada Lowell", "I count.\n\nTwice."),
        ("persona add Ada Lowell: I count.", "ada-lowell", "Ada Lowell", "I count."),
        ('persona add "Ada: the counter" I count.', "ada-the-counter", "Ada: the counter", "I count."),
        ("persona add “Ada Lowell” I count.", "ada-lowell", "Ada Lowell", "I count."),
    ],
)
async def test_a_persona_is_added_as_people_write_it(words: str, short_name: str, name: str, body: str) -> None:
    """A whole file, or a name and how it thinks, in the lines below or behind it."""
    workspace = Workspace()
    told = await workspace.ask(words)
    added = await persona(workspace, short_name)

    assert f"(`{short_name}`) is at hand" in told.text
    assert (added.name, added.body, added.level) == (name, body, "workspace")


async def test_attached_files_become_personas() -> None:
    """One for each file, under its own name or the given one."""
    workspace = Workspace()
    files = (AttachedText(name="ada.md", text=ADA), AttachedText(name="Bo Ridge.md", text="I doubt it."))
    told = await workspace.ask("persona add", attached=files)
    await workspace.ask("persona add Cy Tan", attached=(AttachedText(name="x.md", text="I ask."),))

    assert told.text.count("is at hand") == 2
    assert (await persona(workspace, "ada")).body == "I count before I speak."
    assert (await persona(workspace, "bo-ridge")).name == "Bo Ridge"
    assert (await persona(workspace, "cy-tan")).name == "Cy Tan"


async def test_without_a_text_a_form_is_offered() -> None:
    """Filled in as far as we can; a surface without forms has the words."""
    workspace = Workspace()
    fresh = await workspace.ask("persona add Ada Lowell")
    edit = await workspace.ask("persona edit sam")

    assert fresh.form is not None
    assert fresh.form.fields[0].value == "Ada Lowell"
    assert "## Beliefs" in fresh.form.fields[1].value
    assert "`persona add NAME`" in fresh.text
    assert edit.form is not None
    assert (edit.form.key, "name: Cranky Old Sam" in edit.form.fields[0].value) == (f"persona edit {SAM}", True)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (ADA.replace("tier: custom", "tire: custom\ntags: []"), 4, "did you mean 'tier'"),
        (ADA.replace("tier: custom", "tier: custom\noutput_contract: {$ref: x}"), 5, "holds '$ref'"),
        (ADA.replace("name: Ada", "name: A\u202eda"), 2, "invisible character U+202E"),
        (ADA.replace("name: Ada", "name: A\u200bda"), 2, "invisible character U+200B"),
        ("---\nname: Ada\nx: &a [*a]\n---\n\nx", 3, "alias"),
        (ADA + "x" * 65_536, 7, "64 KiB"),
    ],
)
async def test_a_faulty_file_is_refused_with_its_line(text: str, line: int, said: str) -> None:
    """All its faults at once, and nothing is kept."""
    workspace = Workspace()
    with pytest.raises(PersonaFileError) as refused:
        await workspace.ask("persona add Ada", attached=(AttachedText(name="ada.md", text=text),))

    assert any(fault.line == line and said in fault.text for fault in refused.value.faults), refused.value
    assert await workspace.shelf.names("W", "persona") == ()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("persona add Panelist: I lead.", "the bot's own name"),
        ("persona add Cranky 0ld Sam: I delete.", "looks the same as the name of `cranky-old-sam`"),
        ("persona add A\u202eda: I count.", "invisible character"),
        ("persona add " + "A" * 81 + "\nI count.", "80 characters"),
        ("persona frob", "Did you mean"),
        ("persona driven design", "put `discuss` in front"),
        ("persona show nobody at all", "No persona is called"),
        ("persona show", "which one?"),
        ("persona copy sam like Bo", "as NAME"),
        ("persona restore sam", "which version?"),
        ("persona export", "no personas of its own"),
        ("persona history sam", "has never changed"),
        ("persona add x\n---\ntier: custom\n---\n\nx", "'name' is missing"),
        ("persona add ---\ntier: custom\n---\n\nx", "no line `name: …`"),
    ],
)
async def test_what_can_not_be_done_is_one_sentence_with_the_remedy(words: str, said: str) -> None:
    """And changes nothing."""
    workspace = Workspace()
    with pytest.raises(PanelistError) as refused:
        await workspace.ask(words.replace("frob", "ad"))

    assert said in str(refused.value)
    assert await workspace.shelf.names("W", "persona") == ()


async def test_editing_a_bundled_persona_makes_this_workspaces_own() -> None:
    """Its document alone may be given; the rest stays, and the bundled one stands behind."""
    workspace = Workspace()
    told = await workspace.ask("persona edit sam\nDelete it all.")
    sam = await persona(workspace, SAM)
    elsewhere = (await workspace.catalogs.of(HERE.model_copy(update={"workspace": "X"}))).persona(SAM)

    assert f"in place of the bundled one; `persona reset {SAM}` takes it back" in told.text
    assert (sam.level, sam.body, sam.tier, sam.emoji) == ("workspace", "Delete it all.", "reviewer", "🪓")
    assert elsewhere is not None
    assert elsewhere.level == "bundled"
    assert "in place of the bundled one" in (await workspace.ask("personas")).text


async def test_a_copy_is_adapted_under_its_own_name_or_another() -> None:
    """A copy under another name takes part beside the one that it came from."""
    workspace = Workspace()
    await workspace.ask("persona copy sam as Sam the Second")
    await workspace.ask("persona copy crusty")
    second = await persona(workspace, "sam-the-second")

    assert (second.name, second.body) == ("Sam the Second", (await persona(workspace, SAM)).body)
    assert (await persona(workspace, SAM)).level == "bundled"
    assert (await persona(workspace, "crusty-old-engineer")).level == "workspace"
    with pytest.raises(NotAllowed, match="as NAME"):
        await workspace.ask("persona copy crusty")


async def test_a_copy_leaves_the_notes_where_they_are() -> None:
    """Notes are kept by short name; in the copy's file they would stand twice."""
    workspace = Workspace()
    await workspace.ask("note sam We moved to Kubernetes.")
    await workspace.ask("persona copy sam")
    await workspace.ask("note remove sam n1")

    assert (await persona(workspace, SAM)).notes == ()


async def test_removing_and_resetting_bring_the_farther_one_back() -> None:
    """A persona that is this workspace's alone is gone; the history stays."""
    workspace = Workspace()
    await workspace.ask("persona copy sam")
    await workspace.ask(f"persona add {ADA}")
    reset = await workspace.ask("persona reset sam")
    with pytest.raises(NotAllowed, match="nothing to reset it to"):
        await workspace.ask("persona reset ada")
    removed = await workspace.ask("persona remove ada")
    with pytest.raises(NotAllowed, match=r"is the bundled one, not this workspace's own"):
        await workspace.ask("persona remove sam")
    with pytest.raises(NotAllowed, match="nothing to reset"):
        await workspace.ask("persona reset sam")

    assert "the bundled one stands again" in reset.text
    assert "nobody has that name now" in removed.text
    assert (await catalog_of(workspace)).persona("ada") is None


async def test_history_names_author_and_time_and_any_version_comes_back() -> None:
    """Also after it was removed."""
    workspace = Workspace()
    await workspace.ask(f"persona add {ADA}")
    workspace.clock.time += 3600
    await workspace.ask("settings who-edits-personas members")
    await workspace.ask("persona edit ada\nI count twice.", MEMBER)
    await workspace.ask("persona remove ada", OTHER)
    history = await workspace.ask("persona history ada")
    restored = await workspace.ask("persona restore ada 1")

    assert "- 3: 2027-01-15 09:00 UTC by Ben, removed" in history.text
    assert "- 2: 2027-01-15 09:00 UTC by Maria, " in history.text
    assert "- 1: 2027-01-15 08:00 UTC by Boss, " in history.text
    assert "as in version 1 again" in restored.text
    assert (await persona(workspace, "ada")).body == "I count before I speak."
    with pytest.raises(NotFound, match="versions with one: 4, 2, 1"):
        await workspace.ask("persona restore ada 3")


async def test_the_file_of_another_persona_is_no_new_version() -> None:
    """Its short name says whose it is."""
    workspace = Workspace()
    other = ADA.replace("name: Ada", "name: Ada\nshort_name: bo")
    with pytest.raises(UsageError, match="says `short_name: bo`, but this is `cranky-old-sam`"):
        await workspace.ask(f"persona edit sam\n{other}")


async def test_a_kept_persona_that_can_not_be_loaded_is_listed_and_mended() -> None:
    """It takes nobody else down, stands in nobody's place, and a whole file makes it good."""
    workspace = Workspace()
    broken = "---\nname: Sam\ntire: custom\ntier: x\n---\n\nx"
    for name in (SAM, "eve"):
        await workspace.shelf.put("W", "persona", f"{name}.md", broken, ADMIN, 1.0)
    listed = await workspace.ask("personas")
    with pytest.raises(UsageError, match="give its whole file"):
        await workspace.ask("persona edit eve\nI doubt.")
    form = await workspace.ask(f"persona edit {SAM}")
    await workspace.ask(f"persona edit {SAM}\n{ADA.replace('Ada', 'Samuel')}")

    assert "**Failed to load**" in listed.text
    assert f"- {SAM}.md:3: unknown key 'tire'" in listed.text
    assert f"(`{SAM}`, bundled)" in listed.text
    assert form.form is not None
    assert "tire: custom" in form.form.fields[0].value
    assert (await persona(workspace, SAM)).name == "Samuel"


async def test_export_hands_files_over_that_load_again() -> None:
    """One persona with its variants as files; many as one archive."""
    workspace = Workspace()
    one = await workspace.ask("persona export crusty", GUEST)
    everyone = await workspace.ask("persona export all", GUEST)
    (packed,) = everyone.files
    names = zipfile.ZipFile(io.BytesIO(packed.content)).namelist()

    assert [file.name for file in one.files] == ["crusty-old-engineer.md", "crusty-old-engineer.variant-v2.md"]
    assert (packed.name, "cranky-old-sam.md" in names, len(names)) == ("personas.zip", True, 22)


@pytest.mark.parametrize(
    "words", ["add Bo: I doubt.", "edit sam\nx", "copy sam", "remove sam", "reset sam", "restore sam 1"]
)
@pytest.mark.parametrize("person", [MEMBER, GUEST], ids=["member", "guest"])
async def test_only_who_may_edits(words: str, person: Person) -> None:
    """Admins by default; everybody lists, shows and exports."""
    workspace = Workspace()
    with pytest.raises(NotAllowed, match="edit personas"):
        await workspace.ask(f"persona {words}", person)

    assert await workspace.shelf.names("W", "persona") == ()


async def test_five_hundred_personas_are_listed_a_page_at_a_time() -> None:
    """And a word finds some of them."""
    workspace = Workspace()
    for number in range(300):
        text = ADA.replace("Ada", f"Ada {number} of Many")
        await workspace.shelf.put("W", "persona", f"ada-{number}.md", text, ADMIN, 1.0)
    first = await workspace.ask("personas")
    ninth = await workspace.ask("persona list 8")
    some = await workspace.ask("persona list 299 of")

    assert first.text.count("\n- ") == 39
    assert "Page 1 of 8; `persona list 2` shows another" in first.text
    assert "Page 8 of 8; `persona list 1`" in ninth.text
    assert (some.text.count("(`ada-299`"), some.text.count("this workspace)")) == (1, 1)
    assert len(first.text) < 12_000
