import AirDatepicker from "air-datepicker";
import en from "air-datepicker/locale/en";
import "air-datepicker/air-datepicker.css";
document.getElementById("app").innerHTML = `<h1>Leave</h1><p>Days on which somebody is away.</p><label>From <input id=a></label><label>Span <input id=b readonly></label><label>Moment <input id=c></label><div id=d></div><button>Ask</button>`;
new AirDatepicker("#a", {locale: en}); new AirDatepicker("#b", {locale: en, range: true}); new AirDatepicker("#c", {locale: en, timepicker: true}); new AirDatepicker("#d", {locale: en, inline: true, startDate: new Date(2027, 2, 10), buttons: ["today", "clear"]});
