import Quill from "quill";
import "quill/dist/quill.snow.css";
document.getElementById("app").innerHTML = `<h1>Letter</h1><p>Write what you want to say.</p><div id=e><p>Old words</p></div><button>Send letter</button>`;
new Quill("#e", {theme: "snow", modules: {toolbar: [["bold", "italic"], [{header: [1, 2, false]}], [{list: "ordered"}], ["link", "image"], [{align: []}], ["clean"]]}});
