import Handsontable from "handsontable";
import "handsontable/dist/handsontable.full.css";
document.getElementById("app").innerHTML = `<h1>Sheet</h1><p>Numbers can be changed in place.</p><div id=grid></div><button>Store</button>`;
new Handsontable(document.getElementById("grid"), {
  data: [["Ann", 3, true], ["Bob", 5, false]], colHeaders: ["Name", "Count", "Done"], rowHeaders: true, dropdownMenu: true, filters: true,
  columns: [{}, {type: "numeric"}, {type: "checkbox"}], licenseKey: "non-commercial-and-evaluation", height: 200,
});
