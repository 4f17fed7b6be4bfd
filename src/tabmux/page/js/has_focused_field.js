// @ts-check
/** Whether a field of this very document has the focus. */
function hasFocusedField() {
  return document.hasFocus() && tabmux.activeElement() instanceof HTMLInputElement;
}
