import EasyMDE from "easymde";
import "easymde/dist/easymde.min.css";
document.getElementById("app").innerHTML = `<main style="width:700px"><h1>New post</h1><p>Posts are shown at once.</p>
<p><label>Title <input id=title></label></p>
<label for=body>Text</label><textarea id=body></textarea>
<label for=excerpt>Excerpt</label><textarea id=excerpt># Old words

* one
* two</textarea>
<p><label><input type=checkbox> Allow comments</label></p><button>Publish</button></main>`;
const by = (id) => document.getElementById(id), plain = {autoDownloadFontAwesome: false, spellChecker: false};
window.own = {
  body: new EasyMDE({...plain, element: by("body"), placeholder: "Type here...", minHeight: "120px"}),
  excerpt: new EasyMDE({...plain, element: by("excerpt"), toolbar: ["bold", "italic", "|", "preview"], status: false, forceSync: true, minHeight: "80px"}),
};
