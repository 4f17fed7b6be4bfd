// @ts-check
/** Past runs: what was done before, call by call. */

import { EntryDetails, ActionLog } from "./action_log.js";
import { send } from "./connection.js";
import { bytes, clock, count, day } from "./format.js";
import { html } from "./html.js";
import { isConnected, openRun, runs } from "./store.js";
import { useEffect, useState } from "./vendor/hooks.js";

export function PastRuns() {
  useEffect(() => { if (isConnected.value) send({ type: "runs" }); }, [isConnected.value]);
  const open = openRun.value;
  if (open) return html`<${PastRun} key=${open.run} run=${open} />`;
  return html`
    <section class="panel">
      <h2>Runs</h2>
      ${runs.value.length ? html`<ul class="runs">${runs.value.map((run) => html`
        <li key=${run.run}><button onClick=${() => send({ type: "run", run: run.run })}>
          <strong>${run.session || run.run}</strong><span class="muted">${run.client}</span>
          <span class="muted">${day(run.started)}</span><span class="muted">${bytes(run.bytes)}</span>
        </button></li>`)}</ul>` : html`<p class="muted">Nothing was recorded yet.</p>`}
    </section>`;
}

/** @param {{run: {run: string, entries: Entry[], more: boolean}}} props */
function PastRun({ run }) {
  const [at, setAt] = useState(0);
  const entry = run.entries[at];
  return html`
    <section class="past-run">
      <header class="page-head">
        <button class="quiet" onClick=${() => { openRun.value = null; }}>← All runs</button>
        <h2>${entry?.session ?? run.run}</h2><span class="muted">${count(run.entries.length, "call")}</span>
      </header>
      ${run.more && html`<p class="muted">These are the first calls of the run; <code>tabmux record show ${run.run}</code> shows all.</p>`}
      ${entry && html`<div class="panel">
        <label class="slider">Call ${at + 1} of ${run.entries.length}
          <input type="range" min="0" max=${run.entries.length - 1} value=${at}
            onInput=${(/** @type {any} */ event) => setAt(Number(event.target.value))} /></label>
        <h3>${entry.tool} <span class="muted">${clock(entry.time)}</span> ${entry.code && html`<span class="code">${entry.code}</span>`}</h3>
        <${EntryDetails} entry=${entry} />
      </div>`}
      <${ActionLog} entries=${run.entries} title="Calls" newestLast=${true} />
    </section>`;
}
