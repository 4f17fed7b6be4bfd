// What the live view uses of Preact.
export type VNode = { type: unknown, props: unknown };
export function h(type: unknown, props: unknown, ...children: unknown[]): VNode;
export function render(what: unknown, where: Element): void;
