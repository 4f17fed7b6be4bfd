// What the page tools add to the `tabmux` object, in the order in which the scripts define it.

/** Label, value and state of an option. */
type Choice = [label: string, value: string, state: string];

interface Tabmux {
  // element_table.js
  toolRef(element: Element): number;
  toolElement(ref: number): Element | null;
  toolsGone(wanted: number[]): number[];
  toolLabel(ref: number): [epoch: number, label: number] | null;
  toolRefOf(element: Element): number;
  toolForms(): Record<string, number>;

  // change_observer.js
  toolsObserve(binding: string): void;

  // visibility.js
  factShown(element: Element): boolean;
  factKind(around: number, element: Element, name: string, names: string[]): number;
  factUsable(met: import("./element_report.js").Met, worded: boolean): boolean;
  factTrap(field: Field): boolean;
  factOnHover(element: Element): boolean;
  factModal(): Element | null;

  // element_facts.js
  factText(text: string | null | undefined, limit?: number): string;
  factAttributes(element: Element, names: string[]): Record<string, string> | undefined;
  factDisabled(element: Element): boolean;
  factStates(element: Element, name: string): string;
  factOptions(element: Element): Choice[] | undefined;
  factIcon(element: Element): string;
  factHint(element: Element): string;
  factLigatures(element: Element): string;
  factNearby(control: Element): string;

  // described_search.js
  factTemplates(): string[];
  factOpenSearch(): string;
  toolsDescribe(address: string): Promise<string[]>;

  // element_report.js
  factUsed(met: import("./element_report.js").Met): import("./element_report.js").Report;
  factIsPlace(name: string, role: string, names: string[]): boolean;
  factPlace(met: import("./element_report.js").Met): import("./element_report.js").Report;

  // long_lists.js
  isLong(element: Element): boolean;
  LongList: new (whole: boolean) => import("./long_lists.js").LongList;

  // collect.js
  toolsCollect(fully?: boolean): string;

  // call_outcome.js
  toolListen(): void;
  toolVerdict(): { invalid: string[]; alerts: string[]; notes: string[]; captcha: boolean };
  toolSeen(): string;
  toolFilled(ref: number, filled: number[]): [seen: string, awaits: boolean];
  toolShown(ref: number): boolean;
  toolAction(ref: number): string;
  factBusy(): boolean;
  toolFocus(ref: number): void;
  toolFocused(ref: number): boolean;
  toolAtRest(ref: number): boolean;
  toolSubmit(ref: number): number;
  toolOptions(ref: number): [ref: number, text: string][];
  toolText(limit: number): string;

  // find_by_text.js
  toolAround(words: string): number;
  toolNamed(words: string, purpose: "press" | "open" | "fill"): [ref: number, name: string][];
}
