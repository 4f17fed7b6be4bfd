import flatpickr from "flatpickr";
import "flatpickr/dist/flatpickr.css";
document.getElementById("app").innerHTML = `<h1>Dates</h1><p>Choose the days of your visit.</p><label>Arrival <input id=a></label><label>Stay <input id=r></label><label>Time <input id=t></label><div id=i></div><button>Book</button>`;
flatpickr("#a", {}); flatpickr("#r", {mode: "range"}); flatpickr("#t", {enableTime: true, noCalendar: true}); flatpickr("#i", {inline: true, defaultDate: "2027-03-10"});
