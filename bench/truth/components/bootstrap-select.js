import "bootstrap/dist/css/bootstrap.min.css";
import "bootstrap-select/dist/css/bootstrap-select.min.css";
const $ = globalThis.jQuery = globalThis.$ = require("jquery");
require("bootstrap");
require("bootstrap-select");
const S = window.S = {};
document.getElementById("app").innerHTML = `<div class="container p-4" style="max-width:520px"><h1>Pizza</h1><p>Ready in twenty minutes.</p>
<div class=form-group><label for=name>Name</label><input id=name class=form-control></div>
<div class=form-group><label for=size>Size</label><select id=size class="selectpicker form-control" title="Choose one of the following..."><option>Small</option><option>Medium</option><option>Large</option></select></div>
<div class=form-group><label for=sauce>Sauce</label><select id=sauce class="selectpicker form-control" data-live-search=true><option data-tokens="red">Tomato</option><option data-subtext="hot">Arrabbiata</option><option data-subtext="with basil">Pesto</option><option>White</option></select></div>
<div class=form-group><label for=toppings>Toppings</label><select id=toppings class="selectpicker form-control" multiple data-actions-box=true data-selected-text-format="count > 3" title="Pick toppings"><optgroup label="Vegetables"><option>Mushrooms</option><option>Onions</option><option>Peppers</option></optgroup><optgroup label="Meat"><option>Ham</option><option>Salami</option></optgroup></select></div>
<div class=form-group><label for=drinks>Drinks</label><select id=drinks class="selectpicker form-control" multiple data-max-options=2 data-style="btn-info"><option>Cola</option><option>Juice</option><option>Water</option></select></div>
<div class=form-group><label for=branch>Branch</label><select id=branch class="selectpicker form-control" data-live-search=true data-size=5 title="Nearest branch">${Array.from({length: 80}, (_, n) => `<option value=b${n + 1}>Branch ${n + 1}</option>`).join("")}</select></div>
<div class="custom-control custom-switch"><input type=checkbox class=custom-control-input id=deliver><label class=custom-control-label for=deliver>Deliver it</label></div>
<button class="btn btn-primary">Order</button></div>`;
$(".selectpicker").selectpicker().on("changed.bs.select", (event) => { S[event.target.id] = $(event.target).val(); });
$("#deliver").on("change", (event) => { S.deliver = event.target.checked; });
