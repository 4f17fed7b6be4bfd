// @ts-check
// Tells when the user comes to this tab.

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") globalThis.tabmuxCame?.("");
});
