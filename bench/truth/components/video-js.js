import videojs from "video.js";
import "video.js/dist/video-js.css";
document.getElementById("app").innerHTML = `<h1>Lecture</h1><p>A lecture which can be watched at home.</p><video id=a class="video-js" controls width=640 height=264><source src="none.mp4" type="video/mp4"></video><label><input type=checkbox>Seen</label><button>Next lecture</button>`;
videojs("a", {playbackRates: [0.5, 1, 2], controlBar: {skipButtons: {forward: 10}}});
