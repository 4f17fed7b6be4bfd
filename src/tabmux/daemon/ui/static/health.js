// @ts-check
/** Health: browsers, the queue, and how the server does, as small charts. */

import { html } from "./html.js";
import { bytes } from "./format.js";
import { metrics, state } from "./store.js";
import { useEffect, useRef } from "./vendor/hooks.js";
import uPlot from "./vendor/uplot.js";

const HEIGHT = 110;

export function Health() {
  const { grid } = state.value;
  const newest = metrics.value[metrics.value.length - 1];
  return html`
    <div class="health">
      <section class="panel">
        <h2>Browsers</h2>
        <div class="table" tabindex="0" role="region" aria-label="Browsers">
        <table>
          <thead><tr><th>#</th><th>Name</th><th>State</th><th>Pages</th><th>Calls</th><th>Failed</th><th>Average</th></tr></thead>
          <tbody>${state.value.browsers.map((browser) => html`
            <tr key=${browser.index}><td>${browser.index}</td>
              <td>${browser.name}${browser.places.map((place) => html`<div class="muted">${place}</div>`)}</td>
              <td><span class="dot ${browser.state === "connected" ? "on" : ""}" aria-hidden="true"></span> ${browser.state}</td>
              <td>${browser.pages}</td><td>${browser.calls}</td><td>${browser.errors}</td><td>${browser.latency} ms</td></tr>`)}
          </tbody>
        </table>
        </div>
      </section>
      <section class="panel">
        <h2>Queue</h2>
        <ul class="facts-list">
          <li><strong>${newest?.running ?? 0}</strong> calls running</li>
          <li><strong>${newest?.queued ?? 0}</strong> running or waiting</li>
          <li><strong>${state.value.requests.length}</strong> requests to people</li>
          <li><strong>${bytes(newest?.memory ?? 0)}</strong> memory</li>
        </ul>
      </section>
      ${grid && html`<section class="panel">
        <h2>Grid</h2>
        <ul class="facts-list">
          <li>${grid.line}</li>
          <li><strong>${grid.waiting}</strong> waiting here for a browser</li>
          ${grid.trouble && html`<li class="error">${grid.trouble}</li>`}
        </ul>
      </section>`}
      <div class="charts">
        <${Chart} title="Calls a second" values=${rates((each) => each.calls)} />
        <${Chart} title="Failures a second" values=${rates((each) => each.failures)} />
        <${Chart} title="Calls running" values=${metrics.value.map((each) => each.running)} />
        <${Chart} title="Milliseconds a call" values=${averages()} />
        <${Chart} title="CPU, % of a core" values=${rates((each) => 100 * each.cpu)} />
        <${Chart} title="Memory, MB" values=${metrics.value.map((each) => each.memory / (1 << 20))} />
      </div>
    </div>`;
}

/** How much a counter grows in a second. */
function rates(/** @type {(each: Metrics) => number} */ counter) {
  return metrics.value.map((each, place, all) => {
    const before = all[place - 1];
    return before ? Math.max(0, counter(each) - counter(before)) / (each.time - before.time || 1) : 0;
  });
}

function averages() {
  return metrics.value.map((each, place, all) => {
    const calls = each.calls - (all[place - 1]?.calls ?? each.calls);
    return calls ? (1000 * (each.seconds - all[place - 1].seconds)) / calls : 0;
  });
}

/** @param {{title: string, values: number[]}} props */
function Chart({ title, values }) {
  const where = useRef(/** @type {HTMLElement | null} */ (null));
  const chart = useRef(/** @type {uPlot | null} */ (null));
  const times = metrics.value.map((each) => each.time);
  useEffect(() => {
    const element = /** @type {HTMLElement} */ (where.current);
    const style = getComputedStyle(element);
    const muted = style.getPropertyValue("--muted"), accent = style.getPropertyValue("--accent");
    const axis = { stroke: muted, grid: { stroke: style.getPropertyValue("--line"), width: 1 }, font: "11px system-ui", size: 42 };
    const made = chart.current = new uPlot({
      width: element.clientWidth, height: HEIGHT, legend: { show: false }, cursor: { show: false },
      axes: [{ ...axis, size: 24, space: 80 }, { ...axis, space: 30 }],
      scales: { y: { range: (/** @type {unknown} */ _, /** @type {number} */ low, /** @type {number} */ high) => [0, Math.max(1, high * 1.1)] } },
      series: [{}, { stroke: accent, width: 1.5, fill: `${accent}22`, points: { show: false } }],
    }, [times, values], element);
    const resize = () => made.setSize({ width: element.clientWidth, height: HEIGHT });
    addEventListener("resize", resize);
    return () => { removeEventListener("resize", resize); made.destroy(); };
  }, []);
  useEffect(() => chart.current?.setData([times, values]), [times.length, times[times.length - 1]]);
  const newest = values[values.length - 1] ?? 0;
  return html`<figure class="panel chart"><figcaption>${title} <strong>${newest.toFixed(newest < 10 ? 1 : 0)}</strong></figcaption>
    <div ref=${where} aria-hidden="true"></div></figure>`;
}
