import * as FilePond from "filepond";
import "filepond/dist/filepond.css";
document.getElementById("app").innerHTML = `<h1>Evidence</h1><p>Pictures and papers for the case.</p><label>Case <input></label><input type=file id=a multiple><input type=file id=b><label><input type=checkbox>True copies</label><button>Hand in</button>`;
FilePond.create(document.getElementById("a"), {labelIdle: 'Drop papers or <span class="filepond--label-action">Browse</span>'}); FilePond.create(document.getElementById("b"));
