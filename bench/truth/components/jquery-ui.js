import $ from "jquery";
globalThis.jQuery = globalThis.$ = $;
document.getElementById("app").innerHTML = `<main><h1>Desk</h1><p>Arrange the things on your desk.</p>
<label>City <input id="ac"></label><label>Day <input id="dp"></label><label>Count <input id="sp" value="3"></label><div id="sl" style="width:200px"></div><label for="sm">Speed</label><select id="sm"><option>Slow<option>Fast</select>
<label for="cb">Lamp</label><input type="checkbox" id="cb"><label for="r1">Tea</label><input type="radio" name="r" id="r1"><label for="r2">Milk</label><input type="radio" name="r" id="r2">
<div id="tabs"><ul><li><a href="#t1">Pens</a><li><a href="#t2">Books</a></ul><div id="t1">All the pens</div><div id="t2">All the books</div></div><div id="acc"><h3>Drawer</h3><div>Three keys inside</div><h3>Shelf</h3><div>Nothing inside</div></div>
<ul id="menu"><li><div>Open</div><li><div>More</div><ul><li><div>Print</div></ul></ul><ul id="sort"><li>First<li>Second</ul><button id="b">Clean</button><button id="d">Ask</button><div id="dlg" title="Question">Really do it?</div></main>`;
import("jquery-ui/dist/jquery-ui.js").then(() => {
  $("#ac").autocomplete({source: ["Oslo", "Rome"], minLength: 0}); $("#dp").datepicker(); $("#sp").spinner(); $("#sl").slider({value: 20}); $("#sm").selectmenu();
  $("#cb, [name=r]").checkboxradio(); $("#tabs").tabs(); $("#acc").accordion(); $("#menu").menu(); $("#sort").sortable(); $("#b, #d").button();
  $("#dlg").dialog({autoOpen: false}); $("#d").on("click", () => $("#dlg").dialog("open"));
});
