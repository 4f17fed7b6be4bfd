"""Libraries: releases of component libraries, each with a small page of ours."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Library:
    """A page in `components/`, and the packages that it is bundled from.

    Attributes:
        name: That of the page's file, too.
        packages: Names and versions, as npm takes them.
    """

    name: str
    packages: tuple[str, ...]


_REACT = ("react@19.3.1", "react-dom@19.3.1")
_REACT_18 = ("react@18.3.1", "react-dom@18.3.1")
_VUE = ("vue@3.5.45",)
_ANGULAR = (
    *("@angular/core@20.3.35", "@angular/common@20.3.35", "@angular/compiler@20.3.35"),
    *("@angular/platform-browser@20.3.35", "@angular/forms@20.3.35", "@angular/router@20.3.35"),
    *("@angular/animations@20.3.32", "@angular/cdk@20.1.1"),
    *("rxjs@7.8.2", "tslib@2.9.1", "zone.js@0.15.1"),
)

_SYNCFUSION = (
    *("base", "buttons", "calendars", "data", "dropdowns", "inputs", "lists", "navigations"),
    *("notifications", "popups", "splitbuttons"),
)

LIBRARIES: tuple[Library, ...] = (
    Library("ag-grid", ("ag-grid-community@36.2.0",)),
    Library("angular-material", (*_ANGULAR, "@angular/material@20.1.1")),
    Library("antd", (*_REACT, "antd@6.6.8")),
    Library("blueprint", (*_REACT_18, "@blueprintjs/core@6.20.0")),
    Library("bootstrap", ("bootstrap@5.3.8", "@popperjs/core@2.11.8")),
    Library("carbon", ("@carbon/web-components@2.63.0",)),
    Library("chakra", (*_REACT, "@chakra-ui/react@3.20.0", "@emotion/react@11.14.0")),
    Library(
        "editorjs", ("@editorjs/editorjs@2.31.7", "@editorjs/header@2.8.9", "@editorjs/list@2.0.9")
    ),
    Library("element-plus", (*_VUE, "element-plus@2.14.6")),
    Library("flatpickr", ("flatpickr@4.6.13",)),
    Library("fluent-react", (*_REACT_18, "@fluentui/react-components@9.74.11")),
    Library("fluent-web", ("@fluentui/web-components@2.6.1",)),
    Library("fullcalendar", ("fullcalendar@6.1.15",)),
    Library("handsontable", ("handsontable@15.0.0",)),
    Library("headlessui", (*_REACT, "@headlessui/react@2.2.10")),
    Library("ionic", ("@ionic/core@9.0.5",)),
    Library("jquery-ui", ("jquery-ui@1.14.2", "jquery@4.0.0")),
    Library("leaflet", ("leaflet@1.9.4",)),
    Library(
        "lexical", ("lexical@0.52.0", "@lexical/rich-text@0.52.0", "@lexical/plain-text@0.52.0")
    ),
    Library(
        "mantine",
        (
            *_REACT,
            "@mantine/core@9.7.4",
            "@mantine/hooks@9.7.4",
            "@mantine/dates@9.7.4",
            "dayjs@1.11.23",
        ),
    ),
    Library("maplibre", ("maplibre-gl@5.6.0",)),
    Library("material-web", ("@material/web@2.5.0",)),
    Library(
        "mui", (*_REACT, "@mui/material@9.5.0", "@emotion/react@11.14.0", "@emotion/styled@11.14.1")
    ),
    Library("naive-ui", (*_VUE, "naive-ui@2.45.3")),
    Library("nouislider", ("nouislider@15.8.1",)),
    Library("openlayers", ("ol@10.10.0",)),
    Library("primeng", (*_ANGULAR, "primeng@20.4.0", "@primeuix/themes@1.2.3")),
    Library(
        "primereact",
        (*_REACT_18, "primereact@10.9.2", "primeicons@7.0.0", "react-transition-group@4.4.5"),
    ),
    Library("primevue", (*_VUE, "primevue@4.3.1", "@primevue/themes@4.3.1")),
    Library("quasar", (*_VUE, "quasar@2.34.0")),
    Library("quill", ("quill@2.0.3",)),
    Library("radix", (*_REACT, "radix-ui@1.8.1")),
    Library("react-aria", (*_REACT, "react-aria-components@1.22.1")),
    Library("react-bootstrap", (*_REACT, "react-bootstrap@2.10.10", "bootstrap@5.3.8")),
    Library("rsuite", (*_REACT_18, "rsuite@6.2.4")),
    Library("select2", ("select2@4.1.0", "jquery@3.7.1")),
    Library("semantic-react", (*_REACT_18, "semantic-ui-react@2.1.5", "semantic-ui-css@2.5.0")),
    Library("shoelace", ("@shoelace-style/shoelace@2.20.1",)),
    Library("slate", (*_REACT, "slate@0.146.0", "slate-react@0.146.1", "slate-dom@0.146.1")),
    Library("spectrum", ("@spectrum-web-components/bundle@1.12.2",)),
    Library("tabulator", ("tabulator-tables@6.5.3",)),
    Library("tinymce", ("tinymce@7.9.1",)),
    Library("tiptap", ("@tiptap/core@3.33.1", "@tiptap/starter-kit@3.33.1", "@tiptap/pm@3.33.1")),
    Library("tom-select", ("tom-select@2.6.2",)),
    Library("ui5", ("@ui5/webcomponents@2.26.0",)),
    Library("vuetify", (*_VUE, "vuetify@3.8.1")),
)

# Gathered later, when tabmux had been mended on the others and judged by them.
FURTHER: tuple[Library, ...] = (
    Library("air-datepicker", ("air-datepicker@3.6.0",)),
    Library("arco", (*_REACT_18, "@arco-design/web-react@2.66.16")),
    Library("ark-ui", (*_REACT, "@ark-ui/react@5.39.2")),
    Library("base-ui", (*_REACT, "@base-ui/react@1.9.0")),
    Library("buefy", (*_VUE, "buefy@3.1.0")),
    Library(
        "cloudscape",
        (
            *_REACT_18,
            "@cloudscape-design/components@3.0.1383",
            "@cloudscape-design/global-styles@1.0.67",
        ),
    ),
    Library("daterangepicker", ("daterangepicker@3.1.0", "jquery@3.7.1", "moment@2.31.0")),
    Library("devextreme", ("devextreme@26.1.5", "jquery@3.7.1")),
    Library("evergreen", (*_REACT_18, "evergreen-ui@7.1.9")),
    Library("filepond", ("filepond@4.32.12",)),
    Library("froala", ("froala-editor@5.4.0",)),
    Library("grommet", (*_REACT_18, "grommet@2.57.0", "styled-components@6.6.0")),
    Library("jodit", ("jodit@4.15.13",)),
    Library("jstree", ("jstree@3.3.17", "jquery@3.7.1")),
    Library("layui", ("layui@2.13.6",)),
    Library("reka-ui", (*_VUE, "reka-ui@2.11.0")),
    Library("semi", (*_REACT_18, "@douyinfe/semi-ui@2.90.1")),
    Library("summernote", ("summernote@0.9.1", "jquery@3.7.1")),
    Library("syncfusion", tuple(f"@syncfusion/ej2-{part}@34.2.8" for part in _SYNCFUSION)),
    Library("tdesign", (*_REACT_18, "tdesign-react@1.18.2")),
    Library("tempus-dominus", ("@eonasdan/tempus-dominus@6.10.4", "@popperjs/core@2.11.8")),
    Library("toastui-editor", ("@toast-ui/editor@3.2.2",)),
    Library("uikit", ("uikit@3.25.25",)),
    Library("vaadin", ("@vaadin/vaadin@25.3.0",)),
    Library("vant", (*_VUE, "vant@4.10.2")),
    Library("video-js", ("video.js@8.24.1",)),
    Library("w2ui", ("w2ui@2.0.0",)),
    Library("webawesome", ("@awesome.me/webawesome@3.14.0",)),
)

# Gathered last, without a look at how filling works.
NEWER: tuple[Library, ...] = (
    Library(
        "bootstrap-select",
        ("bootstrap-select@1.13.18", "bootstrap@4.6.2", "jquery@3.7.1", "popper.js@1.16.1"),
    ),
    Library("chosen", ("chosen-js@1.8.7", "jquery@3.7.1")),
    Library("cmdk", (*_REACT, "cmdk@1.1.1", "input-otp@1.5.0")),
    Library("coloris", ("@melloware/coloris@0.25.0",)),
    Library("downshift", (*_REACT, "downshift@9.4.0")),
    Library("duet", ("@duetds/date-picker@1.4.0",)),
    Library("easymde", ("easymde@2.21.0",)),
    Library("fomantic", ("fomantic-ui-css@2.9.4", "jquery@3.7.1")),
    Library("imask", ("imask@7.6.1",)),
    Library("intl-tel-input", ("intl-tel-input@29.5.1",)),
    Library("ion-rangeslider", ("ion-rangeslider@2.5.0", "jquery@3.7.1")),
    Library("jspreadsheet", ("jspreadsheet-ce@5.0.4",)),
    Library("lion", ("@lion/ui@0.21.1",)),
    Library("litepicker", ("litepicker@2.0.12",)),
    Library("materialize", ("@materializecss/materialize@2.3.3",)),
    Library("nord", ("@nordhealth/components@4.20.0", "@nordhealth/css@5.0.8")),
    Library("pickr", ("@simonwep/pickr@1.10.2",)),
    Library("polaris", (*_REACT_18, "@shopify/polaris@13.9.5")),
    Library("react-day-picker", (*_REACT, "react-day-picker@10.0.2")),
    Library("selectize", ("@selectize/selectize@0.15.2", "jquery@3.7.1")),
    Library("star-rating", ("dual-listbox@2.0.0", "star-rating.js@4.3.1")),
    Library("uswds", ("@uswds/uswds@3.14.0",)),
    Library("vanilla-calendar", ("vanilla-calendar-pro@3.4.0",)),
    Library("virtual-select", ("virtual-select-plugin@1.1.0",)),
    Library("vue-datepicker", (*_VUE, "@vuepic/vue-datepicker@14.0.0")),
    Library(
        "vueform",
        (*_VUE, "@vueform/multiselect@2.6.11", "@vueform/slider@2.1.10", "@vueform/toggle@2.1.4"),
    ),
)
