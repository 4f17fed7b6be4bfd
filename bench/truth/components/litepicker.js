import {Litepicker} from "litepicker";
const S = window.S = {};
document.getElementById("app").innerHTML = `<h1>Holiday house</h1><p>The house is cleaned on Saturdays.</p>
<p><label for=day>Arrival</label> <input id=day placeholder="Select a date"></p>
<p><label for=stay>Stay</label> <input id=stay readonly placeholder="YYYY-MM-DD to YYYY-MM-DD" size=28></p>
<p><label for=from>From</label> <input id=from> <label for=until>Until</label> <input id=until></p>
<p><label for=birth>Date of birth</label> <input id=birth readonly></p>
<p>Cleaning day</p><div id=inline></div><p><label>Guests <input type=number value=2></label></p><button>Ask for the house</button>`;
const by = (id) => document.getElementById(id);
const make = (id, options) => {
  const picker = new Litepicker({element: by(id), format: "YYYY-MM-DD", ...options});
  picker.on("selected", (first, second) => { S[id] = [first, second].filter(Boolean).map((date) => date.format("YYYY-MM-DD")).join(" "); });
};
make("day", {singleMode: true, allowRepick: true});
make("stay", {singleMode: false, numberOfMonths: 2, numberOfColumns: 2, delimiter: " to "});
make("from", {elementEnd: by("until"), singleMode: false, allowRepick: true});
make("birth", {singleMode: true, dropdowns: {minYear: 1950, maxYear: 2030, months: true, years: true}});
make("inline", {singleMode: true, inlineMode: true, startDate: "2027-05-01"});
