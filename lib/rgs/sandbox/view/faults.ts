/** The four lines, by who calls whom. */
export type LineName = 'provider-rgs' | 'rgs-wallet' | 'rgs-provider' | 'operator-rgs';

/** The faults that a line can have. */
export type FaultKind =
  | 'loseRequest'
  | 'loseReply'
  | 'late'
  | 'twice'
  | 'reorder'
  | '503'
  | '429'
  | 'html'
  | 'cut';

/** POST /sandbox/faults: exactly one of `next` (so many calls) and `probability` (0 to 1); next 1 if neither. */
export interface FaultRequest {
  readonly line: LineName;
  /** The name of a call; every call of the line if absent. */
  readonly call?: string;
  readonly kind: FaultKind;
  readonly next?: number;
  readonly probability?: number;
  /** For `late`: how long the reply is held back; 1,000 unless given. */
  readonly delayMs?: number;
}

/** A fault that is set. */
export interface FaultView {
  readonly id: number;
  readonly line: LineName;
  readonly call: string | null;
  readonly kind: FaultKind;
  /** Calls that it still hits; null if it goes by probability. */
  readonly left: number | null;
  readonly probability: number | null;
  readonly delayMs: number;
  /** Calls that it has hit. */
  readonly hits: number;
}
