import {Editor} from "@tiptap/core";
import StarterKit from "@tiptap/starter-kit";
document.getElementById("app").innerHTML = `<h1>Note</h1><p>A small editor with three buttons.</p><button id=b>Bold</button><button id=i>Italic</button><button id=l>List</button><div id=e style="border:1px solid"></div>`;
const editor = new Editor({element: document.getElementById("e"), extensions: [StarterKit], content: "<p>Old words</p>"});
document.getElementById("b").onclick = () => editor.chain().focus().toggleBold().run();
document.getElementById("i").onclick = () => editor.chain().focus().toggleItalic().run();
document.getElementById("l").onclick = () => editor.chain().focus().toggleBulletList().run();
