// The messages of the live view's socket, as `daemon/ui/` writes and reads them.
interface PageState {
  id: number; title: string; url: string; attached: boolean; selected: boolean;
  holder: "" | "me" | "other";
  dialog: { kind: string, message: string } | null;
}
interface SessionState {
  id: string; name: string; label: string; client: string; opened: number; used: number;
  connected: boolean; lastCall: string; calls: number; made: number; paused: boolean;
  policy: PolicyState; places: string[]; pages: PageState[];
}
interface PolicyState {
  sections: string[]; readOnly: boolean; calls: number | null; minutes: number | null;
}
interface BrowserState {
  index: number; name: string; state: string; pages: number; calls: number; errors: number;
  latency: number; places: string[];
}
interface GridState { line: string; trouble: string; waiting: number }
interface RequestState {
  id: string; kind: "help" | "consent"; reason: string; session: string; page: number | null;
  until: number;
}
interface ServerState {
  sessions: SessionState[]; browsers: BrowserState[]; grid: GridState | null; requests: RequestState[];
}
interface Metrics {
  time: number; running: number; queued: number; calls: number; failures: number;
  seconds: number; memory: number; cpu: number;
}
interface Entry {
  run: string; number: number; time: number; session: string; tool: string; arguments: string;
  elements: string[]; page: number | null; url: string; code: string | null; error: string;
  milliseconds: number; characters: number; diff: string; picture: string; steps: Entry[];
}
interface Run {
  run: string; session: string; client: string; started: number; changed: number; bytes: number;
}
interface Box { x: number, y: number, width: number, height: number }
interface Picked { page: number, line: string, box: Box }
interface Frame { page: number, number: number, width: number, height: number, jpeg: Blob }
interface Place { page: number | null, view: "live" | "runs" | "health" }
