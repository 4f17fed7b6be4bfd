import "chosen-js/chosen.css";
const $ = globalThis.jQuery = globalThis.$ = require("jquery");
require("chosen-js");
const S = window.S = {};
const options = (words) => `<option value=""></option>` + words.map((word) => `<option>${word}</option>`).join("");
const countries = ["Austria", "Belgium", "Bulgaria", "Croatia", "Denmark", "Estonia", "Finland", "France", "Germany", "Greece", "Hungary", "Ireland", "Italy", "Latvia", "Lithuania", "Norway", "Poland", "Portugal", "Romania", "Spain", "Sweden"];
document.getElementById("app").innerHTML = `<h1>Order shirts</h1><p>Shirts for a whole team are sent within a week.</p>
<p><label for=country>Country</label><br><select id=country data-placeholder="Choose a country..." style="width:300px">${options(countries)}</select></p>
<p><label for=colours>Colours</label><br><select id=colours multiple data-placeholder="Choose some colours" style="width:300px"><option>Red</option><option>Green</option><option>Blue</option><option>White</option></select></p>
<p><label for=team>Team</label><br><select id=team data-placeholder="Your favorite team" style="width:300px"><option value=""></option><optgroup label="NFC East"><option>Dallas Cowboys</option><option>New York Giants</option></optgroup><optgroup label="NFC North"><option>Chicago Bears</option><option>Green Bay Packers</option></optgroup></select></p>
<p><label for=size>Size</label><br><select id=size style="width:300px"><option>Small</option><option>Medium</option><option>Large</option></select></p>
<p><label for=print>Print</label><br><select id=print data-placeholder="No print" style="width:300px">${options(["Name", "Number", "Both"])}</select></p>
<p><label>Quantity <input id=quantity type=number value=10></label></p><button>Send order</button>`;
$("#country, #colours, #team").chosen();
$("#size").chosen({disable_search: true});
$("#print").chosen({allow_single_deselect: true, disable_search_threshold: 10});
$("select").on("change", (event) => { S[event.target.id] = $(event.target).val(); });
window.shown = (id) => $(`#${id}_chosen`).find(".chosen-single span, .search-choice span").map((_, each) => each.textContent).get().join();
