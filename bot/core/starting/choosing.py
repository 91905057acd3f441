"""Choosing who takes part, by rule: a set that covers the perspectives a topic calls for and is least alike within."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from zlib import crc32

from bot.core.persona import Persona

PERSPECTIVES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "start-ups, careers and incentives": (
        ("startup", "start-up", "career", "job", "hire", "hiring", "salary", "founder", "found", "incentive", "bonus",
         "equity", "promotion", "co-founder", "runway", "fundraising", "quit", "freelance", "manager", "team",
         "office", "remote", "week", "overtime", "layoff", "pitch", "venture", "bootstrap", "company"),
        ("founder", "investor", "operator", "startups", "careers"),
    ),
    "product, taste and consumer experience": (
        ("product", "taste", "user", "customer", "consumer", "design", "brand", "onboarding", "experience", "feature",
         "ux", "ui", "app", "website", "page", "plan", "beta", "launch", "mode", "screen", "subscription", "newsletter",
         "e-mail", "notification", "retain", "smartphone"),
        ("product", "design", "customer", "user", "usability", "taste"),
    ),
    "engineering, systems and cost": (
        ("engineer", "engineering", "system", "cost", "architecture", "service", "database", "code", "software",
         "migrate", "migration", "kubernetes", "monolith", "microservice", "python", "rust", "java", "api", "latency",
         "cloud", "infrastructure", "import", "library", "framework", "test", "ci", "rewrite", "refactor", "debug",
         "debugging", "log", "server", "deploy", "retry", "chatbot", "model", "ai", "open-source", "build", "pep"),
        ("engineering", "builder", "first-principles", "cost", "operations"),
    ),
    "philosophy and decisions": (
        ("meaning", "ethics", "ethical", "moral", "decide", "decision", "regret", "life", "happiness", "values",
         "truth", "philosophy", "wisdom", "fair", "fairness", "right", "wrong", "trust", "should i", "good idea"),
        ("reflective", "philosophy", "history", "ethics", "decisions"),
    ),
    "markets, power and competition": (
        ("market", "competitor", "competition", "power", "monopoly", "price", "pricing", "strategy", "acquire",
         "acquisition", "regulate", "regulation", "government", "platform", "industry", "moat", "economy", "tax",
         "license", "licence", "open source", "raise", "invest", "investment"),
        ("strategic", "investor", "history", "markets", "competition"),
    ),
    "risk, safety and rules": (
        ("security", "secure", "privacy", "gdpr", "compliance", "risk", "breach", "data", "legal", "law", "audit",
         "safety", "card", "payment", "password", "consent", "contract", "liability", "ban", "regulate", "fraud",
         "record", "records", "government"),
        ("security", "legal", "compliance", "risk"),
    ),
    "learning and people": (
        ("learn", "learning", "school", "teach", "teacher", "student", "training", "course", "children", "parent",
         "education", "university", "support", "help", "community", "health", "junior", "mentor"),
        ("education", "learning", "support"),
    ),
}  # fmt: skip
"""Perspective → (words of a topic that call for it, tags of personas that hold it)."""

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_STOP_WORDS = (
    "the and for are our this that with from should what how does you your their they who whom which when where why "
    "not yes can could would will into about more most than then there these those have has had was were been being "
    "its itself other others every each them before after against without over under between long first good whole "
    "never always thing things someone"
)
_STOP = frozenset(_STOP_WORDS.split())
_TELLING = 4
"""Letters that a word must have to tell that a persona and a topic have something in common."""

CANDIDATES = 16
"""So many of the most relevant are looked at together."""
SETS = 3
"""Up to this size, every set of candidates is weighed; larger ones grow from the best such set."""
LIKENESS = 3.0
"""What two personas that are quite alike cost, against 2 for a perspective that is held."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One persona and why it was chosen, in one line."""

    persona: Persona
    reason: str


def choose(topic: str, catalog: tuple[Persona, ...], most: int, *, fewest: int = 0) -> tuple[Choice, ...]:
    """The most diverse set that fits the topic; the same topic and catalog always give the same set.

    `fewest` (default `most`) to `most` personas, no more than bring something. Fewer where the catalog has fewer.
    """
    wanted, words = perspectives(topic), _tokens(topic)
    fit = tuple(p for p in catalog if _fits(p, words, wanted))
    pool = fit if len(fit) >= (fewest or most) else catalog
    ranked = sorted(pool, key=lambda p: (-_relevance(p, words, wanted), p.short_name))[: max(CANDIDATES, most)]
    sizes = range(min(fewest or most, SETS, len(pool)), min(most, SETS, len(pool)) + 1)
    groups: Iterator[tuple[Persona, ...]] = (group for size in sizes for group in combinations(ranked, size))
    best: tuple[Persona, ...] = max(groups, key=lambda group: _worth(group, words, wanted), default=())
    chosen = list(best)
    while SETS <= len(chosen) < min(most, len(pool)):
        left = [p for p in ranked if p not in chosen]
        chosen.append(max(left, key=lambda p: _worth((*chosen, p), words, wanted)))
    return tuple(Choice(persona=p, reason=_reason(p, words, wanted, chosen)) for p in chosen)


def plausible(topic: str, catalog: tuple[Persona, ...]) -> tuple[Persona, ...]:
    """Those with something to say on the topic; all of them where the topic calls for nobody in particular."""
    wanted, words = _called_for(topic), _tokens(topic)
    fit = tuple(p for p in catalog if _fits(p, words, wanted))
    return fit if wanted or fit else catalog


def perspectives(topic: str) -> tuple[str, ...]:
    """The two or three perspectives that the topic calls for; others join by its words where fewer stand out."""
    ranked = list(_called_for(topic))
    names = list(PERSPECTIVES)
    first = crc32(topic.casefold().encode()) % len(names)
    for name in (*names[first:], *names[:first]):
        if len(ranked) < 2 and name not in ranked:
            ranked.append(name)
    return tuple(ranked)


def _called_for(topic: str) -> tuple[str, ...]:
    folded = topic.casefold()
    stems = [_stem(word) for word in _WORD.findall(folded)]
    said = f" {' '.join(stems)} "
    hits = {
        name: sum(f" {' '.join(map(_stem, word.split()))} " in said for word in words)
        for name, (words, _tags) in PERSPECTIVES.items()
    }
    return tuple(sorted((name for name in hits if hits[name]), key=lambda name: -hits[name])[:3])


def _stem(word: str) -> str:
    """Enough of a word to know it by in singular and plural, noun and verb."""
    bare = word.removesuffix("'s")
    if len(bare) > 4 and bare.endswith("s") and not bare.endswith("ss"):
        bare = bare[:-1]
    return bare[:7] if len(bare) > 7 else bare


def _worth(group: tuple[Persona, ...], words: frozenset[str], wanted: tuple[str, ...]) -> tuple[float, float]:
    """How well a set fits; of equal ones the most diverse is worth more."""
    covered = sum(2.0 / (1 + 0.25 * rank) for rank in _covered(group, wanted))
    overlap = sum(0.4 * min(len(_own_words(p) & words), 3) for p in group)
    pairs = list(combinations(group, 2))
    alike = sum(_likeness(one, other) for one, other in pairs)
    crowded = sum(_same_angle(one, other, wanted) for one, other in pairs)
    return round(covered + overlap - LIKENESS * alike - crowded, 9), -alike


def _covered(group: tuple[Persona, ...], wanted: tuple[str, ...]) -> list[int]:
    """The ranks of the perspectives that are held, each by a persona of its own."""
    free = sorted(group, key=lambda p: sum(_holds(p, name) for name in wanted))
    ranks = []
    for rank, name in enumerate(wanted):
        if holder := next((p for p in free if _holds(p, name)), None):
            free.remove(holder)
            ranks.append(rank)
    return ranks


def _same_angle(one: Persona, other: Persona, wanted: tuple[str, ...]) -> float:
    """Two who hold just the same of the wanted perspectives bring one angle between them."""
    held = [frozenset(name for name in wanted if _holds(p, name)) for p in (one, other)]
    return 0.5 if held[0] and held[0] == held[1] else 0.0


def _tokens(text: str) -> frozenset[str]:
    found = (word for word in _WORD.findall(text.casefold()) if word not in _STOP and len(word) >= _TELLING)
    return frozenset(_stem(word) for word in found)


def _own_words(persona: Persona) -> frozenset[str]:
    return _tokens(f"{persona.description} {' '.join(persona.tags)}")


def _relevance(persona: Persona, words: frozenset[str], wanted: tuple[str, ...]) -> float:
    held = max((2.0 / (rank + 1) for rank, name in enumerate(wanted) if _holds(persona, name)), default=0.0)
    return held + 0.4 * min(len(_own_words(persona) & words), 3)


def _fits(persona: Persona, words: frozenset[str], wanted: tuple[str, ...]) -> bool:
    return any(_holds(persona, name) for name in wanted) or bool(_own_words(persona) & words)


def _holds(persona: Persona, perspective: str) -> bool:
    """By its tags; a persona without tags by its description."""
    tags = set(PERSPECTIVES[perspective][1])
    if persona.tags:
        return bool(tags & set(persona.tags))
    return bool({_stem(tag) for tag in tags} & _tokens(persona.description))


def _likeness(one: Persona, other: Persona) -> float:
    tags = _jaccard(frozenset(one.tags), frozenset(other.tags))
    text = _jaccard(_tokens(one.description), _tokens(other.description))
    return 0.6 * tags + 0.3 * text + 0.1 * (one.tier == other.tier)


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0


def _reason(persona: Persona, words: frozenset[str], wanted: tuple[str, ...], chosen: list[Persona]) -> str:
    """The perspective that it brings, one that nobody before it brings if it can."""
    before = chosen[: chosen.index(persona)]
    held = [name for name in wanted if _holds(persona, name)]
    fresh = [name for name in held if not any(_holds(other, name) for other in before)]
    if held:
        return f"for {(fresh or held)[0]}"
    shared = sorted(_own_words(persona) & words)
    return f"speaks to {', '.join(shared[:2])}" if shared else "a different angle"
