"""Catalogs that other people published load as they are."""

from pathlib import Path

import pytest

from bot.core.persona import Persona
from bot.core.speech.cues import cues_of
from bot.core.speech.persona_text import persona_text
from personas.avatar import DEFAULT_EMOJI
from personas.loader import load
from tests.personas import samples
from tests.personas.catalogs import OWN, TODAY, loaded, one, written


def test_review_catalog_file_loads_whole(tmp_path: Path) -> None:
    """A review persona keeps role, criteria, contract and version; `.v1` is no part of its name."""
    persona = one(tmp_path, "brandschutz-gutachterin.v1.md", samples.GERMAN_REVIEW)

    assert persona.short_name == "brandschutz-gutachterin"
    assert persona.tier == "domain-expert"
    assert persona.version == "2"
    assert persona.model == "claude-opus-4-7"
    assert persona.description.startswith("Gutachterin für Brandschutz")
    assert len(persona.evaluation_criteria) == 3
    assert persona.output_contract is not None
    assert persona.output_contract["properties"]["maengelklasse"]["maximum"] == 4
    assert persona.body.startswith("## Mission")


def test_review_file_without_schema_version_is_read_liberally(tmp_path: Path) -> None:
    """`role` alone tells a review catalog from our own form, so nothing in it is held against it."""
    text = samples.SPANISH_REVIEW.replace("tier:", "idioma: es\ntier:")
    catalog = loaded(tmp_path, {"compradora-escéptica.md": text})

    (persona,) = catalog.personas
    assert persona.tier == "buyer-persona"
    assert persona.extra == {"idioma": "es"}
    assert any("'idioma' is not known to us and is kept" in str(remark) for remark in catalog.remarks)


def test_folder_form_takes_config_and_document_together(tmp_path: Path) -> None:
    """`config.json` gives the keys, `persona.md` the document; provider and model become one."""
    persona = loaded(
        tmp_path, {"hoshu/config.json": samples.JAPANESE_CONFIG, "hoshu/persona.md": samples.JAPANESE_PERSONA}
    ).personas[0]

    assert (persona.short_name, persona.name) == ("hoshu", "現場の保守担当")
    assert persona.model == "openai:gpt-5.1"
    assert persona.color == "yellow"
    assert persona.extra == {"sourceType": "text", "bundled": False}
    assert persona.description.startswith("二十年、夜中の呼び出し")


def test_portable_form_keeps_sources_out_of_the_prompt(tmp_path: Path) -> None:
    """What stands after the sources mark never reaches a prompt; notes after the context mark do, with their date."""
    persona = one(tmp_path, "helene.persona.md", samples.FRENCH_PORTABLE)

    assert persona.short_name == "helene"
    assert persona.model == "anthropic:claude-opus-4-6"
    assert "Texte de travail" not in persona_text(persona)
    assert "2026-03-02: L'agence a quitté Lyon." in persona_text(persona)


def test_agent_skill_loads_from_its_folder(tmp_path: Path) -> None:
    """A skill's description may hold an unquoted colon, as many published ones do; unknown keys are kept."""
    catalog = loaded(
        tmp_path,
        {"chengben-shuijing/SKILL.md": samples.CHINESE_SKILL, "chengben-shuijing/references/a.md": "Tabelle"},
    )

    (persona,) = catalog.personas
    assert persona.short_name == "chengben-shuijing"
    assert persona.description.startswith("从成本出发审查方案: 人力")
    assert set(persona.extra) == {"license", "allowed-tools", "metadata"}
    assert any(remark.line == 3 and "as if it were quoted" in remark.text for remark in catalog.remarks)


def test_file_whose_name_has_no_ascii_letters_gets_a_short_name(tmp_path: Path) -> None:
    """A file named in any script loads; its short name is made and stays the same."""
    first = one(tmp_path / "a", "مهندسة-الموثوقية.md", samples.ARABIC_AGENT)
    again = one(tmp_path / "b", "مهندسة-الموثوقية.md", samples.ARABIC_AGENT)

    assert first.name == "مهندسة-الموثوقية"
    assert first.short_name == again.short_name
    assert first.short_name.isascii()
    assert first.model == "sonnet"


def test_emoji_key_of_published_agents_is_the_avatar(tmp_path: Path) -> None:
    """Many published agents carry `emoji`; what is no emoji is said, and an avatar is generated."""
    pictured = one(tmp_path / "a", "a.md", samples.ARABIC_AGENT.replace("tools:", "emoji: 🔧\ntools:"))
    worded = loaded(tmp_path / "b", {"a.md": samples.ARABIC_AGENT.replace("tools:", "emoji: tool\ntools:")})

    assert pictured.emoji == "🔧"
    assert worded.personas[0].emoji == DEFAULT_EMOJI
    assert any("an avatar is generated" in remark.text for remark in worded.remarks)


def test_a_folder_may_mix_all_forms(tmp_path: Path) -> None:
    """Every form in one folder, sorted by short name, the papers between them left out and named."""
    catalog = loaded(
        tmp_path,
        {
            "ada.md": OWN,
            "brandschutz-gutachterin.v1.md": samples.GERMAN_REVIEW,
            "hoshu/config.json": samples.JAPANESE_CONFIG,
            "hoshu/persona.md": samples.JAPANESE_PERSONA,
            "helene.persona.md": samples.FRENCH_PORTABLE,
            "chengben-shuijing/SKILL.md": samples.CHINESE_SKILL,
            "README.md": "# Unser Katalog",
            "README.ja.md": "# 目録",
            "index.md": "- ada",
            "_TEMPLATE.md": "---\nname: <name>\n---\n",
            "Aufbau.md": "Wie diese Personas entstehen.",
            "assets/logo.svg": "<svg/>",
        },
    )

    names = [persona.short_name for persona in catalog.personas]
    assert names == ["ada", "brandschutz-gutachterin", "chengben-shuijing", "helene", "hoshu"]
    left_out = {Path(remark.file).name for remark in catalog.remarks if "left out" in remark.text}
    assert left_out == {"README.md", "README.ja.md", "index.md", "_TEMPLATE.md", "Aufbau.md", "assets"}


@pytest.mark.parametrize(
    ("front", "criteria"),
    [
        ("- Kosten: Miete und Strom", ("Kosten: Miete und Strom",)),
        ("- name: Prix\n    weight: 2", ("name: Prix; weight: 2",)),
        ("- 42", ("42",)),
    ],
)
def test_criteria_of_other_shapes_become_text(tmp_path: Path, front: str, criteria: tuple[str, ...]) -> None:
    """A criterion with an unquoted colon is a mapping to YAML and still a criterion to a reader."""
    text = f"---\nname: prix\nrole: Contrôle\nevaluation_criteria:\n  {front}\n---\nJe vérifie.\n"

    assert one(tmp_path, "prix.md", text).evaluation_criteria == criteria


def test_description_falls_back_to_the_first_hundred_words(tmp_path: Path) -> None:
    """Without description and role, the document's own first words describe; two CJK characters are one word."""
    words = " ".join(f"w{number}" for number in range(150))
    latin = one(tmp_path / "a", "a.md", f"---\nname: A\ntags: [x]\n---\n# Title\n\n{words}\n")
    chinese = one(tmp_path / "b", "b.md", f"---\nname: B\ntags: [x]\n---\n{'成本' * 150}\n")

    assert latin.description.split() == words.split()[:100]
    assert chinese.description == "成本" * 100


def test_unknown_tier_of_another_catalog_counts_as_custom(tmp_path: Path) -> None:
    """A tier that we do not have is said, not refused, in a foreign form."""
    text = samples.GERMAN_REVIEW.replace("tier: domain-expert", "tier: sachverstand")
    catalog = loaded(tmp_path, {"brandschutz-gutachterin.md": text})

    assert catalog.personas[0].tier == "custom"
    assert any("sachverstand" in remark.text for remark in catalog.remarks)


def test_foreign_personas_feed_the_rehearsal(tmp_path: Path) -> None:
    """Without cues and questions of its own, a persona asks what its document asks and hears its criteria's words."""
    german = one(tmp_path / "a", "brandschutz-gutachterin.md", samples.GERMAN_REVIEW)
    chinese = one(tmp_path / "b", "chengben/SKILL.md", samples.CHINESE_SKILL)

    assert cues_of(german).questions == ("Wo führt der zweite Rettungsweg entlang?",)
    assert "rettungswege" in cues_of(german).cues[0].phrases
    assert cues_of(chinese).questions == ("这笔钱三年后还在付吗?", "不做会损失多少?")
    assert all(cue.sign == "" for cue in cues_of(german).cues)


def test_dead_folder_form_names_the_missing_file(tmp_path: Path) -> None:
    """A config without its document is a fault that names both."""
    catalog = load(written(tmp_path, {"hoshu/config.json": samples.JAPANESE_CONFIG}), today=TODAY, strict=False)

    assert "persona.md beside config.json" in catalog.faults[0].text


def test_prompt_hash_tells_front_matter_body_and_model(tmp_path: Path) -> None:
    """The same file gives the same hash; a changed key, word or model another."""
    first = one(tmp_path / "a", "ada.md", OWN)
    same = one(tmp_path / "b", "ada.md", OWN.replace("\n", "\r\n"))
    changed: list[Persona] = [
        one(tmp_path / "c", "ada.md", OWN.replace("cost", "risk")),
        one(tmp_path / "d", "ada.md", OWN.replace("count", "weigh")),
    ]

    assert first.prompt_hash("m") == same.prompt_hash("m")
    assert len({first.prompt_hash("m"), first.prompt_hash("n"), *(each.prompt_hash("m") for each in changed)}) == 4
