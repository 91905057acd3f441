"""Counting and comparing what was said."""

import re
import unicodedata

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_WORD = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")
_SENTENCE = re.compile(r"(?<=[.!?…])[\"'”’)]*\s+|(?<=[。！？])|\n+")


def words(text: str) -> int:
    """How many words; two CJK characters count as one."""
    cjk = len(_CJK.findall(text))
    return len(_WORD.findall(_CJK.sub(" ", text))) + (cjk + 1) // 2


def sentences(text: str) -> list[str]:
    """The sentences of a text, without list marks, headings' marks and empty ones."""
    parts = (part.strip(" \t-*>#|").strip() for part in _SENTENCE.split(text))
    return [part for part in parts if part]


def plain(text: str) -> str:
    """For comparing quotations: one kind of quotation mark and dash, no emphasis marks, single blanks."""
    text = unicodedata.normalize("NFKC", text)
    text = re.sub(r"[“”„«»]", '"', text)
    text = re.sub(r"[‘’‚]", "'", text)
    text = re.sub(r"[–—−]", "-", text)
    text = re.sub(r"[*_`]", "", text)
    return " ".join(text.split())


def quotes(quote: str, source: str) -> bool:
    """True when the quotation stands word for word in the source; blanks, emphasis and kinds of marks do not count."""
    wanted = plain(quote).strip(" \"'.…")
    return bool(wanted) and wanted in plain(source)


def shortened(text: str, limit: int) -> str:
    """The first `limit` words, ending at a sentence where one ends in time; with an ellipsis where it was cut."""
    if words(text) <= limit:
        return text.strip()
    kept = ""
    for sentence in sentences(text):
        if words(f"{kept} {sentence}") > limit:
            break
        kept = f"{kept} {sentence}".strip()
    return kept or " ".join(text.split()[:limit]) + " …"
