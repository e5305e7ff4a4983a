"""Sphinx configuration; ``make docs`` builds the site in ``docs/_build/html``."""

import os
import re

from sphinx.application import Sphinx

import residuum

os.environ["MPLBACKEND"] = "agg"

project = "residuum"
author = "The residuum developers"
release = version = residuum.__version__
extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "_templates"]
templates_path = ["_templates"]

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3

autosummary_generate = True
autosummary_ignore_module_all = False
autosummary_imported_members = True  # the names in __all__, wherever they are defined
autosummary_context = {"top": residuum.__all__}
autodoc_typehints = "none"  # numpydoc has the types
numpydoc_show_class_members = False

sphinx_gallery_conf = {
    "examples_dirs": "../examples/gallery",
    "gallery_dirs": "gallery",
    "filename_pattern": r"/plot_",
    "min_reported_time": 10,
    "download_all_examples": False,
    "show_memory": False,
}

html_theme = "pydata_sphinx_theme"
html_title = "residuum"
html_theme_options = {"navigation_with_keys": False, "show_toc_level": 2, "header_links_before_dropdown": 6}
html_sidebars = {"index": []}
html_show_sourcelink = False


def link_files_of_the_repository(app: Sphinx, name: str, source: list[str]) -> None:
    """Turn links to Markdown files outside docs/, which are no pages of the site, into downloads."""
    del app, name
    source[0] = re.sub(
        r"\]\(((?:\.\./)+(?:benchmarks/|trust/|fuzz/|tests/|CONTRIBUTING)[^)]*\.md)\)", r"](path:\1)", source[0]
    )


def setup(app: Sphinx) -> None:
    """Register the hook."""
    app.connect("source-read", link_files_of_the_repository)
