// Changes nothing that a user could do anything with: a clock, a note, classes, marks, pictures.
(() => {
  const at = (name, properties) => Object.assign(document.createElement(name), properties);
  const now = new Date();

  document.body.classList.add(`seen-${now.getTime()}`);
  for (const each of document.body.querySelectorAll("*")) {
    each.classList.add("hydrated");
    each.setAttribute("data-v-7ba5bd90", "");
  }
  document.body.prepend(at("div", {}));
  document.body.append(at("p", {textContent: now.toISOString()}));
  const note = at("div", {textContent: `Saved at ${now.toLocaleTimeString()}, 3 people are looking at this`});
  note.setAttribute("role", "status");
  (document.querySelector("main") ?? document.body).prepend(note);
  document.body.append(at("img", {alt: "", width: 1, height: 1, src: "data:,"}));
  document.body.append(at("div", {hidden: true, innerHTML: "<a href='/hidden'>Hidden</a> <button>Unseen</button>"}));
  document.title = `(${now.getSeconds()}) ${document.title}`;
})()
