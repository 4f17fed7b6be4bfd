import {createRoot} from "react-dom/client";
import {useState} from "react";
import {createEditor, Editor} from "slate";
import {Editable, Slate, withReact} from "slate-react";
function Page() {
  const [editor] = useState(() => withReact(createEditor()));
  return <main><h1>Diary</h1><p>Nobody else can read this.</p><Slate editor={editor} initialValue={[{type: "paragraph", children: [{text: "Old words"}]}]}>
    <button onClick={() => Editor.addMark(editor, "bold", true)}>Bold</button><Editable aria-label="Entry" style={{border: "1px solid"}} /></Slate><button>Keep</button></main>;
}
createRoot(document.getElementById("app")).render(<Page />);
