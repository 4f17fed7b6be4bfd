// @ts-check
/**
 * What a worker is told of its browser is settled when it starts, so later changes are told here.
 * @param {string} userAgent
 */
function setUserAgent(userAgent) {
  const told = {userAgent, appVersion: userAgent.replace(/^Mozilla\//, "")};
  for (const [name, value] of Object.entries(told)) {
    Object.defineProperty(navigator, name, {configurable: true, get: () => value});
  }
}
