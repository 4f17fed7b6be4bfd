import $ from "jquery";
import "jstree";
import "jstree/dist/themes/default/style.css";
document.getElementById("app").innerHTML = `<h1>Folders</h1><p>Where papers are kept in the office.</p><label>Find <input></label><div id=a></div><div id=b></div><button>Move</button>`;
const data = [{text: "Letters", state: {opened: true}, children: [{text: "Old letters"}, {text: "New letters"}]}, {text: "Bills", children: [{text: "Paid"}]}];
$("#a").jstree({core: {data, animation: 0}}); $("#b").jstree({core: {data}, plugins: ["checkbox", "contextmenu"]});
