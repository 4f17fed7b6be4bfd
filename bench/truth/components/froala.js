import FroalaEditor from "froala-editor";
import "froala-editor/js/plugins.pkgd.min.js";
import "froala-editor/css/froala_editor.pkgd.min.css";
document.getElementById("app").innerHTML = `<h1>Letter</h1><p>A letter to all members of the club.</p><label>Subject <input></label><div id=a><p>Dear all,</p></div><button>Send</button>`;
new FroalaEditor("#a", {heightMin: 120});
