import {Bold, ClassicEditor, Essentials, Heading, Italic, Link, List, Paragraph, Table, TableToolbar} from "ckeditor5";
import "ckeditor5/ckeditor5.css";
document.getElementById("app").innerHTML = `<h1>Page</h1><p>A page of the handbook is edited.</p><div id=e><p>Old words</p></div><button>Release</button>`;
ClassicEditor.create(document.getElementById("e"), {licenseKey: "GPL", plugins: [Essentials, Paragraph, Bold, Italic, Heading, Link, List, Table, TableToolbar], toolbar: ["heading", "bold", "italic", "link", "bulletedList", "insertTable", "undo"]});
