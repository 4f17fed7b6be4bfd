import StarRating from "star-rating.js";
import "dual-listbox/dist/dual-listbox.js";
import "star-rating.js/dist/star-rating.css";
import "dual-listbox/dist/dual-listbox.css";
const S = window.S = {};
const stars = (words) => `<option value="">Select a rating</option>` + words.map((word, at) => `<option value=${words.length - at}>${word}</option>`).join("");
document.getElementById("app").innerHTML = `<main style="width:700px"><h1>Review</h1><p>Tell others how your stay was.</p>
<p><label for=overall>Overall</label><select id=overall class=star-rating>${stars(["Excellent", "Very Good", "Average", "Poor", "Terrible"])}</select></p>
<p><label for=clean>Cleanliness</label><select id=clean class=star-rating>${stars(["Fantastic", "Great", "Good", "Poor", "Terrible"])}</select></p>
<p><label for=score>Score</label><select id=score class=star-rating>${stars(["Ten", "Nine", "Eight", "Seven", "Six", "Five", "Four", "Three", "Two", "One"])}</select></p>
<p><label for=liked>What you liked</label><select id=liked multiple><option value=1>Breakfast</option><option value=2>Garden</option><option value=3>Pool</option><option value=4>Staff</option></select></p>
<p><label>Your words <textarea></textarea></label></p><button>Send review</button></main>`;
for (const each of document.querySelectorAll("select")) each.addEventListener("change", () => { S[each.id] = each.value; });
new StarRating("#overall");
new StarRating("#clean", {clearable: false, tooltip: "Rate it"});
new StarRating("#score", {maxStars: 10, tooltip: false});
new window.DualListbox("#liked", {availableTitle: "All", selectedTitle: "Liked"});
