// @ts-check
/** Overview: all sessions, and all their pages as small live pictures. */

import { ActionLog } from "./action_log.js";
import { count, shortUrl } from "./format.js";
import { html } from "./html.js";
import { PauseAndStop } from "./page_view.js";
import { Picture } from "./picture.js";
import { SessionFacts } from "./session_facts.js";
import { entries, go, isConnected, state, steers } from "./store.js";

export function Overview() {
  const { sessions } = state.value;
  if (!sessions.length) {
    return html`<section class="panel empty"><h2>${isConnected.value ? "No agent works now" : "Connecting"}</h2>
      <p class="muted">Sessions appear here as soon as a client calls a tool.</p></section>`;
  }
  return html`
    <div class="overview">
      <div class="sessions">${sessions.map((session) => html`<${Session} key=${session.id} session=${session} />`)}</div>
      <${ActionLog} entries=${entries.value} title="Actions" />
    </div>`;
}

/** @param {{session: SessionState}} props */
function Session({ session }) {
  const title = `session-${session.id}`;
  return html`
    <section class="session panel" aria-labelledby=${title}>
      <header>
        <h2 id=${title}>${session.name}</h2>
        <span class="dot ${session.connected ? "on" : ""}" aria-hidden="true"></span>
        <span class="muted">${session.client || "no client"}${session.connected ? "" : ", away"}</span>
        ${session.paused && html`<span class="badge warn">paused</span>`}
        ${session.calls > 0 && html`<span class="badge">${count(session.calls, "call")} running</span>`}
        ${steers.value && html`<span class="controls"><${PauseAndStop} session=${session} /></span>`}
      </header>
      <${SessionFacts} session=${session} />
      <ul class="grid">${session.pages.map((page) => html`<${Thumbnail} key=${page.id} page=${page} />`)}</ul>
      ${!session.pages.length && html`<p class="muted">No pages.</p>`}
    </section>`;
}

/** @param {{page: PageState}} props */
function Thumbnail({ page }) {
  const title = page.title || shortUrl(page.url) || "Untitled";
  return html`
    <li class="thumbnail ${page.selected ? "selected" : ""}">
      <button onClick=${() => go({ page: page.id })} aria-label="Open page ${page.id}: ${title}">
        ${page.attached
          ? html`<${Picture} page=${page.id} size="small" label="Page ${page.id}" />`
          : html`<span class="picture blank">not used yet</span>`}
        <span class="caption"><strong>${title}</strong><span class="address">${shortUrl(page.url)}</span></span>
      </button>
      ${page.holder && html`<span class="badge warn">${page.holder === "me" ? "yours" : "taken over"}</span>`}
      ${page.dialog && html`<span class="badge warn">dialog</span>`}
    </li>`;
}
