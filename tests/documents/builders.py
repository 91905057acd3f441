"""Files of foreign formats, made afresh for each test."""

import io
import zipfile
from collections.abc import Mapping, Sequence

from pptx import Presentation
from pypdf import PdfReader, PdfWriter

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/word/document.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_RELATIONS = (
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
    'officeDocument" Target="word/document.xml"/></Relationships>'
)


def docx(body: str) -> bytes:
    """A Word file with this inner XML of its body."""
    document = f'<?xml version="1.0"?><w:document xmlns:w="{_WORD}"><w:body>{body}</w:body></w:document>'
    return zipped({"[Content_Types].xml": _TYPES, "_rels/.rels": _RELATIONS, "word/document.xml": document})


def paragraph(text: str, style: str = "") -> str:
    """One paragraph of a Word file."""
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}<w:r><w:t>{text}</w:t></w:r></w:p>"


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    """A zip archive with these parts, compressed."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def pptx() -> bytes:
    """A deck of two slides: bullets with a note, and a table."""
    deck = Presentation()
    first = deck.slides.add_slide(deck.slide_layouts[1])
    first.shapes.title.text_frame.text = "Why now"
    body = first.placeholders[1].text_frame
    body.text = "Costs doubled"
    inner = body.add_paragraph()
    inner.text, inner.level = "twice since May", 1
    first.notes_slide.notes_text_frame.text = "Pause here"
    second = deck.slides.add_slide(deck.slide_layouts[6])
    table = second.shapes.add_table(2, 2, 0, 0, 100, 100).table
    for row, words in enumerate((("Plan", "Price"), ("Basic", "5"))):
        for column, word in enumerate(words):
            table.cell(row, column).text_frame.text = word
    buffer = io.BytesIO()
    deck.save(buffer)
    return buffer.getvalue()


def pdf(pages: Sequence[str]) -> bytes:
    """A PDF with one page per text; lines are split at line ends."""
    font = 3 + 2 * len(pages)
    kids = " ".join(f"{3 + 2 * index} 0 R" for index in range(len(pages)))
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>"]
    for index, text in enumerate(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {4 + 2 * index} 0 R"
            f" /Resources << /Font << /F1 {font} 0 R >> >> >>"
        )
        lines = "".join(f"({line}) Tj 0 -14 Td " for line in text.split("\n"))
        stream = f"BT /F1 12 Tf 50 750 Td {lines}ET"
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    return _assembled(objects)


def _assembled(objects: Sequence[str]) -> bytes:
    out = bytearray(b"%PDF-1.4\n")
    places: list[int] = []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{content}\nendobj\n".encode("latin-1")
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)


def encrypted_pdf(*, password: str) -> bytes:
    """A PDF of one page; an empty password only forbids printing, and anybody may open it."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf(["top secret"]))))
    writer.encrypt(user_password=password, owner_password="owner", algorithm="AES-256")
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()
