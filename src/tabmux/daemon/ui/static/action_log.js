// @ts-check
/** Action log: what agents did, each with what came of it; filters, and a line of time. */

import { clock, count, duration } from "./format.js";
import { html } from "./html.js";
import { name } from "./store.js";
import { useState } from "./vendor/hooks.js";

const SHOWN_AT_ONCE = 200;

/** @param {{entries: Entry[], title: string, newestLast?: boolean}} props */
export function ActionLog({ entries, title, newestLast = false }) {
  const [text, setText] = useState("");
  const [failed, setFailed] = useState(false);
  const fitting = entries.filter((entry) => (!failed || entry.code) && fits(entry, text.toLowerCase()));
  const [most, setMost] = useState(SHOWN_AT_ONCE);
  const inTime = newestLast ? fitting.slice(0, most) : fitting.slice(-most);
  const shown = newestLast ? inTime : [...inTime].reverse();
  return html`
    <section class="log panel" aria-label=${title}>
      <header class="log-head">
        <h3>${title}</h3>
        <span class="muted">${count(fitting.length, "call")}</span>
      </header>
      <div class="filters">
        <input type="search" aria-label="Filter calls" placeholder="Filter" value=${text}
          onInput=${(/** @type {any} */ event) => setText(event.target.value)} />
        <label><input type="checkbox" checked=${failed}
          onChange=${(/** @type {any} */ event) => setFailed(event.target.checked)} /> failed</label>
      </div>
      <${Timeline} entries=${inTime} />
      ${shown.length
        ? html`<ol class="entries">${shown.map((entry) => html`<${EntryLine} key=${name(entry)} entry=${entry} />`)}</ol>`
        : html`<p class="muted empty">No calls yet.</p>`}
      ${fitting.length > most
        && html`<button onClick=${() => setMost(most + SHOWN_AT_ONCE)}>${newestLast ? "Later calls" : "Earlier calls"}</button>`}
    </section>`;
}

function fits(/** @type {Entry} */ entry, /** @type {string} */ text) {
  if (!text) return true;
  return [entry.tool, entry.arguments, entry.session, entry.url, entry.code ?? "", ...entry.elements]
    .some((each) => each.toLowerCase().includes(text));
}

/** @param {{entry: Entry}} props */
export function EntryLine({ entry }) {
  const [isOpen, setOpen] = useState(false);
  const what = entry.elements.join(", ") || (entry.arguments === "{}" ? "" : entry.arguments);
  return html`
    <li class=${entry.code ? "entry failed" : "entry"} id=${anchor(entry)}>
      <details onToggle=${(/** @type {any} */ event) => setOpen(event.target.open)}>
        <summary>
          <time>${clock(entry.time)}</time>
          <strong>${entry.tool}</strong>
          <span class="what">${what}</span>
          ${entry.code && html`<span class="code">${entry.code}</span>`}
          <span class="muted">${duration(entry.milliseconds)}</span>
        </summary>
        ${isOpen && html`<${EntryDetails} entry=${entry} />`}
      </details>
    </li>`;
}

/** @param {{entry: Entry}} props */
export function EntryDetails({ entry }) {
  return html`
    <div class="details">
      <p class="muted">${entry.session} · ${entry.url}</p>
      <pre class="arguments" tabindex="0" aria-label="Arguments">${entry.arguments}</pre>
      ${entry.error && html`<p class="error">${entry.error}</p>`}
      ${entry.diff && html`<pre class="diff" tabindex="0" aria-label="Changes">${entry.diff.split("\n").map(diffLine)}</pre>`}
      ${/^[0-9a-zA-Z]+$/.test(entry.picture) && html`<img class="shot" src="/ui/picture/${entry.picture}"
        alt="The page after ${entry.tool}" loading="lazy" />`}
      ${entry.steps.length > 0 && html`<ol class="entries">${entry.steps.map((step) => html`<${EntryLine} entry=${step} />`)}</ol>`}
    </div>`;
}

function diffLine(/** @type {string} */ line) {
  const kind = line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "";
  return html`<span class=${kind}>${line}${"\n"}</span>`;
}

/** Bars of calls over time; each leads to its call. */
/** @param {{entries: Entry[]}} props */
function Timeline({ entries }) {
  if (entries.length < 2) return null;
  const first = entries[0].time;
  const span = Math.max(entries[entries.length - 1].time - first, 1);
  return html`
    <svg class="timeline" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
      ${entries.map((entry) => html`<rect x=${(98 * (entry.time - first)) / span} y=${12 - height(entry)}
        width="1" height=${height(entry)} class=${entry.code ? "failed" : ""}
        onClick=${() => document.getElementById(anchor(entry))?.scrollIntoView({ block: "nearest" })} />`)}
    </svg>`;
}

function height(/** @type {Entry} */ entry) {
  return Math.min(12, 3 + 2 * Math.log10(1 + entry.milliseconds));
}

function anchor(/** @type {Entry} */ entry) {
  return `call-${entry.run}-${entry.number}-${Math.round(entry.time * 1000)}`;
}
