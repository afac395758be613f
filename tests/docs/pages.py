"""What the checks of pages share. Without its parser of Markdown a check is skipped (exit code 77)."""
import re
import sys

try:
    from markdown_it import MarkdownIt
except ImportError:
    print("skipped: needs the package python3-markdown-it")
    sys.exit(77)

FORMULA = re.compile(r"\$[^$]+\$")


def parsed(source):
    """The tokens of a page, tables included."""
    return MarkdownIt("commonmark").enable("table").parse(source)
