import "fomantic-ui-css/semantic.min.css";
const $ = globalThis.jQuery = globalThis.$ = require("jquery");
require("fomantic-ui-css/semantic.min.js");
const S = window.S = {};
document.getElementById("app").innerHTML = `<form class="ui form" style="width:480px;padding:20px" onsubmit="return false"><h1 class="ui header">Event</h1><p>Where and when people meet.</p>
<div class=field><label>Title</label><input name=title placeholder="Title"></div>
<div class=field><label>Kind</label><div class="ui selection dropdown" id=kind><input type=hidden name=kind><i class="dropdown icon"></i><div class="default text">Kind</div><div class=menu><div class=item data-value=talk>Talk</div><div class=item data-value=concert>Concert</div><div class=item data-value=market>Market</div></div></div></div>
<div class=field><label>Skills</label><div class="ui fluid multiple search selection dropdown" id=skills><input type=hidden name=skills><i class="dropdown icon"></i><div class="default text">Skills</div><div class=menu><div class=item data-value=angular>Angular</div><div class=item data-value=css>CSS</div><div class=item data-value=design>Graphic Design</div><div class=item data-value=html>HTML</div></div></div></div>
<div class=field><label>State</label><select class="ui search dropdown" id=state><option value="">State</option><option value=AL>Alabama</option><option value=AK>Alaska</option><option value=CA>California</option><option value=CO>Colorado</option><option value=TX>Texas</option></select></div>
<div class=field><label>Start date</label><div class="ui calendar" id=start><div class="ui input left icon"><i class="calendar icon"></i><input type=text placeholder="Date"></div></div></div>
<div class=field><label>Doors open</label><div class="ui calendar" id=doors><div class="ui input left icon"><i class="time icon"></i><input type=text placeholder="Time"></div></div></div>
<div class=field><label>Price</label><div class="ui labeled slider" id=price></div></div>
<div class=field><label>Quality</label><div class="ui star rating" id=stars data-max-rating=5></div></div>
<div class=field><div class="ui toggle checkbox" id=open><input type=checkbox name=open><label>Open to everybody</label></div></div>
<div class="grouped fields"><label>Tickets</label><div class=field><div class="ui radio checkbox"><input type=radio name=tickets value=door checked><label>At the door</label></div></div><div class=field><div class="ui radio checkbox"><input type=radio name=tickets value=online><label>Online</label></div></div></div>
<button class="ui primary button">Publish</button></form>`;
const keep = (key) => (value) => { S[key] = value; };
$("#kind, #skills").each((_, each) => { $(each).dropdown({onChange: keep(each.id)}); });
$("#state").dropdown({onChange: keep("state"), fullTextSearch: true});
$("#start").calendar({type: "date", onChange: keep("start"), formatter: {date: "YYYY-MM-DD"}});
$("#doors").calendar({type: "time", formatter: {time: "HH:mm", cellTime: "HH:mm"}, onChange: keep("doors")});
$("#price").slider({min: 0, max: 50, start: 10, step: 5, onChange: keep("price")});
$("#stars").rating({initialRating: 2, onRate: keep("stars")});
$("#open").checkbox({onChange: () => { S.open = $("#open").checkbox("is checked"); }});
$(".radio.checkbox").checkbox({onChecked: () => { S.tickets = $("[name=tickets]:checked").val(); }});
