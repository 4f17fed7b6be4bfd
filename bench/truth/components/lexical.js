import {$createParagraphNode, $createTextNode, $getRoot, createEditor} from "lexical";
import {registerRichText} from "@lexical/rich-text";
import {registerPlainText} from "@lexical/plain-text";
document.getElementById("app").innerHTML = `<h1>Comment</h1><p>Two editors, rich and plain.</p><div id=r contenteditable role=textbox aria-label=Rich style="border:1px solid"></div><div id=p contenteditable role=textbox aria-label=Plain style="border:1px solid;min-height:20px"></div><button>Post</button>`;
for (const [id, register] of [["r", registerRichText], ["p", registerPlainText]]) {
  const editor = createEditor({namespace: id, onError: console.error});
  editor.setRootElement(document.getElementById(id));
  register(editor);
  editor.update(() => $getRoot().append($createParagraphNode().append($createTextNode("Old words"))));
}
