import {Calendar} from "fullcalendar";
document.getElementById("app").innerHTML = `<h1>Calendar</h1><p>All meetings of the month.</p><div id=c></div>`;
new Calendar(document.getElementById("c"), {
  initialDate: "2027-03-10", selectable: true, editable: true, navLinks: true, headerToolbar: {left: "prev,next today", center: "title", right: "dayGridMonth,timeGridWeek,listMonth"},
  events: [{title: "Review", start: "2027-03-11T10:00"}, {title: "Party", start: "2027-03-12", url: "#party"}],
}).render();
