"""Saved pages: demos, documentation and templates that come with packages."""

from __future__ import annotations

from bench.truth.saved_page import SavedPage

_NPM = {
    "gentelella@4.2.0": "dist/production/general_elements.html dist/production/form_advanced.html "
    "dist/production/e_commerce.html dist/production/contacts.html",
    "startbootstrap-sb-admin-2@4.1.4": "buttons.html tables.html register.html",
    "startbootstrap-sb-admin@7.0.7": "dist/index.html dist/register.html",
    "startbootstrap-agency@7.0.12": "dist/index.html",
    "startbootstrap-clean-blog@6.0.9": "dist/contact.html dist/post.html",
    "uikit@3.25.25": "tests/index.html tests/form.html tests/navbar.html tests/modal.html "
    "tests/dropdown.html tests/tab.html tests/slider.html",
    "fomantic-ui@2.9.4": "examples/bootstrap.html examples/homepage.html examples/login.html "
    "examples/components/menu.html",
    "ckeditor4@4.25.2": "samples/index.html samples/toolbarconfigurator/index.html "
    "samples/old/inlineall.html",
    "reveal.js@6.0.2": "demo.html",
    "jsoneditor@10.4.3": "examples/07_json_schema_validation.html examples/15_selection_api.html",
    "owl.carousel@2.3.4": "docs/index.html docs/docs/api-options.html docs/demos/basic.html",
    "bootstrap-select@1.13.18": "tests/bootstrap4.html",
    "jquery-ui-dist@1.13.3": "index.html",
    "toastr@2.1.4": "demo.html",
    "selectize@0.12.6": "examples/basic.html examples/contacts.html examples/plugins.html",
    "trumbowyg@2.31.0": "index.html",
    "medium-editor@5.23.3": "demo/index.html demo/custom-toolbar.html",
    "jodit@4.15.13": "examples/index.html examples/custom-toolbar.html",
    "footable@2.0.6": "demos/multiple-showcases.htm demos/add-delete-row.htm",
    "@ztree/ztree_v3@3.5.48": "demo/en/index.html demo/en/core/searchNodes.html "
    "demo/en/exedit/edit_fun.html",
    "dygraphs@2.2.2": "_site/jsdoc/symbols/Dygraph.html _site/tests/range-selector.html",
    "nvd3@1.8.6": "examples/documentation.html",
    "paper@0.12.20": "dist/docs/classes/View.html dist/docs/classes/Path.html",
    "mathjax@2.7.9": "test/index.html",
    "@fancyapps/fancybox@3.5.7": "docs/index.html",
    "formvalidation@0.6.2-dev": "demo/validators.html demo/uikit/stackedFormTooltip.html",
    "bootstrap-validator@0.11.9": "docs/index.html",
    "jquery-steps@1.1.0": "demo/index.html demo/vertical.html",
    "flickity@3.0.0": "sandbox/basic.html",
    "awesomplete@1.1.7": "index.html",
    "dragula@3.7.3": "index.html",
    "bulma-templates@0.6.0": "templates/everything.html templates/inbox.html templates/admin.html",
    "material-dashboard@3.1.0": "pages/dashboard.html pages/sign-up.html",
    "material-kit@2.0.4": "index.html",
    "now-ui-kit@1.3.0": "index.html examples/login-page.html",
    "paper-kit-2@2.1.0": "index.html",
    "black-dashboard@1.0.0": "examples/user.html",
    "soft-ui-dashboard@1.0.1": "pages/billing.html pages/profile.html",
    "@creative-tim-official/argon-dashboard-free@1.2.0": "examples/profile.html "
    "examples/tables.html",
    "tabler-ui@0.0.34": "dist/index.html dist/form-elements.html dist/users-list.html "
    "dist/email.html",
    "hint.css@3.0.0": "demo.html",
    "todomvc@0.1.1": "index.html",
}
_PYPI = {
    "luigi-3.8.1-py3-none-any.whl": "luigi/static/visualiser/index.html",
    "pelican-4.12.0.tar.gz": "pelican/tests/output/custom/unbelievable.html "
    "pelican/tests/output/basic/index.html",
    "roundup-2.6.0.tar.gz": "share/doc/roundup/html/rest.html share/doc/roundup/html/index.html",
    "epydoc-3.0.1.tar.gz": "doc/api/epydoc.apidoc-module.html doc/api/epydoc.cli-module.html",
    "docutils-0.23.tar.gz": "test/functional/expected/standalone_rst_html5.html",
}
_DEBIAN = {
    "main/s/sqlite3/sqlite3-doc_3.40.1-2+deb12u2_all.deb": "usr/share/doc/sqlite3/cli.html "
    "usr/share/doc/sqlite3/pragma.html usr/share/doc/sqlite3/datatype3.html",
}


def _of_npm(spec: str, paths: str) -> list[SavedPage]:
    package, _, version = spec.rpartition("@")
    return [SavedPage("npm", package, version, path) for path in paths.split()]


def _of_pypi(archive: str, paths: str) -> list[SavedPage]:
    package, version = archive.removesuffix(".tar.gz").split("-")[:2]
    return [SavedPage("pypi", package, version, path, archive) for path in paths.split()]


def _of_debian(archive: str, paths: str) -> list[SavedPage]:
    package, version, _ = archive.rpartition("/")[2].split("_")
    return [SavedPage("debian", package, version, path, archive) for path in paths.split()]


SAVED: tuple[SavedPage, ...] = (
    *(page for spec, paths in _NPM.items() for page in _of_npm(spec, paths)),
    *(page for archive, paths in _PYPI.items() for page in _of_pypi(archive, paths)),
    *(page for archive, paths in _DEBIAN.items() for page in _of_debian(archive, paths)),
)
