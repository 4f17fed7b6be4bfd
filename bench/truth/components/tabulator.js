import {TabulatorFull} from "tabulator-tables";
import "tabulator-tables/dist/css/tabulator.css";
document.getElementById("app").innerHTML = `<h1>Members</h1><p>Click on a head to sort by it.</p><div id=grid></div><button>Add member</button>`;
new TabulatorFull("#grid", {
  data: [{id: 1, name: "Ann", age: 30, on: true}, {id: 2, name: "Bob", age: 41, on: false}], layout: "fitColumns", pagination: true, paginationSize: 5,
  columns: [{title: "Name", field: "name", editor: "input", headerFilter: "input"}, {title: "Age", field: "age", editor: "number"}, {title: "On", field: "on", formatter: "tickCross", editor: "tickCross"}, {formatter: "rowSelection", titleFormatter: "rowSelection"}],
});
