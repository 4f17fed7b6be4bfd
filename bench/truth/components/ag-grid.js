import {AllCommunityModule, ModuleRegistry, createGrid} from "ag-grid-community";
ModuleRegistry.registerModules([AllCommunityModule]);
const app = document.getElementById("app");
app.innerHTML = `<h1>Sales</h1><p>Figures of the first quarter only.</p><div id=grid style="width:700px;height:300px"></div><button>Export</button>`;
createGrid(document.getElementById("grid"), {
  columnDefs: [{field: "town", filter: true, editable: true}, {field: "sum", sortable: true, editable: true}, {field: "paid", cellDataType: "boolean", editable: true}],
  rowData: [{town: "Oslo", sum: 3, paid: true}, {town: "Rome", sum: 5, paid: false}, {town: "Wien", sum: 7, paid: true}],
  rowSelection: {mode: "multiRow"}, pagination: true, paginationPageSize: 20,
});
