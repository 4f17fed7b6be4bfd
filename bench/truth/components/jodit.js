import {Jodit} from "jodit/es2021/jodit.min.js";
import "jodit/es2021/jodit.min.css";
document.getElementById("app").innerHTML = `<h1>Recipe</h1><p>What is needed and how it is made.</p><label>Dish <input></label><textarea id=a>Old <b>soup</b></textarea><button>Keep</button>`;
Jodit.make("#a", {height: 260});
