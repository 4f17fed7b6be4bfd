import EditorJS from "@editorjs/editorjs";
import Header from "@editorjs/header";
import List from "@editorjs/list";
document.getElementById("app").innerHTML = `<h1>Article</h1><p>Every paragraph is a block of its own.</p><div id=e></div><button>Publish</button>`;
new EditorJS({holder: "e", tools: {header: Header, list: List}, data: {blocks: [{type: "header", data: {text: "Head words", level: 2}}, {type: "paragraph", data: {text: "Old words"}}]}});
