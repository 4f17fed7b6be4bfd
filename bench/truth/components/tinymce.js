import tinymce from "tinymce";
import "tinymce/models/dom";
import "tinymce/themes/silver";
import "tinymce/icons/default";
import "tinymce/skins/ui/oxide/skin.css";
import "tinymce/plugins/lists";
import "tinymce/plugins/link";
document.getElementById("app").innerHTML = `<h1>Report</h1><p>Write a report about the week.</p><textarea id=e>Old words</textarea><button>Hand in</button>`;
tinymce.init({selector: "#e", license_key: "gpl", skin: false, content_css: false, plugins: "lists link", toolbar: "bold italic bullist link fontsize", height: 300});
