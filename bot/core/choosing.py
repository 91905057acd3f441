"""Choosing who takes part, by rule: relevance to the topic, less what is like those already chosen."""

import re
from dataclasses import dataclass

from bot.core.persona import Persona

PERSPECTIVES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "start-ups, careers and incentives": (
        ("startup", "start-up", "career", "job", "hire", "hiring", "salary", "founder", "incentive", "bonus", "equity",
         "promotion", "co-founder", "runway", "fundraising"),
        ("founder", "investor", "operator"),
    ),
    "product, taste and consumer experience": (
        ("product", "taste", "user", "users", "customer", "customers", "consumer", "design", "brand", "onboarding",
         "experience", "feature", "ux", "app", "pricing page"),
        ("product", "design", "customer"),
    ),
    "engineering, systems and cost": (
        ("engineering", "system", "systems", "cost", "architecture", "service", "services", "database", "code",
         "software", "migrate", "migration", "kubernetes", "monolith", "microservices", "python", "rust", "api",
         "latency", "cloud", "infrastructure", "import", "imports", "library", "framework", "test", "tests", "ci"),
        ("engineering", "builder", "first-principles", "cost", "operator", "operations"),
    ),
    "philosophy and decisions": (
        ("meaning", "ethics", "moral", "decide", "decision", "decisions", "regret", "life", "happiness", "should i",
         "values", "truth", "philosophy", "wisdom"),
        ("reflective", "philosophy", "history"),
    ),
    "markets, power and competition": (
        ("market", "markets", "competitor", "competitors", "competition", "power", "monopoly", "price", "prices",
         "strategy", "acquisition", "regulation", "platform", "industry", "moat"),
        ("strategic", "investor", "history", "legal"),
    ),
    "risk, safety and rules": (
        ("security", "privacy", "gdpr", "compliance", "risk", "breach", "data", "legal", "law", "audit", "safety"),
        ("security", "legal", "data", "compliance"),
    ),
    "learning and people": (
        ("learn", "learning", "school", "teach", "teaching", "student", "students", "training", "course", "support"),
        ("education", "customer", "reflective"),
    ),
}  # fmt: skip
"""Perspective → (words of a topic that call for it, tags of personas that hold it)."""

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_STOP = frozenset(
    {
        "the", "a", "an", "of", "to", "in", "and", "or", "for", "is", "are", "be",
        "we", "our", "it", "this", "that", "with", "on", "as", "by", "from", "at", "should",
        "what", "how", "do", "does", "i", "you", "your", "their", "they", "who", "whom", "which",
        "when", "where", "why", "not", "no", "yes", "can", "could", "would", "will", "into", "about",
        "more", "most", "than", "then",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One persona and why it was chosen, in one line."""

    persona: Persona
    reason: str


def choose(topic: str, catalog: tuple[Persona, ...], count: int) -> tuple[Choice, ...]:
    """The most diverse set that fits the topic; the same topic and catalog always give the same set.

    Fewer than `count` where the catalog has fewer.
    """
    wanted = _wanted(topic)
    words = _tokens(topic)
    relevance = {p.short_name: _relevance(p, words, wanted) for p in catalog}
    chosen: list[Persona] = []
    while len(chosen) < min(count, len(catalog)):
        left = [p for p in catalog if p not in chosen]
        best = max(left, key=lambda p: (relevance[p.short_name] - _closest(p, chosen), p.short_name))
        chosen.append(best)
    return tuple(Choice(persona=p, reason=_reason(p, words, wanted)) for p in chosen)


def _wanted(topic: str) -> tuple[str, ...]:
    """The two or three perspectives that the topic calls for; engineering and decisions where none stands out."""
    folded = f" {' '.join(_WORD.findall(topic.casefold()))} "
    hits = {name: sum(f" {word} " in folded for word in words) for name, (words, _tags) in PERSPECTIVES.items()}
    ranked = sorted((name for name in hits if hits[name]), key=lambda name: -hits[name])[:3]
    for name in ("engineering, systems and cost", "philosophy and decisions"):
        if len(ranked) < 2 and name not in ranked:
            ranked.append(name)
    return tuple(ranked)


def _tokens(text: str) -> frozenset[str]:
    return frozenset(word for word in _WORD.findall(text.casefold()) if word not in _STOP and len(word) > 2)


def _relevance(persona: Persona, words: frozenset[str], wanted: tuple[str, ...]) -> float:
    own = _tokens(f"{persona.description} {' '.join(persona.tags)}")
    overlap = len(own & words)
    held = max((_holds(persona, name) / (rank + 1) for rank, name in enumerate(wanted)), default=0.0)
    return 1.5 * held + 0.5 * min(overlap, 3)


def _holds(persona: Persona, perspective: str) -> float:
    tags = PERSPECTIVES[perspective][1]
    return 1.0 if set(tags) & set(persona.tags) else 0.0


def _closest(persona: Persona, chosen: list[Persona]) -> float:
    """How alike it is to the nearest of those chosen, 0 to 3."""
    return max((3 * _likeness(persona, other) for other in chosen), default=0.0)


def _likeness(one: Persona, other: Persona) -> float:
    tags = _jaccard(frozenset(one.tags), frozenset(other.tags))
    text = _jaccard(_tokens(one.description), _tokens(other.description))
    return 0.6 * tags + 0.3 * text + 0.1 * (one.tier == other.tier)


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0


def _reason(persona: Persona, words: frozenset[str], wanted: tuple[str, ...]) -> str:
    held = [name for name in wanted if _holds(persona, name)]
    if held:
        return f"for {held[0]}"
    shared = sorted(_tokens(f"{persona.description} {' '.join(persona.tags)}") & words)
    return f"speaks to {', '.join(shared[:2])}" if shared else "a different angle"
