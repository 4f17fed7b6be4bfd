// Puppeteer as docs/library.md shows it: sees the tabs of one session alone, and acts in them.
// CDP_URL is the session's address, PAGE what is open in it; the current folder has puppeteer-core.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";

const puppeteer = createRequire(join(process.cwd(), "/"))("puppeteer-core");
const browser = await puppeteer.connect({ browserWSEndpoint: process.env.CDP_URL, defaultViewport: null });
const pages = await browser.pages();
assert.deepEqual(pages.map((page) => page.url()), [process.env.PAGE]);
await pages[0].type("aria/Message", "Hello");
await pages[0].click("aria/Send");
const second = await browser.newPage();
await second.goto(`${process.env.PAGE}?second`);
assert.equal(await second.title(), "Messages");
await assert.rejects(second.goto("file:///etc/passwd"));
await assert.rejects(browser.createBrowserContext());
await browser.disconnect();
