import Pickr from "@simonwep/pickr";
import "@simonwep/pickr/dist/themes/classic.min.css";
import "@simonwep/pickr/dist/themes/nano.min.css";
const S = window.S = {};
document.getElementById("app").innerHTML = `<h1>Brand</h1><p>Colours are used in letters and slides.</p>
<p><label>Brand name <input></label></p>
<p><span id=main-name>Main color</span> <span class=pick id=main></span></p>
<p><span id=text-name>Text color</span> <span class=pick id=text></span></p>
<p><label for=link>Link color</label> <input id=link readonly value="#0000ee"></p>
<p><span>Chart color</span> <span class=pick id=chart></span></p><button>Keep brand</button>`;
const hex = (color) => color && color.toHEXA().toString().toLowerCase();
const make = (id, title, options) => {
  const pickr = Pickr.create({el: "#" + id, theme: "classic", comparison: false, i18n: {"btn:toggle": title}, ...options});
  for (const kind of ["change", "save"]) pickr.on(kind, (color) => { S[id] = hex(color); pickr.applyColor(true); if (options.useAsButton) document.getElementById(id).value = hex(color); });
  return pickr;
};
const parts = {preview: true, hue: true, interaction: {hex: true, input: true, save: true}};
make("main", "Main color", {default: "#42445a", components: parts, defaultRepresentation: "HEX"});
make("text", "Text color", {theme: "nano", default: "#222222", components: {...parts, opacity: true, interaction: {hex: true, rgba: true, input: true, clear: true, save: true}}});
make("link", "Link color", {useAsButton: true, default: "#0000ee", components: parts});
make("chart", "Chart color", {default: "#f44336", swatches: ["#f44336", "#9c27b0", "#03a9f4", "#8bc34a"], components: {preview: true, interaction: {save: true}}});
