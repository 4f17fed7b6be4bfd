// What the live view uses of Preact's hooks.
export function useEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useRef<T>(value: T): { current: T };
export function useState<T>(value: T): [T, (next: T) => void];
