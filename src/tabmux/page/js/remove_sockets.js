// @ts-check
// A shared worker has no document and starts no workers, so what is taken from it is gone.
for (const name of ["WebSocket", "WebSocketStream", "WebTransport"]) Reflect.deleteProperty(globalThis, name);
