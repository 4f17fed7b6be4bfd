import $ from "jquery";
import select2 from "select2";
import "select2/dist/css/select2.css";
globalThis.jQuery = globalThis.$ = $;
if (typeof select2 === "function") select2(window, $);
document.getElementById("app").innerHTML = `<h1>Lists</h1><p>Old but still in use everywhere.</p><label for=a>State</label><select id=a style="width:200px"><option>Open<option>Done</select><label for=b>Tags</label><select id=b multiple style="width:200px"><option selected>Red<option>Blue</select><label for=c>Free</label><select id=c style="width:200px"><option>One</select><button>Apply</button>`;
$("#a").select2(); $("#b").select2(); $("#c").select2({tags: true});
