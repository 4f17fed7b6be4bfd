// @ts-check
/** Page functions: what commands run in a page. They are sent as text, so each may call only `find`. */

/** @typedef {import("./commands.js").Target} Target */

/**
 * Find the element that is meant: by its selector, its text, or a ref, which is whatever names it.
 * @param {Target} target
 * @returns {Element | null}
 */
export function find({ ref, selector, text }) {
  /** @param {Element} each */
  const shown = (each) => (each instanceof HTMLElement ? each.innerText?.trim() : undefined);
  const usable = "a, button, input, textarea, select, label, [role], [onclick], summary";
  /** @param {string} wanted @param {string} within */
  const withText = (wanted, within) => [...document.querySelectorAll(within)].find((each) => shown(each) === wanted);
  if (ref !== undefined && selector === undefined) {
    const value = `"${CSS.escape(ref)}"`;
    const names = ["data-ref", "ref", "data-testid", "data-test-id", "name", "aria-label", "placeholder", "title"];
    const byName = names.map((name) => document.querySelector(`[${name}=${value}]`));
    const label = /** @type {HTMLLabelElement | undefined} */ (withText(ref, "label"));
    const found = [document.getElementById(ref), ...byName, label?.control, withText(ref, usable), withText(ref, "*")];
    return found.find((each) => each) ?? null;
  }
  if (text === undefined) {
    return selector === undefined ? null : document.querySelector(selector);
  }
  return withText(text, selector ?? usable) ?? withText(text, selector ?? "*") ?? null;
}

/** @param {Target} target */
export function isThere({ ref, selector, text }) {
  if (ref !== undefined || selector !== undefined) {
    return find({ ref, selector }) !== null;
  }
  return (document.body?.innerText ?? "").includes(text ?? "");
}

/** @param {Target} target */
export function centre(target) {
  const found = find(target);
  if (found === null) {
    return null;
  }
  found.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const box = found.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** @param {Target} target */
export function takeFocus(target) {
  const found = find(target);
  if (!(found instanceof HTMLElement)) {
    return null;
  }
  found.focus();
  if (found instanceof HTMLInputElement || found instanceof HTMLTextAreaElement) {
    found.select();
  }
  return true;
}

/** @param {Target} target @param {string[]} values */
export function choose(target, values) {
  const found = find(target);
  if (!(found instanceof HTMLSelectElement)) {
    return null;
  }
  for (const option of found.options) {
    option.selected = values.includes(option.value) || values.includes(option.label);
  }
  found.dispatchEvent(new Event("input", { bubbles: true }));
  found.dispatchEvent(new Event("change", { bubbles: true }));
  return [...found.selectedOptions].map((option) => option.value);
}
