import type { FaultKind, LineName, RoundView } from './state';

/** A body: as text if it is UTF-8, else base64. */
export interface BodyView {
  readonly text: string;
  readonly encoding: 'utf8' | 'base64';
  readonly bytes: number;
}

/** A call on one of the lines. */
export interface WireCall {
  readonly n: number;
  /** Real time. */
  readonly at: string;
  readonly line: LineName;
  readonly call: string;
  readonly round: string | null;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: BodyView;
  /** Null as long as there is none, or if it never came. */
  readonly status: number | null;
  readonly replyHeaders: Readonly<Record<string, string>>;
  readonly replyBody: BodyView | null;
  readonly ms: number | null;
  /** What was signed, `[secret]` in the secret's place; null for an unsigned call. */
  readonly signed: string | null;
  /** `sent`: signed by the sandbox itself. `unsigned`: a call of a browser. `unchecked`: refused before.  */
  readonly verdict: 'verified' | 'refused' | 'unchecked' | 'sent' | 'unsigned';
  /** For a refused signature: what would have matched. */
  readonly explanation: string | null;
  /** The number of the call that made this one. */
  readonly cause: number | null;
  readonly fault: FaultKind | null;
  /** `done` with its reply, `lost` without one. */
  readonly state: 'underway' | 'done' | 'lost';
}

/** GET /sandbox/wire?since=N: the calls above N, oldest first, at most 500. */
export interface WireView {
  /** The number of the latest call. */
  readonly latest: number;
  /** The oldest call that is still kept. */
  readonly oldest: number;
  readonly calls: readonly WireCall[];
}

/** A step of a round. */
export type StepView =
  | { readonly kind: 'call'; readonly call: WireCall }
  | {
      readonly kind: 'event';
      /** The service's clock. */
      readonly at: string;
      readonly type: string;
      /** As the journal keeps it; JSON text. */
      readonly event: string;
    }
  | { readonly kind: 'finding'; readonly finding: FindingView };

/** GET /sandbox/round?id=R: what happened to a round, in order. */
export interface TimelineView {
  readonly round: RoundView | null;
  readonly steps: readonly StepView[];
}

/** Something legal that is almost surely a mistake (E1.5). */
export interface FindingView {
  /** The code, such as `noRoundId`. */
  readonly id: string;
  /** The rule that it rests on. */
  readonly rule: string;
  readonly call: string | null;
  readonly round: string | null;
  readonly text: string;
  readonly at: string;
  /** The number of the call on the wire that it is about; null if that is not known. */
  readonly wire: number | null;
}

/** GET /sandbox/findings, oldest first. */
export interface FindingsView {
  readonly findings: readonly FindingView[];
}
