import {TempusDominus} from "@eonasdan/tempus-dominus";
import "@eonasdan/tempus-dominus/dist/css/tempus-dominus.css";
document.getElementById("app").innerHTML = `<h1>Rehearsal</h1><p>When the orchestra meets again.</p><label>Begins <input id=a></label><label>Ends <input id=b></label><label>Break <input id=c></label><div id=d></div><button>Plan</button>`;
new TempusDominus(document.getElementById("a"), {}); new TempusDominus(document.getElementById("b"), {display: {components: {clock: false}}, localization: {format: "yyyy-MM-dd"}});
new TempusDominus(document.getElementById("c"), {display: {viewMode: "clock", components: {calendar: false}}}); new TempusDominus(document.getElementById("d"), {display: {inline: true}, defaultDate: new Date(2027, 2, 10)});
