// @ts-check
/** Page view: one page large, and what a person can do with it. */

import { ActionLog } from "./action_log.js";
import { send } from "./connection.js";
import { shortUrl } from "./format.js";
import { html } from "./html.js";
import { RELEASE_KEY, placeOf, sendInput } from "./person_input.js";
import { Picture } from "./picture.js";
import { SessionFacts } from "./session_facts.js";
import { entries, go, pages, picked, steers } from "./store.js";
import { useEffect, useRef, useState } from "./vendor/hooks.js";

const PICK_PAUSE = 120;

/** @param {{id: number}} props */
export function PageView({ id }) {
  const found = pages.value.get(id);
  const [isPointing, setPointing] = useState(false);
  if (!found) return html`<section class="panel"><h2>The page is closed</h2><${Back} /></section>`;
  const { page, session } = found;
  const log = entries.value.filter((entry) => entry.page === id || entry.session === session.name);
  return html`
    <section class="page-view" aria-labelledby="page-title">
      <header class="page-head">
        <${Back} />
        <div class="page-names">
          <h2 id="page-title">${page.title || "Untitled"}</h2>
          <p class="address">${shortUrl(page.url)}</p>
          <${SessionFacts} session=${session} />
        </div>
        <${Controls} page=${page} session=${session} isPointing=${isPointing} setPointing=${setPointing} />
      </header>
      <div class="page-columns">
        <div>
          <${Dialog} page=${page} />
          <${Stage} page=${page} isPointing=${isPointing} setPointing=${setPointing} />
        </div>
        <${ActionLog} entries=${log} title="Actions of ${session.name}" />
      </div>
    </section>`;
}

function Back() {
  return html`<button class="quiet" onClick=${() => go({ page: null })}>← All pages</button>`;
}

/** @param {{page: PageState, session: SessionState, isPointing: boolean, setPointing: (on: boolean) => void}} props */
function Controls({ page, session, isPointing, setPointing }) {
  if (!steers.value) return html`<p class="badge">view only</p>`;
  const isMine = page.holder === "me";
  return html`
    <div class="controls" role="group" aria-label="Steer">
      ${isMine
        ? html`<button class="primary" onClick=${() => send({ type: "give", page: page.id })}>Hand back</button>`
        : html`<button class="primary" disabled=${page.holder === "other"}
            onClick=${() => send({ type: "take", page: page.id })}>Take over</button>`}
      <button aria-pressed=${isPointing} onClick=${() => { picked.value = null; setPointing(!isPointing); }}>
        Point</button>
      <${PauseAndStop} session=${session} />
    </div>`;
}

/** @param {{session: SessionState}} props */
export function PauseAndStop({ session }) {
  const name = session.name;
  return html`
    ${session.paused
      ? html`<button aria-label="Resume ${name}" onClick=${() => send({ type: "resume", session: session.id })}>Resume</button>`
      : html`<button aria-label="Pause ${name}" onClick=${() => send({ type: "pause", session: session.id })}>Pause</button>`}
    <button class="danger" aria-label="Stop ${name}" disabled=${!session.calls}
      onClick=${() => send({ type: "stop", session: session.id })}>Stop</button>`;
}

/** The picture, and over it what takes the mouse and the keyboard. */
/** @param {{page: PageState, isPointing: boolean, setPointing: (on: boolean) => void}} props */
function Stage({ page, isPointing, setPointing }) {
  const surface = useRef(/** @type {any} */ (null));
  const isMine = page.holder === "me";
  useEffect(() => {
    const element = surface.current;
    if (!element || !isMine || isPointing) return;
    element.focus();
    return sendInput(element, page.id);
  }, [page.id, isMine, isPointing]);
  const label = isMine ? `${page.title}: your mouse and keyboard work here, ${RELEASE_KEY} leaves` : page.title;
  return html`
    <div class="stage ${isMine ? "mine" : ""} ${isPointing ? "pointing" : ""}">
      <${Picture} page=${page.id} size="large" label=${label || "Page"} />
      ${isPointing
        ? html`<div ref=${surface} class="surface" tabindex="0" role="application" aria-label=${label || "Page"} />`
        : isMine && html`<textarea ref=${surface} class="surface" aria-label=${label || "Page"}
            autocomplete="off" autocapitalize="off" autocorrect="off" spellcheck=${false} />`}
      ${isPointing && html`<${Pointer} page=${page.id} surface=${surface} done=${() => setPointing(false)} />`}
      ${!page.attached && html`<p class="stage-note">Nobody has used this page yet.</p>`}
    </div>
    <p class="hint">${hint(page, isPointing)}</p>`;
}

function hint(/** @type {PageState} */ page, /** @type {boolean} */ isPointing) {
  if (isPointing) return "Click the element that you mean, then say what about it.";
  if (page.holder === "me") return `The page is yours: its agent waits until you hand it back. ${RELEASE_KEY} leaves the picture.`;
  return page.holder === "other" ? "Somebody else works on this page; its agent waits." : "";
}

/** @param {{page: number, surface: {current: HTMLElement | null}, done: () => void}} props */
function Pointer({ page, surface, done }) {
  const [place, setPlace] = useState(/** @type {{x: number, y: number} | null} */ (null));
  useEffect(() => {
    const element = surface.current;
    if (!element || place) return;
    const end = new AbortController();
    let last = 0;
    const pick = (/** @type {MouseEvent} */ event) => send({ type: "pick", page, ...placeOf(element, event) });
    element.addEventListener("pointermove", (event) => {
      if (event.timeStamp - last < PICK_PAUSE) return;
      last = event.timeStamp;
      pick(event);
    }, { signal: end.signal });
    element.addEventListener("click", (event) => {
      pick(event);
      setPlace(placeOf(element, event));
    }, { signal: end.signal });
    return () => end.abort();
  }, [page, place]);
  const found = picked.value?.page === page ? picked.value : null;
  const percent = (/** @type {number} */ part) => `${100 * part}%`;
  return html`
    ${found && html`<div class="picked" style=${{ left: percent(found.box.x), top: percent(found.box.y),
      width: percent(found.box.width), height: percent(found.box.height) }} />`}
    ${found && html`<p class="picked-line" aria-live="polite">${found.line}</p>`}
    ${place && html`<${Sentence} cancel=${() => setPlace(null)} submit=${(/** @type {string} */ sentence) => {
      send({ type: "point", page, ...place, sentence });
      done();
    }} />`}`;
}

/** @param {{submit: (sentence: string) => void, cancel: () => void}} props */
function Sentence({ submit, cancel }) {
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  useEffect(() => field.current?.focus(), []);
  return html`
    <form class="sentence" onSubmit=${(/** @type {Event} */ event) => {
      event.preventDefault();
      submit(field.current?.value ?? "");
    }} onKeyDown=${(/** @type {KeyboardEvent} */ event) => event.key === "Escape" && cancel()}>
      <label>What about it? <input ref=${field} maxlength="500" placeholder="Use this one" /></label>
      <button class="primary">Tell the agent</button>
      <button type="button" onClick=${cancel}>Cancel</button>
    </form>`;
}

/** @param {{page: PageState}} props */
function Dialog({ page }) {
  if (!page.dialog) return null;
  const answer = (/** @type {boolean} */ accept) => send({ type: "dialog", page: page.id, accept });
  return html`
    <div class="request" role="alert">
      <p><strong>The page asks (${page.dialog.kind}):</strong> ${page.dialog.message}</p>
      ${page.holder === "me" && html`<button class="primary" onClick=${() => answer(true)}>OK</button>
        <button onClick=${() => answer(false)}>Cancel</button>`}
    </div>`;
}
