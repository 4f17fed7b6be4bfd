import jspreadsheet from "jspreadsheet-ce";
import "jspreadsheet-ce/dist/jspreadsheet.css";
import "jsuites/dist/jsuites.css";
document.getElementById("app").innerHTML = `<h1>Car pool</h1><p>Double-click a cell to change it.</p><div id=sheet></div><p><label>Remarks <input></label></p><button>Save list</button>`;
window.own = jspreadsheet(document.getElementById("sheet"), {
  worksheets: [{
    data: [["Jazz", "Honda", "2019-02-12", true, "2000"], ["Civic", "Honda", "2018-07-11", false, "4000"], ["Golf", "VW", "2020-05-02", true, "3500"]],
    columns: [
      {type: "text", title: "Car", width: 120},
      {type: "dropdown", title: "Make", width: 160, source: ["Alfa Romeo", "Audi", "BMW", "Honda", "Skoda", "VW"]},
      {type: "calendar", title: "Available", width: 160, options: {format: "YYYY-MM-DD"}},
      {type: "checkbox", title: "Stock", width: 80},
      {type: "numeric", title: "Price", width: 120},
    ],
  }],
})[0];
