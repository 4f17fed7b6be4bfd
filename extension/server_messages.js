// @ts-check
/** Server messages: what the server asks for on `/`, and how it is done. */

import { reason } from "./cdp_relay.js";

/** @typedef {import("./tabs.js").Tabs} Tabs */
/** @typedef {import("./cdp_relay.js").Relay} Relay */
/** @typedef {import("./commands.js").Commands} Commands */
/** @typedef {import("./handshake.js").Browser} Browser */

export class ServerMessages {
  #tabs;
  #relay;
  #commands;
  #browser;
  #send;
  #revoked;
  #strange = 0;

  /**
   * @param {Tabs} tabs @param {Relay} relay @param {Commands} commands
   * @param {() => Promise<Browser>} browser @param {(message: object) => void} send
   * @param {() => Promise<void>} revoked What to do when the server forgets the pairing.
   */
  constructor(tabs, relay, commands, browser, send, revoked) {
    this.#tabs = tabs;
    this.#relay = relay;
    this.#commands = commands;
    this.#browser = browser;
    this.#send = send;
    this.#revoked = revoked;
  }

  /** Handle one message. @param {any} message */
  receive(message) {
    if (message?.type === "cdp") {
      this.#relay.relay(message);
      return;
    }
    if (message?.type === "callTool") {
      this.#callTool(message);
      return;
    }
    const handle = this.#handlers[message?.type];
    if (handle === undefined) {
      this.#strange += 1;
      const text = `Unknown message ${JSON.stringify(message?.type)}.`;
      this.#send({ type: "error", message: text, count: this.#strange, id: message?.id });
      return;
    }
    handle(message).then(
      (result) => this.#reply(message.id, { result: result ?? {} }),
      (error) => this.#reply(message.id, { error: reason(error) }),
    );
  }

  /** @type {Record<string, (message: any) => Promise<any>>} */
  #handlers = {
    browser: () => this.#browser(),
    connect: () => this.#connect(),
    openTab: async (message) => ({ tab: await this.#tabs.open(message) }),
    focusTab: ({ tabId }) => this.#tabs.focus(tabId),
    closeTab: ({ tabId }) => this.#tabs.close(tabId),
    attach: ({ tabId }) => this.#relay.attach(tabId),
    detach: ({ tabId }) => this.#relay.detach(tabId),
    revoked: async () => this.#revoked(),
    useTab: async ({ tabId, session }) => this.#tabs.use(tabId, String(session)),
    showRequest: async ({ tabId, reason }) => this.#tabs.showRequest(tabId, String(reason)),
    serve: async ({ instanceId, name = "" }) => this.#commands.serve(String(instanceId), String(name)),
    unserve: async ({ instanceId }) => this.#commands.unserve(String(instanceId)),
  };

  /** @param {unknown} id @param {object} outcome */
  #reply(id, outcome) {
    if (id !== undefined) {
      this.#send({ type: "reply", id, ...outcome });
    }
  }

  async #connect() {
    await this.#relay.detachAll();
    this.#tabs.forgetUses();
    this.#send({ type: "connected", browser: await this.#browser(), tabs: await this.#tabs.list() });
  }

  /** @param {any} message */
  async #callTool({ callId, tabId, toolName, args }) {
    try {
      const result = await this.#commands.run(toolName, { ...args, tabId });
      this.#send({ type: "toolResult", callId, result });
    } catch (error) {
      this.#send({ type: "toolResult", callId, result: null, error: reason(error) });
    }
  }
}
