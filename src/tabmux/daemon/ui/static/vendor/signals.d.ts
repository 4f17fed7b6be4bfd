// What the live view uses of Preact's signals.
export interface Signal<T> { value: T; peek(): T }
export interface Computed<T> { readonly value: T; peek(): T }
export function signal<T>(value: T): Signal<T>;
export function computed<T>(compute: () => T): Computed<T>;
