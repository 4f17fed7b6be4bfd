// Which of the groups of reported elements touch what a selector matches.
function (selector, groups) {
  const anchors = [...document.querySelectorAll(selector)];
  const touches = (element) => anchors.some((anchor) => anchor.contains(element) || element.contains(anchor));
  return groups.map((refs) => refs.some((ref) => {
    const element = tabmux.toolElement(ref);
    return element !== null && element !== document.body && touches(element);
  }));
}
