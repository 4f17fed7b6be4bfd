// @ts-check
/** Markup: Preact's elements, written as HTML; whatever is put in is text. */

import { h } from "./vendor/preact.js";
import htm from "./vendor/htm.js";

export const html = htm.bind(h);
