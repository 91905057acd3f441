"""Text arrives in many encodings, and is read as what its writer saw."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.documents.encoding import guessed_text, tidy, unicode_text
from adapters.documents.faults import Unreadable
from bot.core.errors import DocumentError
from tests.documents.conftest import Attached

WESTERN = "Besprechung über die Gebührenänderung – Ergebnis: verschoben.\nPreis: 12,50 € für Großkunden.\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (WESTERN, "cp1252"),
        ("It’s the team’s plan – “ship it” …\n", "cp1252"),
        ("naïve café à côté, où ça a déjà été\n", "latin-1"),
        ("La reunión será mañana; ¿qué opináis?\n", "latin-1"),
        ("Решение принято единогласно, но с оговорками о сроках.\n", "cp1251"),
        ("Решение принято единогласно, но с оговорками о сроках.\n", "koi8_r"),
        ("会議の結果、機能は来月に延期されました。担当者は田中さんです。\n", "shift_jis"),
        ("会议决定把这个功能推迟到下个月。负责人是小王。\n", "gbk"),
        ("회의 결과 기능은 다음 달로 연기되었습니다.\n", "euc_kr"),
        ("Η απόφαση αναβλήθηκε για τον επόμενο μήνα.\n", "cp1253"),
        ("Zażółć gęślą jaźń, decyzja została odłożona\n", "cp1250"),
        ("Příliš žluťoučký kůň úpěl ďábelské ódy\n", "cp1250"),
    ],
)
def test_older_encodings_are_told_apart(text: str, encoding: str) -> None:
    """Even from one line."""
    assert guessed_text(text.encode(encoding)) == text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode_with_and_without_a_mark(encoding: str) -> None:
    """The mark itself is no text."""
    assert unicode_text(WESTERN.encode(encoding)) == WESTERN


@pytest.mark.parametrize("order", ["le", "be"])
def test_both_byte_orders(order: str) -> None:
    """The mark says which."""
    assert unicode_text("\ufeff料金の見直し\n".encode(f"utf-16-{order}")) == "料金の見直し\n"


@pytest.mark.parametrize("data", [b"a\0b", b"\xff\xfe\x00", b"\xef\xbb\xbf\xff", bytes(range(1, 9)) * 20])
def test_what_is_no_text_is_refused(data: bytes) -> None:
    """NUL, a broken mark, or a heap of control characters."""
    with pytest.raises(Unreadable):
        unicode_text(data)


def test_compressed_bytes_are_not_guessed_to_be_writing() -> None:
    """Any byte is a letter in some encoding; control characters give it away."""
    with pytest.raises(Unreadable):
        guessed_text(bytes((number * 7 + 3) % 255 + 1 for number in range(2000)))


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"])))
def test_utf8_comes_back_as_it_is(text: str) -> None:
    """Every text without control characters survives, but for a mark at its start."""
    assert unicode_text(text.encode()) == text.removeprefix("\ufeff")


@given(st.text(alphabet=st.characters()))
def test_tidy_text_has_plain_line_ends_and_can_be_sent(text: str) -> None:
    """No NUL, no carriage return, no half of a surrogate pair."""
    plain = tidy(text)

    assert "\r" not in plain
    assert "\0" not in plain
    assert plain.encode().decode() == plain


async def test_a_western_note_is_read_through_the_child_process(attached: Attached) -> None:
    """From the attachment to the document."""
    assert (await attached("notes.txt", WESTERN.encode("cp1252"))).text == WESTERN


async def test_a_mark_alone_is_no_text(attached: Attached) -> None:
    """It is not taken for three Western letters."""
    with pytest.raises(DocumentError, match=r"^a\.txt holds no text\.$"):
        await attached("a.txt", b"\xef\xbb\xbf")


async def test_line_ends_are_made_plain(attached: Attached) -> None:
    """Windows and old Mac line ends count as lines."""
    assert (await attached("a.txt", b"a\r\nb\rc\n")).lines == ["a", "b", "c", ""]


async def test_a_broken_mark_names_the_file(attached: Attached) -> None:
    """The error says where."""
    with pytest.raises(DocumentError, match=r"^notes\.txt says that it is UTF-16 and is not \(at byte \d+\)\.$"):
        await attached("notes.txt", b"\xff\xfea\0b")


def test_the_two_notes_of_the_cases() -> None:
    """Two notes as people have them: Windows-1252 with a euro sign, UTF-16 with Japanese."""
    japanese = "Reunião de preços: decisão adiada até março.\n料金の見直し\n"

    assert guessed_text(WESTERN.encode("cp1252")).splitlines()[1] == "Preis: 12,50 € für Großkunden."
    assert unicode_text(japanese.encode("utf-16")) == japanese
