import $ from "jquery";
window.jQuery = window.$ = $;
require("summernote/dist/summernote-lite.js"); require("summernote/dist/summernote-lite.css");
document.getElementById("app").innerHTML = `<h1>Notice</h1><p>Notices for the board of the house.</p><label>Head line <input></label><div id=a><p>Water is off</p></div><button>Pin</button>`;
$("#a").summernote({height: 140});
