// The `tabmux` object of an isolated world, in the order in which the scripts define its parts.

/** The document or a shadow root: a tree with ids and style sheets of its own. */
type Tree = Document | ShadowRoot;

/** What of an element is worth telling besides its name: checked, expanded, level and the like. */
type States = Record<string, string | number | boolean>;

/** An element that may be a form control or a link: it has some of these properties, or none. */
type Field = Element & Partial<Pick<HTMLInputElement,
  "checked" | "form" | "indeterminate" | "labels" | "list" | "max" | "min" | "multiple" | "name" |
  "placeholder" | "popoverTargetElement" | "readOnly" | "required" | "type" |
  "validationMessage" | "validity" | "value" | "willValidate"
>> & { href?: string; innerText?: string; position?: number; selected?: boolean };

/** A rule of a style sheet, of whatever kind. */
type Rule = CSSRule & {
  styleSheet?: CSSStyleSheet; selectorText?: string; style?: CSSStyleDeclaration; cssRules?: CSSRuleList;
};

interface CSSStyleDeclaration { webkitTextSecurity: string }

/** A tool that a document has declared, as `modelContext` tells of it. */
interface DeclaredTool {
  name: string;
  description: string;
  inputSchema: unknown;
  window?: Window;
  annotations?: { readOnlyHint?: boolean; consequentialHint?: boolean; debugging?: boolean };
}
interface ModelContext {
  getTools(): Promise<DeclaredTool[]>;
  executeTool(tool: DeclaredTool, input: object): Promise<unknown>;
}
interface Document { modelContext?: ModelContext }
interface Navigator { modelContext?: ModelContext }

/** Why something cannot be done with an element. */
interface Complaint { trouble: string; reason: string; hint: string; name: string }
interface Gone { trouble: "gone" }
interface Point { x: number; y: number }
interface Box extends Point { width: number; height: number }

/**
 * For what an element is aimed at: `pick` chooses an option of a drop-down list instead, and says
 * that it is done; `presses` is how often the mouse will be pressed there; `tried` are points where
 * something was in the way.
 */
interface AimOptions { enabled?: boolean; pick?: boolean; presses?: number; tried?: Point[] }
/**
 * Where an element is reached; `by` is what takes the click for it, which may be `inner`. What is
 * `framed` is a frame, whose document hears of the click in its place.
 */
interface Aimed extends Point { draggable: boolean; by?: string; inner?: boolean; framed?: boolean }

/** What was done to a form control, or which real events must follow. */
interface Filled {
  kind: string;
  done: boolean;
  value: string;
  secret?: boolean;
  /** What became of a value that was not taken literally. */
  remark?: string;
  /** The options or the day to choose. */
  wanted?: string[];
  /** What a select held, by index. */
  before?: number[];
  /** The label of a component whose state only Chrome can read. */
  component?: number;
  /** Whether a slider goes up and down. */
  upright?: boolean;
  /** The labels of the elements that a control is made of, and what those are called. */
  parts?: number[];
  names?: string[];
  /** Whether a toggle says nowhere whether it is on. */
  mute?: boolean;
}

interface Settled {
  changes: number;
  signs: number;
  mutations: number;
  entered: boolean;
  answered: boolean;
  restless: boolean;
  animations: number;
  at: Point | null;
  shot: import("./snapshot.js").Snapshot | null;
  putBack: [number, string | null][];
  offers: import("./offers.js").Offers | null;
  late: number;
  took: number;
}

interface Tabmux {
  // nodes.js
  dom: import("./nodes.js").Dom;
  adoptFrame(element: Element, frameId: string): void;
  adoptShadow(host: Element, root: ShadowRoot): void;
  examined(label: number): void;
  isDefined(element: Element): boolean;
  noteListening(nodes: Node[]): number;
  listens(element: Element): boolean;
  mayHideRoot(element: Element, name: string): boolean;
  frameOf(element: Element): string;
  shadowOf(element: Element): ShadowRoot | null;
  childrenOf(element: Element): Node[];
  parentOf(element: Element): Element | null;
  referencesOf(element: Element, attribute: string): Element[];
  activeElement(): Element | null;
  duringWalks(memory: import("./nodes.js").Memory): void;
  beginWalk(): void;
  enter(root: Tree): void;
  observeTrees(observer: MutationObserver, what: MutationObserverInit): void;
  endWalk(): void;
  allIn(root: Tree, selector: string): Iterable<Element>;
  claimerOf(element: Element): Element | null;
  ownerOf(element: Element): Element | null;
  ownedBy(element: Element): Element[];

  // labels.js
  epoch: number | undefined;
  begin(epoch: number): void;
  labelOf(element: Element): number;
  elementOf(label: number): Element | null;
  lastLabel(): number;

  // custom_elements.js
  wonderAbout(element: Element, name: string): void;
  questions(): { labels: number[]; unasked: number };
  lookUpAll(labels: number[]): (Element | null)[];
  noteSemantics(labels: number[], answers: (import("./custom_elements.js").Semantics | null)[]): boolean;
  semanticsOf(element: Element): import("./custom_elements.js").Semantics | undefined;

  // visibility.js
  isSilent(name: string): boolean;
  isInline(display: string): boolean;
  isVisible(element: Element): boolean;
  holdsFocus(element: Element): boolean;
  modal(): Element | null;

  // stylesheets.js
  mayHaveGeneratedText(element: Element): boolean;
  generatedText(element: Element, which: "::before" | "::after"): string;
  isTouched(): boolean;
  mayBeTouched(key: import("./stylesheets.js").Watched): boolean;
  untouched(key: import("./stylesheets.js").Watched): string;
  rendered(text: string, element: Element, style?: CSSStyleDeclaration): string;

  // roles.js
  roleOf(element: Element): string;
  isFocusable(element: Element): boolean;
  isEditingHost(element: Element): boolean;
  isUsable(element: Element, name: string, attributes: string[]): boolean;
  hasHandler(element: Element, attributes: string[]): boolean;

  // names.js
  isClosed(role: string, name: string): boolean;
  nameOf(element: Element): string;
  namingOf(element: Element, role: string, plain?: boolean): import("./names.js").Naming;
  collapsed(text: string): string;
  referredTexts(element: Element, relation: string): string;
  placeholderOf(element: Element): string;
  contentOf(element: Element): string;
  descriptionOf(element: Element, naming: import("./names.js").Naming): string;

  // states.js
  valueOf(element: Element, role: string): string | null;
  statesOf(element: Element, given?: string, plain?: boolean): States;
  isFocused(element: Element): boolean;
  isWithoutStates(element: Element, role: string): boolean;
  isActive(element: Element): boolean;
  describe(element: Element): States;

  // details.js
  NAME_LIMIT: number;
  detailsOf(
    element: Element, role: string, naming: import("./names.js").Naming, plain?: boolean,
  ): string;
  quoted(value: unknown): string;
  cut(text: string, most: number): string;

  // addresses.js
  addressOf(element: Element): string;
  noteLink(name: string, address: string): void;
  isRepeated(address: string): boolean;
  printedAddress(name: string, address: string, whole: boolean): string;

  // entries.js
  kinds: import("./entries.js").Kinds;
  DEFERRED: string;
  entryOf(role: string, name: string, element: Element | null): import("./entries.js").Entry;
  isCell(role: string): boolean;
  folded(entry: import("./entries.js").Entry, stays: boolean): import("./entries.js").Entry | null;
  dropRepeatedText(entry: import("./entries.js").Entry): void;
  foldedClickable(
    entry: import("./entries.js").Entry, isControl: (role: string) => boolean,
  ): import("./entries.js").Entry;

  // walker.js
  walk(
    root: Element, whole: boolean, forSearch: boolean, seconds: number,
  ): import("./walker.js").Walk;
  warmUp(): void;

  // snapshot.js
  snapshot(options: import("./snapshot.js").Options): import("./snapshot.js").Snapshot;

  // changes.js
  watch(element?: Element | null, point?: Point | null): void;
  observe(): void;
  watchKeys(): boolean | "frame";
  secretFocus(): boolean | "frame";
  changes(): number;
  nextChange(known: number, texts: string[], limit: number): Promise<number>;
  firstChange(limit: number): Promise<number>;
  firstSign(limit: number): Promise<number>;
  quiet(quiet: number, limit: number): Promise<number>;
  settle(
    first: number, quiet: number, valueQuiet: number, limit: number,
    options: import("./snapshot.js").Options | null, anew: boolean,
  ): Promise<Settled>;

  // hits.js
  encloses(outer: Element, inner: Node): boolean;
  hitAt(x: number, y: number): Element | Text | null;
  textBoxes(text: Text): DOMRect[];
  reaches(element: Element, hit: Node | null): "" | "yes" | "inner";
  innerAt(element: Element, hit: Node | null): Element | null;
  isControl(element: Element): boolean;
  lineOf(element: Element): Element[];
  isRedrawn(line: Element[], hit: Node | null): boolean;

  // press_guard.js
  guard(accepts: import("./press_guard.js").Guard["accepts"], presses?: number): void;
  liftGuard(): void;
  landed(isOver: boolean): Promise<import("./press_guard.js").Verdict>;

  // click_point.js
  standing(): { state: string; title: string };
  lookUp(epoch: number, label: number): Element | null;
  nameFor(element: Element): string;
  nameInWay(element: Element): string;
  inQuotes(text: string): string;
  complaint(element: Element, trouble: string, reason: string, hint?: string): Complaint;
  isDisabled(element: Element): boolean;
  reachableAt(
    element: Element, places: Iterable<Point>, tried?: Point[],
  ): import("./click_point.js").Reachable;
  reachable(element: Element, tried?: Point[]): import("./click_point.js").Reachable;
  standIn(element: Element): Element;
  invisible(element: Element): Complaint;
  aimed(
    target: Element, element: Element,
    found: import("./click_point.js").Reachable & { point: Point },
    options: AimOptions,
  ): Aimed;
  unreachable(target: Element, cover: Element | null): Complaint | Gone;
  coveredInside(target: Element, inner: Element): Complaint;
  aim(
    epoch: number, label: number, options?: AimOptions,
  ): Promise<Aimed | Filled | Complaint | Gone>;
  through(owner: Element, x: number, y: number, presses: boolean): { cover: string; moved: boolean };
  view(): { width: number; height: number; ratio: number };
  box(epoch: number, label: number): Box | Complaint | Gone;
  outerSize(): [number, number];
  resized(width: number, height: number, limit: number): Promise<{ width: number; height: number }>;
  layout(): Record<
    "scrollX" | "scrollY" | "ratio" | "pinch" | "left" | "top" | "width" | "height" |
    "fullWidth" | "fullHeight", number
  >;

  // sight.js
  trees(): (Document | ShadowRoot)[];
  everywhere(selector: string): HTMLElement[];
  isInSight(element: Element): boolean;
  atOneLook<Seen>(look: () => Seen): Seen;
  noteSight(control: Element): void;
  isNew(element: Element): boolean;
  foremost<Some extends Element>(found: Some[]): Some[];
  isComing(element: Element): boolean;
  rested(element: Element): Promise<void>;
  wordsAt(control: Element): string[];
  /** What could be seen before a control was opened, and what that said. */
  inSight?: WeakSet<Element>;
  saidBefore?: string[];

  // composites.js
  isGroup(element: Element): boolean;
  compositeOf(element: Element, value: string): import("./composites.js").Composite | null;
  partsFor(element: Element, value: string): Element[] | null;
  looksOn(element: Element): boolean | null;
  standsAt(element: Element): number | null;
  watchNumbers(element: Element): void;
  showsNumber(element: Element): boolean;
  looksOf(parts: Element[]): string[];
  holdsDays(element: Element): boolean;
  looksOpened(field: Element): boolean;
  suggests(field: Element): boolean;

  // offers.js
  awaitOffers(field: HTMLInputElement, label: number): void;
  forgetOffers(): void;
  noteFresh(records: MutationRecord[]): void;
  offers(): import("./offers.js").Offers | null;

  // fill.js
  fill(epoch: number, label: number, value: string): Filled | Complaint | Gone;
  held(epoch: number, label: number): { value: string; secret?: boolean } | Gone;
  putBack(): [number, string | null][];
  toggled(epoch: number, label: number, value: string, limit: number): Promise<{ value: string } | Gone>;
  controlOf(epoch: number, label: number): Element | null;
  reselect(epoch: number, label: number, chosen: number[]): { value: string } | Gone;
  pickOption(option: Element): Filled | Complaint | null;
  fileInput(epoch: number, label: number): { direct: boolean; multiple: boolean } | Complaint | Gone;
  fileTarget(epoch: number, label: number): Element | null;

  // find_text.js
  shownTexts(texts: string[]): string[];

  /** The elements that a script has found, for the one that is run next. */
  found?: (Element | null)[];

  // fill_secret.js, secret_fields.js, login_form.js
  /** The fields that a secret was typed into. */
  secretFields?: Set<HTMLInputElement>;
  /** What the last look at the texts of the document found, by number. */
  textElements?: Element[];
  /** What is painted over, with the style that it had. */
  covered?: [Element, string | null][];
  /** The fields of the login that was found last. */
  login?: Partial<Record<"username" | "password" | "code", HTMLInputElement>>;
}

/** Which field a secret goes into: one with a label, one of the login, or the focused one. */
type SecretTarget =
  { epoch: number; label: number } | { login: "username" | "password" | "code" } | { focused: true };

declare const tabmux: Tabmux;

/** What a document calls with its title when it has loaded: a binding, where tabmux listens. */
declare var tabmuxArrived: ((title: string) => void) | undefined;
/** What is called when the user comes to this tab: a binding. */
declare var tabmuxCame: ((nothing: string) => void) | undefined;

/** The code of serialize.js, which the loader puts here. */
declare const $SERIALIZE: (value: unknown) => string;
declare const $LONG_TEXT: (text: string, longest: number) => unknown;
declare const $PIECE: number;
/** The code of whoever asks for an evaluation. */
declare const $SOURCE: unknown;

/** The accessibility checker, where it was loaded into the world. */
declare var axe: undefined | {
  run(context: Document, options: object): Promise<{ violations: AxeViolation[] }>;
};
interface AxeViolation {
  id: string;
  impact?: string;
  help: string;
  nodes: { element: Element }[];
}
