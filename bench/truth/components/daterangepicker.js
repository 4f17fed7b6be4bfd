import $ from "jquery";
import moment from "moment";
import "daterangepicker";
import "daterangepicker/daterangepicker.css";
document.getElementById("app").innerHTML = `<h1>Report</h1><p>Which days the report is about.</p><label>Span <input id=a></label><label>Day <input id=b></label><label>Moment <input id=c></label><div id=d tabindex=0 role=button>Last days</div><button>Show</button>`;
$("#a").daterangepicker({startDate: "03/01/2027", endDate: "03/10/2027"}); $("#b").daterangepicker({singleDatePicker: true, startDate: "03/10/2027", showDropdowns: true}); $("#c").daterangepicker({singleDatePicker: true, timePicker: true, locale: {format: "YYYY-MM-DD HH:mm"}});
$("#d").daterangepicker({ranges: {Today: [moment(), moment()], "Last week": [moment().subtract(6, "days"), moment()]}}, (from, to) => $("#d").text(from.format("LL") + " to " + to.format("LL")));
