import {Calendar, time} from "vanilla-calendar-pro";
import "vanilla-calendar-pro/styles/index.css";
const S = window.S = {};
document.getElementById("app").innerHTML = `<h1>Appointment</h1><p>Please choose when you can come.</p>
<p><label for=visit>Visit</label> <input id=visit placeholder="Choose date" readonly></p>
<p><label for=call>Call me at</label> <input id=call placeholder="Date and time" size=24 readonly></p>
<p><label for=due>Due date</label> <input id=due placeholder="YYYY-MM-DD"></p>
<h2 id=days-name>Days off</h2><div id=days aria-labelledby=days-name></div>
<h2 id=month-name>Billing month</h2><div id=month aria-labelledby=month-name></div>
<p><label>Remarks <textarea></textarea></label></p><button>Request</button>`;
const shown = {selectedMonth: 2, selectedYear: 2027};
const into = (key, text) => (self) => { const value = text(self.context); S[key] = value; if (self.context.inputElement) self.context.inputElement.value = value; };
const dates = (context) => context.selectedDates.join();
new Calendar("#visit", {...shown, inputMode: true, onClickDate: (self) => { into("visit", dates)(self); self.hide(); }}).init();
const moment = into("call", (context) => [context.selectedDates[0], context.selectedTime].filter(Boolean).join(" "));
new Calendar("#call", {...shown, inputMode: true, extensions: [time], selectionTimeMode: 24, onClickDate: moment, onChangeTime: moment}).init();
const due = new Calendar("#due", {...shown, inputMode: true, onClickDate: (self) => { into("due", dates)(self); self.hide(); }});
due.init();
document.getElementById("due").addEventListener("change", (event) => { if (/^\d{4}-\d\d-\d\d$/.test(event.target.value)) { S.due = event.target.value; due.set({selectedDates: [event.target.value]}); } });
new Calendar("#days", {...shown, selectionDatesMode: "multiple", onClickDate: into("days", (context) => [...context.selectedDates].sort().join())}).init();
new Calendar("#month", {...shown, type: "month", onClickMonth: into("month", (context) => `${context.selectedYear}-${context.selectedMonth + 1}`)}).init();
