// The forms of the document, and the names of their fields.
function () {
  return [...document.querySelectorAll("form")].map((form) => (
    {ref: tabmux.toolRef(form), names: [...form.elements].map((each) => each.name)}));
}
