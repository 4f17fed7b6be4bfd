import Coloris from "@melloware/coloris";
import "@melloware/coloris/dist/coloris.css";
const S = window.S = {};
document.getElementById("app").innerHTML = `<h1>Theme</h1><p>How your shop looks to its visitors.</p>
<p><label>Shop name <input id=shop></label></p>
<p><label for=background>Background</label> <input id=background class=coloris value="#ffffff"></p>
<p><label for=accent>Accent color</label> <input id=accent class=coloris value="#0b5fff" readonly></p>
<p><label for=border>Border</label> <input id=border class="coloris rgb" value="rgb(0, 0, 0)"></p>
<p><label for=badge>Badge</label> <input id=badge class="coloris swatches" value="#264653" readonly></p>
<p><label for=shadow>Shadow</label> <input id=shadow class="coloris alpha" value="#00000080"></p><button>Save theme</button>`;
Coloris.init();
Coloris({el: ".coloris", alpha: false, closeButton: true, clearButton: true});
Coloris.setInstance(".rgb", {format: "rgb", theme: "pill"});
Coloris.setInstance(".alpha", {alpha: true, format: "hex", theme: "large"});
Coloris.setInstance(".swatches", {swatchesOnly: true, swatches: ["#264653", "#2a9d8f", "#e9c46a", "#e76f51"]});
document.addEventListener("input", ({target}) => { if (target.matches(".coloris")) S[target.id] = target.value; });
document.addEventListener("change", ({target}) => { if (target.matches(".coloris")) S[target.id] = target.value; });
window.seen = (id) => document.getElementById(id).closest(".clr-field").style.color;
