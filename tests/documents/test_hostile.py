"""Files made to harm: each ends in a clear error, in bounded time and memory, and the event loop goes on."""

import asyncio
import io
import time
import zipfile
import zlib
from pathlib import Path

import pytest

from adapters.documents.bounded import Workshop
from adapters.documents.faults import OutOfBounds
from adapters.documents.limits import MIB, Limits
from adapters.documents.reading import LocalTargets
from bot.core.errors import DocumentError
from bot.core.targets.port import GivenBytes, TargetRef
from tests.documents.builders import docx, encrypted_pdf, paragraph, pdf, zipped
from tests.documents.conftest import Attached

SMALL = Limits(seconds=20, memory_bytes=256 * MIB, unpacked_bytes=20 * MIB)


async def test_a_zip_bomb_is_refused_by_what_it_declares(attached: Attached) -> None:
    """40 MiB of spaces in a Word file of 40 KiB are never unpacked."""
    bomb = docx(" " * (40 * MIB))

    assert len(bomb) < MIB
    with pytest.raises(DocumentError, match=r"^bomb\.docx unpacks to 40 MiB or more; at most 20 MiB is read"):
        await attached("bomb.docx", bomb, limits=SMALL)


async def test_a_zip_bomb_that_lies_about_its_size_is_refused(attached: Attached) -> None:
    """It declares 100 bytes a part; what really comes out is counted."""
    honest = docx(" " * (40 * MIB))
    size = (40 * MIB + len(docx_shell())).to_bytes(4, "little")
    liar = honest.replace(size, (100).to_bytes(4, "little"))

    assert liar != honest
    with pytest.raises(DocumentError, match=r"^bomb\.docx is broken: its archive does not unpack"):
        await attached("bomb.docx", liar, limits=SMALL)


def docx_shell() -> bytes:
    """The document part of a Word file with an empty body."""
    with zipfile.ZipFile(io.BytesIO(docx(""))) as archive:
        return archive.read("word/document.xml")


async def test_an_archive_of_too_many_parts_is_refused(attached: Attached) -> None:
    """A million empty parts weigh little and take long."""
    many = zipped({f"word/{number}.xml": "" for number in range(10_001)})

    with pytest.raises(DocumentError, match="holds 10,001 parts; at most 10,000 are read"):
        await attached("many.docx", many)


async def test_an_xml_that_needs_too_much_memory_is_stopped(attached: Attached) -> None:
    """The archive is within its limits; the tree that a parser builds of it is not."""
    body = paragraph("x") * 250_000

    with pytest.raises(DocumentError, match=r"^big\.docx needs more memory than it may have \(256 MiB\)"):
        await attached("big.docx", docx(body), limits=SMALL)


async def test_an_entity_bomb_is_stopped(attached: Attached) -> None:
    """Ten levels of ten: a billion laughs."""
    entities = "".join(f'<!ENTITY l{level} "{f"&l{level - 1};" * 10}">' for level in range(1, 11))
    bomb = f'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY l0 "lol">{entities}]><d>&l10;</d>'
    parts = {"word/document.xml": bomb, "[Content_Types].xml": "<Types/>", "_rels/.rels": "<Relationships/>"}

    with pytest.raises(DocumentError, match=r"^laughs\.docx is broken"):
        await attached("laughs.docx", zipped(parts), limits=SMALL)


async def test_a_word_file_opens_no_other_file(attached: Attached, tmp_path: Path) -> None:
    """Neither by an external entity nor as a linked picture."""
    (tmp_path / "secret.txt").write_text("outside")
    entity = f'<!DOCTYPE d [<!ENTITY x SYSTEM "{(tmp_path / "secret.txt").as_uri()}">]>'
    with zipfile.ZipFile(io.BytesIO(docx(paragraph("seen &x; here")))) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    parts["word/document.xml"] = parts["word/document.xml"].replace("?>", f"?>{entity}", 1)

    try:
        text = (await attached("a.docx", zipped(parts))).text
    except DocumentError as error:
        text = str(error)

    assert "outside" not in text


async def test_an_encrypted_pdf_is_named_as_one(attached: Attached) -> None:
    """The remedy is in the message."""
    with pytest.raises(DocumentError) as caught:
        await attached("pay.pdf", encrypted_pdf(password="hunter2"))

    assert str(caught.value) == "pay.pdf is encrypted; remove the password and send it again."


async def test_an_encrypted_office_file_is_named_as_one(attached: Attached) -> None:
    """Office wraps it in an old container."""
    wrapped = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le")

    with pytest.raises(DocumentError, match=r"^pay\.docx is encrypted; remove the password"):
        await attached("pay.docx", wrapped)


@pytest.mark.parametrize("keep", [100, 500, 2_000])
async def test_a_pdf_that_ends_early_is_told(attached: Attached, keep: int) -> None:
    """A broken upload gives an error or what can be read, never a crash."""
    cut = pdf([f"page {number}" for number in range(20)])[:keep]

    with pytest.raises(DocumentError, match=r"^cut\.pdf (is broken|holds no text)"):
        await attached("cut.pdf", cut)


async def test_a_pdf_stream_that_unpacks_without_end_is_stopped(attached: Attached) -> None:
    """80 MiB of nothing in a stream of 80 KiB."""
    stream = zlib.compress(b" " * (80 * MIB)).decode("latin-1")
    whole = pdf(["x"]).decode("latin-1")
    start = whole.index("<< /Length", whole.index("4 0 obj"))
    end = whole.index("endobj", start)
    header = f"<< /Filter /FlateDecode /Length {len(stream)} >>"
    bomb = f"{whole[:start]}{header}\nstream\n{stream}\nendstream\n{whole[end:]}"

    with pytest.raises(DocumentError, match=r"^bomb\.pdf "):
        await attached("bomb.pdf", bomb.encode("latin-1"), limits=SMALL)


async def test_a_pdf_of_300_pages_is_read_whole(attached: Attached) -> None:
    """Within the ordinary limits."""
    pages = [f"page {number}\n" + "\n".join(["a line of the long document"] * 30) for number in range(1, 301)]

    document = await attached("long.pdf", pdf(pages))

    assert document.text.count("[Page ") == 300
    assert "page 300" in document.text


async def test_a_pdf_of_10000_pages_is_stopped_while_the_loop_runs_on(attached: Attached) -> None:
    """The time limit holds, and nobody else waits."""
    monster = pdf(["words " * 10] * 10_000)
    longest = 0.0

    async def watch() -> None:
        nonlocal longest
        while True:
            before = time.monotonic()
            await asyncio.sleep(0.01)
            longest = max(longest, time.monotonic() - before)

    watching = asyncio.create_task(watch())
    with pytest.raises(DocumentError, match=r"^monster\.pdf takes longer than 2 s to read; send a part of it\.$"):
        await attached("monster.pdf", monster, limits=Limits(seconds=2))
    watching.cancel()

    assert 0 < longest < 1


async def test_too_large_a_file_says_how_large_and_what_fits(attached: Attached) -> None:
    """Refused by its size alone, before anything is read."""
    with pytest.raises(DocumentError) as caught:
        await attached("big.txt", b"x" * (11 * MIB))

    assert str(caught.value) == (
        "big.txt is too large: 11 MiB, and at most 10 MiB is read. Split it, or send the part that matters."
    )


async def test_a_name_can_not_write_the_message(attached: Attached) -> None:
    """Control and direction characters of a file name are shown as what they are: nothing."""
    with pytest.raises(DocumentError) as caught:
        await attached("../../in\nvoice\u202efdp.exe\x1b[31m", b"")

    assert str(caught.value) == "in\ufffdvoice\ufffdfdp.exe\ufffd[31m is empty (0 bytes)."


async def test_a_cancelled_read_ends_its_process() -> None:
    """The only turn is given back once the child has ended; the next read gets it."""
    targets = LocalTargets({}, Limits(at_once=1))
    monster = TargetRef(sources=(GivenBytes(name="monster.pdf", data=pdf(["words " * 10] * 10_000)),))
    reading = asyncio.create_task(targets.read(monster))
    await asyncio.sleep(0.3)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading

    async with asyncio.timeout(5):
        (document,) = await targets.read(TargetRef(sources=(GivenBytes(name="a.pdf", data=pdf(["next"])),)))
    assert "next" in document.text


async def test_work_past_its_processor_time_is_stopped(tmp_path: Path) -> None:
    """A pattern that backtracks for ever ends with the child."""
    (tmp_path / "a.txt").write_text("a" * 60 + "!\n")
    options = {"root": str(tmp_path), "start": "", "single": False, "only": "", "ignore_case": False}

    with pytest.raises(OutOfBounds, match="takes longer than 1 s"):
        await Workshop(Limits()).run("grep", {**options, "pattern": "(a|a)*$"}, seconds=1)
