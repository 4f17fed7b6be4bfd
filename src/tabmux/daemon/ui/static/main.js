// @ts-check
/** Live view: puts its parts on the screen, and connects. */

import { connect } from "./connection.js";
import { count } from "./format.js";
import { Health } from "./health.js";
import { html } from "./html.js";
import { Overview } from "./overview.js";
import { PageView } from "./page_view.js";
import { PastRuns } from "./past_runs.js";
import { Requests } from "./requests.js";
import { go, isConnected, metrics, notice, place, state, steers } from "./store.js";
import { render } from "./vendor/preact.js";

/** @type {Record<string, string>} */
const VIEWS = { live: "Live", runs: "Runs", health: "Health" };

function App() {
  const { view, page } = place.value;
  return html`
    <a class="skip" href="#main" onClick=${skip}>Skip to content</a>
    <${Header} />
    <${Requests} />
    <main id="main" tabindex="-1">
      ${view === "runs" ? html`<${PastRuns} />`
        : view === "health" ? html`<${Health} />`
        : page === null ? html`<${Overview} />`
        : html`<${PageView} key=${page} id=${page} />`}
    </main>
    <div class="notice" role="status">${notice.value && html`<p>${notice.value}</p>`}</div>`;
}

function Header() {
  const { sessions, browsers } = state.value;
  const running = metrics.value[metrics.value.length - 1]?.running ?? 0;
  return html`
    <header class="top">
      <h1>tabmux</h1>
      <nav aria-label="Views">${Object.entries(VIEWS).map(([view, name]) => html`
        <button key=${view} aria-current=${place.value.view === view ? "page" : undefined}
          onClick=${() => go({ view: /** @type {any} */ (view), page: null })}>${name}</button>`)}</nav>
      <p class="muted counts">${count(sessions.length, "session")} · ${count(browsers.length, "browser")} · ${running} running</p>
      ${!steers.value && isConnected.value && html`<span class="badge">view only</span>`}
      ${!isConnected.value && html`<span class="badge warn" role="status">not connected</span>`}
      <button class="quiet" onClick=${switchTheme}>Theme</button>
    </header>`;
}

function skip(/** @type {Event} */ event) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

/** The system's choice, then the other one; remembered in this browser. */
function switchTheme() {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (isDark ? "dark" : "light");
  useTheme(now === "dark" ? "light" : "dark");
}

function useTheme(/** @type {string} */ theme) {
  document.documentElement.dataset.theme = theme;
  localStorage.setItem("theme", theme);
}

const chosen = localStorage.getItem("theme");
if (chosen === "dark" || chosen === "light") useTheme(chosen);
render(html`<${App} />`, /** @type {Element} */ (document.getElementById("app")));
connect();
