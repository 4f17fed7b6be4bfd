// @ts-check
/** Session facts: how long a session is open, what it has done, what its agent may do, and where. */

import { ago, count } from "./format.js";
import { html } from "./html.js";
import { now } from "./store.js";

/** @param {{session: SessionState}} props */
export function SessionFacts({ session }) {
  const lines = [
    `open for ${ago(session.opened, now.value)}`,
    session.policy.calls === null ? count(session.made, "call") : `${session.made} of ${count(session.policy.calls, "call")}`,
    session.lastCall ? `last ${session.lastCall} ${ago(session.used, now.value)} ago` : "none yet",
    ...allowed(session),
    ...session.places,
  ];
  return html`<p class="muted facts">${lines.join(" · ")}</p>`;
}

/** Say what the policy allows, as far as it says anything. */
function allowed(/** @type {SessionState} */ { opened, policy }) {
  const lines = [];
  if (policy.minutes !== null) {
    const used = Math.max(0, Math.floor((now.value - opened) / 60));
    lines.push(`${Math.min(used, policy.minutes)} of ${count(policy.minutes, "minute")}`);
  }
  if (policy.readOnly) lines.push("may only look");
  if (policy.sections.length) lines.push(`policy ${policy.sections.join(", ")}`);
  return lines;
}
