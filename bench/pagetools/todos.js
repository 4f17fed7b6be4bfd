// Parts of a todo application, also those inside of components.
(() => {
  const FIELD = ".new-todo, #new-todo, .new-todo-input, input[placeholder*='needs to be done' i]";
  const BOX = "[class*=toggle i][type=checkbox]:not([class*=all i], [id*=all i])";

  const all = (root, selector) => [...root.querySelectorAll("*")].flatMap((each) => [
    ...(each.matches(selector) ? [each] : []),
    ...(each.shadowRoot ? all(each.shadowRoot, selector) : []),
  ]);
  const field = () => all(document, FIELD)[0];

  return {
    isReady: () => document.readyState === "complete" && field() !== undefined,
    enter: () => { field().focus(); field().select(); },
    has: (text) => all(document, "label, span, div").some((each) => each.textContent.trim() === text),
    /** Where the first todo that is not done can be ticked. */
    box: () => {
      const box = all(document, BOX).find((each) => !each.checked && each.checkVisibility());
      box?.scrollIntoView({block: "nearest"});
      const {x, y, width, height} = box?.getBoundingClientRect() ?? {};
      return box ? [x + width / 2, y + height / 2] : null;
    },
  };
})()
