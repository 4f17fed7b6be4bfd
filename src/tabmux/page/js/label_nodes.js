// @ts-check
/**
 * Labels elements that were found otherwise than by a snapshot.
 * @param {number} epoch
 * @param {boolean} isNew whether no label of this epoch has been given in the frame
 * @param {...Node} nodes those that `tabmux.found` holds when none are given
 * @returns {{labels: number[], last: number} | null} 0 where a node is not of this document;
 *   null when the document is younger than the labels that were given in its frame
 */
function labelNodes(epoch, isNew, ...nodes) {
  if (tabmux.epoch !== epoch && !isNew) return null;
  tabmux.begin(epoch);
  const wanted = nodes.length > 0 ? nodes : tabmux.found || [];
  const labels = wanted.map((node) => {
    const element = node instanceof Element ? node : node?.parentElement;
    const isOurs = element && element.ownerDocument === document && element.isConnected;
    return isOurs ? tabmux.labelOf(element) : 0;
  });
  return {labels, last: tabmux.lastLabel()};
}
