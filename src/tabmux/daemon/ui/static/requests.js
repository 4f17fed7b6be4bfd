// @ts-check
/** Requests: what agents ask of people, until one has answered. */

import { send } from "./connection.js";
import { html } from "./html.js";
import { go, state, steers } from "./store.js";
import { signal } from "./vendor/signals.js";

/** What was answered here goes at once, and not with the next news. */
const answered = signal(/** @type {string[]} */ ([]));

export function Requests() {
  const { sessions } = state.value;
  const requests = state.value.requests.filter((each) => !answered.value.includes(each.id));
  return html`
    <div class="requests" aria-live="assertive">
      ${requests.map((request) => html`<${Request} key=${request.id} request=${request}
        name=${sessions.find((session) => session.id === request.session)?.name ?? request.session} />`)}
    </div>`;
}

/** @param {{request: RequestState, name: string}} props */
function Request({ request, name }) {
  const answer = (/** @type {boolean} */ yes) => {
    send({ type: "answer", request: request.id, yes });
    answered.value = [...answered.value.slice(-20), request.id];
  };
  const isHelp = request.kind === "help";
  return html`
    <section class="request" aria-label="Request of ${name}">
      <p><strong>${name} ${isHelp ? "asks for your help" : "asks for your consent"}:</strong> ${request.reason}</p>
      <div class="controls">
        ${isHelp && request.page !== null
          && html`<button onClick=${() => go({ view: "live", page: request.page })}>Show page</button>`}
        ${steers.value && html`
          <button class="primary" onClick=${() => answer(true)}>${isHelp ? "Done" : "Allow"}</button>
          <button onClick=${() => answer(false)}>${isHelp ? "I will not" : "Refuse"}</button>`}
      </div>
    </section>`;
}
