import Editor from "@toast-ui/editor";
import "@toast-ui/editor/dist/toastui-editor.css";
document.getElementById("app").innerHTML = `<h1>Journal</h1><p>Two ways to write about a day.</p><label>Title <input></label><div id=a></div><div id=b></div><button>Publish</button>`;
new Editor({el: document.getElementById("a"), height: "260px", initialEditType: "wysiwyg", initialValue: "Old **words**", usageStatistics: false});
new Editor({el: document.getElementById("b"), height: "260px", initialEditType: "markdown", initialValue: "# Plan\n\n- one", usageStatistics: false});
