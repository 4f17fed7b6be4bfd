import IMask from "imask";
const S = window.S = {};
document.getElementById("app").innerHTML = `<h1>Payment</h1><p>Cards are charged when the order leaves.</p>
<p><label>Card number <input id=card inputmode=numeric placeholder="0000 0000 0000 0000"></label></p>
<p><label>Expires <input id=expires placeholder="MM/YY" size=6></label> <label>CVC <input id=cvc size=4 type=password></label></p>
<p><label>Amount <input id=amount></label></p>
<p><label>Phone <input id=phone type=tel></label></p>
<p><label>Date of birth <input id=birth placeholder="DD.MM.YYYY"></label></p>
<p><label>Voucher <input id=voucher></label></p><button>Pay</button>`;
const make = (id, options) => { const mask = IMask(document.getElementById(id), options); mask.on("accept", () => { S[id] = {shown: mask.value, plain: mask.unmaskedValue, typed: mask.typedValue}; }); mask.on("complete", () => { S[id].complete = true; }); };
make("card", {mask: "0000 0000 0000 0000"});
make("expires", {mask: "MM/YY", blocks: {MM: {mask: IMask.MaskedRange, from: 1, to: 12}, YY: {mask: IMask.MaskedRange, from: 25, to: 40}}, lazy: false});
make("cvc", {mask: "000"});
make("amount", {mask: "$num", blocks: {num: {mask: Number, thousandsSeparator: ",", radix: ".", mapToRadix: ["."], scale: 2, padFractionalZeros: false}}});
make("phone", {mask: "+{1} (000) 000-0000", lazy: false, placeholderChar: "_"});
make("birth", {mask: Date, min: new Date(1900, 0, 1), max: new Date(2030, 0, 1), lazy: true});
make("voucher", {mask: "aaa-000-***", prepareChar: (each) => each.toUpperCase()});
