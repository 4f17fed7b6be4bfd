// @ts-nocheck
/**
 * Stands in for the testharness.js of the web platform tests, for their `webmcp` pages.
 *
 * `?as=browser` runs a page's tests as they are. With `?as=agent`, its `executeTool` does not reach
 * the browser: the calls are put where the benchmark finds them, which makes them through tabmux
 * and brings the answer. `getTools` then also waits until tabmux has listed the page's tools.
 */
(() => {
  const mode = window === top ? new URLSearchParams(location.search).get("as") : null;
  const seconds = 25;
  const tests = [];
  const results = [];
  const asked = [];
  const waiting = new Map();
  let last = 0;

  const check = (right, text) => { if (!right) throw new Error(text || "an assertion failed"); };
  const shown = (value) => { try { return JSON.stringify(value); } catch { return String(value); } };
  const same = (a, b) => Object.is(a, b);
  const rejected = async (promise, text) => {
    try { await promise; } catch (error) { return error; }
    throw new Error(`${text || ""} (did not reject)`);
  };

  class Test {
    constructor() { this.cleanups = []; }
    add_cleanup(cleanup) { this.cleanups.push(cleanup); }
    step_timeout(...given) { return setTimeout(...given); }
    unreached_func(text) {
      return () => { this.reached = text; throw new Error(`reached: ${text}`); };
    }
  }

  Object.assign(window, {
    setup() {},
    step_timeout: (...given) => setTimeout(...given),
    assert_true: (value, text) => check(value === true, text),
    assert_false: (value, text) => check(value === false, text),
    assert_equals: (a, b, text) => check(same(a, b), `${text || ""} (${shown(a)}, not ${shown(b)})`),
    assert_not_equals: (a, b, text) => check(!same(a, b), text),
    assert_array_equals: (a, b, text) =>
      check(a.length === b.length && [...a].every((each, at) => same(each, b[at])),
        `${text || ""} (${shown(a)}, not ${shown(b)})`),
    assert_object_equals: (a, b, text) =>
      check(Object.keys(b).every((key) => same(a[key], b[key])), `${text || ""} (${shown(a)})`),
    assert_unreached: (text) => check(false, text),
    // What kind of error it is does not travel from an agent's call into the page.
    promise_rejects_dom: (test, name, ...rest) =>
      rejected(rest.find((each) => typeof each?.then === "function"), rest.at(-1)),
    promise_rejects_js: (test, kind, promise, text) => rejected(promise, text),
    promise_rejects_exactly: async (test, wanted, promise, text) =>
      check(same(await rejected(promise, text), wanted), text),
    promise_test: (body, name) => tests.push({ body, name }),
    test: (body, name) => tests.push({ body, name }),
    fetch_tests_from_window: (inner) => tests.push({
      name: "the tests of a frame",
      body: () => new Promise((done, fail) => addEventListener("message", ({ data }) => {
        if (!data?.results) return;
        const wrong = data.results.filter((each) => each.wrong);
        if (wrong.length) fail(new Error(wrong.map((each) => each.wrong).join("; "))); else done();
      })),
    }),
  });

  async function run({ body, name }) {
    const test = new Test();
    let wrong = "";
    const late = new Promise((_, fail) => setTimeout(fail, seconds * 1000, new Error("too slow")));
    try {
      await Promise.race([(async () => body(test))(), late]);
      if (test.reached) wrong = `reached: ${test.reached}`;
    } catch (error) {
      wrong = String(error?.message ?? error) || "failed";
    }
    for (const cleanup of test.cleanups.reverse()) {
      try { await cleanup(); } catch { /* the next test tells */ }
    }
    results.push({ name: name || document.title, wrong });
  }

  function ask(question, heard) {
    return new Promise((done) => {
      const id = ++last;
      waiting.set(id, done);
      heard?.(id);
      asked.push({ id, ...question });
    });
  }

  function parsed(input) {
    const value = typeof input === "string" ? JSON.parse(input) : input ?? {};
    if (typeof value !== "object" || value === null) throw new TypeError("not an object");
    return value;
  }

  function interpose(context) {
    const native = { get: context.getTools.bind(context), run: context.executeTool.bind(context) };
    const plain = (tool) => ({ ...tool, inputSchema: tool.inputSchema && JSON.parse(tool.inputSchema) });

    const asText = (tool) => ("inputSchema" in tool
      ? { ...tool, inputSchema: JSON.stringify(tool.inputSchema) } : tool);

    const everywhere = async () => {
      try { return await native.get({ fromOrigins: wptOrigins }); } catch { return []; }
    };
    const getTools = async (...given) => {
      const tools = await native.get(...given);
      if (mode !== "agent") return tools.map(asText);
      const names = (await everywhere()).map((tool) => tool.name);
      await ask({ kind: "list", names });
      // Meanwhile there may be others, and whoever waits for those listens only from now on.
      return (await native.get(...given)).map(asText);
    };
    const executeTool = async (tool, input, { signal } = {}) => {
      if (mode !== "agent") return native.run(plain(tool), parsed(input), { signal });
      signal?.throwIfAborted();
      if (typeof tool.origin !== "string") throw new TypeError("a tool has an origin");
      const question = { kind: "call", name: tool.name, input: parsed(input) };
      return new Promise((done, fail) => {
        ask(question, (id) => signal?.addEventListener("abort", () => {
          asked.push({ id, kind: "cancel" });
          fail(signal.reason);
        })).then((answer) => ("error" in answer
          ? fail(new DOMException(answer.error, answer.code || "UnknownError")) : done(answer.value)));
      });
    };
    // Bound functions look native to a program that asks, as those of the browser do.
    context.getTools = getTools.bind(context);
    context.executeTool = executeTool.bind(context);
  }

  window.wpt = {
    take: () => asked.splice(0),
    answer(id, value) { waiting.get(id)?.(value); waiting.delete(id); },
    state: () => ({ done: window.wpt.done, results }),
    done: false,
  };
  // The pages were written when `executeTool` took JSON and schemas were text.
  if (document.modelContext) interpose(document.modelContext);

  addEventListener("load", async () => {
    await new Promise((done) => setTimeout(done, 0));
    for (const each of tests) await run(each);
    window.wpt.done = true;
    if (window !== top && tests.length) parent.postMessage({ results }, "*");
  });
})();
