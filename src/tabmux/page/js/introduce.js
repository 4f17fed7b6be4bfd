// What a worker is told of its browser is settled when it starts, so later changes are told here.
function (userAgent) {
  const told = {userAgent, appVersion: userAgent.replace(/^Mozilla\//, "")};
  for (const name in told) {
    Object.defineProperty(navigator, name, {configurable: true, get: () => told[name]});
  }
}
