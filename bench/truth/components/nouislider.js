import noUiSlider from "nouislider";
import "nouislider/dist/nouislider.css";
document.getElementById("app").innerHTML = `<h1>Limits</h1><p>Move the handles to set limits.</p><div id=a style="margin:40px;width:300px"></div><div id=b style="margin:40px;width:300px"></div><div id=c style="margin:40px;height:150px"></div><button>Set limits</button>`;
noUiSlider.create(document.getElementById("a"), {start: 20, range: {min: 0, max: 100}, handleAttributes: [{"aria-label": "Price"}]});
noUiSlider.create(document.getElementById("b"), {start: [2, 8], connect: true, step: 1, tooltips: true, range: {min: 0, max: 10}});
noUiSlider.create(document.getElementById("c"), {start: 5, orientation: "vertical", range: {min: 0, max: 10}});
