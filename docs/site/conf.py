# How Sphinx makes the site; scripts/docs calls it on what the program `stage` has laid out.
import os
import re
import shutil
from pathlib import Path

project = "tempo"
author = "The tempo authors"
version = release = os.environ.get("TEMPO_VERSION", "")
extensions = ["myst_parser", "sphinx.ext.mathjax"]
root_doc = "index"
exclude_patterns = ["_static"]
language = "en"
smartquotes = False  # -- and quotes stand as written

nitpicky = True
myst_heading_anchors = 6
myst_enable_extensions = ["dollarmath"]
myst_update_mathjax = False
suppress_warnings = ["misc.highlighting_failure"]  # output of programs that is no TOML or JSON as a whole

html_theme = "furo"
html_title = f"tempo {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_use_index = False
html_show_sphinx = False
html_show_search_summary = False  # would be fetched, which a page opened from a disk may not
html_show_copyright = False
html_theme_options = {"top_of_page_button": None}

# Formulas need no network: the copy of MathJax lies in the site. Its SVG output reads no font files, which browsers
# refuse to pages opened from a disk.
mathjax_path = "mathjax/MathJax.js?config=TeX-AMS_SVG"
mathjax2_config = {
    "messageStyle": "none",
    "showMathMenu": False,
    "tex2jax": {"ignoreClass": "tex2jax_ignore", "processClass": "math"},
    "SVG": {"linebreaks": {"automatic": True, "width": "container"}, "scale": 95},
    "menuSettings": {"explorer": False, "assistiveMML": True},
}


def open_from_a_disk(app, failure):
    """Debian's furo wants a server: its style imports /javascript/normalize.css, its script is a module that imports
    another. A page opened from a disk can do neither, so that both are joined here."""
    static = Path(app.outdir, "_static")
    style = static / "styles/furo.css"
    if failure or not style.exists():
        return
    imported = re.match(r"@import url\(/javascript/(normalize\.css/normalize\.css)\);", style.read_text())
    if imported:
        shutil.copyfile(Path("/usr/share/javascript", imported[1]), static / "normalize.css")
        style.write_text(style.read_text().replace(imported[0], "@import url(../normalize.css);", 1))
    script, other = static / "scripts/furo.js", static / "scripts/gumshoe-patched.js"
    importing = 'import Gumshoe from "./gumshoe-patched.js";'
    if script.read_text().startswith(importing):
        gumshoe = re.sub(r"^export default Gumshoe;?$", "", other.read_text(), flags=re.MULTILINE)
        script.write_text(gumshoe + script.read_text().replace(importing, "", 1))


def setup(app):
    app.connect("build-finished", open_from_a_disk)
