"""A transcript as a web page of its own: no script, no request, raw HTML in it shown as text."""

from html import escape

STYLE = (
    "body{max-width:46rem;margin:2rem auto;padding:0 1rem;font:1rem/1.6 system-ui,sans-serif;color-scheme:light dark}"
    "h1{line-height:1.2}h3{margin-bottom:.2rem}blockquote{margin:1rem 0;padding-left:1rem;border-left:3px solid gray}"
    "table{border-collapse:collapse}td,th{padding:.25rem .75rem;border:1px solid gray}pre{overflow-x:auto}"
)


def page(title: str, markdown: str) -> str:
    """The page for this Markdown; images become links to nothing, and no HTML of the text's own takes effect."""
    from markdown_it import MarkdownIt  # slow to import, and few commands need it

    body = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image").render(markdown)
    return (
        '<!doctype html><html><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>\n{body}</body></html>\n"
    )
