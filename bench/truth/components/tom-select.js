import TomSelect from "tom-select";
import "tom-select/dist/css/tom-select.css";
document.getElementById("app").innerHTML = `<h1>Choices</h1><p>Three ways to choose from lists.</p><label for=a>State</label><select id=a><option value="">Pick<option>Open<option>Done</select><label for=b>Tags</label><select id=b multiple><option selected>Red<option>Blue</select><label for=c>Words</label><input id=c value="one,two"><button>Apply</button>`;
new TomSelect("#a", {}); new TomSelect("#b", {plugins: ["remove_button"]}); new TomSelect("#c", {create: true});
